// What P, R and S mean on exact moves: sets and rationals in, one Number for each state out. Chains
// are decision processes with one choice. Internal to analytic/exact.
#pragma once

#include "analytic/exact/solve.h"
#include "analytic/path_automata.h"
#include "analytic/path_values.h"

namespace brink::analytic::exact {

using Numbers = std::vector<Number>;

class Operators {
 public:
  Operators(const Moves& moves, const SolveOptions& options)
      : moves_(moves), process_(moves.process()), options_(options) {}

  /// Whole steps; in continuous time the window must be empty of bounds.
  Numbers until(Goal goal, const StateSet& a, const StateSet& b, const Window& window) const;
  Numbers next(Goal goal, const StateSet& a) const;
  /// Best cost until the target; costs are non-negative where there are choices.
  Numbers until_reward(Goal goal, const StateSet& target, const std::vector<Rational>& cost) const;
  /// Costs for ever (to be minimised, or of a chain).
  Numbers total(const std::vector<Rational>& cost) const;
  /// Costs of the first steps, or the best expectation of `value` after them.
  Numbers first_steps(Goal goal, const std::vector<Rational>& cost,
                      const std::vector<Rational>& value, double steps) const;
  /// Long-run average per step or time unit (chains).
  Numbers long_run(const std::vector<Rational>& reward) const;

  Numbers formula(Goal goal, automata::PathFormula& path, const Letters& letters,
                  const StateSet& wanted) const;
  Numbers formula_reward(Goal goal, automata::PathFormula& path, const Letters& letters,
                         const std::vector<Rational>& cost, const StateSet& wanted) const;

  const Moves& moves() const { return moves_; }

 private:
  Numbers reach(Goal goal, const StateSet& a, const StateSet& b) const;
  Numbers solved(Question question, const StateSet& infinite) const;
  std::vector<Rational> step(Goal goal, const std::vector<Rational>& cost, const StateSet& moving,
                             const std::vector<Rational>& from) const;
  Numbers formula_at(automata::FormulaPool& pool, automata::Formula f, const Letters& letters,
                     const StateSet& wanted) const;
  Moves multiplied(const DecisionProduct& product) const;

  const Moves& moves_;
  DecisionProcess process_;
  const SolveOptions& options_;
};

}  // namespace brink::analytic::exact
