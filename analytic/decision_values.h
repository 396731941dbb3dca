// Smallest and largest probabilities and expected rewards over all strategies of a decision
// process: the numbers behind Pmin, Pmax, Rmin and Rmax. Sets and vectors in, a Solution out; no
// property trees here (property_values.h).
//
// Order of work: the graph decides probabilities 0 and 1 and infinite rewards (decision_graph.h);
// end components in which a strategy could stay for nothing are made one state; the rest is solved
// and proved by optimal_equations.h. Probabilities of a choice that miss 1 by rounding stay in the
// state, as in a chain.
#pragma once

#include "analytic/decision_graph.h"
#include "analytic/path_values.h"

namespace brink::analytic {

/// Best probability of a U b within the window (whole steps).
Solution until_within(const DecisionProcess& process, Goal goal, const StateSet& a,
                      const StateSet& b, const Window& window, const SolveOptions& options);

/// Best probability of X a.
Solution next_probability(const DecisionProcess& process, Goal goal, const StateSet& a);

/// Best expected cost until `target`; `cost` is non-negative, one for each choice. Infinity where
/// the target can be missed (maximise) or cannot be reached surely (minimise).
Solution hitting_reward(const DecisionProcess& process, Goal goal, const StateSet& target,
                        const std::vector<double>& cost, const SolveOptions& options);

/// Best expected cost collected for ever (non-negative costs).
Solution total_reward(const DecisionProcess& process, Goal goal, const std::vector<double>& cost,
                      const SolveOptions& options);

/// Best expected cost of the first `steps` choices (of any sign).
Solution reward_until(const DecisionProcess& process, Goal goal, const std::vector<double>& cost,
                      double steps, const SolveOptions& options);

/// Best expectation of `value` at the state occupied after `steps` choices.
Solution expectation_at(const DecisionProcess& process, Goal goal, const std::vector<double>& value,
                        double steps, const SolveOptions& options);

}  // namespace brink::analytic
