// export: a model in the format of another tool.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "experiments/cli/commands.h"
#include "experiments/cli/interrupt.h"
#include "experiments/data/files.h"
#include "experiments/data/resolve.h"
#include "experiments/export/export.h"
#include "experiments/scenario/checking.h"

namespace brink::cli {
namespace {

using exports::Exported;
using exports::Format;

std::string format_list() {
  std::string text = "the formats are:";
  for (const Format& format : exports::formats())
    text += fmt::format("\n  {:<10} {}", format.name, format.about);
  return text;
}

Result<const Format*, std::string> choose_format(const std::string& name) {
  if (const Format* format = exports::find_format(name)) return format;
  if (name.empty()) return fail("--to FORMAT is missing; " + format_list());
  std::vector<std::string> known;
  for (const Format& format : exports::formats()) known.emplace_back(format.name);
  const std::string near = nearest_name(name, known);
  return fail(fmt::format("no format `{}`; {}", name,
                          near.empty() ? format_list() : fmt::format("did you mean `{}`?", near)));
}

/// The properties that go into the file. Error: one that does not exist, or more than the format
/// takes.
Result<std::vector<const Property*>, std::string> choose(const PropertySet* set,
                                                         const Options& options,
                                                         const Format& format) {
  std::vector<const Property*> chosen;
  std::vector<std::string> known;
  const bool named = !options.properties.empty() || !options.formula.empty();
  if (format.properties == exports::Properties::none) {
    if (named) return fail(fmt::format("{} has no place for properties", format.name));
    return chosen;
  }
  if (!set) {
    if (named) return fail(std::string("there is no property file"));
    return chosen;
  }
  for (const Property& property : set->properties) {
    if (property.number == 0) continue;
    known.push_back(exports::name_of(property));
    if (options.properties.empty()) chosen.push_back(&property);
  }
  for (const std::string& text : options.properties) {
    std::uint32_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    const auto found = std::ranges::find_if(set->properties, [&](const Property& p) {
      return p.number > 0 && (p.name == text || p.number == number);
    });
    if (found == set->properties.end()) {
      const std::string near = nearest_name(text, known);
      return fail(fmt::format("no property `{}`{}", text,
                              near.empty() ? "" : fmt::format("; did you mean `{}`?", near)));
    }
    chosen.push_back(&*found);
  }
  if (format.properties == exports::Properties::one && chosen.size() > 1) {
    if (!named)
      return std::vector<const Property*>{};  // the question is then whether a range is left
    return fail(fmt::format("{} asks one question a file: choose one --property", format.name));
  }
  return chosen;
}

/// Writes the files beside `path`, or a single one to standard output.
int write_files(const Exported& exported, const std::string& path, const Format& format,
                Output& output) {
  const bool single = exported.files.size() == 1 && format.name != "explicit";
  if (path.empty() && !single) {
    return output.error(kUsage, fmt::format("{} is several files", format.name),
                        "give their common name with --out NAME");
  }
  for (const exports::File& file : exported.files) {
    nlohmann::ordered_json object = {{"type", "export"}, {"format", format.name}};
    if (path.empty()) {
      output.say(file.text);
      if (output.json()) {
        object["text"] = file.text;
        output.object(object);
      }
      continue;
    }
    const std::string name = single ? path : path + file.suffix;
    if (const auto written = write_whole(name, file.text); !written)
      return output.error(kEnvironment, written.error());
    object["file"] = name;
    object["bytes"] = file.text.size();
    output.object(object);
    output.note(fmt::format("wrote {} ({} bytes)", name, file.text.size()));
  }
  return kDone;
}

Result<Loaded, Diagnostics> load_model_of(const Options& options, const std::string& path) {
  const auto values = parse_constant_values(options.constants);
  if (!values) return fail(values.error());
  InstantiateOptions instantiate;
  if (options.as == "dtmc") instantiate.as = ModelType::dtmc;
  if (options.as == "ctmc") instantiate.as = ModelType::ctmc;
  if (options.as == "mdp") instantiate.as = ModelType::mdp;
  const std::string properties =
      options.arguments.size() > 1 ? options.arguments[1] : property_file_of(path);
  return load(path, properties, options.formula, *values, instantiate);
}

}  // namespace

int run_export(const Options& options, Output& output) {
  output.object({{"type", "start"}, {"schema", "brink/1"}, {"command", "export"}});
  const auto format = choose_format(options.to);
  if (!format) return output.error(kUsage, format.error());
  if (!options.as.empty() && options.as != "dtmc" && options.as != "ctmc" && options.as != "mdp") {
    return output.error(kUsage, fmt::format("--as takes dtmc, ctmc or mdp, not `{}`", options.as));
  }
  const auto path = find_model(options.arguments[0]);
  if (!path)
    return output.error(kInput, path.error(), "`brink list models` shows those of the library");
  const auto loaded = load_model_of(options, *path);
  if (!loaded) return output.report(loaded.error());
  exports::Job job;
  job.model = loaded->model;
  job.properties = loaded->properties ? &*loaded->properties : nullptr;
  job.chosen = !options.properties.empty() || !options.formula.empty();
  job.limits.states = static_cast<std::uint64_t>(options.state_limit);
  job.limits.bytes = options.memory_limit_bytes;
  job.limits.stop = &interrupted();
  auto asked = choose(job.properties, options, **format);
  if (!asked) return output.error(kUsage, asked.error());
  job.asked = std::move(*asked);
  const auto exported = (*format)->write(job);
  if (!exported) {
    const int code = output.report(exported.error());
    return exported.error().front().code == "E0802" ? kUndecided : code;
  }
  for (const std::string& remark : exported->remarks) output.note(remark);
  return write_files(*exported, options.out, **format, output);
}

}  // namespace brink::cli
