// The reachable states as a graph for Graphviz: a node per state with its values, an edge per
// branch with the commands behind it and, where there are several branches, the probability or
// rate. Initial states have a double rim, deadlocks are grey.
#include <fmt/format.h>

#include <iterator>

#include "experiments/export/states.h"

namespace brink::exports {
namespace {

constexpr std::uint64_t kMostStates = 2000;  // more is no picture; --state-limit overrides

std::string move_name(const Model& model, const Expansion& expansion, const Choice& choice) {
  if (choice.action != kUnlabelled) return model.actions[choice.action];
  const Command& command = model.commands[expansion.commands_of(choice)[0]];
  return fmt::format("{}.{}", model.modules[command.module].name, command.number);
}

}  // namespace

Outcome write_dot(const Job& job) {
  const auto states = States::explore(job, kMostStates);
  if (!states) return fail(states.error());
  const Model& model = *job.model;
  Evaluator evaluator(job.model);
  std::string nodes, edges;
  states->each(evaluator, [&](std::uint32_t s, const Expansion& expansion,
                              std::span<const std::uint32_t> targets) {
    std::string label;
    for (std::size_t v = 0; v < model.variables.size(); ++v) {
      label += fmt::format("{}{}={}", v > 0 ? "\\n" : "", model.variables[v].name,
                           value_text(model.variables[v], states->values(s)[v]));
    }
    nodes += fmt::format("  s{} [label=\"{}\"{}{}];\n", s, label,
                         states->initial(s) ? ", peripheries=2" : "",
                         expansion.deadlock() ? ", style=filled" : "");
    for (const Choice& choice : expansion.choices) {
      const std::string name = move_name(model, expansion, choice);
      for (std::uint32_t b = choice.first_branch; b < choice.first_branch + choice.branch_count;
           ++b) {
        const bool certain = choice.branch_count == 1 && expansion.weights[b] == 1;
        edges += fmt::format("  s{} -> s{} [label=\"{}{}\"];\n", s, targets[b], name,
                             certain ? "" : fmt::format(" {}", expansion.weights[b]));
      }
    }
  });
  return Exported{{{".dot", fmt::format("// {}: reachable states, by brink\ndigraph states {{\n"
                                        "  node [shape=box];\n{}{}}}\n",
                                        base_name(model), nodes, edges)}},
                  {}};
}

}  // namespace brink::exports
