#include "models/language/property_builder.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/language/constants.h"
#include "models/language/exact.h"

namespace brink {

PropertyBuilder::PropertyBuilder(std::vector<const PropertyFile*> files, ModelPtr model,
                                 const ConstantValues& values)
    : files_(std::move(files)), model_(std::move(model)), values_(values) {
  set_.source = files_[0]->source;
  set_.model = model_;
  set_.pool = model_->pool;
}

/// Keeps what the reporter at hand has found.
void PropertyBuilder::finish_file() {
  for (Diagnostic& d : reporter_->diagnostics()) {
    (d.severity == Severity::error ? errors_ : set_.warnings).push_back(std::move(d));
  }
  reporter_ = nullptr;
}

Result<PropertySet, Diagnostics> PropertyBuilder::build() {
  declare();
  constants();
  labels();
  annotations();
  property_names();
  if (errors_.size() > kMaxDiagnostics) errors_.resize(kMaxDiagnostics);
  if (!errors_.empty()) return fail(std::move(errors_));
  properties();
  return std::move(set_);
}

void PropertyBuilder::declare() {
  for (std::uint32_t i = 0; i < model_->constants.size(); ++i) {
    scope_.declare_silently(model_->constants[i].name, {SymbolKind::constant, i, {}});
  }
  for (std::uint32_t i = 0; i < model_->formulas.size(); ++i) {
    scope_.declare_silently(model_->formulas[i].name, {SymbolKind::formula, i, {}});
  }
  for (std::uint32_t i = 0; i < model_->variables.size(); ++i) {
    scope_.declare_silently(model_->variables[i].name, {SymbolKind::variable, i, {}});
  }
  for (const PropertyFile* file : files_) {
    Reporter reporter(file->source);
    reporter_ = &reporter;
    for (const syntax::ConstantDef& def : file->constants) {
      // Constants of the file come after those of the model in one numbering.
      const auto index = static_cast<std::uint32_t>(model_->constants.size() + constants_.size());
      scope_.declare(def.name, {SymbolKind::constant, index, def.name.span}, reporter);
      constants_.push_back({file, &def});
      set_.constants.push_back({def.name.text, def.type, {}, def.value.valid()});
    }
    finish_file();
  }
}

/// A name that is neither variable, constant nor formula: perhaps a label without its quotes.
void PropertyBuilder::unknown(std::string_view text, Span span) {
  const bool label = labels_.contains(text) || by_name_.contains(text);
  if (!label) return report_unknown(*reporter_, text, span, scope_);
  reporter_->error("E0201", span, fmt::format("the name `{}` is not declared", text),
                   fmt::format("the label or property of this name is written `\"{}\"`", text));
}

ExprId PropertyBuilder::name(std::string_view text, Span span) {
  const Symbol* symbol = scope_.find(text);
  if (symbol == nullptr) {
    unknown(text, span);
    return {};
  }
  if (symbol->kind == SymbolKind::variable) {
    return set_.pool.variable(symbol->index, model_->variables[symbol->index].type);
  }
  if (symbol->kind == SymbolKind::formula) return model_->formulas[symbol->index].value.id;
  const std::size_t own = model_->constants.size();
  const Constant& constant =
      symbol->index < own ? model_->constants[symbol->index] : set_.constants[symbol->index - own];
  if (!constant.value.valid()) {
    reporter_->error("E0403", span, fmt::format("constant `{}` has no value", text),
                     fmt::format("give it one with `--const {}=...`", text));
  }
  return constant.value;
}

Lowering PropertyBuilder::lowering(const PropertyFile& file) {
  Lowering result;
  result.tree = &file.tree;
  result.pool = &set_.pool;
  result.reporter = reporter_;
  result.lookup = [this](std::string_view text, Span span) { return name(text, span); };
  return result;
}

void PropertyBuilder::constants() {
  const auto own = static_cast<std::uint32_t>(model_->constants.size());
  std::vector<std::vector<std::uint32_t>> needs;
  for (const ConstantEntry& entry : constants_) {
    needs.emplace_back();
    for (const Symbol& s : definitions_used(entry.file->tree, entry.def->value, scope_)) {
      if (s.kind == SymbolKind::constant && s.index >= own) needs.back().push_back(s.index - own);
    }
  }
  std::vector<std::uint32_t> cycle;
  for (const std::uint32_t index : dependency_order(needs, cycle)) constant(index);
  if (cycle.empty()) return;
  const ConstantEntry& first = constants_[cycle[0]];
  Reporter reporter(first.file->source);
  reporter_ = &reporter;
  reporter.error("E0207", first.def->name.span,
                 fmt::format("the definition of `{}` needs itself", first.def->name.text));
  finish_file();
}

void PropertyBuilder::constant(std::uint32_t index) {
  const ConstantEntry& entry = constants_[index];
  const syntax::ConstantDef& def = *entry.def;
  Reporter reporter(entry.file->source);
  reporter_ = &reporter;
  const auto given = values_.find(def.name.text);
  ExprId& out = set_.constants[index].value;
  if (def.value.valid() && given == values_.end()) {
    const Span span = entry.file->tree.nodes[def.value.root].span;
    const std::string what = fmt::format("the value of constant `{}`", def.name.text);
    ExprId value = lowering(*entry.file)(def.value);
    if (value.valid() && !set_.pool.is_state_free(value)) {
      reporter.error("E0305", span, fmt::format("{} depends on a variable", what));
      value = {};
    }
    value = require_type(reporter, set_.pool, value, def.type, span, what);
    if (value.valid() && set_.pool.is_parameter_free(value) && !set_.pool.is_constant(value)) {
      reporter.error("E0511", span, fmt::format("{} cannot be computed", what));
      value = {};
    }
    out = value;
  } else if (given != values_.end()) {
    out = constant_expression(set_.pool, def.type, given->second);
    if (!out.valid()) {
      reporter.error("E0405", def.name.span,
                     fmt::format("constant `{}` is of type {}, the value given is {}",
                                 def.name.text, type_name(def.type), to_string(given->second)));
    }
  }
  // A constant that needs one without value has none itself; who uses it is told so.
  std::erase_if(reporter.diagnostics(), [](const Diagnostic& d) { return d.code == "E0403"; });
  finish_file();
}

void PropertyBuilder::labels() {
  for (const Label& label : model_->labels) labels_[label.name] = label.value.id;
  for (const PropertyFile* file : files_) {
    Reporter reporter(file->source);
    reporter_ = &reporter;
    for (const syntax::NamedDef& def : file->labels) {
      const Span span = file->tree.nodes[def.value.root].span;
      ExprId value = lowering(*file)(def.value);
      value = require_type(reporter, set_.pool, value, Type::boolean, span, "a label");
      if (def.name.text == "deadlock" || !labels_.emplace(def.name.text, value).second) {
        reporter.error("E0202", def.name.span,
                       fmt::format("the label \"{}\" is already taken", def.name.text));
      }
      set_.labels.push_back({def.name.text, {value, span}});
    }
    // A label over a constant without value only matters to the properties that use it.
    std::erase_if(reporter.diagnostics(), [](const Diagnostic& d) { return d.code == "E0403"; });
    finish_file();
  }
}

/// A RESULT for a constant that does not exist never applies.
void PropertyBuilder::expected_constants(const ExpectedResult& result) {
  std::vector<std::string> names;
  for (const Constant& constant : model_->constants) names.push_back(constant.name);
  for (const Constant& constant : set_.constants) names.push_back(constant.name);
  for (const auto& [name, value] : result.constants) {
    if (std::ranges::find(names, name) != names.end()) continue;
    reporter_->warning("W0506", result.span,
                       fmt::format("there is no constant `{}`, so this RESULT never applies", name),
                       suggest("a constant", name, names));
  }
}

void PropertyBuilder::property_names() {
  for (const PropertyFile* file : files_) {
    Reporter reporter(file->source);
    reporter_ = &reporter;
    Scope names;
    for (const PropertyDef& def : file->properties) {
      for (const ExpectedResult& result : def.results) expected_constants(result);
      if (def.name) names.declare(*def.name, {SymbolKind::formula, 0, def.name->span}, reporter);
    }
    finish_file();
  }
}

void PropertyBuilder::annotations() {
  for (const PropertyFile* file : files_) {
    Reporter reporter(file->source);
    reporter_ = &reporter;
    for (const AnnotationDef& def : file->annotations) annotation(*file, def);
    std::erase_if(reporter.diagnostics(), [](const Diagnostic& d) { return d.code == "E0403"; });
    finish_file();
  }
}

void PropertyBuilder::annotation(const PropertyFile& file, const AnnotationDef& def) {
  Annotation out;
  out.kind = def.kind;
  out.text = def.text;
  out.span = def.span;
  if (def.kind == AnnotationKind::assume) {
    const Span span = file.tree.nodes[def.condition.root].span;
    out.condition = require_type(*reporter_, set_.pool, lowering(file)(def.condition),
                                 Type::boolean, span, "an assumption");
    if (out.condition.valid() && !set_.pool.is_state_free(out.condition)) {
      reporter_->error("E0305", span,
                       "an assumption is about constants, this depends on a variable");
    }
  }
  const auto missing = [&](std::string code, std::string_view what, const syntax::Identifier& name,
                           const std::vector<std::string>& names) {
    const std::string near = nearest_name(name.text, names);
    reporter_->error(std::move(code), name.span,
                     fmt::format("there is no {} `{}`", what, name.text),
                     near.empty() ? "" : fmt::format("one with a similar name is `{}`", near));
  };
  for (const AnnotationDef::Name& n : def.names) {
    std::vector<std::string> names;
    if (n.action) {
      if (const auto action = model_->find_action(n.name.text)) {
        out.actions.push_back(*action);
      } else {
        missing("E0206", "action", n.name, model_->actions);
      }
    } else if (def.kind == AnnotationKind::population) {
      for (const Variable& v : model_->variables) names.push_back(v.name);
      if (const auto variable = model_->find_variable(n.name.text)) {
        out.variables.push_back(*variable);
      } else {
        missing("E0201", "variable", n.name, names);
      }
    } else {
      for (const Module& m : model_->modules) names.push_back(m.name);
      if (const auto module = model_->find_module(n.name.text)) {
        out.modules.push_back(*module);
      } else {
        missing("E0204", "module", n.name, names);
      }
    }
  }
  set_.annotations.push_back(std::move(out));
}

/// Definitions in an order in which those referred to come first; those on a cycle are marked
/// wrong.
std::vector<std::uint32_t> PropertyBuilder::property_order() {
  std::vector<std::vector<std::uint32_t>> needs(definitions_.size());
  for (std::size_t i = 0; i < definitions_.size(); ++i) {
    const syntax::Tree& tree = definitions_[i].file->tree;
    const syntax::Expression& value = definitions_[i].def->value;
    for (syntax::NodeId id = value.first; id <= value.root; ++id) {
      if (tree.nodes[id].kind != syntax::NodeKind::label) continue;
      const std::string_view text = tree.text(tree.nodes[id]);
      const auto found = by_name_.find(text);
      if (found != by_name_.end() && labels_.find(text) == labels_.end()) {
        needs[i].push_back(static_cast<std::uint32_t>(found->second));
      }
    }
  }
  std::vector<std::uint32_t> cycle;
  std::vector<std::uint32_t> order = dependency_order(needs, cycle);
  for (const std::uint32_t i : cycle) {
    Reporter reporter(definitions_[i].file->source);
    reporter.error("E0207", definitions_[i].def->span, "this property refers to itself");
    definitions_[i].errors = std::move(reporter.diagnostics());
    definitions_[i].done = true;
  }
  // What needs a property of a cycle is missing in the order; it reports the reference when
  // lowered.
  std::vector<bool> placed(definitions_.size(), false);
  for (const std::uint32_t i : order) placed[i] = true;
  for (std::uint32_t i = 0; i < definitions_.size(); ++i) {
    if (!placed[i]) order.push_back(i);
  }
  return order;
}

void PropertyBuilder::property(Definition& definition) {
  if (definition.done) return;
  Reporter reporter(definition.file->source);
  reporter_ = &reporter;
  definition.value = lower(*definition.file, definition.def->value);
  definition.errors = reporter.errors();
  for (Diagnostic& d : reporter.warnings()) set_.warnings.push_back(std::move(d));
  definition.done = true;
}

void PropertyBuilder::properties() {
  for (const PropertyFile* file : files_) {
    for (const PropertyDef& def : file->properties) {
      if (def.name) by_name_.emplace(def.name->text, definitions_.size());
      Definition definition;
      definition.file = file;
      definition.def = &def;
      definitions_.push_back(std::move(definition));
    }
  }
  for (const std::uint32_t i : property_order()) property(definitions_[i]);
  for (std::size_t i = 0; i < files_[0]->properties.size(); ++i) {
    Definition& definition = definitions_[i];
    const PropertyDef& def = *definition.def;
    Property out;
    if (def.name) out.name = def.name->text;
    out.number = static_cast<std::uint32_t>(i + 1);
    out.text = def.text;
    out.results = def.results;
    out.span = def.span;
    out.errors = std::move(definition.errors);
    if (out.errors.empty()) {
      out.type = definition.value.type;
      out.root = as_prop(definition.value, def.span);
    }
    set_.properties.push_back(std::move(out));
  }
}

const Property* PropertySet::find(std::string_view name) const {
  const auto it = std::ranges::find(properties, name,
                                    [](const Property& p) { return std::string_view(p.name); });
  return it == properties.end() ? nullptr : &*it;
}

ExprId PropertySet::atom(PropId id) const {
  return nodes[id.index].kind == PropKind::atom ? nodes[id.index].expr : ExprId{};
}

Result<PropertySet, Diagnostics> check_properties(const PropertyFile& file, const ModelPtr& model,
                                                  const ConstantValues& values) {
  return PropertyBuilder({&file}, model, values).build();
}

Result<PropertySet, Diagnostics> check_properties(const PropertyFile& formula,
                                                  const PropertyFile& context,
                                                  const ModelPtr& model,
                                                  const ConstantValues& values) {
  return PropertyBuilder({&formula, &context}, model, values).build();
}

namespace {

/// The value of a constant of the property file or the model; invalid when there is none.
ExprId constant_value(const PropertySet& set, std::string_view name) {
  for (const std::vector<Constant>* list : {&set.constants, &set.model->constants}) {
    const auto it =
        std::ranges::find(*list, name, [](const Constant& c) { return std::string_view(c.name); });
    if (it != list->end()) return it->value;
  }
  return {};
}

bool has_value(const PropertySet& set, std::string_view name, std::string_view expected) {
  const ExprId value = constant_value(set, name);
  if (!value.valid() || !set.pool.is_constant(value)) return false;
  if (set.pool.type(value) == Type::boolean) {
    return expected == (set.pool.is_true(value) ? "true" : "false");
  }
  const std::string exact = set.pool.exact(value);
  return !exact.empty() && exact == exact::parse(expected);
}

}  // namespace

const ExpectedResult* expected_result(const PropertySet& set, const Property& property) {
  const ExpectedResult* general = nullptr;
  for (const ExpectedResult& result : property.results) {
    if (result.constants.empty()) {
      if (general == nullptr) general = &result;
      continue;
    }
    const bool applies = std::ranges::all_of(result.constants, [&](const auto& constant) {
      return has_value(set, constant.first, constant.second);
    });
    if (applies) return &result;
  }
  return general;
}

}  // namespace brink
