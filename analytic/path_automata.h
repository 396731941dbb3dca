// Probabilities of linear temporal logic and rewards until co-safe formulas, on chains and decision
// processes: P and R of path formulas that are not a single X, F, G, U, W or R over state formulas.
// Sets and numbers in, a Solution out; the formula comes from models/automata/path_formula.h.
//
// The model is multiplied with a deterministic automaton. A run of a chain ends up in a bottom
// component of the product and goes round all of it, so the formula has the probability of reaching
// a component whose marks are accepted. A strategy stays in an end component; the largest
// probability is that of reaching one that some clause of the acceptance accepts, looked for among
// the maximal end components of what is left without the clause's finite marks (de Alfaro 1997;
// Baier & Katoen, Principles of Model Checking, ch. 10). The smallest one is 1 minus the largest of
// the negation.
#pragma once

#include "analytic/decision_graph.h"
#include "analytic/product.h"
#include "models/automata/deterministic.h"
#include "models/automata/good_prefixes.h"
#include "models/automata/path_formula.h"

namespace brink::analytic {

/// Why there is no answer: the formula (or its product) is too large, or not of a kind that counts.
struct PathProblem {
  bool unsupported = false;  ///< otherwise a limit
  std::string message;
};
using PathSolution = Result<Solution, PathProblem>;

/// Probability of the formula from each wanted state (0 elsewhere, meaning nothing).
PathSolution formula_probability(const Chain& chain, automata::PathFormula& formula,
                                 const Letters& letters, const StateSet& wanted,
                                 const SolveOptions& options);
PathSolution formula_probability(const DecisionProcess& process, Goal goal,
                                 automata::PathFormula& formula, const Letters& letters,
                                 const StateSet& wanted, const SolveOptions& options);

/// Expected reward until the first prefix that satisfies the formula, which must be co-safe and
/// made with count_steps. `reward` and `cost` as in hitting_reward of absorption.h and
/// decision_values.h.
PathSolution formula_reward(const Chain& chain, automata::PathFormula& formula,
                            const Letters& letters, const std::vector<double>& reward,
                            const StateSet& wanted, const SolveOptions& options);
PathSolution formula_reward(const DecisionProcess& process, Goal goal,
                            automata::PathFormula& formula, const Letters& letters,
                            const std::vector<double>& cost, const StateSet& wanted,
                            const SolveOptions& options);

/// The automata as watchers of products: with the marks of the acceptance, and with mark 1 at the
/// letter that makes a prefix good (what comes after does not matter). They must outlive the
/// watcher.
Watcher watch(automata::Deterministic& automaton);
Watcher watch(automata::GoodPrefixes& prefixes);

/// Product states in which some strategy has the acceptance for certain without leaving their end
/// component; product states with a mark.
StateSet accepting_ends(const DecisionProduct& product,
                        const std::vector<automata::Clause>& acceptance);
StateSet marked(const std::vector<std::uint64_t>& marks);

/// States with a path that satisfies the formula (E).
Result<StateSet, PathProblem> some_path(const Chain& graph, automata::PathFormula& formula,
                                        const Letters& letters, const SolveOptions& options);

}  // namespace brink::analytic
