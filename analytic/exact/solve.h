// Linear equations and best strategies in rational arithmetic. Internal to analytic/exact.
//
// Elimination goes by strong components from the bottom up, within one by the state with the fewest
// neighbours first. Strategies are improved (Howard 1960) from one that leaves the unknown states
// with probability 1; a strictly better choice keeps that so, since no closed set of states could
// pay for it, and the values of the last strategy are exact, so its end is a proof of optimality.
#pragma once

#include "analytic/decision_graph.h"
#include "analytic/exact/states.h"
#include "analytic/numeric.h"

namespace brink::analytic::exact {

struct Question {
  const Moves& moves;
  Goal goal;
  StateSet unknown;
  std::vector<Rational> value;  ///< of the other states
  std::vector<Rational> cost;   ///< of each choice; empty: none
  std::vector<bool> allowed;    ///< choices of unknown states; each has one that leads on
};

/// Fills in the values of the unknown states; false when interrupted. BRINK_CHECK: from each
/// unknown state allowed choices lead out of them.
bool solve(Question& question, const SolveOptions& options);

/// Stationary distribution of a closed strongly connected set of states of a chain, by state
/// elimination without subtraction; empty when interrupted.
std::vector<Rational> stationary(const Moves& moves, std::span<const std::uint32_t> states,
                                 const SolveOptions& options);

}  // namespace brink::analytic::exact
