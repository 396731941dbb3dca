// The property evaluated over all states in rationals, operands before users. The same walk as
// property_evaluation.cpp, but two-valued: nothing is in doubt here, so nothing carries a bound.
#include "analytic/exact/evaluation.h"

#include <algorithm>
#include <cmath>

#include "analytic/branching.h"
#include "analytic/exact/operators.h"
#include "analytic/property_evaluation.h"

namespace brink::analytic {
namespace exact {
namespace {

struct Column {
  bool boolean = false;
  Numbers value;  ///< of each state
};

class Evaluation {
 public:
  Evaluation(const States& states, const PropertySet& set, const SolveOptions& options)
      : states_(states),
        set_(set),
        options_(options),
        operators_(states.moves, options),
        chain_(states.moves.chain()),
        expressions_(set.pool),
        known_(set.nodes.size()) {}

  void run(PropId root, Answer& answer) {
    std::vector<bool> below(root.index + std::size_t{1}, false);
    below[root.index] = true;
    for (std::uint32_t i = root.index + 1; i-- > 0;)
      if (below[i])
        for (const PropId arg : set_.nodes[i].args)
          if (arg.valid()) below[arg.index] = true;
    for (std::uint32_t i = 0; i <= root.index; ++i)
      if (below[i] && !set_.nodes[i].is_path) evaluate(set_.nodes[i], known_[i]);
    report(known_[root.index], answer);
  }

 private:
  bool decisions() const { return states_.model->type == ModelType::mdp; }
  std::uint32_t size() const { return states_.size(); }

  StateSet states(PropId id) const {
    const Column& column = known_[id.index];
    if (set_[id].is_path) unsupported("this path formula in exact arithmetic");
    if (!column.boolean) unsupported("a number where a yes or no is needed");
    StateSet out(size());
    for (std::uint32_t s = 0; s < size(); ++s) out[s] = column.value[s].value != 0;
    return out;
  }

  Rational constant(ExprId id) const {
    const std::string text = set_.pool.is_constant(id) ? set_.pool.exact(id) : std::string{};
    if (text.empty()) unsupported("a bound without an exact value");
    return parsed(text);
  }

  double steps(ExprId id) const {
    const Rational t = constant(id);
    if (t < 0 || mp::denominator(t) != 1) unsupported("that time bound in exact arithmetic");
    return t.convert_to<double>();
  }

  Window window(const PropNode& path) const {
    if (path.time.reward != kNone) unsupported("bounds on accumulated rewards");
    if (!path.time.present()) return {};
    if (states_.moves.continuous) unsupported("time bounds of a ctmc in exact arithmetic");
    Window out;
    if (path.time.lower.valid())
      out.lower = steps(path.time.lower) + (path.time.lower_strict ? 1 : 0);
    if (path.time.upper.valid())
      out.upper = steps(path.time.upper) - (path.time.upper_strict ? 1 : 0);
    return out;
  }

  Goal goal(const PropNode& node) const {
    if (!decisions() || node.optimum == Optimum::max) return Goal::maximise;
    if (node.optimum == Optimum::min) return Goal::minimise;
    if (node.relation == Relation::query)
      unsupported("P or R without min or max in a decision process (mdp)");
    const bool least = node.relation == Relation::ge || node.relation == Relation::gt;
    return least ? Goal::minimise : Goal::maximise;
  }

  bool simple(const PropNode& path) const {
    return !path.is_path || (path.kind != PropKind::apply &&
                             std::none_of(path.args.begin(), path.args.end(), [&](PropId id) {
                               return id.valid() && set_[id].is_path;
                             }));
  }

  automata::PathFormula path_formula(PropId path, bool count_steps, Letters& letters) const {
    auto out = automata::path_formula(set_, path, count_steps);
    if (!out) unsupported(out.error());
    letters.assign(size(), 0);
    for (std::size_t i = 0; i < out->atoms.size(); ++i) {
      const StateSet holds = states(out->atoms[i]);
      for (std::uint32_t s = 0; s < size(); ++s)
        if (holds[s]) letters[s] |= std::uint64_t{1} << i;
    }
    return std::move(*out);
  }

  Numbers probability(const PropNode& node) const {
    const PropNode& path = set_[node.args[0]];
    const Goal best = goal(node);
    const Goal other = best == Goal::maximise ? Goal::minimise : Goal::maximise;
    const StateSet all(size(), true);
    if (!path.is_path)
      return operators_.until(best, StateSet(size(), false), states(node.args[0]), {});
    if (!simple(path)) {
      Letters letters;
      auto formula = path_formula(node.args[0], false, letters);
      return operators_.formula(best, formula, letters, all);
    }
    const auto rest = [](Numbers numbers) {
      for (Number& number : numbers) number.value = 1 - number.value;
      return numbers;
    };
    const auto not_in = [](StateSet set) {
      set.flip();
      return set;
    };
    const StateSet a = states(path.args[0]);
    const StateSet b = path.args.size() > 1 ? states(path.args[1]) : StateSet();
    switch (path.kind) {
      case PropKind::next:
        if (path.time.present()) unsupported("X with a time bound");
        return operators_.next(best, a);
      case PropKind::finally:
        return operators_.until(best, all, a, window(path));
      case PropKind::globally:
        return rest(operators_.until(other, all, not_in(a), window(path)));
      case PropKind::until:
        return operators_.until(best, a, b, window(path));
      case PropKind::release:
        return rest(operators_.until(other, not_in(a), not_in(b), window(path)));
      case PropKind::weak_until: {
        StateSet neither = not_in(a);
        for (std::uint32_t s = 0; s < size(); ++s) neither[s] = neither[s] && !b[s];
        return rest(operators_.until(other, not_in(b), neither, window(path)));
      }
      default:
        break;
    }
    unsupported("this path formula in exact arithmetic");
  }

  Rewards rewards_of(std::uint32_t structure) const {
    if (structure == kElapsedTime)
      return {std::vector<Rational>(size(), 1),
              std::vector<Rational>(states_.moves.rows.size(), 1)};
    auto out = rewards(states_, structure);
    if (!out) unsupported(out.error());
    return std::move(*out);
  }

  Numbers reward(const PropNode& node) const {
    if (node.reward_divisor != kNone) unsupported("ratios of rewards");
    const PropNode& path = set_[node.args[0]];
    const Goal best = goal(node);
    const Rewards earned = rewards_of(node.reward);
    const auto collected = [&]() -> const std::vector<Rational>& {
      for (const Rational& r : earned.of_choices)
        if (r < 0)
          unsupported("negative rewards collected without a time bound in exact arithmetic");
      return earned.of_choices;
    };
    const std::vector<Rational> nothing(size(), 0);
    switch (path.kind) {
      case PropKind::cumulative:
        if (path.time.upper.valid())
          return operators_.first_steps(best, earned.of_choices, nothing, steps(path.time.upper));
        if (decisions() && best == Goal::maximise)
          unsupported("the largest total reward of a decision process in exact arithmetic");
        return operators_.total(collected());
      case PropKind::instantaneous:
        return operators_.first_steps(best, {}, earned.of_states, steps(path.time.upper));
      case PropKind::long_run:
        if (decisions()) unsupported("long-run rewards, R [ S ], in a decision process (mdp)");
        return operators_.long_run(earned.of_choices);
      case PropKind::finally:
        if (path.time.present()) unsupported("rewards until a bounded path formula");
        if (simple(path)) return operators_.until_reward(best, states(path.args[0]), collected());
        break;
      default:
        break;
    }
    Letters letters;
    auto formula = path_formula(node.args[0], true, letters);
    return operators_.formula_reward(best, formula, letters, collected(), StateSet(size(), true));
  }

  Numbers steady(const PropNode& node) const {
    if (decisions()) unsupported("S in a decision process (mdp)");
    std::vector<Rational> inside;
    for (const bool in : states(node.args[0])) inside.emplace_back(in ? 1 : 0);
    return operators_.long_run(inside);
  }

  StateSet branching(const PropNode& node) const {
    const PropNode& path = set_[node.args[0]];
    const bool exists = node.kind == PropKind::exists;
    if (!path.is_path) return states(node.args[0]);
    if (path.time.present()) unsupported("time bounds inside A and E");
    if (simple(path)) {
      const StateSet a = states(path.args[0]);
      const StateSet b = path.args.size() > 1 ? states(path.args[1]) : StateSet();
      return exists ? some_path(chain_, path.kind, a, b) : every_path(chain_, path.kind, a, b);
    }
    Letters letters;
    auto formula = path_formula(node.args[0], false, letters);
    if (!exists) formula.root = formula.pool.negation(formula.root);
    auto some = analytic::some_path(chain_, formula, letters, options_);
    if (!some) unsupported(some.error().message);
    if (!exists) some->flip();
    return *some;
  }

  static Numbers flags(const StateSet& set) {
    Numbers out;
    for (const bool in : set) out.push_back({in ? 1 : 0, false});
    return out;
  }

  void take(const PropNode& node, Numbers values, Column& out) const {
    out.boolean = node.relation != Relation::query;
    out.value = std::move(values);
    if (!out.boolean) return;
    const Number bound{constant(node.bound), false};
    for (Number& number : out.value) {
      const bool less = number < bound, equal = number == bound;
      const bool holds = node.relation == Relation::lt   ? less
                         : node.relation == Relation::le ? less || equal
                         : node.relation == Relation::gt ? !less && !equal
                                                         : !less;
      number = {holds ? 1 : 0, false};
    }
  }

  void atom(const PropNode& node, Column& out) {
    out.boolean = node.type == Type::boolean;
    for (const auto& state : states_.valuations) {
      auto value = expressions_(node.expr, state);
      if (!value) unsupported("an expression without an exact value");
      out.value.push_back({std::move(*value), false});
    }
  }

  void combine(const PropNode& node, Column& out) const {
    out.boolean = node.type == Type::boolean;
    const auto operand = [&](std::size_t i, std::uint32_t s) -> std::optional<Rational> {
      if (i >= node.args.size()) return std::nullopt;
      const Number& number = known_[node.args[i].index].value[s];
      if (number.infinite) unsupported("arithmetic with infinite values in exact arithmetic");
      return number.value;
    };
    for (std::uint32_t s = 0; s < size(); ++s) {
      auto value = apply(node.op, operand(0, s), operand(1, s), operand(2, s));
      if (!value) unsupported("an operation without an exact result");
      out.value.push_back({std::move(*value), false});
    }
  }

  void filter(const PropNode& node, Column& out) const {
    const Column& operand = known_[node.args[0].index];
    StateSet over(size(), true);
    if (node.args.size() > 1 && node.args[1].valid()) over = states(node.args[1]);
    std::vector<Number> values;
    for (std::uint32_t s = 0; s < size(); ++s)
      if (over[s]) values.push_back(operand.value[s]);
    if (values.empty()) unsupported("a filter over no states");
    const bool infinite = std::any_of(values.begin(), values.end(),
                                      [](const Number& number) { return number.infinite; });
    Number result = values.front();
    out.boolean = operand.boolean;
    switch (node.filter) {
      case FilterKind::print:
      case FilterKind::printall:
        out = operand;
        return;
      case FilterKind::state:
        if (values.size() != 1) unsupported("filter(state, ...) over several states");
        break;
      case FilterKind::first:
        break;
      case FilterKind::min:
      case FilterKind::forall:
        result = *std::min_element(values.begin(), values.end());
        break;
      case FilterKind::max:
      case FilterKind::exists:
        result = *std::max_element(values.begin(), values.end());
        break;
      case FilterKind::count:
      case FilterKind::sum:
      case FilterKind::avg: {
        out.boolean = false;
        result = {0, infinite};
        for (const Number& number : values) result.value += number.value;
        if (node.filter == FilterKind::avg) result.value /= Rational(values.size());
        if (infinite) result.value = 0;
        break;
      }
      default:
        unsupported("filter(" + std::string(filter_name(node.filter)) + ", ...)");
    }
    out.value.assign(size(), result);
  }

  void evaluate(const PropNode& node, Column& out) {
    if (stopped(options_)) throw Stop{Answer::Status::undecided, "interrupted"};
    switch (node.kind) {
      case PropKind::atom:
        return atom(node, out);
      case PropKind::init:
      case PropKind::deadlock:
        out.boolean = true;
        for (std::uint32_t s = 0; s < size(); ++s) {
          const bool holds =
              node.kind == PropKind::init ? s < states_.initial_count : states_.deadlock[s];
          out.value.push_back({holds ? 1 : 0, false});
        }
        return;
      case PropKind::apply:
        return combine(node, out);
      case PropKind::probability:
        return take(node, probability(node), out);
      case PropKind::reward:
        return take(node, reward(node), out);
      case PropKind::steady:
        return take(node, steady(node), out);
      case PropKind::exists:
      case PropKind::forall:
        out = {true, flags(branching(node))};
        return;
      case PropKind::filter:
        return filter(node, out);
      default:
        break;
    }
    if (node.kind == PropKind::multi) unsupported("multi(...)");
  }

  void report(const Column& root, Answer& answer) const {
    const auto begin = root.value.begin(), end = begin + states_.initial_count;
    const Number low = *std::min_element(begin, end), high = *std::max_element(begin, end);
    const auto as_double = [](const Number& number) {
      return number.infinite ? std::numeric_limits<double>::infinity()
                             : number.value.convert_to<double>();
    };
    answer.boolean = root.boolean;
    answer.truth = low.value != 0;
    answer.low = as_double(low);
    answer.high = as_double(high);
    answer.exact_low = text(low);
    answer.exact_high = text(high);
    answer.method = Method::exact;
    answer.status = Answer::Status::solved;
  }

  const States& states_;
  const PropertySet& set_;
  const SolveOptions& options_;
  Operators operators_;
  Chain chain_;
  Expressions expressions_;
  std::vector<Column> known_;
};

}  // namespace
}  // namespace exact

struct ExactModel::Impl {
  exact::States states;
};

ExactModel::ExactModel(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ExactModel::ExactModel(ExactModel&&) noexcept = default;
ExactModel& ExactModel::operator=(ExactModel&&) noexcept = default;
ExactModel::~ExactModel() = default;

std::uint32_t ExactModel::size() const { return impl_->states.size(); }

std::uint64_t ExactModel::transitions() const {
  std::uint64_t out = 0;
  for (const auto& row : impl_->states.moves.rows) out += row.size();
  return out;
}

Result<ExactModel, BuildFailure> build_exact(const ModelPtr& model, const BuildLimits& limits) {
  auto states = exact::explore(model, limits);
  if (!states) return fail(states.error());
  return ExactModel(std::make_unique<ExactModel::Impl>(ExactModel::Impl{std::move(*states)}));
}

Answer evaluate_exactly(const ExactModel& model, const PropertySet& set, const Property& property,
                        const SolveOptions& options) {
  Answer answer;
  if (!property.root.valid()) {
    answer.status = Answer::Status::unsupported;
    answer.note = property.errors.empty() ? "the property has errors" : property.errors[0].message;
    return answer;
  }
  try {
    exact::Evaluation(model.impl_->states, set, options).run(property.root, answer);
  } catch (const Stop& stop) {
    answer.status = stop.status;
    answer.note = stop.note;
  }
  return answer;
}

}  // namespace brink::analytic
