// Metrics: the scenario's numbers, computed the same way from observed, simulated and predicted
// tables. Used by: claims, curves, `predict` and `simulate`.
#pragma once

#include <span>

#include "experiments/scenario/expression.h"
#include "experiments/scenario/simulate.h"

namespace brink {

/// Every metric that these tables can give. One whose table, column or rows are missing is absent
/// (a prediction has no CPU shares, a mail no counters); one whose inputs are absent is absent,
/// too. `names` are further numbers that value expressions may use. Errors: an expression that is
/// wrong in itself.
Result<Names, Diagnostics> compute_metrics(const Scenario& scenario, const Tables& tables,
                                           const Names& names);

/// Is there, for every metric, a source whose table has its columns? The first source is a run of
/// the machine, whose tables have all columns; tables that it lacks are not judged. Errors: E0910,
/// naming the nearest column.
Result<void, Diagnostics> check_metric_columns(const Scenario& scenario,
                                               std::span<const Tables* const> sources);

}  // namespace brink
