#include "analytic/property_evaluation.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "analytic/branching.h"
#include "models/semantics/program.h"

namespace brink::analytic {

void unsupported(std::string what) {
  throw Stop{Answer::Status::unsupported, "not supported: " + std::move(what)};
}

void PropertyEvaluation::run(PropId root, Answer& answer) {
  std::vector<bool> below(root.index + std::size_t{1}, false);
  below[root.index] = true;
  everywhere_.assign(root.index + std::size_t{1}, false);
  for (std::uint32_t i = root.index + 1; i-- > 0;) {
    if (!below[i]) continue;
    const bool pointwise = set_.nodes[i].kind == PropKind::apply && !set_.nodes[i].is_path;
    for (const PropId arg : set_.nodes[i].args) {
      if (!arg.valid()) continue;
      below[arg.index] = true;
      if (!pointwise || everywhere_[i]) everywhere_[arg.index] = true;
    }
  }
  for (std::uint32_t i = 0; i <= root.index; ++i)
    if (below[i]) evaluate(set_.nodes[i], known_[i]);
  report(known_[root.index], set_[root].kind == PropKind::probability, answer);
  answer.residual = residual_;
  answer.method = method_;
  answer.iterations = iterations_;
  answer.classes = classes_;
}

bool PropertyEvaluation::simple(const PropNode& path) const {
  return !path.is_path || (path.kind != PropKind::apply &&
                           std::none_of(path.args.begin(), path.args.end(),
                                        [&](PropId id) { return id.valid() && set_[id].is_path; }));
}

bool PropertyEvaluation::until_formula(const PropNode& path) const {
  if (path.kind == PropKind::finally) return !simple(path);
  return path.kind != PropKind::cumulative && path.kind != PropKind::instantaneous &&
         path.kind != PropKind::long_run;
}

automata::PathFormula PropertyEvaluation::path_formula(PropId path, bool count_steps) const {
  auto out = automata::path_formula(set_, path, count_steps);
  if (!out) unsupported(out.error());
  return std::move(*out);
}

Letters PropertyEvaluation::letters(const automata::PathFormula& path) const {
  Letters out(model_.size(), 0);
  for (std::size_t i = 0; i < path.atoms.size(); ++i) {
    const StateSet holds = states(path.atoms[i]);
    for (std::uint32_t s = 0; s < model_.size(); ++s)
      if (holds[s]) out[s] |= std::uint64_t{1} << i;
  }
  return out;
}

StateSet PropertyEvaluation::wanted(const PropNode& node) const {
  const auto index = static_cast<std::size_t>(&node - set_.nodes.data());
  StateSet out(model_.size(), everywhere_[index]);
  for (std::uint32_t s = 0; s < model_.initial_count(); ++s) out[s] = true;
  return out;
}

Solution PropertyEvaluation::unwrap(PathSolution solution) const {
  if (solution) return std::move(*solution);
  if (solution.error().unsupported) unsupported(solution.error().message);
  throw Stop{Answer::Status::undecided, solution.error().message};
}

StateSet PropertyEvaluation::states(PropId id) const {
  const StateValues& operand = known_[id.index];
  if (!operand.boolean) unsupported("a number where a yes or no is needed");
  if (operand.doubtful())
    throw Stop{Answer::Status::undecided,
               "a nested value is closer to its bound than its error",
               {},
               true};
  return operand.as_set();
}

void PropertyEvaluation::take(const Solution& solution, StateValues& out) {
  residual_ = std::max(residual_, solution.residual);
  method_ = std::max(method_, solution.method);
  iterations_ += solution.iterations;
  classes_ = std::max(classes_, solution.classes);
  if (!solution.converged) throw Stop{Answer::Status::undecided, solution.note};
  out.boolean = false;
  out.value = solution.values;
  out.bound = solution.bounds;
  out.at_least = solution.at_least;
}

double PropertyEvaluation::constant(ExprId id) const {
  if (!set_.pool.is_constant(id)) unsupported("a bound that is not constant");
  return set_.pool.number(id);
}

/// Whole steps in discrete time: `< t` is `<= t-1`.
Window PropertyEvaluation::window(const PropNode& path) const {
  Window out;
  if (path.time.lower.valid())
    out.lower = constant(path.time.lower) + (path.time.lower_strict && discrete_ ? 1 : 0);
  if (path.time.upper.valid()) {
    out.upper = constant(path.time.upper) - (path.time.upper_strict && discrete_ ? 1 : 0);
    if (*out.upper < 0 && !discrete_) unsupported("a negative time bound");
  }
  return out;
}

void PropertyEvaluation::need_all_states(const char* what) const {
  if (model_.complete()) return;
  throw Stop{Answer::Status::undecided,
             fmt::format("{}, and {} needs all states", model_.unexplored_reason(), what)};
}

StateSet PropertyEvaluation::unexplored() const {
  StateSet out(model_.size(), false);
  for (std::uint32_t s = model_.explored(); s < model_.size(); ++s) out[s] = true;
  return out;
}

StateSet PropertyEvaluation::known_target(StateSet target) const {
  for (std::uint32_t s = model_.explored(); s < model_.size(); ++s) target[s] = true;
  return target;
}

Solution PropertyEvaluation::at_least(Solution solution) const {
  solution.at_least = !model_.complete();
  return solution;
}

namespace {

/// The interval between two solutions.
Solution between(const Solution& low, Solution high) {
  if (!low.converged) return low;
  if (!high.converged) return high;
  for (std::size_t s = 0; s < high.values.size(); ++s) {
    const double from = std::max(0.0, low.values[s] - low.bounds[s]);
    const double to = std::min(1.0, high.values[s] + high.bounds[s]);
    if (low.values[s] == high.values[s] && low.bounds[s] == high.bounds[s]) continue;
    high.values[s] = (from + to) / 2;
    high.bounds[s] = (to - from) / 2 + std::numeric_limits<double>::epsilon();
  }
  high.iterations += low.iterations;
  high.residual = std::max(high.residual, low.residual);
  high.method = std::max(high.method, low.method);
  return high;
}

}  // namespace

/// What comes after an unexplored state is failure for the lower bound and success for the upper.
Solution PropertyEvaluation::until_as_known(Goal goal, const StateSet& a, const StateSet& b,
                                            const Window& window) const {
  if (model_.complete()) return until(goal, a, b, window);
  StateSet low_a = a, low_b = b, high_b = b;
  for (std::uint32_t s = model_.explored(); s < model_.size(); ++s) {
    low_a[s] = false;
    if (window.lower > 0) low_b[s] = false;
    high_b[s] = a[s] || b[s];
  }
  StateSet high_a = a;
  for (std::uint32_t s = model_.explored(); s < model_.size(); ++s) high_a[s] = high_b[s];
  return between(until(goal, low_a, low_b, window), until(goal, high_a, high_b, window));
}

Solution PropertyEvaluation::next_as_known(Goal goal, const StateSet& a) const {
  Solution out = next(goal, a);
  for (std::uint32_t s = model_.explored(); s < model_.size() && out.converged; ++s)
    out.values[s] = out.bounds[s] = 0.5;
  return out;
}

Solution PropertyEvaluation::bounded(Goal goal, const StateSet& a, const StateSet& b,
                                     const PropNode& path) const {
  if (path.time.reward == kNone) return until_as_known(goal, a, b, window(path));
  need_all_states("a bound on rewards");
  if (path.time.lower.valid() || !discrete_)
    unsupported("bounds on accumulated rewards other than <= and < in discrete time");
  const double bound = constant(path.time.upper);
  const double budget = path.time.upper_strict ? std::ceil(bound) - 1 : std::floor(bound);
  return within_budget(goal, a, b, path.time.reward, budget);
}

Solution PropertyEvaluation::path_probability(Goal goal, const PropNode& node) const {
  const PropNode& path = set_[node.args[0]];
  const StateSet all(model_.size(), true);
  if (!path.is_path)  // a state formula is a path formula about the first state
    return until_as_known(goal, StateSet(model_.size(), false), states(node, 0), {});
  if (!simple(path)) {
    need_all_states("a formula that needs an automaton");
    automata::PathFormula formula_of = path_formula(node.args[0]);
    return unwrap(formula(goal, formula_of, letters(formula_of), wanted(node)));
  }
  const Goal other = goal == Goal::maximise ? Goal::minimise : Goal::maximise;
  const auto flipped = [](StateSet set) {
    set.flip();
    return set;
  };
  switch (path.kind) {
    case PropKind::next:
      if (path.time.present()) unsupported("X with a time bound");
      return next_as_known(goal, states(path, 0));
    case PropKind::finally:
      return bounded(goal, all, states(path, 0), path);
    case PropKind::globally:
      return complement(bounded(other, all, flipped(states(path, 0)), path));
    case PropKind::until:
      return bounded(goal, states(path, 0), states(path, 1), path);
    case PropKind::weak_until: {  // not ((not b) U (neither))
      const StateSet not_b = flipped(states(path, 1));
      StateSet neither = flipped(states(path, 0));
      for (std::size_t s = 0; s < neither.size(); ++s) neither[s] = neither[s] && not_b[s];
      return complement(bounded(other, not_b, neither, path));
    }
    case PropKind::release:  // not ((not a) U (not b))
      return complement(bounded(other, flipped(states(path, 0)), flipped(states(path, 1)), path));
    default:
      break;
  }
  unsupported("this path formula");
}

/// E and A.
void PropertyEvaluation::branching(const PropNode& node, StateValues& out) const {
  need_all_states("A or E");
  const PropNode& path = set_[node.args[0]];
  StateSet holds;
  if (!path.is_path) {  // a state formula is a path formula about the first state
    holds = states(node, 0);
  } else if (!simple(path)) {
    automata::PathFormula formula_of = path_formula(node.args[0]);
    const bool exists = node.kind == PropKind::exists;
    if (!exists) formula_of.root = formula_of.pool.negation(formula_of.root);
    auto some = some_path(graph(), formula_of, letters(formula_of), options_);
    if (!some && some.error().unsupported) unsupported(some.error().message);
    if (!some) throw Stop{Answer::Status::undecided, some.error().message};
    holds = std::move(*some);
    if (!exists) holds.flip();
  } else {
    if (path.time.present()) unsupported("time bounds inside A and E");
    const StateSet a = states(path, 0);
    const StateSet b = path.args.size() > 1 ? states(path, 1) : StateSet();
    holds = node.kind == PropKind::exists ? some_path(graph(), path.kind, a, b)
                                          : every_path(graph(), path.kind, a, b);
  }
  out.flags(model_.size(), [&](std::uint32_t s) { return holds[s]; });
}

/// =? keeps the numbers; a bound compares them.
void PropertyEvaluation::compare(const PropNode& node, StateValues& out) const {
  if (node.relation == Relation::query) return;
  out.compare(node.relation, constant(node.bound));
}

void PropertyEvaluation::atom(const PropNode& node, StateValues& out) const {
  ExprEvaluator evaluator(static_cast<std::uint32_t>(model_.model()->variables.size()));
  const std::size_t expr = evaluator.add(set_.pool, node.expr);
  out.boolean = node.type == Type::boolean;
  out.value.resize(model_.size());
  out.bound.assign(model_.size(), 0);
  std::vector<std::int64_t> state;
  for (std::uint32_t s = 0; s < model_.size(); ++s) {
    model_.valuation(s, state);
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

void PropertyEvaluation::filter(const PropNode& node, StateValues& out) const {
  need_all_states("a filter");
  StateSet over(model_.size(), true);
  if (node.args.size() > 1 && node.args[1].valid()) over = states(node, 1);
  std::string problem = out.filter(node.filter, arg(node, 0), over);
  if (!problem.empty()) unsupported(std::move(problem));
}

void PropertyEvaluation::evaluate(const PropNode& node, StateValues& out) {
  if (stopped(options_)) throw Stop{Answer::Status::undecided, "interrupted"};
  switch (node.kind) {
    case PropKind::atom:
      return atom(node, out);
    case PropKind::init:
      return out.flags(model_.size(), [&](std::uint32_t s) { return s < model_.initial_count(); });
    case PropKind::deadlock:
      out.flags(model_.size(), [&](std::uint32_t s) { return model_.deadlock(s); });
      for (std::uint32_t s = model_.explored(); s < model_.size(); ++s) out.bound[s] = 1;
      return;
    case PropKind::apply: {
      if (node.is_path) return;  // reported by whoever needs it
      std::vector<const StateValues*> operands;
      for (std::size_t i = 0; i < node.args.size(); ++i) operands.push_back(&arg(node, i));
      if (!out.apply(node.op, operands, wanted(node)))
        unsupported("this operator on results of properties");
      return;
    }
    case PropKind::probability:
      take(path_probability(goal(node), node), out);
      return compare(node, out);
    case PropKind::steady:
      need_all_states("S");
      take(steady(node), out);
      return compare(node, out);
    case PropKind::reward:
      take(reward(node), out);
      return compare(node, out);
    case PropKind::filter:
      return filter(node, out);
    case PropKind::exists:
    case PropKind::forall:
      return branching(node, out);
    case PropKind::multi:
      unsupported("multi(...)");
    default:
      return;  // path formulas are evaluated by their operator
  }
}

void PropertyEvaluation::report(const StateValues& root, bool probability, Answer& answer) const {
  answer.boolean = root.boolean;
  answer.truth = true;
  for (std::uint32_t s = 0; s < model_.initial_count(); ++s) {
    if (root.boolean && root.bound[s] != 0)
      throw Stop{Answer::Status::undecided,
                 model_.complete()
                     ? "a value is closer to its bound than its error"
                     : model_.unexplored_reason() + ", and the states explored do not tell",
                 {},
                 model_.complete()};
    answer.truth = answer.truth && root.value[s] != 0;
    const bool wide = !root.boolean && !model_.complete();
    double low = root.value[s] - (wide ? root.bound[s] : 0);
    double high = root.at_least ? std::numeric_limits<double>::infinity()
                                : root.value[s] + (wide ? root.bound[s] : 0);
    // Bounds of a probability need not say more than that it is one.
    if (wide && probability) low = std::max(low, 0.0), high = std::min(high, 1.0);
    answer.low = s == 0 ? low : std::min(answer.low, low);
    answer.high = s == 0 ? high : std::max(answer.high, high);
    if (!wide) answer.error_bound = std::max(answer.error_bound, root.bound[s]);
  }
  answer.partial = !model_.complete();
  if (answer.partial)
    answer.note = fmt::format("{}: {} of {} states explored", model_.unexplored_reason(),
                              model_.explored(), model_.size());
  answer.status = Answer::Status::solved;
}

double PropertyEvaluation::reward_time(const PropNode& path) const {
  const double t = constant(path.time.upper);
  if (t < 0 || (discrete_ && t != std::floor(t))) unsupported("that time bound");
  return t;
}

Answer answer_of(PropertyEvaluation& evaluation, const Property& property) {
  Answer answer;
  if (!property.root.valid()) {
    answer.status = Answer::Status::unsupported;
    answer.note = property.errors.empty() ? "the property has errors" : property.errors[0].message;
    return answer;
  }
  try {
    evaluation.run(property.root, answer);
  } catch (const Stop& stop) {
    answer.status = stop.status;
    answer.note = stop.note;
    answer.error = stop.error;
    answer.on_bound = stop.on_bound;
  }
  return answer;
}

}  // namespace brink::analytic
