#include "solver/trace/trace_print.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

namespace brink::solver {
namespace {

struct Row {
  std::string step, command, where, changes;
};

std::string value_text(const Variable& variable, std::int64_t value) {
  if (variable.type == Type::boolean)
    return fmt::format("{}={}", variable.name, value != 0 ? "true" : "false");
  return fmt::format("{}={}", variable.name, value);
}

/// The values of `now` that differ from `before` (all of them without `before`).
std::string changes(const Model& model, const Valuation* before, const Valuation& now) {
  std::string out;
  for (std::size_t v = 0; v < now.size(); ++v) {
    if (before != nullptr && (*before)[v] == now[v]) continue;
    out += (out.empty() ? "" : " ") + value_text(model.variables[v], now[v]);
  }
  return out.empty() ? "(nothing)" : out;
}

std::vector<bool> changed(const Trace& trace, std::size_t step) {
  const Valuation& before = trace.state(step - 1);
  const Valuation& after = trace.state(step);
  std::vector<bool> out(after.size());
  for (std::size_t v = 0; v < after.size(); ++v) out[v] = before[v] != after[v];
  return out;
}

/// A mark that must stand directly after a step keeps rows from being folded across it.
bool breaks_after(const Trace& trace, std::size_t step) {
  const bool mark =
      trace.no_return && (trace.no_return->step == step || trace.no_return->step == step + 1);
  return mark || (trace.loop_to && *trace.loop_to == step);
}

/// The last step of the row that begins with `first`.
std::size_t row_end(const Trace& trace, std::size_t first) {
  std::size_t last = first;
  while (last < trace.length() && !breaks_after(trace, last) &&
         trace.steps[last].commands == trace.steps[first - 1].commands &&
         trace.steps[last].updates == trace.steps[first - 1].updates &&
         changed(trace, last + 1) == changed(trace, first))
    ++last;
  return last;
}

std::string no_return_text(const PointOfNoReturn& mark) {
  return fmt::format(
      "--- point of no return: {} is out of reach; {} {} back existed just before ---", mark.goal,
      mark.ways_back == 0 ? "no" : std::to_string(mark.ways_back),
      mark.ways_back == 1 ? "way" : "ways");
}

std::string layout(const std::vector<Row>& rows) {
  std::size_t step = 0, command = 0, where = 0;
  for (const Row& row : rows) {
    if (row.command.rfind("---", 0) == 0) continue;
    step = std::max(step, row.step.size());
    command = std::max(command, row.command.size());
    where = std::max(where, row.where.size());
  }
  std::string out;
  for (const Row& row : rows) {
    std::string line = row.command.rfind("---", 0) == 0
                           ? fmt::format("{:>{}}  {}", "", step, row.command)
                           : fmt::format("{:>{}}  {:<{}}  {:<{}}  {}", row.step, step, row.command,
                                         command, row.where, where, row.changes);
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

}  // namespace

std::string trace_table(const Trace& trace, const Model& model) {
  std::vector<Row> rows{{"step", "command", "where", "changes"}};
  rows.push_back({"0", "", "", changes(model, nullptr, trace.initial)});
  const auto marks = [&](std::size_t step) {
    if (trace.no_return && trace.no_return->step == step)
      rows.push_back({"", no_return_text(*trace.no_return), "", ""});
    if (trace.loop_to && *trace.loop_to == step && step < trace.length())
      rows.push_back({"", "--- from here on the run repeats ---", "", ""});
  };
  marks(0);
  for (std::size_t first = 1; first <= trace.length();) {
    const std::size_t last = row_end(trace, first);
    const auto& commands = trace.steps[first - 1].commands;
    std::string name = name_of_commands(model, commands);
    if (last > first) name += fmt::format(" x{}", last - first + 1);
    rows.push_back({last > first ? fmt::format("{}-{}", first, last) : std::to_string(first),
                    std::move(name), place_of_commands(model, commands),
                    changes(model, &trace.state(first - 1), trace.state(last))});
    marks(last);
    first = last + 1;
  }
  if (trace.loop_to && *trace.loop_to == trace.length())
    rows.push_back({"", "--- deadlock: this state repeats for ever ---", "", ""});
  else if (trace.loop_to)
    rows.push_back({"", fmt::format("--- back to step {} ---", *trace.loop_to), "", ""});
  if (trace.fault)
    rows.push_back({"", "--- the next move fails: " + *trace.fault + " ---", "", ""});
  return layout(rows);
}

}  // namespace brink::solver
