// synthesize: for which settings of some constants does a property hold?

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "experiments/cli/commands.h"
#include "experiments/cli/interrupt.h"
#include "experiments/cli/symbolic.h"
#include "experiments/data/files.h"
#include "experiments/data/resolve.h"
#include "experiments/scenario/checking.h"
#include "models/base/text.h"
#include "solver/for_all/for_all.h"
#include "solver/for_all/instance.h"
#include "solver/for_all/region.h"
#include "solver/trace/trace_json.h"
#include "solver/trace/trace_print.h"

namespace brink::cli {
namespace {

using solver::Region;
using solver::Sample;

constexpr double kDefaultSeconds = 60;
constexpr std::size_t kShownSamples = 40;

std::string_view word_of(const Sample& sample) {
  return sample.error ? "error" : sample.holds ? "true" : "false";
}

nlohmann::ordered_json values_object(const Model& model, const std::vector<std::int64_t>& values) {
  nlohmann::ordered_json out;
  for (std::size_t p = 0; p < model.parameters.size(); ++p) {
    if (model.parameters[p].type == Type::boolean)
      out[model.parameters[p].name] = values[p] != 0;
    else
      out[model.parameters[p].name] = values[p];
  }
  return out;
}

nlohmann::ordered_json object_of(const Region& region, const std::string& name,
                                 const solver::Question& question,
                                 const std::vector<std::string>& assumptions) {
  const Model& model = *question.model;
  nlohmann::ordered_json object = {{"type", "region"},
                                   {"model", model.source->name()},
                                   {"property", name},
                                   {"text", question.text}};
  object["formula"] =
      region.formula ? nlohmann::ordered_json(*region.formula) : nlohmann::ordered_json();
  object["proved"] = region.proved();
  object["inside_proved"] = region.inside_proved;
  object["outside_proved"] = region.outside_proved;
  object["assumptions"] = assumptions;
  object["samples"] = region.samples.size();
  object["seconds"] = region.seconds;
  if (!region.notes.empty()) object["notes"] = region.notes;
  if (region.tight) {
    object["tight"] = {{"values", values_object(model, *region.tight)},
                       {"length", region.tight_result.trace
                                      ? nlohmann::ordered_json(region.tight_result.trace->length())
                                      : nlohmann::ordered_json()}};
  }
  if (!region.proved()) {
    auto& table = object["table"] = nlohmann::ordered_json::array();
    for (const Sample& sample : region.samples)
      table.push_back(
          {{"values", values_object(model, sample.values)}, {"verdict", word_of(sample)}});
  }
  return object;
}

void print_table(const Region& region, const Model& model, bool all, Output& output) {
  output.say("  what was checked:\n");
  std::size_t shown = 0;
  for (const Sample& sample : region.samples) {
    if (!all && shown++ == kShownSamples) {
      output.say(fmt::format("    ... and {} more (-v shows all)\n",
                             region.samples.size() - kShownSamples));
      break;
    }
    output.say(fmt::format("    {}: {}\n", solver::print_values(model, sample.values),
                           sample.error   ? "error of the model"
                           : sample.holds ? "holds"
                                          : "violated"));
  }
}

void print_region(const Region& region, const std::string& name, const solver::Question& question,
                  const std::vector<std::string>& assumptions, const Options& options,
                  Output& output) {
  const Model& model = *question.model;
  output.say(fmt::format("{:<10} {}: {}\n", region.proved() ? "REGION" : "UNDECIDED", name,
                         question.text));
  if (region.proved())
    output.say(fmt::format("  holds exactly where  {}\n", *region.formula));
  else if (region.formula)
    output.say(fmt::format(
        "  agrees with all that was checked, but is not proved:  {}\n    inside: {}, outside: {}\n",
        *region.formula, region.inside_proved ? "holds, proved" : "open",
        region.outside_proved ? "violated, proved" : "open"));
  output.say(fmt::format("  {} checked one by one, {:.2f} s\n",
                         counted(region.samples.size(), "setting"), region.seconds));
  for (const std::string& text : assumptions) output.say(fmt::format("  assume {}\n", text));
  for (const std::string& note : region.notes) output.say(fmt::format("  {}\n", note));
  if (!region.proved()) print_table(region, model, options.verbose, output);
  if (!region.tight) return;
  output.say(fmt::format("  just outside: {}\n", solver::print_values(model, *region.tight)));
  if (region.tight_result.trace && !options.quiet)
    output.say("\n" + solver::trace_table(*region.tight_result.trace, *region.tight_model));
}

int save_evidence(const Region& region, const Options& options, Output& output) {
  if (!options.certificate.empty()) {
    if (region.certificate.empty()) {
      output.note("no certificate: nothing was proved");
    } else {
      if (const auto written = write_whole(options.certificate, region.certificate); !written)
        return output.error(kEnvironment, written.error());
      output.say(fmt::format("  saved {0}; brink verify {0}\n", options.certificate));
    }
  }
  if (!options.trace_out.empty() && region.tight_result.trace) {
    const std::string text = solver::trace_to_json(*region.tight_result.trace, *region.tight_model);
    if (const auto written = write_whole(options.trace_out, text); !written)
      return output.error(kEnvironment, written.error());
    output.say(fmt::format("  saved {0}; brink replay {0}\n", options.trace_out));
  }
  return kDone;
}

/// The properties asked about. Error: one that does not exist.
Result<std::vector<const Property*>, std::string> chosen(const Loaded& loaded,
                                                         const Options& options) {
  std::vector<const Property*> out;
  std::vector<std::string> known;
  if (loaded.properties)
    for (const Property& property : loaded.properties->properties)
      known.push_back(property.name.empty() ? fmt::format("{}", property.number) : property.name);
  for (const std::string& wanted : options.properties) {
    const auto same = [&](const Property& p) {
      return p.name == wanted || fmt::format("{}", p.number) == wanted;
    };
    const Property* found = nullptr;
    if (loaded.properties)
      for (const Property& property : loaded.properties->properties)
        if (same(property)) found = &property;
    if (found == nullptr) {
      const std::string near = nearest_name(wanted, known);
      return fail(fmt::format("no property `{}`{}", wanted,
                              near.empty() ? "" : fmt::format("; did you mean `{}`?", near)));
    }
    out.push_back(found);
  }
  if (options.properties.empty() && loaded.properties)
    for (const Property& property : loaded.properties->properties)
      if (property.number > 0) out.push_back(&property);
  return out;
}

int one_region(const Loaded& loaded, const Property& property, const Options& options,
               Output& output) {
  const std::string name =
      property.name.empty() ? fmt::format("{}", property.number) : property.name;
  if (!property.errors.empty()) return output.report(property.errors);
  output.progress("synthesizing " + name);
  const solver::Question question = solver::ask(*loaded.properties, property);
  Region region;
  if (const std::string reason = solver::for_all_supports(question); !reason.empty()) {
    region.notes.push_back(reason);
  } else {
    solver::Limits limits;
    limits.seconds = options.time_limit_s > 0 ? options.time_limit_s : kDefaultSeconds;
    limits.bytes = options.memory_limit_bytes;
    limits.stop = &interrupted();
    end_without_answer_after(limits.seconds);
    region = solver::synthesize(question, limits);
  }
  std::vector<std::string> assumptions;
  for (const Annotation& a : loaded.properties->annotations)
    if (a.kind == AnnotationKind::assume) assumptions.push_back(a.text);
  output.object(object_of(region, name, question, assumptions));
  print_region(region, name, question, assumptions, options, output);
  return worse(save_evidence(region, options, output), region.proved() ? kDone : kUndecided);
}

}  // namespace

int run_synthesize(const Options& options, Output& output) {
  output.object({{"type", "start"}, {"schema", "brink/1"}, {"command", "synthesize"}});
  if (options.over.empty())
    return output.error(kUsage, "synthesize needs --over NAME,...: the constants to be set",
                        "brink synthesize linux-1.3.78 -p recoverable --over guard,high");
  const auto path = find_model(options.arguments[0]);
  if (!path)
    return output.error(kInput, path.error(), "`brink list models` shows those of the library");
  const std::string properties =
      options.arguments.size() > 1 ? options.arguments[1] : property_file_of(*path);
  const auto values = parse_constant_values(options.constants);
  if (!values) return output.report(values.error());
  InstantiateOptions instantiate;
  instantiate.symbolic = symbolic_names(options.over + "," + options.for_all);
  auto loaded = load(*path, properties, options.formula, *values, instantiate);
  if (!loaded) return output.report(loaded.error());
  if (const auto code = add_assumptions(*loaded, options, output)) return *code;
  output.report(loaded->model->warnings);
  if (loaded->properties) output.report(loaded->properties->warnings);
  if (loaded->model->parameters.empty())
    return output.error(kUsage, "--over: none of these constants is left open");
  const auto asked = chosen(*loaded, options);
  if (!asked) return output.error(kUsage, asked.error());
  if (asked->empty())
    return output.error(kUsage, "synthesize needs a property: --property NAME, or --formula TEXT");
  int code = kDone;
  for (const Property* property : *asked) {
    code = worse(code, one_region(*loaded, *property, options, output));
    if (interrupted()) break;
  }
  if (interrupted()) code = worse(code, kUndecided);
  return code;
}

}  // namespace brink::cli
