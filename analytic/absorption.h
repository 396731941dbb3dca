// Where a Markov chain ends up, and when: probabilities of reaching a set, expected hitting times
// and expected rewards until then. Used for mean time to starvation and for PRISM's P and R.
//
// Order of work: reachability first (probabilities 0 and 1, infinite times), then the strong
// components of what is left, from the bottom up, each by elimination where the fill allows and
// by certified iteration or SparseLU otherwise. Errors of lower components are carried upwards as
// a second right-hand side, so the bound of every value covers the whole computation.
#pragma once

#include "analytic/graph.h"
#include "analytic/numeric.h"

namespace brink::analytic {

/// Probability of `through` U `target` from each state (steps or jumps unbounded).
Solution until_probability(const Chain& chain, const StateSet& through, const StateSet& target,
                           const SolveOptions& options = {});

/// Probability of reaching `target` from each state.
Solution reach_probability(const Chain& chain, const StateSet& target,
                           const SolveOptions& options = {});

/// Expected time until `target` from each state: in time units for a continuous chain, in steps
/// for a discrete one. Infinity where the target is not reached with probability 1.
Solution hitting_time(const Chain& chain, const StateSet& target, const SolveOptions& options = {});

/// Expected reward collected before `target`, infinity where it is not reached with probability 1.
/// `reward[s]` is earned per visit of s (discrete: each step spent in s) or per time unit
/// (continuous); the target's own reward is not earned (PRISM's R [ F target ]). Rewards of jumps
/// are to be folded in by the caller: per step sum(p r), per time unit sum(rate r).
Solution hitting_reward(const Chain& chain, const StateSet& target,
                        const std::vector<double>& reward, const SolveOptions& options = {});

/// Expected `boundary` value at the first state of `known`, 0 where none is ever met. The values
/// must not be negative; `doubt` bounds their errors (empty: exact).
Solution boundary_value(const Chain& chain, const StateSet& known,
                        const std::vector<double>& boundary, const std::vector<double>& doubt,
                        const SolveOptions& options = {});

}  // namespace brink::analytic
