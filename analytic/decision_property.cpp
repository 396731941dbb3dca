// P and R of decision processes: which strategies an operator means, and what is refused.
#include <algorithm>
#include <optional>

#include "analytic/budget.h"
#include "analytic/decision_question.h"
#include "analytic/decision_values.h"
#include "analytic/property_evaluation.h"

namespace brink::analytic {
namespace {

class DecisionEvaluation final : public PropertyEvaluation {
 public:
  DecisionEvaluation(const ModelDecisions& decisions, const PropertySet& set,
                     const SolveOptions& options)
      : PropertyEvaluation(decisions, true, set, options),
        decisions_(decisions),
        process_(decisions.process()) {}

  /// Of the last operator that was evaluated: the property's root, once it has run.
  const std::optional<DecisionQuestion>& asked() const { return asked_; }

 private:
  /// A bound speaks of all strategies: >= holds when the smallest value is large enough.
  Goal goal(const PropNode& node) const override {
    if (node.optimum == Optimum::min) return Goal::minimise;
    if (node.optimum == Optimum::max) return Goal::maximise;
    switch (node.relation) {
      case Relation::ge:
      case Relation::gt:
        return Goal::minimise;
      case Relation::le:
      case Relation::lt:
        return Goal::maximise;
      default:
        break;
    }
    unsupported(
        "P or R without min or max in a decision process (mdp): its value depends on the strategy, "
        "so write Pmin, Pmax, Rmin or Rmax");
  }

  Solution until(Goal goal, const StateSet& a, const StateSet& b,
                 const Window& window) const override {
    Solution out = until_within(process_, goal, a, b, window, options_);
    asked_.reset();
    if (!window.upper && window.lower == 0) asked_ = DecisionQuestion{goal, a, b, {}, out, false};
    return out;
  }

  Solution within_budget(Goal goal, const StateSet& a, const StateSet& b, std::uint32_t structure,
                         double budget) const override {
    asked_.reset();
    return until_within_budget(process_, goal, a, b, costs(structure), budget, options_);
  }

  Solution next(Goal goal, const StateSet& a) const override {
    asked_.reset();
    return next_probability(process_, goal, a);
  }

  PathSolution formula(Goal goal, automata::PathFormula& path, const Letters& letters,
                       const StateSet& wanted) const override {
    asked_.reset();
    return formula_probability(process_, goal, path, letters, wanted, options_);
  }

  const Chain& graph() const override {
    if (!graph_) graph_ = graph_of(process_, std::vector<bool>(process_.choice_count(), true));
    return *graph_;
  }

  Solution steady(const PropNode&) const override { unsupported("S in a decision process (mdp)"); }

  Solution hitting(Goal best, const StateSet& target, const std::vector<double>& cost) const {
    Solution out = hitting_reward(process_, best, target, cost, options_);
    asked_ = DecisionQuestion{best, StateSet(process_.size(), true), target, cost, out, false};
    return out;
  }

  /// Of each choice; 1 for T=? (steps).
  std::vector<double> costs(std::uint32_t structure) const {
    if (structure == kElapsedTime) return std::vector<double>(process_.choice_count(), 1);
    auto out = decisions_.choice_rewards(structure);
    if (!out) throw Stop{Answer::Status::model_error, "a reward", out.error()};
    return std::move(*out);
  }

  Solution reward(const PropNode& node) const override {
    asked_.reset();
    if (node.reward_divisor != kNone) unsupported("ratios of rewards");
    const PropNode& path = set_[node.args[0]];
    const Goal best = goal(node);
    const auto collected = [&] {
      std::vector<double> out = costs(node.reward);
      if (std::any_of(out.begin(), out.end(), [](double r) { return r < 0; }))
        unsupported("negative rewards collected without a time bound in a decision process (mdp)");
      return out;
    };
    if (path.kind != PropKind::finally || until_formula(path)) need_all_states("this reward");
    if (until_formula(path)) {
      automata::PathFormula formula_of = path_formula(node.args[0], true);
      return unwrap(formula_reward(process_, best, formula_of, letters(formula_of), collected(),
                                   wanted(node), options_));
    }
    switch (path.kind) {
      case PropKind::finally:
        if (path.time.present()) unsupported("rewards until a bounded path formula");
        return at_least(hitting(best, known_target(states(path, 0)), collected()));
      case PropKind::cumulative:
        if (path.time.upper.valid())
          return reward_until(process_, best, costs(node.reward), reward_time(path), options_);
        return total_reward(process_, best, collected(), options_);
      case PropKind::instantaneous: {
        if (node.reward == kElapsedTime) unsupported("T of an instant");
        const auto earned = decisions_.state_rewards(node.reward);
        if (!earned) throw Stop{Answer::Status::model_error, "a reward", earned.error()};
        return expectation_at(process_, best, *earned, reward_time(path), options_);
      }
      case PropKind::long_run:
        unsupported("long-run rewards, R [ S ], in a decision process (mdp)");
      default:
        break;
    }
    unsupported("rewards until a path formula other than F");
  }

  const ModelDecisions& decisions_;
  const DecisionProcess& process_;
  mutable std::optional<Chain> graph_;  ///< made when first asked for
  mutable std::optional<DecisionQuestion> asked_;
};

}  // namespace

Answer evaluate_property(const ModelDecisions& decisions, const PropertySet& set,
                         const Property& property, const SolveOptions& options) {
  DecisionEvaluation evaluation(decisions, set, options);
  return answer_of(evaluation, property);
}

Result<DecisionQuestion, std::string> question_of(const ModelDecisions& decisions,
                                                  const PropertySet& set, const Property& property,
                                                  const SolveOptions& options) {
  if (!decisions.complete()) return fail(decisions.unexplored_reason());
  const PropKind kind = set[property.root].kind;
  if (kind != PropKind::probability && kind != PropKind::reward)
    return fail(std::string("a strategy belongs to one P or R operator, and the property is none"));
  DecisionEvaluation evaluation(decisions, set, options);
  const Answer answer = answer_of(evaluation, property);
  // A comparison on its bound has values all the same.
  if (answer.status != Answer::Status::solved && !answer.on_bound) return fail(answer.note);
  if (!evaluation.asked())
    return fail(
        std::string("the best strategy of this property needs memory (time bounds, X, LTL, C, I)"));
  DecisionQuestion out = *evaluation.asked();
  const PropKind path = set[set[property.root].args[0]].kind;
  out.complemented =
      path == PropKind::globally || path == PropKind::weak_until || path == PropKind::release;
  return out;
}

}  // namespace brink::analytic
