#include "solver/symbolic/smt_run.h"

#include <fmt/core.h>

#include <algorithm>

#include "models/base/check.h"
#include "solver/gate.h"
#include "solver/symbolic/counters.h"
#include "solver/symbolic/smt_terms.h"

namespace brink::solver {
namespace {

z3::expr combine(const PropNode& node, const std::vector<std::optional<z3::expr>>& value) {
  const auto arg = [&](std::size_t i) { return *value[node.args[i].index]; };
  switch (node.op) {
    case Op::not_:
      return !arg(0);
    case Op::and_:
      return arg(0) && arg(1);
    case Op::or_:
      return arg(0) || arg(1);
    case Op::implies:
      return z3::implies(arg(0), arg(1));
    case Op::iff:
    case Op::eq:
      return arg(0) == arg(1);
    case Op::ne:
      return arg(0) != arg(1);
    case Op::ite:
      return z3::ite(arg(0), arg(1), arg(2));
    default:
      BRINK_CHECK(false, "no boolean operator");
  }
  return arg(0);
}

/// Sums over the variables that the moves keep, as the counter system tells; none where the model
/// is no counter system.
std::vector<Linear> candidate_sums(const Question& question, std::vector<std::string>& texts) {
  try {
    CounterBuilder builder(question);
    const CounterSystem& system = builder.system();
    std::vector<Linear> out;
    for (const Linear& sum : conserved_sums(system)) {
      const bool plain = std::all_of(sum.factors.begin(), sum.factors.end(),
                                     [&](const auto& f) { return system.is_variable(f.first); });
      if (!plain || sum.is_number()) continue;
      out.push_back(sum);
      Cube equation;
      equation.add_equal(sum, Linear::number(0));
      texts.push_back(print(equation, [&](std::uint32_t s) { return system.name(s); }));
    }
    return out;
  } catch (const GaveUp&) {
    texts.clear();
    return {};
  }
}

/// Adds to the encoding which sums the moves keep, once an encoding over integers has proved them.
void add_kept(SmtRun& run, const Question& question) {
  const std::vector<Linear> sums = candidate_sums(question, run.kept);
  if (sums.empty()) return;
  auto proof = SmtRun::make(question, Theory::integers);
  if (!proof) return run.kept.clear();
  const Encoding& over = *(*proof)->encoding;
  z3::expr_vector all((*proof)->context), known(run.context);
  for (const Linear& sum : sums) all.push_back(over.is_zero(sum));
  for (const Linear& sum : sums) known.push_back(run.encoding->is_zero(sum));
  const z3::expr equations = all_of(all);
  z3::expr_vector broken((*proof)->context);
  broken.push_back(over.initial() && !equations);
  for (std::size_t m = 0; m < over.moves().size(); ++m)
    broken.push_back(equations && over.guard(m) && !over.at(equations, over.target(m)));
  z3::solver solver((*proof)->context);
  constexpr unsigned most_effort = 4'000'000;  // in Z3's own units: the same on every machine
  z3::params limits((*proof)->context);
  limits.set("rlimit", most_effort);
  solver.set(limits);
  solver.add(over.in_range());
  solver.push();
  solver.add(any_of(broken));
  if (solver.check() != z3::unsat) return run.kept.clear();
  solver.pop();
  solver.add(equations && over.any_leaves_range());
  run.encoding->set_known(all_of(known), solver.check() == z3::unsat);
}

}  // namespace

Result<std::unique_ptr<SmtRun>, std::string> SmtRun::make(const Question& question, Theory theory) {
  auto run = std::make_unique<SmtRun>();
  std::vector<ExprId> atoms;
  if (question.properties != nullptr) {
    const std::vector<bool> below = nodes_below(*question.properties, question.root);
    for (std::uint32_t i = 0; i < below.size(); ++i)
      if (below[i] && question.properties->nodes[i].kind == PropKind::atom)
        atoms.push_back(question.properties->nodes[i].expr);
    for (const Annotation& a : question.properties->annotations)
      if (a.kind == AnnotationKind::assume && !question.model->parameters.empty())
        atoms.push_back(a.condition);
  }
  const ExprPool& pool =
      question.properties != nullptr ? question.properties->pool : question.model->pool;
  auto encoding = Encoding::make(run->context, *question.model, pool, atoms, theory);
  if (!encoding) return fail(std::move(encoding.error()));
  run->encoding = std::move(*encoding);
  return run;
}

Result<std::unique_ptr<SmtRun>, std::string> SmtRun::with_sums(const Question& question,
                                                               Theory theory) {
  auto run = make(question, theory);
  if (run && question.model->parameters.empty()) add_kept(**run, question);
  return run;
}

z3::expr SmtRun::target(const Question& question, const Form& form) const {
  if (form.shape == Shape::range) return encoding->any_leaves_range();
  const z3::expr body = formula(*question.properties, form.body);
  return form.shape == Shape::possible ? body : !body;
}

z3::expr SmtRun::assumptions(const Question& question) const {
  z3::expr_vector all(encoding->template_state().ctx());
  if (question.properties != nullptr && !question.model->parameters.empty())
    for (const Annotation& a : question.properties->annotations)
      if (a.kind == AnnotationKind::assume) all.push_back(encoding->expression(a.condition));
  return all_of(all);
}

z3::expr SmtRun::formula(const PropertySet& set, PropId root) const {
  const std::vector<bool> below = nodes_below(set, root);
  std::vector<std::optional<z3::expr>> value(root.index + std::size_t{1});
  for (std::uint32_t i = 0; i <= root.index; ++i) {
    if (!below[i]) continue;
    const PropNode& node = set.nodes[i];
    if (node.kind == PropKind::atom)
      value[i] = encoding->expression(node.expr);
    else if (node.kind == PropKind::init)
      value[i] = encoding->initial();
    else if (node.kind == PropKind::deadlock)
      value[i] = !encoding->any_enabled();
    else
      value[i] = combine(node, value);
  }
  return *value[root.index];
}

std::optional<Trace> trace_of_run(const std::vector<std::vector<std::int64_t>>& run,
                                  const Question& question) {
  Evaluator evaluator(question.model);
  Expansion expansion;
  Trace trace = make_trace(*question.model, question.text);
  trace.initial = run.front();
  for (std::size_t i = 1; i < run.size(); ++i) {
    if (evaluator.successors(run[i - 1], expansion)) return std::nullopt;
    TraceStep step;
    step.after = run[i];
    if (!find_move(expansion, step)) return std::nullopt;
    trace.steps.push_back(std::move(step));
  }
  return trace;
}

CheckResult with_smt(std::string name, const Question& question, const Limits& limits,
                     const std::function<void(SmtRun&, const SmtWatch&, CheckResult&)>& engine) {
  const auto start = std::chrono::steady_clock::now();
  CheckResult result;
  result.engine = std::move(name);
  auto run = SmtRun::with_sums(question);
  if (!run) {
    result.verdict = Verdict::unsupported;
    result.notes.push_back("not supported by this engine: " + run.error());
    return result;
  }
  {
    const SmtWatch watch((*run)->context, limits);
    try {
      engine(**run, watch, result);
    } catch (const z3::exception& error) {
      result.verdict = Verdict::unknown;
      if (!watch.expired()) result.notes.push_back(fmt::format("Z3 gave up: {}", error.msg()));
    }
    // Z3 4.8.12, interrupted, may say sat with values that are none. The evaluator has refused
    // them.
    if (watch.expired() && result.verdict == Verdict::disagreement) {
      result.verdict = Verdict::unknown;
      result.trace.reset();
      result.length.reset();
      result.notes.assign(1, "an answer that came as the time ran out was not confirmed");
    }
    if (watch.expired() && result.verdict == Verdict::unknown)
      result.notes.push_back(watch.reason());
  }
  result.bytes = Z3_get_estimated_alloc_size();
  for (std::string& text : assumptions_of(question, false))
    result.assumptions.push_back(std::move(text));
  if ((*run)->encoding->exact_reals() && result.verdict != Verdict::unknown)
    result.assumptions.push_back("real arithmetic is exact in the encoding");
  gate(result, question);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace brink::solver
