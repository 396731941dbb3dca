#include "experiments/scenario/checking.h"

#include <fmt/format.h>

#include "experiments/data/resolve.h"
#include "models/language/parser.h"
#include "solver/engines.h"
#include "solver/trace_print.h"

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

Result<Loaded, Diagnostics> load(const std::string& model_path, const std::string& properties_path,
                                 const std::string& formula, const ConstantValues& values,
                                 const InstantiateOptions& given) {
  const auto model_source = read_source(model_path);
  if (!model_source) return fail(model_source.error());
  const auto named = make_source(display_name(model_path), std::string((*model_source)->text()));
  const auto model_file = parse_model(named);
  if (!model_file) return fail(model_file.error());
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
  auto model = instantiate(*model_file, values, options);
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

Result<CheckOutcome, Diagnostics> run_check(const Prepared& prepared, const Check& check,
                                            const std::atomic<bool>* stop) {
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
  options.limits.stop = stop;
  solver::Session session(loaded->model, options);
  outcome.result = solver::check(session, solver::ask(*loaded->properties, *property));
  outcome.as_expected = verdict_word(outcome.result.verdict) == check.expect;
  if (outcome.result.trace)
    outcome.trace_table = solver::trace_table(*outcome.result.trace, *loaded->model);
  return outcome;
}

}  // namespace brink
