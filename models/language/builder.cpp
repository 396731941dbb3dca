#include "models/language/builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "models/language/exact.h"
#include "models/language/parser.h"
#include "models/language/printer.h"

namespace brink {

ModelBuilder::ModelBuilder(const ModuleFile& file, const ConstantValues& values,
                           const InstantiateOptions& options)
    : file_(file),
      values_(values),
      options_(options),
      reporter_(file.source),
      model_(std::make_shared<Model>()) {
  model_->source = file.source;
  model_->pool.set_exact(options.exact);
  model_->type = options.as.value_or(file.type.value_or(ModelType::mdp));
  model_->type_written = file.type.has_value();
  model_->actions.emplace_back();
}

namespace {
/// What is about no place comes first.
Diagnostics in_order_of_text(Diagnostics diagnostics) {
  std::ranges::stable_sort(diagnostics, {}, [](const Diagnostic& d) {
    return std::pair(d.source != nullptr, d.span.begin);
  });
  return diagnostics;
}
}  // namespace

Result<ModelPtr, Diagnostics> ModelBuilder::build() {
  check_options();
  declare();
  order_definitions();
  constants_and_formulas();
  variables();
  commands();
  labels_rewards_init();
  composition();
  if (too_large()) {
    reporter_.error("E0512", {},
                    "the model is too large with its modules renamed and formulas put in",
                    fmt::format("the limit is {} expressions and as many commands",
                                options_.limits.expressions));
  }
  if (reporter_.failed()) return fail(in_order_of_text(reporter_.errors()));
  model_->warnings = file_.warnings;
  for (Diagnostic& d : reporter_.warnings()) model_->warnings.push_back(std::move(d));
  return ModelPtr(std::move(model_));
}

/// Values and symbolic names must belong to undefined constants.
void ModelBuilder::check_options() {
  std::vector<std::string> names = options_.other_constants;
  const auto find = [&](std::string_view name) {
    return std::ranges::find(file_.constants, name,
                             [](const auto& c) { return std::string_view(c.name.text); });
  };
  for (const auto& def : file_.constants) names.push_back(def.name.text);
  std::uint32_t place = 0;  // keeps diagnostics without a place apart
  const auto unknown = [&](const std::string& name) {
    const std::string near = nearest_name(name, names);
    if (!near.empty()) reporter_.first_time(near);  // that it has no value is the same mistake
    Diagnostic* d =
        reporter_.error("E0404", {place, place}, fmt::format("there is no constant `{}`", name),
                        near.empty() ? "" : fmt::format("a constant like it is `{}`", near));
    if (d == nullptr) return;
    d->source = nullptr;
    d->span = {};
  };
  for (const auto& [name, value] : values_) {
    ++place;
    const auto def = find(name);
    const bool other =
        std::ranges::find(options_.other_constants, name) != options_.other_constants.end();
    if (def == file_.constants.end() && !other) unknown(name);
  }
  for (const std::string& name : options_.symbolic) {
    ++place;
    const auto def = find(name);
    if (def == file_.constants.end()) {
      unknown(name);
    } else if (values_.contains(name)) {
      reporter_.error(
          "E0407", def->name.span,
          fmt::format("constant `{}` is given a value, so it cannot stay symbolic", name),
          fmt::format("leave `{}` out of one of --const and --for-all", name));
    } else if (def->value.valid() && options_.portable) {
      reporter_.error("E0407", def->name.span,
                      fmt::format("constant `{}` has a value, so it cannot stay symbolic", name));
    }
  }
}

void ModelBuilder::declare() {
  for (std::uint32_t i = 0; i < file_.constants.size(); ++i) {
    const auto& name = file_.constants[i].name;
    scope_.declare(name, {SymbolKind::constant, i, name.span}, reporter_);
  }
  for (std::uint32_t i = 0; i < file_.formulas.size(); ++i) {
    const auto& name = file_.formulas[i].name;
    scope_.declare(name, {SymbolKind::formula, i, name.span}, reporter_);
  }
  for (const syntax::VariableDef& def : file_.globals) {
    const auto index = static_cast<std::uint32_t>(model_->variables.size());
    scope_.declare(def.name, {SymbolKind::variable, index, def.name.span}, reporter_);
    model_->variables.push_back({});
    Variable& variable = model_->variables.back();
    variable.name = def.name.text;
    variable.type = def.type;
    variable.unbounded = def.unbounded;
    variable.span = def.name.span;
    variable_defs_.push_back(&def);
  }
  instances_ = resolve_instances();
  for (std::uint32_t i = 0; i < file_.modules.size(); ++i) declare_variables(i);
}

void ModelBuilder::order_definitions() {
  const auto constants = static_cast<std::uint32_t>(file_.constants.size());
  std::vector<std::vector<std::uint32_t>> needs;
  const auto collect = [&](const syntax::Expression& expression) {
    needs.emplace_back();
    for (const Symbol& symbol : definitions_used(file_.tree, expression, scope_)) {
      needs.back().push_back(symbol.kind == SymbolKind::constant ? symbol.index
                                                                 : symbol.index + constants);
    }
  };
  for (const auto& def : file_.constants) collect(def.value);
  for (const auto& def : file_.formulas) collect(def.value);
  std::vector<std::uint32_t> cycle;
  order_ = dependency_order(needs, cycle);
  if (cycle.empty()) return;
  const auto identifier = [&](std::uint32_t node) -> const syntax::Identifier& {
    return node < constants ? file_.constants[node].name : file_.formulas[node - constants].name;
  };
  std::string path;
  for (std::size_t i = 0; i < cycle.size() && i < 8; ++i)
    path += identifier(cycle[i]).text + " -> ";
  path += cycle.size() > 8 ? "..." : identifier(cycle[0]).text;
  const syntax::Identifier& first = identifier(cycle[0]);
  Diagnostic* d = reporter_.error("E0207", first.span,
                                  fmt::format("the definition of `{}` needs itself", first.text));
  if (d != nullptr) d->notes.push_back(path);
}

void ModelBuilder::constants_and_formulas() {
  for (const auto& def : file_.constants) {
    model_->constants.push_back({def.name.text, def.type, {}, def.value.valid()});
  }
  for (const auto& def : file_.formulas) {
    model_->formulas.push_back({def.name.text, {{}, span(def.value)}});
  }
  base_.formulas.resize(file_.formulas.size());
  const auto constants = static_cast<std::uint32_t>(file_.constants.size());
  for (const std::uint32_t node : order_) {
    if (node < constants) {
      constant(node);
      continue;
    }
    const std::uint32_t index = node - constants;
    base_.formulas[index] = lower(file_.formulas[index].value, base_);
    model_->formulas[index].value.id = base_.formulas[index];
  }
}

ExprId ModelBuilder::given_value(const syntax::ConstantDef& def, const ConstantValue& value) {
  const ExprId id = constant_expression(model_->pool, def.type, value);
  if (!id.valid()) {
    reporter_.error("E0405", def.name.span,
                    fmt::format("constant `{}` is of type {}, the value given is {}", def.name.text,
                                type_name(def.type), to_string(value)));
  }
  return id;
}

void ModelBuilder::constant(std::uint32_t index) {
  const syntax::ConstantDef& def = file_.constants[index];
  Constant& constant = model_->constants[index];
  ExprPool& pool = model_->pool;
  // A value from outside, or the wish to keep it open, takes the place of the file's default (PRISM
  // refuses that; --portable does, too).
  const bool symbolic =
      std::ranges::find(options_.symbolic, def.name.text) != options_.symbolic.end();
  const bool replaced = (symbolic || values_.contains(def.name.text)) && !options_.portable;
  if (!def.value.valid() || replaced) {
    if (const auto given = values_.find(def.name.text); given != values_.end()) {
      constant.value = given_value(def, given->second);
    } else if (symbolic) {
      const auto number = static_cast<std::uint32_t>(model_->parameters.size());
      model_->parameters.push_back({def.name.text, def.type});
      constant.value = pool.parameter(number, def.type);
    }
    return;
  }
  const ExprId value = lower(def.value, base_);
  const std::string what = fmt::format("the value of constant `{}`", def.name.text);
  if (!value.valid()) return;
  if (!pool.is_state_free(value)) {
    reporter_.error("E0305", span(def.value), fmt::format("{} depends on a variable", what));
    return;
  }
  const ExprId typed = require_type(reporter_, pool, value, def.type, span(def.value), what);
  if (typed.valid() && pool.is_parameter_free(typed) && !pool.is_constant(typed)) {
    reporter_.error("E0511", span(def.value), fmt::format("{} cannot be computed", what),
                    "it overflows, or has an undefined mod, pow, floor, ceil or round");
    return;
  }
  constant.value = typed;
  const auto given = values_.find(def.name.text);
  if (given == values_.end() || !typed.valid()) return;
  if (constant_expression(pool, def.type, given->second) == typed) return;
  reporter_.error(
      "E0406", def.name.span,
      fmt::format("constant `{}` has a value in the file, so no other can be given", def.name.text),
      fmt::format("remove `= ...` to leave it open, or do not give `{}`", def.name.text));
}

ExprId ModelBuilder::constant_name(std::uint32_t index, Span) {
  const Constant& constant = model_->constants[index];
  if (constant.value.valid()) return constant.value;
  const syntax::ConstantDef& def = file_.constants[index];
  // Given or defined but wrong: that has been reported.
  if (def.value.valid() || values_.contains(def.name.text)) return {};
  if (!reporter_.first_time(def.name.text)) {
    reporter_.fail_silently();
    return {};
  }
  reporter_.error(
      "E0403", def.name.span, fmt::format("constant `{}` has no value", def.name.text),
      fmt::format("give it one with `--const {0}=...`, or keep it symbolic with `--for-all {0}`",
                  def.name.text));
  return {};
}

ExprId ModelBuilder::name(std::string_view written, Span span, const Environment& environment) {
  // A formula is expanded first and renamed after, so its own name is never renamed.
  const Symbol* symbol = scope_.find(written);
  if (symbol != nullptr && symbol->kind == SymbolKind::formula) {
    const ExprId id = environment.formulas[symbol->index];
    if (!id.valid() && base_.formulas[symbol->index].valid()) {
      reporter_.error("E0506", span,
                      fmt::format("formula `{}` has no meaning under this renaming", written),
                      "rename all names the formula uses");
    }
    return id;
  }
  std::string_view name = written;
  if (environment.instance != nullptr) {
    name = environment.instance->rename(written);
    symbol = scope_.find(name);
  }
  if (symbol == nullptr) {
    report_unknown(reporter_, name, span, scope_);
    return {};
  }
  switch (symbol->kind) {
    case SymbolKind::constant:
      return constant_name(symbol->index, span);
    case SymbolKind::formula:
      return base_.formulas[symbol->index];
    case SymbolKind::variable:
      return model_->pool.variable(symbol->index, model_->variables[symbol->index].type);
  }
  return {};
}

bool ModelBuilder::too_large() const {
  const ExpansionLimits& limits = options_.limits;
  return model_->pool.size() > limits.expressions || expansion_ > limits.reading ||
         command_parts_ > limits.command_parts;
}

ExprId ModelBuilder::lower(const syntax::Expression& expression, const Environment& environment) {
  if (expression.valid()) expansion_ += expression.root - expression.first + 1;
  if (too_large()) {  // reported at the end
    reporter_.fail_silently();
    return {};
  }
  Lowering lowering;
  lowering.tree = &file_.tree;
  lowering.pool = &model_->pool;
  lowering.reporter = &reporter_;
  lowering.lookup = [&](std::string_view text, Span span) { return name(text, span, environment); };
  if (environment.instance != nullptr) {
    lowering.rename = [&](std::string_view text) {
      return std::string(environment.instance->rename(text));
    };
  }
  return lowering(expression);
}

Span ModelBuilder::span(const syntax::Expression& expression) const {
  return expression.valid() ? file_.tree.nodes[expression.root].span : Span{};
}

ExprUse ModelBuilder::use(const syntax::Expression& expression, ExprId id) const {
  return {id, span(expression)};
}

ExprUse ModelBuilder::typed(const syntax::Expression& expression, Type type, std::string_view what,
                            const Environment& environment) {
  const ExprId id = lower(expression, environment);
  return use(expression, require_type(reporter_, model_->pool, id, type, span(expression), what));
}

void ModelBuilder::labels_rewards_init() {
  Scope names;
  for (std::uint32_t i = 0; i < file_.labels.size(); ++i) {
    const syntax::NamedDef& def = file_.labels[i];
    if (def.name.text == "deadlock") {
      reporter_.error("E0202", def.name.span, "the label \"deadlock\" is built in");
    }
    names.declare(def.name, {SymbolKind::formula, i, def.name.span}, reporter_);
    model_->labels.push_back({def.name.text, typed(def.value, Type::boolean, "a label", base_)});
  }
  rewards();
  if (!file_.init) return;
  model_->init = typed(*file_.init, Type::boolean, "the condition of init...endinit", base_);
}

void ModelBuilder::rewards() {
  Scope names;
  for (std::uint32_t i = 0; i < file_.rewards.size(); ++i) {
    const syntax::RewardDef& def = file_.rewards[i];
    RewardStructure structure;
    if (def.name) {
      names.declare(*def.name, {SymbolKind::formula, i, def.name->span}, reporter_);
      structure.name = def.name->text;
    }
    for (const syntax::RewardItemDef& item : def.items) {
      RewardItem out;
      out.on_transition = item.on_transition;
      out.span = item.span;
      if (item.action) {
        const auto known = model_->find_action(item.action->text);
        if (!known) {
          reporter_.warning(
              "W0505", item.action->span,
              fmt::format("no command has the action `{}`, so this reward is never earned",
                          item.action->text),
              suggest("an action", item.action->text, model_->actions));
        }
        out.action = known ? *known : action(item.action->text);
      }
      out.guard = typed(item.guard, Type::boolean, "the guard of a reward", base_);
      out.value = typed(item.value, Type::real, "a reward", base_);
      structure.items.push_back(out);
    }
    model_->rewards.push_back(std::move(structure));
  }
}

void ModelBuilder::composition() {
  if (reporter_.failed()) return;
  model_->system_text = print_systems(file_);
  model_->synchronisations = compose(*model_, file_, model_->actions, reporter_);
}

Result<ModelPtr, Diagnostics> instantiate(const ModuleFile& file, const ConstantValues& values,
                                          const InstantiateOptions& options) {
  return ModelBuilder(file, values, options).build();
}

namespace {
std::vector<std::string> without_value(const std::vector<syntax::ConstantDef>& constants) {
  std::vector<std::string> names;
  for (const syntax::ConstantDef& def : constants) {
    if (!def.value.valid()) names.push_back(def.name.text);
  }
  return names;
}
}  // namespace

std::vector<std::string> undefined_constants(const ModuleFile& file) {
  return without_value(file.constants);
}

std::vector<std::string> undefined_constants(const PropertyFile& file) {
  return without_value(file.constants);
}

Result<ModelPtr, Diagnostics> load_model(const std::string& path, const ConstantValues& values,
                                         const InstantiateOptions& options) {
  auto source = read_source(path);
  if (!source) return fail(std::move(source.error()));
  auto file = parse_model(*source);
  if (!file) return fail(std::move(file.error()));
  return instantiate(*file, values, options);
}

}  // namespace brink
