#include "experiments/conformance/binding.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "experiments/data/config.h"
#include "models/base/check.h"
#include "models/language/instantiate.h"
#include "models/language/parser.h"

namespace brink {
namespace {

/// A model whose variables are the kernel's counters, in their order, and whose constants are the
/// policy's.
std::string counter_carrier(const Model& model, const machine::KernelRow& kernel) {
  std::string text = "mdp\n";
  for (const Constant& constant : model.constants) {
    if (constant.type == Type::real || !constant.value.valid() ||
        !model.pool.is_constant(constant.value))
      continue;
    const std::int64_t value = model.pool.integer_value(constant.value);
    text += constant.type == Type::boolean
                ? fmt::format("const bool {} = {};\n", constant.name, value != 0)
                : fmt::format("const int {} = {};\n", constant.name, value);
  }
  text += "module machine\n";
  for (const auto& row : kernel.counters) text += fmt::format("  {} : int;\n", row.name);
  return text + "endmodule\n";
}

Diagnostics at_place(Diagnostics found, const Placed& placed, const SourcePtr& source) {
  for (Diagnostic& diagnostic : found) {
    diagnostic.message = fmt::format("in `{}`: {}", placed.text, diagnostic.message);
    put_in_place(diagnostic, source, placed.span);
  }
  return found;
}

struct Compiled {
  int number;  ///< in the evaluator
  Type type;
  std::vector<std::uint32_t> reads;  ///< variables of the carrier
};

/// Compiles `placed` as an expression over `carrier` into `into`.
Result<Compiled, Diagnostics> compile(const Placed& placed, const ModelPtr& carrier,
                                      ExprEvaluator& into, const SourcePtr& source) {
  const auto parsed = parse_property(placed.text);
  if (!parsed) return fail(at_place(parsed.error(), placed, source));
  const auto set = check_properties(*parsed, carrier);
  if (!set) return fail(at_place(set.error(), placed, source));
  const Property& property = set->properties.front();
  if (!property.errors.empty()) return fail(at_place(property.errors, placed, source));
  const ExprId atom = set->atom(property.root);
  if (!atom.valid() || property.type == Type::real) {
    return fail(scenario_error(
        "E0915", fmt::format("`{}` must be a whole number or a condition", placed.text), source,
        placed.span));
  }
  return Compiled{static_cast<int>(into.add(set->pool, atom)), property.type,
                  set->pool.variables_of(atom)};
}

std::int64_t value_of(ExprEvaluator& evaluator, int expression, bool boolean,
                      std::span<const std::int64_t> values) {
  if (boolean) {
    const auto value = evaluator.boolean(static_cast<std::size_t>(expression), values);
    BRINK_CHECK(value, "an expression of the scenario cannot be evaluated");
    return *value;
  }
  const auto value = evaluator.integer(static_cast<std::size_t>(expression), values);
  BRINK_CHECK(value, "an expression of the scenario cannot be evaluated");
  return *value;
}

}  // namespace

std::optional<std::uint32_t> find_command(const Model& model, std::string_view name) {
  std::optional<std::uint32_t> found;
  for (std::uint32_t i = 0; i < model.commands.size(); ++i) {
    const Command& command = model.commands[i];
    const bool by_action = command.action != kUnlabelled && model.actions[command.action] == name;
    if (!by_action &&
        fmt::format("{}#{}", model.modules[command.module].name, command.number) != name)
      continue;
    if (found) return std::nullopt;
    found = i;
  }
  return found;
}

std::string command_name(const Model& model, std::uint32_t command) {
  const Command& row = model.commands[command];
  const std::string action = model.actions[row.action];
  if (!action.empty() && find_command(model, action) == command) return action;
  return fmt::format("{}#{}", model.modules[row.module].name, row.number);
}

Binding::Binding(const Prepared& prepared)
    : model_(prepared.model),
      kernel_(prepared.kernel),
      evaluator_(prepared.model),
      counters_(static_cast<std::uint32_t>(prepared.kernel->counters.size())),
      guards_(static_cast<std::uint32_t>(prepared.model->variables.size())),
      view_(prepared.model->variables.size(), -1),
      events_(prepared.kernel->events.size()),
      missing_(prepared.kernel->events.size()),
      listed_(prepared.kernel->events.size(), false),
      sites_(prepared.kernel->decisions.size()) {}

Result<std::unique_ptr<Binding>, Diagnostics> Binding::make(const Prepared& prepared) {
  std::unique_ptr<Binding> binding(new Binding(prepared));
  if (auto bound = binding->bind_view(prepared); !bound) return fail(bound.error());
  if (auto bound = binding->bind_events(prepared); !bound) return fail(bound.error());
  if (auto bound = binding->bind_sites(prepared); !bound) return fail(bound.error());
  return binding;
}

Result<void, Diagnostics> Binding::bind_view(const Prepared& prepared) {
  const Scenario& scenario = prepared.scenario;
  const auto file = parse_model(make_source("<counters>", counter_carrier(*model_, *kernel_)));
  BRINK_CHECK(file, file ? "" : render(file.error()));
  const auto carrier = instantiate(*file);
  BRINK_CHECK(carrier, carrier ? "" : render(carrier.error()));
  for (const auto& [name, placed] : scenario.view) {
    const auto variable = model_->find_variable(name);
    if (!variable) {
      std::vector<std::string> known;
      for (const Variable& row : model_->variables) known.push_back(row.name);
      return fail(scenario_error("E0909", fmt::format("the model has no variable `{}`", name),
                                 scenario.source, placed.span, did_you_mean(name, known)));
    }
    const auto compiled = compile(placed, *carrier, counters_, scenario.source);
    if (!compiled) return fail(compiled.error());
    if (compiled->type != model_->variables[*variable].type) {
      return fail(scenario_error("E0915",
                                 fmt::format("`{}` is a {}, but the variable `{}` is a {}",
                                             placed.text, type_name(compiled->type), name,
                                             type_name(model_->variables[*variable].type)),
                                 scenario.source, placed.span));
    }
    view_[*variable] = compiled->number;
  }
  return {};
}

Result<void, Diagnostics> Binding::bind_events(const Prepared& prepared) {
  const Scenario& scenario = prepared.scenario;
  std::vector<std::string> events;
  for (const auto& row : kernel_->events) events.emplace_back(row.name);
  for (const auto& [name, placed] : scenario.events) {
    const int event = machine::row_index(kernel_->events, name);
    if (event < 0) {
      return fail(scenario_error("E0909",
                                 fmt::format("kernel {} has no event `{}`", kernel_->name, name),
                                 scenario.source, placed.span, did_you_mean(name, events)));
    }
    listed_[event] = true;
    bind_alternatives(placed.text, event);
  }
  return {};
}

/// "a | b c": alternatives, each a sequence of commands. One that names a command the model does
/// not have is left out.
void Binding::bind_alternatives(const std::string& text, int event) {
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t bar = std::min(text.find('|', at), text.size());
    std::vector<std::uint32_t> sequence;
    bool complete = true;
    std::istringstream words(text.substr(at, bar - at));
    for (std::string word; words >> word;) {
      const auto command = find_command(*model_, word);
      if (!command) missing_[event].push_back(word);
      complete = complete && command;
      sequence.push_back(command.value_or(kNone));
    }
    if (complete) events_[event].push_back(std::move(sequence));
    at = bar + 1;
  }
}

Result<void, Diagnostics> Binding::bind_sites(const Prepared& prepared) {
  const Scenario& scenario = prepared.scenario;
  std::vector<std::string> known;
  for (const auto& row : kernel_->decisions) known.emplace_back(row.name);
  for (const auto& [name, placed] : scenario.decisions) {
    const int index = machine::row_index(kernel_->decisions, name);
    if (index < 0) {
      return fail(scenario_error("E0909",
                                 fmt::format("kernel {} has no decision `{}`", kernel_->name, name),
                                 scenario.source, placed.span, did_you_mean(name, known)));
    }
    Site& site = sites_[index];
    site.text = placed.text;
    if (placed.text.size() > 2 && placed.text.front() == '[' && placed.text.back() == ']') {
      const auto command = find_command(*model_, placed.text.substr(1, placed.text.size() - 2));
      if (!command) {
        return fail(scenario_error("E0909",
                                   fmt::format("the model has no single command {}", placed.text),
                                   scenario.source, placed.span));
      }
      site.command = *command;
      site.reads = model_->pool.variables_of(model_->commands[*command].guard.id);
      continue;
    }
    const auto compiled = compile(placed, model_, guards_, scenario.source);
    if (!compiled) return fail(compiled.error());
    if (compiled->type != Type::boolean) {
      return fail(scenario_error("E0915", fmt::format("`{}` must be a condition", placed.text),
                                 scenario.source, placed.span));
    }
    site.expression = compiled->number;
    site.reads = compiled->reads;
  }
  for (const auto& [name, how] : scenario.decide) {
    const int index = machine::row_index(kernel_->decisions, name);
    if (index < 0) {
      return fail(scenario_error("E0909",
                                 fmt::format("kernel {} has no decision `{}`", kernel_->name, name),
                                 scenario.source, how.span, did_you_mean(name, known)));
    }
    if (how.text != "model") continue;
    if (const auto hidden = hidden_in(index); !hidden.empty()) {
      return fail(scenario_error(
          "E0915",
          fmt::format("`{}` is to be decided by the model, but its guard reads `{}`, which "
                      "no [view] shows",
                      name, hidden.front()),
          scenario.source, how.span));
    }
    if (!has_guard(index)) {
      return fail(scenario_error(
          "E0915",
          fmt::format("`{}` is to be decided by the model, but [decisions] gives it no "
                      "guard",
                      name),
          scenario.source, how.span));
    }
  }
  return {};
}

State Binding::initial(machine::Counters counters) {
  State state(model_->variables.size(), 0);
  for (std::size_t i = 0; i < state.size(); ++i)
    state[i] = model_->variables[i].init_value.value_or(0);
  look(counters, state);
  return state;
}

void Binding::look(machine::Counters counters, State& state) {
  for (std::size_t i = 0; i < state.size(); ++i) {
    if (view_[i] < 0) continue;
    state[i] = value_of(counters_, view_[i], model_->variables[i].type == Type::boolean, counters);
  }
}

std::vector<std::string> Binding::hidden_in(int site) const {
  std::vector<std::string> hidden;
  for (const std::uint32_t variable : sites_[site].reads) {
    if (!viewed(variable)) hidden.push_back(model_->variables[variable].name);
  }
  return hidden;
}

bool Binding::answer(int site, const State& state) {
  const Site& row = sites_[site];
  if (row.command == kNone) return value_of(guards_, row.expression, true, state) != 0;
  const auto enabled = evaluator_.enabled(row.command, state);
  BRINK_CHECK(enabled, "a guard of the model cannot be evaluated");
  return *enabled;
}

}  // namespace brink
