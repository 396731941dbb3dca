#include "experiments/scenario/checking.h"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/data/resolve.h"
#include "models/language/explicit_import.h"
#include "models/language/parser.h"
#include "solver/engines.h"
#include "solver/trace/trace_print.h"

namespace brink {

std::string verdict_word(solver::Verdict verdict) {
  switch (verdict) {
    case solver::Verdict::holds:
      return "HOLDS";
    case solver::Verdict::violated:
      return "VIOLATED";
    case solver::Verdict::unknown:
      return "UNDECIDED";
    case solver::Verdict::unsupported:
      return "UNSUPPORTED";
    case solver::Verdict::model_error:
      return "MODEL ERROR";
    case solver::Verdict::disagreement:
      return "DISAGREEMENT";
  }
  return "";
}

namespace {

/// The model of a PRISM text.
Result<ModelPtr, Diagnostics> text_model(const std::string& path, const ConstantValues& values,
                                         const InstantiateOptions& options) {
  const auto source = read_source(path);
  if (!source) return fail(source.error());
  const auto named = make_source(display_name(path), std::string((*source)->text()));
  const auto file = parse_model(named);
  if (!file) return fail(file.error());
  return instantiate(*file, values, options);
}

/// The model of explicit files.
Result<ModelPtr, Diagnostics> listed_model(const std::string& path, const ConstantValues& values,
                                           const InstantiateOptions& options) {
  for (const auto& [name, value] : values) {
    if (std::ranges::find(options.other_constants, name) != options.other_constants.end()) continue;
    Diagnostic d;
    d.code = "E0404";
    d.message = fmt::format("there is no constant `{}`: explicit files have none", name);
    return fail(Diagnostics{d});
  }
  const auto files = read_explicit_files(path);
  if (!files) return fail(files.error());
  return import_explicit(*files, options.as);
}

}  // namespace

Result<Loaded, Diagnostics> load(const std::string& model_path, const std::string& properties_path,
                                 const std::string& formula, const ConstantValues& values,
                                 const InstantiateOptions& given) {
  InstantiateOptions options = given;
  std::optional<PropertyFile> properties;
  if (!properties_path.empty()) {
    const auto source = read_source(properties_path);
    if (!source) return fail(source.error());
    auto parsed = parse_properties(*source);
    if (!parsed) return fail(parsed.error());
    for (const auto& constant : parsed->constants)
      options.other_constants.push_back(constant.name.text);
    properties = std::move(*parsed);
  }
  auto model = is_explicit_file(model_path) ? listed_model(model_path, values, options)
                                            : text_model(model_path, values, options);
  if (!model) return fail(model.error());
  Loaded loaded;
  loaded.model = *model;
  if (!formula.empty()) {
    const auto parsed = parse_property(formula);
    if (!parsed) return fail(parsed.error());
    auto set = properties ? check_properties(*parsed, *properties, *model, values)
                          : check_properties(*parsed, *model, values);
    if (!set) return fail(set.error());
    loaded.properties = std::move(*set);
  } else if (properties) {
    auto set = check_properties(*properties, *model, values);
    if (!set) return fail(set.error());
    loaded.properties = std::move(*set);
  }
  return loaded;
}

Result<CheckOutcome, Diagnostics> run_check(const Prepared& prepared, const Check& check) {
  const Scenario& scenario = prepared.scenario;
  const auto path = find_model(scenario.model.text, scenario.folder);
  if (!path)
    return fail(scenario_error("E0913", path.error(), scenario.source, scenario.model.span));
  ConstantValues constants = scenario.scaled;
  for (const auto& [name, value] : check.constants) constants[name] = value;
  const auto loaded = load(*path, property_file_of(*path), {}, constants);
  if (!loaded) return fail(loaded.error());
  const Property* property =
      loaded->properties ? loaded->properties->find(check.property.text) : nullptr;
  if (!property) {
    return fail(scenario_error("E0918",
                               fmt::format("the model has no property `{}`", check.property.text),
                               scenario.source, check.property.span));
  }
  if (!property->errors.empty()) return fail(property->errors);
  CheckOutcome outcome;
  outcome.check = check;
  outcome.model = loaded->model;
  solver::CheckOptions options;
  options.limits.stop = prepared.stop;
  solver::Session session(loaded->model, options);
  outcome.result = solver::check(session, solver::ask(*loaded->properties, *property));
  outcome.as_expected = verdict_word(outcome.result.verdict) == check.expect;
  if (outcome.result.trace)
    outcome.trace_table = solver::trace_table(*outcome.result.trace, *loaded->model);
  return outcome;
}

}  // namespace brink
