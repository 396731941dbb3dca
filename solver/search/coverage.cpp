#include "solver/search/coverage.h"

#include <algorithm>
#include <chrono>
#include <set>

#include "models/base/check.h"
#include "models/language/printer.h"
#include "models/semantics/program.h"
#include "solver/question.h"
#include "solver/search/ctl.h"

namespace brink::solver {
namespace {

/// Are the limits met? Asked now and then.
bool ended(const Limits& limits, std::chrono::steady_clock::time_point start) {
  if (limits.stop != nullptr && limits.stop->load()) return true;
  const std::chrono::duration<double> since = std::chrono::steady_clock::now() - start;
  return limits.seconds != 0 && since.count() > limits.seconds;
}

/// The variables of each module.
std::vector<std::vector<std::uint32_t>> own_variables(const Model& model) {
  std::vector<std::vector<std::uint32_t>> own(model.modules.size());
  for (std::uint32_t v = 0; v < model.variables.size(); ++v)
    if (model.variables[v].module != kNone) own[model.variables[v].module].push_back(v);
  return own;
}

/// The same where the whole body is one expression.
std::optional<std::string> vacuous_expression(const StateGraph& graph, const PropertySet& set,
                                              ExprId body) {
  const ExprNode& node = set.pool[body];
  if (node.kind != ExprKind::apply || node.op != Op::implies) return std::nullopt;
  ExprEvaluator evaluator(static_cast<std::uint32_t>(graph.model()->variables.size()));
  const std::size_t premise = evaluator.add(set.pool, node.args[0]);
  Valuation state;
  for (std::uint32_t s = 0; s < graph.size(); ++s) {
    graph.valuation(s, state);
    const auto value = evaluator.boolean(premise, state);
    if (!value || *value) return std::nullopt;
  }
  return print(*graph.model(), set.pool, node.args[0]);
}

}  // namespace

std::optional<Coverage> coverage_of(const StateGraph& graph, const Limits& limits) {
  BRINK_CHECK(graph.complete());
  const auto start = std::chrono::steady_clock::now();
  const Model& model = *graph.model();
  Coverage out;
  out.states = graph.size();
  out.commands.resize(model.commands.size());
  out.variables.resize(model.variables.size());
  const auto own = own_variables(model);
  std::vector<std::set<Valuation>> parts(own.size());
  Evaluator evaluator(graph.model());
  Expansion expansion;
  Valuation state, part;
  std::vector<std::uint32_t> last_fired(model.commands.size(), kNoState);
  for (std::uint32_t s = 0; s < graph.size(); ++s) {
    if (s % 65536 == 0 && ended(limits, start)) return std::nullopt;
    graph.valuation(s, state);
    for (std::size_t v = 0; v < state.size(); ++v) {
      VariableCoverage& seen = out.variables[v];
      seen.low = s == 0 ? state[v] : std::min(seen.low, state[v]);
      seen.high = s == 0 ? state[v] : std::max(seen.high, state[v]);
    }
    for (std::size_t m = 0; m < own.size(); ++m) {
      part.clear();
      for (const std::uint32_t v : own[m]) part.push_back(state[v]);
      parts[m].insert(part);
    }
    for (std::uint32_t c = 0; c < model.commands.size(); ++c) {
      const auto enabled = evaluator.enabled(c, state);
      if (enabled && *enabled) ++out.commands[c].guard_true;
    }
    const auto error = evaluator.successors(state, expansion);
    BRINK_CHECK(!error);
    for (const std::uint32_t c : expansion.commands) {
      if (last_fired[c] == s) continue;
      last_fired[c] = s;
      ++out.commands[c].fired;
    }
  }
  for (const auto& values : parts) out.states_of_module.push_back(values.size());
  return out;
}

std::optional<std::string> vacuous_premise(const StateGraph& graph, const PropertySet& set,
                                           PropId root) {
  const PropNode& top = set[root];
  if (top.kind != PropKind::forall || set[top.args[0]].kind != PropKind::globally)
    return std::nullopt;
  const PropNode& body = set[set[top.args[0]].args[0]];
  if (body.kind == PropKind::atom) return vacuous_expression(graph, set, body.expr);
  if (body.kind != PropKind::apply || body.op != Op::implies) return std::nullopt;
  if (!propositional_nodes(set)[body.args[0].index]) return std::nullopt;
  const auto premise = evaluate_plain(graph, set, body.args[0]);
  if (!premise || std::ranges::find(*premise, 1) != premise->end()) return std::nullopt;
  return text_of(set, body.args[0]);
}

}  // namespace brink::solver
