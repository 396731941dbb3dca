#include "analytic/property_values.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "analytic/path_values.h"
#include "analytic/state_values.h"
#include "analytic/transient.h"
#include "models/base/check.h"
#include "models/semantics/program.h"

namespace brink::analytic {
namespace {

/// Ends the evaluation of a property; caught by evaluate_property only.
struct Stop {
  Answer::Status status;
  std::string note;
  std::optional<SemanticError> error = std::nullopt;
};

[[noreturn]] void unsupported(std::string what) {
  throw Stop{Answer::Status::unsupported, "not supported: " + std::move(what)};
}

class PropertyEvaluation {
 public:
  PropertyEvaluation(const ModelChain& chain, const PropertySet& set, const SolveOptions& options)
      : chain_(chain), set_(set), options_(options), known_(set.nodes.size()) {}

  void run(PropId root, Answer& answer) {
    std::vector<bool> below(root.index + std::size_t{1}, false);
    below[root.index] = true;
    for (std::uint32_t i = root.index + 1; i-- > 0;)
      if (below[i])
        for (const PropId arg : set_.nodes[i].args)
          if (arg.valid()) below[arg.index] = true;
    for (std::uint32_t i = 0; i <= root.index; ++i)
      if (below[i]) evaluate(set_.nodes[i], known_[i]);
    report(known_[root.index], answer);
    answer.residual = residual_;
    answer.method = method_;
    answer.iterations = iterations_;
  }

 private:
  const StateValues& arg(const PropNode& node, std::size_t i) const {
    return known_[node.args[i].index];
  }
  /// A boolean operand as a set; undecided when the values of some state are in doubt.
  StateSet states(const PropNode& node, std::size_t i) const {
    const StateValues& operand = arg(node, i);
    if (!operand.boolean) unsupported("a number where a yes or no is needed");
    if (operand.doubtful())
      throw Stop{Answer::Status::undecided, "a nested value is closer to its bound than its error"};
    return operand.as_set();
  }

  void take(const Solution& solution, StateValues& out) {
    residual_ = std::max(residual_, solution.residual);
    method_ = std::max(method_, solution.method);
    iterations_ += solution.iterations;
    if (!solution.converged) throw Stop{Answer::Status::undecided, solution.note};
    out.boolean = false;
    out.value = solution.values;
    out.bound = solution.bounds;
  }

  double constant(ExprId id) const {
    if (!set_.pool.is_constant(id)) unsupported("a bound that is not constant");
    return set_.pool.number(id);
  }

  /// Whole steps in discrete time: `< t` is `<= t-1`.
  Window window(const PropNode& path) const {
    if (path.time.reward != kNone) unsupported("bounds on accumulated rewards");
    const bool discrete = chain_.chain().kind() == ChainKind::discrete;
    Window out;
    if (path.time.lower.valid())
      out.lower = constant(path.time.lower) + (path.time.lower_strict && discrete ? 1 : 0);
    if (path.time.upper.valid()) {
      out.upper = constant(path.time.upper) - (path.time.upper_strict && discrete ? 1 : 0);
      if (*out.upper < 0 && !discrete) unsupported("a negative time bound");
    }
    return out;
  }

  Solution path_probability(const PropNode& path) {
    const StateSet all(chain_.size(), true);
    const Chain& chain = chain_.chain();
    const auto flipped = [](StateSet set) {
      set.flip();
      return set;
    };
    for (const PropId id : path.args)
      if (set_[id].is_path) unsupported("nested path formulas (LTL)");
    switch (path.kind) {
      case PropKind::next:
        if (path.time.present()) unsupported("X with a time bound");
        return next_probability(chain, states(path, 0));
      case PropKind::finally:
        return until_within(chain, all, states(path, 0), window(path), options_);
      case PropKind::globally:
        return complement(
            until_within(chain, all, flipped(states(path, 0)), window(path), options_));
      case PropKind::until:
        return until_within(chain, states(path, 0), states(path, 1), window(path), options_);
      case PropKind::weak_until: {  // not ((not b) U (neither))
        const StateSet not_b = flipped(states(path, 1));
        StateSet neither = flipped(states(path, 0));
        for (std::size_t s = 0; s < neither.size(); ++s) neither[s] = neither[s] && not_b[s];
        return complement(until_within(chain, not_b, neither, window(path), options_));
      }
      case PropKind::release:  // not ((not a) U (not b))
        return complement(until_within(chain, flipped(states(path, 0)), flipped(states(path, 1)),
                                       window(path), options_));
      default:
        break;
    }
    unsupported("path formulas combined by operators (LTL)");
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

  Solution reward(const PropNode& node) {
    if (node.reward_divisor != kNone) unsupported("ratios of rewards");
    const PropNode& path = set_[node.args[0]];
    const Chain& chain = chain_.chain();
    const bool discrete = chain.kind() == ChainKind::discrete;
    const std::vector<double> earned = rewards(node.reward, path.kind != PropKind::instantaneous);
    const auto negative = [&] {
      return std::any_of(earned.begin(), earned.end(), [](double r) { return r < 0; });
    };
    const auto time = [&] {
      const double t = constant(path.time.upper);
      if (t < 0 || (discrete && t != std::floor(t))) unsupported("that time bound");
      return t;
    };
    switch (path.kind) {
      case PropKind::finally:
        if (path.time.present()) unsupported("rewards until a bounded path formula");
        return hitting_reward(chain, states(path, 0), earned, options_);
      case PropKind::cumulative:
        if (path.time.upper.valid()) return reward_until(chain, earned, time(), options_);
        if (negative()) unsupported("total rewards with negative terms");
        return total_reward(chain, earned, options_);
      case PropKind::instantaneous:
        return expectation_at(chain, earned, time(), options_);
      case PropKind::long_run:
        if (negative()) unsupported("long-run rewards with negative terms");
        return long_run_average(chain, earned, options_);
      default:
        break;
    }
    unsupported("rewards until a path formula other than F");
  }

  /// =? keeps the numbers; a bound compares them.
  void compare(const PropNode& node, StateValues& out) const {
    if (node.relation == Relation::query) return;
    out.compare(node.relation, constant(node.bound));
  }

  void atom(const PropNode& node, StateValues& out) const {
    ExprEvaluator evaluator(static_cast<std::uint32_t>(chain_.model()->variables.size()));
    const std::size_t expr = evaluator.add(set_.pool, node.expr);
    out.boolean = node.type == Type::boolean;
    out.value.resize(chain_.size());
    out.bound.assign(chain_.size(), 0);
    std::vector<std::int64_t> state;
    for (std::uint32_t s = 0; s < chain_.size(); ++s) {
      chain_.valuation(s, state);
      if (out.boolean) {
        const auto value = evaluator.boolean(expr, state);
        if (!value) throw Stop{Answer::Status::model_error, "an expression", value.error()};
        out.value[s] = *value ? 1 : 0;
      } else {
        const auto value = evaluator.number(expr, state);
        if (!value) throw Stop{Answer::Status::model_error, "an expression", value.error()};
        out.value[s] = *value;
      }
    }
  }

  void filter(const PropNode& node, StateValues& out) const {
    StateSet over(chain_.size(), true);
    if (node.args.size() > 1 && node.args[1].valid()) over = states(node, 1);
    std::string problem = out.filter(node.filter, arg(node, 0), over);
    if (!problem.empty()) unsupported(std::move(problem));
  }

  void evaluate(const PropNode& node, StateValues& out) {
    if (stopped(options_)) throw Stop{Answer::Status::undecided, "interrupted"};
    switch (node.kind) {
      case PropKind::atom:
        return atom(node, out);
      case PropKind::init:
        return out.flags(chain_.size(),
                         [&](std::uint32_t s) { return s < chain_.initial_count(); });
      case PropKind::deadlock:
        return out.flags(chain_.size(), [&](std::uint32_t s) { return chain_.deadlock(s); });
      case PropKind::apply: {
        if (node.is_path) return;  // reported by whoever needs it
        std::vector<const StateValues*> operands;
        for (std::size_t i = 0; i < node.args.size(); ++i) operands.push_back(&arg(node, i));
        if (!out.apply(node.op, operands)) unsupported("this operator on results of properties");
        return;
      }
      case PropKind::probability:
        take(path_probability(set_[node.args[0]]), out);
        return compare(node, out);
      case PropKind::steady: {
        const StateSet inside = states(node, 0);
        std::vector<double> reward(inside.begin(), inside.end());
        take(long_run_average(chain_.chain(), reward, options_), out);
        return compare(node, out);
      }
      case PropKind::reward:
        take(reward(node), out);
        return compare(node, out);
      case PropKind::filter:
        return filter(node, out);
      case PropKind::exists:
      case PropKind::forall:
        unsupported("E and A inside a numeric property");
      case PropKind::multi:
        unsupported("multi(...)");
      default:
        return;  // path formulas are evaluated by their operator
    }
  }

  void report(const StateValues& root, Answer& answer) const {
    answer.boolean = root.boolean;
    answer.truth = true;
    for (std::uint32_t s = 0; s < chain_.initial_count(); ++s) {
      if (root.boolean && root.bound[s] != 0)
        throw Stop{Answer::Status::undecided, "a value is closer to its bound than its error"};
      answer.truth = answer.truth && root.value[s] != 0;
      answer.low = s == 0 ? root.value[s] : std::min(answer.low, root.value[s]);
      answer.high = s == 0 ? root.value[s] : std::max(answer.high, root.value[s]);
      answer.error_bound = std::max(answer.error_bound, root.bound[s]);
    }
    answer.status = Answer::Status::solved;
  }

  const ModelChain& chain_;
  const PropertySet& set_;
  const SolveOptions& options_;
  std::vector<StateValues> known_;
  double residual_ = 0;
  Method method_ = Method::graph;
  std::uint64_t iterations_ = 0;
};

}  // namespace

Answer evaluate_property(const ModelChain& chain, const PropertySet& set, const Property& property,
                         const SolveOptions& options) {
  Answer answer;
  if (!property.root.valid()) {
    answer.status = Answer::Status::unsupported;
    answer.note = property.errors.empty() ? "the property has errors" : property.errors[0].message;
    return answer;
  }
  try {
    PropertyEvaluation(chain, set, options).run(property.root, answer);
  } catch (const Stop& stop) {
    answer.status = stop.status;
    answer.note = stop.note;
    answer.error = stop.error;
  }
  return answer;
}

}  // namespace brink::analytic
