// Ensembles: the metrics of a scenario over many seeds, with 95 % intervals.
//
// Run i has seed `first + i`. Runs are shared by the threads one by one, and their results are put
// together in the order of the seeds, so the numbers do not depend on how many threads there were.
// Used by: simulate --runs, claims of scenarios that have [ensemble].
#pragma once

#include <map>
#include <string>
#include <vector>

#include "experiments/scenario/metrics.h"
#include "experiments/scenario/simulate.h"

namespace brink {

/// A metric over the runs that have it.
struct Spread {
  std::int64_t runs = 0;
  double mean = 0;
  double half_width = 0;  ///< of the 95 % interval of the mean (Student's t); NaN with one run
  double least = 0, most = 0;
};

struct Ensemble {
  Run first;
  std::map<std::string, Spread> metrics;
};

/// Runs the scenario `count` times. Errors: those of simulate and of the metrics; none at all when
/// interrupted.
Result<Ensemble, Diagnostics> run_ensemble(const Prepared& prepared, std::uint64_t first,
                                           std::int64_t count, unsigned threads);

/// Mean, interval and range of `values` (finite ones only).
Spread spread_of(const std::vector<double>& values);

}  // namespace brink
