#include "solver/trace/trace_json.h"

#include <fmt/core.h>

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>

namespace brink::solver {
namespace {

using Json = nlohmann::ordered_json;

/// What is wrong with a document; caught at the border of this file only.
struct Bad {
  std::string why;
};

Json state_json(const Model& model, const Valuation& state) {
  Json out = Json::array();
  for (std::size_t v = 0; v < state.size(); ++v) {
    if (model.variables[v].type == Type::boolean)
      out.push_back(state[v] != 0);
    else
      out.push_back(state[v]);
  }
  return out;
}

Json step_json(const Model& model, const TraceStep& step) {
  Json commands = Json::array();
  for (const std::uint32_t index : step.commands) {
    const Command& command = model.commands[index];
    commands.push_back({{"module", model.modules[command.module].name},
                        {"number", command.number},
                        {"action", model.actions[command.action]}});
  }
  return {{"commands", std::move(commands)},
          {"update", step.updates},
          {"state", state_json(model, step.after)}};
}

void only_keys(const Json& object, const char* what, std::initializer_list<const char*> known) {
  if (!object.is_object()) throw Bad{fmt::format("{} is not an object", what)};
  for (const auto& [key, value] : object.items())
    if (std::find(known.begin(), known.end(), key) == known.end())
      throw Bad{fmt::format("{} has an unknown key \"{}\"", what, key)};
}

const Json& need(const Json& object, const char* key) {
  const auto at = object.find(key);
  if (at == object.end()) throw Bad{fmt::format("\"{}\" is missing", key)};
  return *at;
}

std::string text(const Json& object, const char* key) {
  const Json& value = need(object, key);
  if (!value.is_string()) throw Bad{fmt::format("\"{}\" is not a text", key)};
  return value.get<std::string>();
}

std::uint64_t count(const Json& object, const char* key) {
  const Json& value = need(object, key);
  if (!value.is_number_unsigned()) throw Bad{fmt::format("\"{}\" is not a natural number", key)};
  return value.get<std::uint64_t>();
}

const Json& array(const Json& object, const char* key) {
  const Json& value = need(object, key);
  if (!value.is_array()) throw Bad{fmt::format("\"{}\" is not a list", key)};
  return value;
}

Json parse(const std::string& json) {
  Json document = Json::parse(json, nullptr, false);
  if (document.is_discarded()) throw Bad{"not a JSON document"};
  only_keys(document, "the trace",
            {"schema", "model", "constants", "property", "variables", "initial", "steps", "loop_to",
             "point_of_no_return", "fault"});
  if (text(document, "schema") != trace_schema)
    throw Bad{fmt::format("schema \"{}\" where \"{}\" is needed", text(document, "schema"),
                          trace_schema)};
  return document;
}

TraceHeader header(const Json& document) {
  TraceHeader out{text(document, "model"), {}, text(document, "property")};
  const Json& constants = need(document, "constants");
  if (!constants.is_object()) throw Bad{"\"constants\" is not an object"};
  for (const auto& [name, value] : constants.items()) {
    if (!value.is_string()) throw Bad{fmt::format("constant {} is not given as text", name)};
    out.constants.emplace_back(name, value.get<std::string>());
  }
  return out;
}

Valuation state(const Json& values, const Model& model) {
  if (!values.is_array() || values.size() != model.variables.size())
    throw Bad{"a state does not have one value for each variable"};
  Valuation out;
  for (std::size_t v = 0; v < values.size(); ++v) {
    const bool boolean = model.variables[v].type == Type::boolean;
    if (boolean ? !values[v].is_boolean() : !values[v].is_number_integer())
      throw Bad{fmt::format("a value of {} has the wrong type", model.variables[v].name)};
    out.push_back(boolean ? (values[v].get<bool>() ? 1 : 0) : values[v].get<std::int64_t>());
  }
  return out;
}

std::uint32_t command(const Json& object, const Model& model) {
  only_keys(object, "a command", {"module", "number", "action"});
  const std::string module = text(object, "module");
  const std::uint64_t number = count(object, "number");
  const auto index = model.find_module(module);
  if (!index || number < 1 || number > model.modules[*index].commands.size())
    throw Bad{fmt::format("the model has no command {} in a module {}", number, module)};
  const std::uint32_t found = model.modules[*index].commands[number - 1];
  if (model.actions[model.commands[found].action] != text(object, "action"))
    throw Bad{fmt::format("command {} of module {} is not labelled [{}]", number, module,
                          text(object, "action"))};
  return found;
}

void optional_parts(const Json& document, Trace& trace) {
  if (document.contains("loop_to")) trace.loop_to = count(document, "loop_to");
  if (document.contains("fault")) trace.fault = text(document, "fault");
  if (!document.contains("point_of_no_return")) return;
  const Json& mark = document["point_of_no_return"];
  only_keys(mark, "the point of no return", {"step", "ways_back", "goal"});
  trace.no_return =
      PointOfNoReturn{count(mark, "step"), count(mark, "ways_back"), text(mark, "goal")};
}

Trace trace_of(const Json& document, const Model& model) {
  TraceHeader head = header(document);
  Trace trace;
  trace.model = std::move(head.model);
  trace.constants = std::move(head.constants);
  trace.property = std::move(head.property);
  const Json& names = array(document, "variables");
  if (names.size() != model.variables.size())
    throw Bad{"the trace has other variables than the model"};
  for (std::size_t v = 0; v < names.size(); ++v)
    if (names[v] != model.variables[v].name)
      throw Bad{fmt::format("the trace has variable {} where the model has {}", names[v].dump(),
                            model.variables[v].name)};
  trace.initial = state(need(document, "initial"), model);
  for (const Json& entry : array(document, "steps")) {
    only_keys(entry, "a step", {"commands", "update", "state"});
    TraceStep step;
    for (const Json& c : array(entry, "commands")) step.commands.push_back(command(c, model));
    step.updates = static_cast<std::uint32_t>(count(entry, "update"));
    step.after = state(need(entry, "state"), model);
    trace.steps.push_back(std::move(step));
  }
  optional_parts(document, trace);
  return trace;
}

}  // namespace

std::string trace_to_json(const Trace& trace, const Model& model) {
  Json constants = Json::object();
  for (const auto& [name, value] : trace.constants) constants[name] = value;
  Json variables = Json::array();
  for (const Variable& variable : model.variables) variables.push_back(variable.name);
  std::string out = "{\n";
  const auto line = [&out](const char* key, const Json& value) {
    out += fmt::format("\"{}\": {},\n", key, value.dump());
  };
  line("schema", trace_schema);
  line("model", trace.model);
  line("constants", constants);
  line("property", trace.property);
  line("variables", variables);
  if (trace.loop_to) line("loop_to", *trace.loop_to);
  if (trace.no_return)
    line("point_of_no_return", {{"step", trace.no_return->step},
                                {"ways_back", trace.no_return->ways_back},
                                {"goal", trace.no_return->goal}});
  if (trace.fault) line("fault", *trace.fault);
  line("initial", state_json(model, trace.initial));
  out += "\"steps\": [";
  for (std::size_t i = 0; i < trace.steps.size(); ++i)
    out += (i == 0 ? "\n" : ",\n") + step_json(model, trace.steps[i]).dump();
  return out + "\n]\n}\n";
}

Result<TraceHeader, std::string> read_trace_header(const std::string& json) {
  try {
    return header(parse(json));
  } catch (const Bad& bad) {
    return fail(bad.why);
  }
}

Result<Trace, std::string> trace_from_json(const std::string& json, const Model& model) {
  try {
    return trace_of(parse(json), model);
  } catch (const Bad& bad) {
    return fail(bad.why);
  }
}

}  // namespace brink::solver
