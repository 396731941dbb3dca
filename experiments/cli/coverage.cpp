#include "experiments/cli/coverage.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "solver/search/coverage.h"

namespace brink::cli {
namespace {

/// "line 12 [reclaim] of frames"
std::string name_of(const Model& model, std::uint32_t index) {
  const Command& command = model.commands[index];
  const std::string label =
      command.action == kUnlabelled ? "" : fmt::format(" [{}]", model.actions[command.action]);
  const std::string line =
      model.source ? fmt::format("line {}", model.source->position(command.span.begin).line)
                   : fmt::format("command {}", command.number);
  return fmt::format("{}{} of {}", line, label, model.modules[command.module].name);
}

struct Finding {
  const char* kind;
  std::string subject, text;
};

std::vector<Finding> findings(const solver::Coverage& coverage, const Model& model,
                              const StateLayout& layout) {
  std::vector<Finding> out;
  for (std::uint32_t c = 0; c < model.commands.size(); ++c) {
    const solver::CommandCoverage& command = coverage.commands[c];
    const std::string name = name_of(model, c);
    if (command.guard_true == 0)
      out.push_back({"never_enabled", name, "its guard is never true"});
    else if (command.fired == 0)
      out.push_back({"never_enabled", name, "its guard is true at times, but nobody joins in"});
    else if (command.guard_true == coverage.states &&
             !model.pool.is_true(model.commands[c].guard.id))
      out.push_back({"guard_always_true", name, "its guard is true in every state"});
  }
  for (std::uint32_t v = 0; v < model.variables.size(); ++v) {
    const auto& [low, high] = coverage.variables[v];
    const auto& field = layout.fields()[v];
    if (low == field.low && high == field.high) continue;
    const std::string values = low == high ? fmt::format("is always {}", low)
                                           : fmt::format("is always in {}..{}", low, high);
    out.push_back({"range_not_used", model.variables[v].name,
                   fmt::format("{}, declared {}..{}", values, field.low, field.high)});
  }
  return out;
}

}  // namespace

void report_coverage(const solver::Session& session, const Loaded& loaded,
                     const std::vector<PropId>& asked, const solver::Limits& limits,
                     Output& output) {
  if (!session.has_complete_graph()) return;
  const solver::StateGraph& graph = *session.explored();
  const Model& model = *loaded.model;
  const auto coverage = solver::coverage_of(graph, limits);
  if (!coverage) return output.note("no coverage: the time limit came first");
  std::vector<Finding> found = findings(*coverage, model, graph.layout());
  for (const PropId root : asked)
    if (const auto premise = solver::vacuous_premise(graph, *loaded.properties, root))
      found.push_back({"vacuous", solver::text_of(*loaded.properties, root),
                       fmt::format("says nothing: {} is never true", *premise)});
  nlohmann::ordered_json object = {{"type", "coverage"}, {"states", coverage->states}};
  output.say("\ncoverage\n");
  for (std::size_t m = 0; m < model.modules.size(); ++m) {
    output.say(fmt::format("  module {}: {} of its own states\n", model.modules[m].name,
                           coverage->states_of_module[m]));
    object["modules"].push_back(
        {{"name", model.modules[m].name}, {"states", coverage->states_of_module[m]}});
  }
  for (const Finding& finding : found) {
    output.say(fmt::format("  {}: {}\n", finding.subject, finding.text));
    object["findings"].push_back(
        {{"kind", finding.kind}, {"subject", finding.subject}, {"text", finding.text}});
  }
  if (found.empty()) output.say("  every command moves, no guard is idle, every range is used\n");
  output.object(object);
}

}  // namespace brink::cli
