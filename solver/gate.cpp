#include "solver/gate.h"

#include <fmt/core.h>

#include <algorithm>

#include "models/base/check.h"
#include "models/semantics/program.h"
#include "solver/lasso_word.h"

namespace brink::solver {
namespace {

bool is_initial(const Model& model, std::span<const std::int64_t> state) {
  bool found = false;
  for_each_initial_state(model, [&](std::span<const std::int64_t> initial) {
    found = std::equal(initial.begin(), initial.end(), state.begin(), state.end());
    return !found;
  });
  return found;
}

void reject(CheckResult& result, std::string why) {
  result.verdict = Verdict::disagreement;
  result.notes.push_back(std::move(why));
}

/// The last state's value of the body, where the form promises one.
void check_claim(CheckResult& result, const Question& question, Evaluator& evaluator) {
  const Form form = form_of(question);
  const bool shows_failure = form.shape == Shape::always && result.verdict == Verdict::violated;
  const bool shows_success = form.shape == Shape::possible && result.verdict == Verdict::holds;
  if (!shows_failure && !shows_success) return;
  const auto value = holds_at(*question.properties, form.body, evaluator,
                              result.trace->state(result.trace->length()));
  if (!value || *value != shows_success)
    reject(result, "the evaluator does not confirm what the last state of the trace shows");
}

}  // namespace

bool combined(Op op, bool a, bool b, bool c) {
  switch (op) {
    case Op::not_:
      return !a;
    case Op::and_:
      return a && b;
    case Op::or_:
      return a || b;
    case Op::implies:
      return !a || b;
    case Op::iff:
    case Op::eq:
      return a == b;
    case Op::ne:
      return a != b;
    case Op::ite:
      return a ? b : c;
    default:
      BRINK_CHECK(false, "no boolean operator");
  }
  return false;
}

Result<bool, SemanticError> holds_at(const PropertySet& set, PropId root, Evaluator& evaluator,
                                     std::span<const std::int64_t> state) {
  const std::vector<bool> below = nodes_below(set, root);
  std::vector<bool> value(root.index + std::size_t{1}, false);
  for (std::uint32_t i = 0; i <= root.index; ++i) {
    if (!below[i]) continue;
    const PropNode& node = set.nodes[i];
    if (node.kind == PropKind::atom) {
      const auto result = evaluate(set.pool, node.expr, state);
      if (!result) return fail(result.error());
      value[i] = *result != 0;
    } else if (node.kind == PropKind::init) {
      value[i] = is_initial(evaluator.model(), state);
    } else if (node.kind == PropKind::deadlock) {
      Expansion expansion;
      if (const auto error = evaluator.successors(state, expansion)) return fail(*error);
      value[i] = expansion.branch_count() == 0;
    } else {
      BRINK_CHECK(node.kind == PropKind::apply, "a temporal operator");
      const auto arg = [&](std::size_t k) {
        return k < node.args.size() && value[node.args[k].index];
      };
      value[i] = combined(node.op, arg(0), arg(1), arg(2));
    }
  }
  return static_cast<bool>(value[root.index]);
}

void gate(CheckResult& result, const Question& question) {
  if (!result.trace) return;
  Evaluator evaluator(question.model);
  if (const auto replayed = replay(*result.trace, evaluator); !replayed)
    return reject(result, "replay of the trace failed: " + replayed.error());
  check_claim(result, question, evaluator);
  if (std::string problem = lasso_problem(result, question, evaluator); !problem.empty())
    reject(result, std::move(problem));
}

std::vector<std::string> assumptions_of(const Question& question, bool deadlock_convention) {
  std::vector<std::string> out;
  if (question.properties != nullptr)
    for (const Annotation& annotation : question.properties->annotations)
      if (annotation.kind == AnnotationKind::assume) out.push_back("assume " + annotation.text);
  if (deadlock_convention) out.push_back("deadlocked states repeat themselves");
  return out;
}

}  // namespace brink::solver
