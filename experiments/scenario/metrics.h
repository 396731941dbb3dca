// Metrics: the scenario's numbers, computed the same way from observed, simulated and predicted
// tables. Used by: claims, curves, `predict` and `simulate`.
#pragma once

#include "experiments/scenario/expression.h"
#include "experiments/scenario/simulate.h"

namespace brink {

/// Every metric that these tables can give. One whose table, column or rows are missing is absent
/// (a prediction has no CPU shares, a mail no counters); one whose inputs are absent is absent,
/// too. `names` are further numbers that value expressions may use. Errors: an expression that is
/// wrong in itself.
Result<Names, Diagnostics> compute_metrics(const Scenario& scenario, const Tables& tables,
                                           const Names& names);

}  // namespace brink
