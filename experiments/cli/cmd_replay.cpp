// replay: a saved trace, checked again by the evaluator and shown.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "experiments/cli/commands.h"
#include "experiments/data/resolve.h"
#include "models/base/text.h"
#include "models/language/instantiate.h"
#include "models/language/parser.h"
#include "solver/trace/trace_json.h"
#include "solver/trace/trace_print.h"

namespace brink::cli {

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
  output.object({{"type", "replay"},
                 {"model", *path},
                 {"property", trace->property},
                 {"steps", trace->length()},
                 {"verdict", replayed ? "true" : "false"},
                 {"reason", replayed ? "" : replayed.error()}});
  output.say(
      fmt::format("{}: {}\n\n{}", *path, trace->property, solver::trace_table(*trace, **model)));
  if (!replayed)
    return output.error(kDisagreement,
                        fmt::format("this is no run of the model: {}", replayed.error()));
  output.say(
      fmt::format("\nreplayed: {}, each a move of the model\n", counted(trace->length(), "step")));
  return kDone;
}

}  // namespace brink::cli
