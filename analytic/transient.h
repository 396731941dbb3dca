// Behaviour at or up to a point in time: distributions, bounded expectations, accumulated rewards.
// Continuous chains by uniformisation (Jensen 1953), discrete ones by plain steps.
//
// The uniformisation rate is the largest exit rate among states that move at all: absorbing states
// cost nothing (an artificial self-loop rate would make stiff models ten times slower). Bounds:
// the Poisson mass left out, plus the roundings of the products.
#pragma once

#include "analytic/chain.h"
#include "analytic/numeric.h"

namespace brink::analytic {

/// Distribution after `time` (continuous: time units; discrete: whole steps) from `start`.
Solution distribution_at(const Chain& chain, const std::vector<double>& start, double time,
                         const SolveOptions& options = {});

/// Expectation, for each start state, of `value` at the state occupied after `time`.
Solution expectation_at(const Chain& chain, const std::vector<double>& value, double time,
                        const SolveOptions& options = {});

/// Expected reward collected before `time`, for each start state: `reward` per time unit
/// (continuous) or per step spent in a state (discrete, steps 0 .. time-1).
Solution reward_until(const Chain& chain, const std::vector<double>& reward, double time,
                      const SolveOptions& options = {});

}  // namespace brink::analytic
