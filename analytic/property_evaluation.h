// The evaluation of one property over all states, operands before users; what P, S and R mean is
// left to the kind of model (chain or decision process). Internal to property_values.
#pragma once

#include <string>
#include <vector>

#include "analytic/decision_graph.h"
#include "analytic/path_automata.h"
#include "analytic/path_values.h"
#include "analytic/property_values.h"
#include "analytic/state_values.h"

namespace brink::analytic {

/// Ends the evaluation of a property; caught by answer_of only.
struct Stop {
  Answer::Status status;
  std::string note;
  std::optional<SemanticError> error = std::nullopt;
  bool on_bound = false;
};

[[noreturn]] void unsupported(std::string what);

class PropertyEvaluation {
 public:
  PropertyEvaluation(const ModelStates& model, bool discrete, const PropertySet& set,
                     const SolveOptions& options)
      : model_(model),
        discrete_(discrete),
        set_(set),
        options_(options),
        known_(set.nodes.size()) {}
  virtual ~PropertyEvaluation() = default;

  /// The value in the initial states; throws Stop.
  void run(PropId root, Answer& answer);

 protected:
  /// Which strategy a P or R operator asks about; chains have none and need not answer.
  virtual Goal goal(const PropNode& node) const = 0;
  virtual Solution until(Goal goal, const StateSet& a, const StateSet& b,
                         const Window& window) const = 0;
  /// a U b before more than `budget` of the reward structure is collected.
  virtual Solution within_budget(Goal goal, const StateSet& a, const StateSet& b,
                                 std::uint32_t structure, double budget) const = 0;
  virtual Solution next(Goal goal, const StateSet& a) const = 0;
  /// Probability of a formula that needs an automaton.
  virtual PathSolution formula(Goal goal, automata::PathFormula& path, const Letters& letters,
                               const StateSet& wanted) const = 0;
  virtual Solution steady(const PropNode& node) const = 0;
  virtual Solution reward(const PropNode& node) const = 0;
  /// All moves, whatever their probabilities.
  virtual const Chain& graph() const = 0;

  /// Ends the evaluation where a limit left states unexplored: what is asked needs all of them.
  void need_all_states(const char* what) const;
  /// The states that were found and never expanded.
  StateSet unexplored() const;
  /// For rewards until a target is reached: `target`, and all that is unexplored, beyond which
  /// nothing is counted; then the answer is marked by at_least().
  StateSet known_target(StateSet target) const;
  Solution at_least(Solution solution) const;

  /// A boolean operand as a set; undecided when the values of some state are in doubt.
  StateSet states(const PropNode& node, std::size_t i) const { return states(node.args[i]); }
  StateSet states(PropId id) const;
  /// Is it one X, F, G, U, W or R over state formulas, or a state formula?
  bool simple(const PropNode& path) const;
  /// Is it what a reward is collected until, other than F of a state formula?
  bool until_formula(const PropNode& path) const;
  automata::PathFormula path_formula(PropId path, bool count_steps = false) const;
  Letters letters(const automata::PathFormula& path) const;
  /// The states whose value of `node` will be looked at.
  StateSet wanted(const PropNode& node) const;
  Solution unwrap(PathSolution solution) const;
  double constant(ExprId id) const;
  /// Upper time bound of a reward operator: whole steps in discrete time.
  double reward_time(const PropNode& path) const;

  const ModelStates& model_;
  const bool discrete_;
  const PropertySet& set_;
  const SolveOptions& options_;

 private:
  const StateValues& arg(const PropNode& node, std::size_t i) const {
    return known_[node.args[i].index];
  }
  void take(const Solution& solution, StateValues& out);
  Window window(const PropNode& path) const;
  Solution until_as_known(Goal goal, const StateSet& a, const StateSet& b,
                          const Window& window) const;
  Solution next_as_known(Goal goal, const StateSet& a) const;
  Solution bounded(Goal goal, const StateSet& a, const StateSet& b, const PropNode& path) const;
  Solution path_probability(Goal goal, const PropNode& node) const;
  void branching(const PropNode& node, StateValues& out) const;
  void compare(const PropNode& node, StateValues& out) const;
  void atom(const PropNode& node, StateValues& out) const;
  void filter(const PropNode& node, StateValues& out) const;
  void evaluate(const PropNode& node, StateValues& out);
  void report(const StateValues& root, bool probability, Answer& answer) const;

  std::vector<StateValues> known_;
  std::vector<bool> everywhere_;  ///< of each node: its values outside the initial states matter
  double residual_ = 0;
  Method method_ = Method::graph;
  std::uint64_t iterations_ = 0;
  std::uint32_t classes_ = 0;
};

/// Runs the evaluation and turns what it throws into an answer.
Answer answer_of(PropertyEvaluation& evaluation, const Property& property);

}  // namespace brink::analytic
