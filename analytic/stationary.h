// Long-run behaviour: the stationary vector of each bottom strong component, and the long-run
// distribution from a given start. Used for throughput, S=? and long-run rewards.
//
// A row of the balance equations is never replaced by ones (that row fills the factors): small or
// thin components are eliminated (GTH), larger ones are swept, with a bound from times to one
// state, or solved with the heaviest state pinned to 1. Discrete chains may be periodic: the vector
// is then the long-run average (the Cesaro limit), which is what S=? means, and `period` says so.
#pragma once

#include <limits>

#include "analytic/graph.h"
#include "analytic/numeric.h"

namespace brink::analytic {

/// One bottom component; `solution` is aligned with `states` and sums to 1.
struct BottomStationary {
  std::vector<std::uint32_t> states;
  std::uint32_t period = 1;  ///< 1 for continuous chains
  Solution solution;
  /// The absolute errors of all states together are at most this, where it is known to be less than
  /// the sum of the bounds.
  double total_error = std::numeric_limits<double>::infinity();
};

/// All bottom components, ordered by their smallest state.
std::vector<BottomStationary> stationary_vectors(const Chain& chain,
                                                 const SolveOptions& options = {});

/// Fraction of time spent in each state in the long run, from the distribution `start`.
Solution long_run(const Chain& chain, const std::vector<double>& start,
                  const SolveOptions& options = {});

}  // namespace brink::analytic
