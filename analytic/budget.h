// Reaching a target before a budget of rewards is spent: F^{rew{"r"}<=B} and U of decision
// processes (and of chains, as processes with one choice). Used by the P operators.
#pragma once

#include "analytic/decision_values.h"

namespace brink::analytic {

/// Best probability of a U b with at most `budget` collected before b. `cost` of each choice is a
/// whole number >= 0. Not converged, with the reason, when costs are not of that kind, when
/// choices that cost nothing form a cycle among undecided states, or when interrupted.
Solution until_within_budget(const DecisionProcess& process, Goal goal, const StateSet& a,
                             const StateSet& b, const std::vector<double>& cost, double budget,
                             const SolveOptions& options);

/// A discrete chain as a process with one choice in each state.
DecisionProcess as_decisions(const Chain& chain);

}  // namespace brink::analytic
