#include "analytic/property_values.h"

#include <algorithm>

#include "analytic/budget.h"
#include "analytic/certain.h"
#include "analytic/lumping.h"
#include "analytic/property_evaluation.h"
#include "analytic/transient.h"

namespace brink::analytic {
namespace {

class ChainEvaluation final : public PropertyEvaluation {
 public:
  ChainEvaluation(const ModelChain& chain, const PropertySet& set, const SolveOptions& options)
      : PropertyEvaluation(chain, chain.chain().kind() == ChainKind::discrete, set, options),
        chain_(chain) {}

 private:
  Goal goal(const PropNode&) const override { return Goal::maximise; }

  Solution until(Goal, const StateSet& a, const StateSet& b, const Window& window) const override {
    if (!options_.lump) return until_within(chain_.chain(), a, b, window, options_);
    const Lumped l = lump(chain_.chain(), kinds_of({numbers(a), numbers(b)}));
    return l.up(until_within(l.chain, l.down(a), l.down(b), window, options_));
  }

  Solution within_budget(Goal goal, const StateSet& a, const StateSet& b, std::uint32_t structure,
                         double budget) const override {
    if (structure != kElapsedTime && chain_.has_jump_rewards(structure))
      unsupported("bounds on accumulated rewards of moves in a chain");
    return until_within_budget(as_decisions(chain_.chain()), goal, a, b, rewards(structure, false),
                               budget, options_);
  }

  Solution next(Goal, const StateSet& a) const override {
    return next_probability(chain_.chain(), a);
  }

  PathSolution formula(Goal, automata::PathFormula& path, const Letters& letters,
                       const StateSet& wanted) const override {
    return formula_probability(chain_.chain(), path, letters, wanted, options_);
  }

  const Chain& graph() const override { return chain_.chain(); }

  Solution steady(const PropNode& node) const override {
    const StateSet inside = states(node, 0);
    return averaged(numbers(inside));
  }

  std::vector<double> rewards(std::uint32_t structure, bool with_jumps) const {
    if (structure == kElapsedTime) return std::vector<double>(chain_.size(), 1);
    auto state = chain_.state_rewards(structure);
    if (!state) throw Stop{Answer::Status::model_error, "a reward", state.error()};
    if (!with_jumps) return *state;
    const auto jump = chain_.jump_rewards(structure);
    if (!jump) throw Stop{Answer::Status::model_error, "a reward", jump.error()};
    for (std::size_t s = 0; s < state->size(); ++s) (*state)[s] += (*jump)[s];
    return *state;
  }

  static std::vector<double> numbers(const StateSet& set) { return {set.begin(), set.end()}; }

  /// A question about a chain and a reward vector, asked of the lumped chain where that is wanted.
  template <typename Ask>
  Solution of_rewards(const std::vector<double>& earned, Ask ask) const {
    if (!options_.lump) return ask(chain_.chain(), earned);
    const Lumped l = lump(chain_.chain(), kinds_of({earned}));
    return l.up(ask(l.chain, l.down(earned)));
  }

  Solution averaged(const std::vector<double>& reward) const {
    return of_rewards(reward, [&](const Chain& chain, const std::vector<double>& own) {
      return long_run_average(chain, own, options_);
    });
  }
  Solution total(const std::vector<double>& earned) const {
    return of_rewards(earned, [&](const Chain& chain, const std::vector<double>& own) {
      return total_reward(chain, own, options_);
    });
  }
  Solution until_reached(const StateSet& target, const std::vector<double>& earned) const {
    if (!options_.lump) return hitting_reward(chain_.chain(), target, earned, options_);
    const Lumped l = lump(chain_.chain(), kinds_of({numbers(target), earned}));
    return l.up(hitting_reward(l.chain, l.down(target), l.down(earned), options_));
  }

  /// Both exact where nothing can be earned.
  Solution collected(const std::vector<double>& earned, double time) const {
    return of_rewards(earned, [&](const Chain& chain, const std::vector<double>& own) {
      Solution out = reward_until(chain, own, time, options_);
      const StateSet none(chain.size(), false);
      settle(out, {collects_nothing(chain, own, time), none});
      return out;
    });
  }
  /// Rewards collected before an unexplored state is met; `time` < 0: without end.
  Solution cut_short(std::vector<double> earned, double time) const {
    for (std::uint32_t s = chain_.explored(); s < chain_.size(); ++s) earned[s] = 0;
    return time < 0 ? total(earned) : collected(earned, time);
  }
  Solution at_instant(const std::vector<double>& earned, double time) const {
    return of_rewards(earned, [&](const Chain& chain, const std::vector<double>& own) {
      Solution out = expectation_at(chain, own, time, options_);
      settle(out, after(chain, Certain::of(own), time));
      return out;
    });
  }

  Solution reward(const PropNode& node) const override {
    if (node.reward_divisor != kNone) unsupported("ratios of rewards");
    const PropNode& path = set_[node.args[0]];
    const Chain& chain = chain_.chain();
    const std::vector<double> earned = rewards(node.reward, path.kind != PropKind::instantaneous);
    const auto negative = [&] {
      return std::any_of(earned.begin(), earned.end(), [](double r) { return r < 0; });
    };
    const bool lower = path.kind == PropKind::finally || path.kind == PropKind::cumulative;
    if (!lower || until_formula(path) || negative()) need_all_states("this reward");
    if (until_formula(path)) {
      automata::PathFormula formula_of = path_formula(node.args[0], true);
      return unwrap(
          formula_reward(chain, formula_of, letters(formula_of), earned, wanted(node), options_));
    }
    switch (path.kind) {
      case PropKind::finally:
        if (path.time.present()) unsupported("rewards until a bounded path formula");
        return at_least(until_reached(known_target(states(path, 0)), earned));
      case PropKind::cumulative:
        if (!chain_.complete())
          return at_least(cut_short(earned, path.time.upper.valid() ? reward_time(path) : -1));
        if (path.time.upper.valid()) return collected(earned, reward_time(path));
        if (negative()) unsupported("total rewards with negative terms");
        return total(earned);
      case PropKind::instantaneous:
        return at_instant(earned, reward_time(path));
      case PropKind::long_run:
        if (negative()) unsupported("long-run rewards with negative terms");
        return averaged(earned);
      default:
        break;
    }
    unsupported("rewards until a path formula other than F");
  }

  const ModelChain& chain_;
};

}  // namespace

Answer evaluate_property(const ModelChain& chain, const PropertySet& set, const Property& property,
                         const SolveOptions& options) {
  ChainEvaluation evaluation(chain, set, options);
  return answer_of(evaluation, property);
}

}  // namespace brink::analytic
