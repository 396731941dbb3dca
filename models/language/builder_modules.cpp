// Variables, module renaming and commands.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "models/language/builder.h"
#include "models/language/parse_impl.h"

namespace brink {

std::string_view ModelBuilder::Instance::rename(std::string_view name) const {
  const auto it = renames.find(name);
  return it == renames.end() ? name : std::string_view(it->second);
}

/// Follows `module C = B [...]`, `module B = A [...]` to the module with a body; outer renamings
/// act last.
bool ModelBuilder::follow_renaming(std::uint32_t index, Instance& instance) {
  const auto find = [&](std::string_view name) {
    return std::ranges::find(file_.modules, name,
                             [](const auto& m) { return std::string_view(m.name.text); });
  };
  std::vector<const syntax::ModuleDef*> chain{&file_.modules[index]};
  while (chain.back()->base) {
    const syntax::ModuleDef& module = *chain.back();
    const auto base = find(module.base->text);
    if (base == file_.modules.end()) {
      std::vector<std::string> names;
      for (const auto& m : file_.modules) names.push_back(m.name.text);
      reporter_.error("E0204", module.base->span,
                      fmt::format("there is no module `{}`", module.base->text),
                      suggest("a module", module.base->text, names));
      return false;
    }
    if (std::ranges::find(chain, &*base) != chain.end()) {
      reporter_.error("E0207", module.base->span,
                      fmt::format("module `{}` is a renaming of itself", module.name.text));
      return false;
    }
    chain.push_back(&*base);
  }
  instance.body = chain.back();
  chain.pop_back();
  for (; !chain.empty(); chain.pop_back()) {
    std::map<std::string, std::string, std::less<>> step;
    for (const syntax::RenameDef& rename : chain.back()->renames) {
      if (!step.emplace(rename.from.text, rename.to.text).second) {
        reporter_.error("E0506", rename.from.span,
                        fmt::format("`{}` is renamed twice", rename.from.text));
      }
    }
    for (auto& [from, to] : instance.renames) {
      if (const auto next = step.find(to); next != step.end()) to = next->second;
    }
    instance.renames.merge(step);
  }
  return true;
}

/// The names that a renaming with an error would have given are not reported as unknown.
void ModelBuilder::mute_new_names(const syntax::ModuleDef& def) {
  for (const syntax::RenameDef& rename : def.renames) reporter_.first_time(rename.to.text);
}

std::vector<ModelBuilder::Instance> ModelBuilder::resolve_instances() {
  Scope names;
  std::vector<Instance> result(file_.modules.size());
  for (std::uint32_t i = 0; i < file_.modules.size(); ++i) {
    const syntax::ModuleDef& def = file_.modules[i];
    names.declare(def.name, {SymbolKind::formula, i, def.name.span}, reporter_);
    if (!follow_renaming(i, result[i])) mute_new_names(def);
    Module module;
    module.name = def.name.text;
    module.span = def.name.span;
    model_->modules.push_back(std::move(module));
  }
  return result;
}

void ModelBuilder::declare_variables(std::uint32_t index) {
  Instance& instance = instances_[index];
  const syntax::ModuleDef& def = file_.modules[index];
  if (instance.body == nullptr) return;
  bool incomplete = false;  // its commands would be reported for the same reason
  for (const syntax::VariableDef& variable : instance.body->variables) {
    const std::string name(instance.rename(variable.name.text));
    Span place = variable.name.span;
    if (def.base) {
      place = def.name.span;
      if (name == variable.name.text) {
        std::vector<std::string> renamed;
        for (const auto& r : def.renames) renamed.push_back(r.from.text);
        const std::string near = nearest_name(name, renamed);
        reporter_.error("E0506", def.name.span,
                        fmt::format("variable `{}` of module `{}` is not renamed", name,
                                    instance.body->name.text),
                        near.empty() ? fmt::format("add `{}=...` to the renamings", name)
                                     : fmt::format("the renaming of `{}` may be meant", near));
        incomplete = true;
        continue;
      }
      const auto rename =
          std::ranges::find(def.renames, name, [](const auto& r) { return r.to.text; });
      if (rename != def.renames.end()) place = rename->to.span;
    }
    const auto number = static_cast<std::uint32_t>(model_->variables.size());
    scope_.declare({name, place}, {SymbolKind::variable, number, place}, reporter_);
    Variable out;
    out.name = name;
    out.type = variable.type;
    out.unbounded = variable.unbounded;
    out.module = index;
    out.span = place;
    model_->variables.push_back(std::move(out));
    variable_defs_.push_back(&variable);
  }
  if (!incomplete) return;
  instance.body = nullptr;
  mute_new_names(def);
}

/// What a renaming may be about besides constants, formulas and variables.
std::set<std::string, std::less<>> ModelBuilder::other_names() const {
  std::set<std::string, std::less<>> names;
  for (const syntax::ModuleDef& module : file_.modules) {
    for (const syntax::CommandDef& command : module.commands) {
      if (command.action) names.insert(command.action->text);
    }
    for (const syntax::RenameDef& rename : module.renames) names.insert(rename.to.text);
  }
  return names;
}

/// Renamings without effect are allowed by PRISM, but rarely meant.
void ModelBuilder::check_renames(std::uint32_t index) {
  for (const syntax::RenameDef& rename : file_.modules[index].renames) {
    const Symbol* symbol = scope_.find(rename.from.text);
    if (symbol == nullptr && !function_named(rename.from.text)) {
      if (!other_names_) other_names_ = other_names();
      if (other_names_->contains(rename.from.text)) continue;
      std::vector<std::string> known = scope_.names();
      known.insert(known.end(), other_names_->begin(), other_names_->end());
      const std::string near = nearest_name(rename.from.text, known);
      reporter_.warning(
          "W0503", rename.from.span,
          fmt::format("nothing is named `{}`, so renaming it has no effect", rename.from.text),
          near.empty() ? "" : fmt::format("one like it is `{}`", near));
    }
    if (symbol != nullptr && symbol->kind == SymbolKind::formula) {
      reporter_.warning("W0502", rename.from.span,
                        fmt::format("renaming formula `{}` has no effect", rename.from.text),
                        "formulas are expanded before renaming: rename what the formula uses");
    }
  }
}

ModelBuilder::Environment ModelBuilder::environment(std::uint32_t module) {
  if (!file_.modules[module].base) return base_;
  Environment result;
  result.instance = &instances_[module];
  result.formulas.resize(file_.formulas.size());
  const auto constants = static_cast<std::uint32_t>(file_.constants.size());
  reporter_.quiet(true);
  const bool failed = reporter_.failed();
  for (const std::uint32_t node : order_) {
    if (node < constants || too_large()) continue;
    result.formulas[node - constants] = lower(file_.formulas[node - constants].value, result);
  }
  reporter_.quiet(false);
  reporter_.forgive(failed);
  return result;
}

void ModelBuilder::variables() {
  std::uint32_t module = kNone;
  Environment current = base_;
  for (std::size_t i = 0; i < model_->variables.size(); ++i) {
    Variable& out = model_->variables[i];
    if (out.module != module) {
      module = out.module;
      current = environment(module);
    }
    variable(*variable_defs_[i], out, current);
  }
}

/// Lowers a bound or an initial value; false when something was reported.
bool ModelBuilder::constant_bound(ExprUse& bound, const syntax::Expression& expression,
                                  std::string_view what, Type type, const Environment& environment,
                                  std::optional<std::int64_t>& value) {
  bound = typed(expression, type, what, environment);
  if (!bound.id.valid()) return false;
  ExprPool& pool = model_->pool;
  if (!pool.is_state_free(bound.id)) {
    reporter_.error("E0305", bound.span, fmt::format("{} depends on a variable", what));
    return false;
  }
  if (pool.is_constant(bound.id)) {
    value = pool.integer_value(bound.id);
  } else if (pool.is_parameter_free(bound.id)) {
    reporter_.error("E0511", bound.span, fmt::format("{} cannot be computed", what));
    return false;
  }
  return true;
}

void ModelBuilder::variable(const syntax::VariableDef& def, Variable& out,
                            const Environment& environment) {
  ExprPool& pool = model_->pool;
  if (out.type == Type::boolean) {
    out.low_value = 0;
    out.high_value = 1;
    out.init = {pool.boolean(false), def.name.span};
  } else if (out.unbounded) {
    out.low_value = std::numeric_limits<std::int32_t>::min();
    out.high_value = std::numeric_limits<std::int32_t>::max();
    out.init = {pool.integer(0), def.name.span};
  } else {
    const bool low = constant_bound(out.low, def.low, "the lower bound of a variable",
                                    Type::integer, environment, out.low_value);
    const bool high = constant_bound(out.high, def.high, "the upper bound of a variable",
                                     Type::integer, environment, out.high_value);
    if (!low || !high) return;
    out.init = {out.low.id, def.name.span};
  }
  if (def.init.valid()) {
    if (file_.init) {
      reporter_.error("E0509", span(def.init),
                      "a model with init...endinit gives no initial values to single variables");
    }
    if (!constant_bound(out.init, def.init, "the initial value", out.type, environment,
                        out.init_value)) {
      return;
    }
  } else if (pool.is_constant(out.init.id)) {
    out.init_value = pool.integer_value(out.init.id);
  }
  check_range(def, out);
}

void ModelBuilder::check_range(const syntax::VariableDef& def, const Variable& out) {
  if (!out.low_value || !out.high_value) return;
  if (*out.low_value > *out.high_value) {
    reporter_.error("E0501", cover(out.low.span, out.high.span),
                    fmt::format("the range of `{}` is empty: {}..{}", out.name, *out.low_value,
                                *out.high_value));
    return;
  }
  if (options_.portable && out.type == Type::integer && *out.low_value == *out.high_value) {
    reporter_.error("E0501", cover(out.low.span, out.high.span),
                    fmt::format("PRISM rejects ranges with one value: {}..{}", *out.low_value,
                                *out.high_value));
  }
  if (out.init_value && (*out.init_value < *out.low_value || *out.init_value > *out.high_value)) {
    reporter_.error("E0502", def.init.valid() ? span(def.init) : out.span,
                    fmt::format("the initial value {} of `{}` is outside {}..{}", *out.init_value,
                                out.name, *out.low_value, *out.high_value));
  }
}

ActionId ModelBuilder::action(std::string_view name) {
  const auto id = static_cast<ActionId>(model_->actions.size());
  const auto [known, fresh] = action_index_.emplace(name, id);
  if (fresh) model_->actions.emplace_back(name);
  return known->second;
}

void ModelBuilder::commands() {
  for (std::uint32_t i = 0; i < file_.modules.size(); ++i) {
    const Instance& instance = instances_[i];
    if (instance.body == nullptr) continue;
    check_renames(i);
    const Environment current = environment(i);
    if (file_.modules[i].base) {
      reporter_.context(fmt::format("in module `{}`, a renaming of `{}`",
                                    file_.modules[i].name.text, instance.body->name.text));
    }
    for (const syntax::CommandDef& def : instance.body->commands) {
      if (!too_large()) command(def, i, current);
    }
    reporter_.context({});
    std::vector<ActionId>& alphabet = model_->modules[i].alphabet;
    std::ranges::sort(alphabet);
    alphabet.erase(std::unique(alphabet.begin(), alphabet.end()), alphabet.end());
  }
}

void ModelBuilder::command(const syntax::CommandDef& def, std::uint32_t module,
                           const Environment& environment) {
  Command out;
  out.module = module;
  out.number = static_cast<std::uint32_t>(model_->modules[module].commands.size() + 1);
  out.span = def.span;
  if (def.action) {
    const std::string_view name = environment.instance != nullptr
                                      ? environment.instance->rename(def.action->text)
                                      : std::string_view(def.action->text);
    out.action = action(name);
    model_->modules[module].alphabet.push_back(out.action);
  }
  out.guard = typed(def.guard, Type::boolean, "a guard", environment);
  command_parts_ += 1 + def.updates.size();
  for (const syntax::UpdateDef& update_def : def.updates) {
    command_parts_ += update_def.assignments.size();
    Update update;
    update.span = update_def.span;
    if (update_def.weight.valid()) {
      update.weight = typed(update_def.weight, Type::real, "a probability or rate", environment);
    } else {
      update.weight = {model_->pool.real({1.0, "1"}), update_def.span};
    }
    for (const syntax::AssignmentDef& a : update_def.assignments) {
      assignment(a, out, update, environment);
    }
    out.updates.push_back(std::move(update));
  }
  model_->modules[module].commands.push_back(static_cast<std::uint32_t>(model_->commands.size()));
  model_->commands.push_back(std::move(out));
}

void ModelBuilder::assignment(const syntax::AssignmentDef& def, const Command& command,
                              Update& update, const Environment& environment) {
  const std::string_view name = environment.instance != nullptr
                                    ? environment.instance->rename(def.variable.text)
                                    : std::string_view(def.variable.text);
  const Span target = def.variable.span;
  const Symbol* symbol = scope_.find(name);
  if (symbol == nullptr) return report_unknown(reporter_, name, target, scope_);
  if (symbol->kind != SymbolKind::variable) {
    reporter_.error("E0503", target, fmt::format("`{}` is not a variable", name));
    return;
  }
  const Variable& variable = model_->variables[symbol->index];
  if (variable.module != kNone && variable.module != command.module) {
    reporter_.error(
        "E0503", target,
        fmt::format("`{}` belongs to module `{}`", name, model_->modules[variable.module].name),
        "a module writes only its own variables and global ones");
    return;
  }
  if (variable.module == kNone && command.action != kUnlabelled) {
    constexpr std::string_view kText = "a command with an action writes the global variable `{}`";
    if (options_.portable) {
      reporter_.error("E0505", target, fmt::format(fmt::runtime(kText), name),
                      "PRISM allows this only in commands without an action");
    } else {
      reporter_.warning(
          "W0501", target, fmt::format(fmt::runtime(kText), name),
          "PRISM rejects this; here two commands of one move must agree on the value");
    }
  }
  const auto same = [&](const Assignment& a) { return a.variable == symbol->index; };
  if (std::ranges::any_of(update.assignments, same)) {
    reporter_.error("E0504", target, fmt::format("`{}` is assigned twice in one update", name));
    return;
  }
  Assignment out;
  out.variable = symbol->index;
  out.target = target;
  out.value = use(def.value, require_type(reporter_, model_->pool, lower(def.value, environment),
                                          variable.type, span(def.value),
                                          fmt::format("the new value of `{}`", name), "E0304"));
  update.assignments.push_back(out);
}

}  // namespace brink
