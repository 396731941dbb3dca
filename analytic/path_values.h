// Values of PRISM's path and reward operators for all states of a chain: the numbers behind P, S
// and R. Sets and vectors in, a Solution out; no property trees here (property_values.h).
#pragma once

#include <optional>

#include "analytic/absorption.h"

namespace brink::analytic {

/// A time window, in steps (whole numbers) or time units: lower <= t <= upper.
struct Window {
  double lower = 0;
  std::optional<double> upper;  ///< nothing: unbounded
};

/// P [ a U b ] within the window.
Solution until_within(const Chain& chain, const StateSet& a, const StateSet& b,
                      const Window& window, const SolveOptions& options);

/// P [ X a ]: a state without transitions repeats itself.
Solution next_probability(const Chain& chain, const StateSet& a);

/// Long-run average of a non-negative `reward` per step or time unit, from each state.
Solution long_run_average(const Chain& chain, const std::vector<double>& reward,
                          const SolveOptions& options);

/// Reward collected for ever: infinite where a bottom component that earns can be reached. Not for
/// negative rewards.
Solution total_reward(const Chain& chain, const std::vector<double>& reward,
                      const SolveOptions& options);

/// 1 - x, for complements of probabilities.
Solution complement(Solution x);

}  // namespace brink::analytic
