#include "solver/trace/trace.h"

#include <fmt/core.h>

#include <algorithm>

namespace brink::solver {
namespace {

std::string constant_text(const ExprPool& pool, ExprId id) {
  const ExprNode& node = pool[id];
  if (node.kind == ExprKind::boolean) return node.value != 0 ? "true" : "false";
  if (node.kind == ExprKind::integer) return std::to_string(node.value);
  const std::string exact = pool.exact(id);
  return exact.empty() ? fmt::format("{}", pool.number(id)) : exact;
}

/// The branch of `expansion` with these commands, updates and target, if any.
bool has_move(const Expansion& expansion, const TraceStep& step) {
  for (const Choice& choice : expansion.choices) {
    const auto commands = expansion.commands_of(choice);
    if (!std::equal(commands.begin(), commands.end(), step.commands.begin(), step.commands.end()))
      continue;
    for (std::uint32_t b = choice.first_branch; b < choice.first_branch + choice.branch_count;
         ++b) {
      const auto target = expansion.target(b);
      if (expansion.updates[b] == step.updates &&
          std::equal(target.begin(), target.end(), step.after.begin(), step.after.end()))
        return true;
    }
  }
  return false;
}

Result<void, std::string> replay_initial(const Trace& trace, const Model& model) {
  bool found = false;
  const auto error = for_each_initial_state(model, [&](std::span<const std::int64_t> state) {
    found = std::equal(state.begin(), state.end(), trace.initial.begin(), trace.initial.end());
    return !found;
  });
  if (error) return fail(std::string("the initial states cannot be computed"));
  if (!found) return fail(std::string("the trace does not begin in an initial state"));
  return {};
}

}  // namespace

Trace make_trace(const Model& model, std::string property) {
  Trace trace;
  trace.model = model.source ? model.source->name() : "";
  trace.property = std::move(property);
  for (const Constant& constant : model.constants)
    if (constant.value.valid() && model.pool.is_constant(constant.value))
      trace.constants.emplace_back(constant.name, constant_text(model.pool, constant.value));
  return trace;
}

Result<void, std::string> replay(const Trace& trace, Evaluator& evaluator) {
  const Model& model = evaluator.model();
  for (std::size_t i = 0; i <= trace.length(); ++i)
    if (trace.state(i).size() != model.variables.size())
      return fail(fmt::format("state {} does not have one value for each variable", i));
  if (auto initial = replay_initial(trace, model); !initial) return initial;
  Expansion expansion;
  for (std::size_t i = 0; i < trace.length(); ++i) {
    if (const auto error = evaluator.successors(trace.state(i), expansion))
      return fail(fmt::format("state {}: {}", i, to_diagnostic(*error, model).message));
    if (!has_move(expansion, trace.steps[i]))
      return fail(fmt::format("step {} ({}) is not a move of the model", i + 1,
                              name_of_commands(model, trace.steps[i].commands)));
  }
  const Valuation& last = trace.state(trace.length());
  if (trace.loop_to) {
    if (*trace.loop_to > trace.length() || trace.state(*trace.loop_to) != last)
      return fail(fmt::format("the trace does not close its loop at state {}", *trace.loop_to));
    if (*trace.loop_to == trace.length()) {  // only a deadlock repeats without a step
      if (evaluator.successors(last, expansion) || expansion.branch_count() != 0)
        return fail(std::string("the last state repeats itself but is no deadlock"));
    }
  }
  if (trace.fault) {
    const auto error = evaluator.successors(last, expansion);
    if (!error) return fail(std::string("the error after the last state does not happen"));
    if (to_diagnostic(*error, model).message != *trace.fault)
      return fail(std::string("another error happens after the last state"));
  }
  return {};
}

bool find_move(const Expansion& expansion, TraceStep& step) {
  for (const Choice& choice : expansion.choices)
    for (std::uint32_t b = choice.first_branch; b < choice.first_branch + choice.branch_count;
         ++b) {
      const auto target = expansion.target(b);
      if (!std::equal(target.begin(), target.end(), step.after.begin(), step.after.end())) continue;
      const auto commands = expansion.commands_of(choice);
      step.commands.assign(commands.begin(), commands.end());
      step.updates = expansion.updates[b];
      return true;
    }
  return false;
}

std::string name_of_commands(const Model& model, const std::vector<std::uint32_t>& commands) {
  if (commands.empty()) return "(none)";
  const Command& first = model.commands[commands.front()];
  // Moves by one command or by a label that all share are named by the label where it tells.
  std::string name;
  for (const std::uint32_t index : commands) {
    const Command& command = model.commands[index];
    const std::string& label = model.actions[command.action];
    const auto& siblings = model.modules[command.module].commands;
    const auto same = std::count_if(siblings.begin(), siblings.end(), [&](std::uint32_t other) {
      return model.commands[other].action == command.action;
    });
    std::string own;
    if (command.action == kUnlabelled || same > 1)
      own = fmt::format("{}:{}", model.modules[command.module].name, command.number);
    if (commands.size() > 1 && command.action == first.action && own.empty()) {
      if (name.empty()) name = label;
      continue;
    }
    if (command.action != kUnlabelled)
      own = own.empty() ? label : fmt::format("{}({})", label, own);
    name += (name.empty() ? "" : "+") + own;
  }
  return name;
}

std::string place_of_commands(const Model& model, const std::vector<std::uint32_t>& commands) {
  if (commands.empty() || !model.source) return "";
  const Span span = model.commands[commands.front()].span;
  return fmt::format("{}:{}", model.source->name(), model.source->position(span.begin).line);
}

}  // namespace brink::solver
