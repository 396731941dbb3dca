// replay: a saved trace, checked again by the evaluator and shown.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "experiments/cli/commands.h"
#include "experiments/cli/interrupt.h"
#include "experiments/data/resolve.h"
#include "models/base/text.h"
#include "models/language/instantiate.h"
#include "models/language/parser.h"
#include "models/language/property.h"
#include "solver/search/stuck.h"
#include "solver/trace/trace_json.h"
#include "solver/trace/trace_print.h"

namespace brink::cli {
namespace {

using solver::StuckCheck;

/// What a trace says of its point of no return, explored anew from there.
struct Behind {
  std::string text;  ///< for people; empty: the trace says nothing
  std::string verdict;
  std::uint64_t states = 0;
};

Behind look_behind(const solver::Trace& trace, const ModelPtr& model, const Options& options) {
  if (!trace.no_return) return {};
  const std::string& goal = trace.no_return->goal;
  const auto file = parse_property(fmt::format("E [ F ({}) ]", goal));
  const auto set =
      file ? check_properties(*file, model) : Result<PropertySet, Diagnostics>(fail(file.error()));
  if (!set || !set->properties.front().errors.empty())
    return {fmt::format(
                "point of no return: not checked, `{}` is not readable from the model alone", goal),
            "unknown", 0};
  const solver::Question question = solver::ask(*set, set->properties.front());
  const PropId root = solver::form_of(question).body;
  solver::Limits limits;
  limits.seconds = options.time_limit_s;
  limits.states = static_cast<std::uint64_t>(options.state_limit);
  limits.stop = &interrupted();
  const StuckCheck found =
      solver::check_behind(trace.state(trace.no_return->step), question, root, limits);
  switch (found.end) {
    case StuckCheck::End::confirmed:
      return {fmt::format("point of no return: confirmed, {} behind it, `{}` in none",
                          counted(found.states, "state"), goal),
              "true", found.states};
    case StuckCheck::End::refuted:
      return {fmt::format("point of no return: wrong, `{}` is reached after {}", goal,
                          counted(found.states, "state")),
              "false", found.states};
    case StuckCheck::End::fault:
      return {"point of no return: not checked, a move or the goal is in error behind it",
              "unknown", found.states};
    case StuckCheck::End::limit:
      break;
  }
  return {fmt::format("point of no return: not checked in full, {} seen",
                      counted(found.states, "state")),
          "unknown", found.states};
}

}  // namespace

int run_replay(const Options& options, Output& output) {
  output.object({{"type", "start"}, {"schema", "brink/1"}, {"command", "replay"}});
  const auto source = read_source(options.arguments[0]);
  if (!source) return output.report(source.error());
  const std::string text((*source)->text());
  const auto header = solver::read_trace_header(text);
  if (!header)
    return output.error(kInput, fmt::format("{}: {}", options.arguments[0], header.error()));
  const auto path = find_model(header->model);
  if (!path) return output.error(kInput, fmt::format("{}: {}", options.arguments[0], path.error()));
  ConstantValues values;
  for (const auto& [name, value] : header->constants) {
    const auto parsed = parse_constant_value(value);
    if (!parsed)
      return output.error(kInput, fmt::format("{}: `{}` is not a value of `{}`",
                                              options.arguments[0], value, name));
    values[name] = *parsed;
  }
  const auto model = load_model(*path, values);
  if (!model) return output.report(model.error());
  const auto trace = solver::trace_from_json(text, **model);
  if (!trace)
    return output.error(kInput, fmt::format("{}: {}", options.arguments[0], trace.error()));
  Evaluator evaluator(*model);
  const auto replayed = solver::replay(*trace, evaluator);
  const Behind behind = replayed ? look_behind(*trace, *model, options) : Behind{};
  nlohmann::ordered_json object = {{"type", "replay"},
                                   {"model", *path},
                                   {"property", trace->property},
                                   {"steps", trace->length()},
                                   {"verdict", replayed ? "true" : "false"},
                                   {"reason", replayed ? "" : replayed.error()}};
  if (!behind.text.empty())
    object["point_of_no_return"] = {{"verdict", behind.verdict}, {"states", behind.states}};
  output.object(object);
  output.say(
      fmt::format("{}: {}\n\n{}", *path, trace->property, solver::trace_table(*trace, **model)));
  if (!replayed)
    return output.error(kDisagreement,
                        fmt::format("this is no run of the model: {}", replayed.error()));
  output.say(
      fmt::format("\nreplayed: {}, each a move of the model\n", counted(trace->length(), "step")));
  if (behind.verdict == "false") return output.error(kDisagreement, behind.text);
  if (!behind.text.empty()) output.say(behind.text + "\n");
  return kDone;
}

}  // namespace brink::cli
