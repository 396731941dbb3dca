#include "solver/for_all/instance.h"

#include <fmt/core.h>

#include <functional>

#include "models/language/parser.h"

namespace brink::solver {
namespace {

struct Substitution {
  ExprPool pool;
  std::vector<ExprId> values;

  void apply(ExprId& id) {
    if (id.valid() && !pool.is_parameter_free(id)) id = pool.substitute(id, {}, values);
  }
  void apply(ExprUse& use) { apply(use.id); }
};

void substitute(Model& model, Substitution& by) {
  for (Constant& c : model.constants) by.apply(c.value);
  for (Variable& v : model.variables) {
    for (ExprUse* use : {&v.low, &v.high, &v.init}) by.apply(*use);
    const auto number = [&](const ExprUse& use, std::optional<std::int64_t>& value) {
      if (!value && use.id.valid() && by.pool.is_constant(use.id))
        value = by.pool.integer_value(use.id);
    };
    number(v.low, v.low_value);
    number(v.high, v.high_value);
    number(v.init, v.init_value);
  }
  for (Command& c : model.commands) {
    by.apply(c.guard);
    for (Update& u : c.updates) {
      by.apply(u.weight);
      for (Assignment& a : u.assignments) by.apply(a.value);
    }
  }
  for (std::vector<Label>* list : {&model.labels, &model.formulas})
    for (Label& label : *list) by.apply(label.value);
  for (RewardStructure& r : model.rewards)
    for (RewardItem& item : r.items) {
      by.apply(item.guard);
      by.apply(item.value);
    }
  if (model.init) by.apply(*model.init);
}

/// Why these values give no model; empty when they do.
std::string illegal(const Model& model, bool partial) {
  for (const Variable& v : model.variables) {
    if (!v.low_value || !v.high_value) {
      if (partial) continue;
      return fmt::format("the range of {} has no value", v.name);
    }
    if (*v.low_value > *v.high_value) return fmt::format("the range of {} is empty", v.name);
    if (model.init || (partial && !v.init_value)) continue;
    if (!v.init_value || *v.init_value < *v.low_value || *v.init_value > *v.high_value)
      return fmt::format("the initial value of {} is outside its range", v.name);
  }
  return "";
}

}  // namespace

namespace {

/// `values`: an expression for each parameter, or an invalid id. They are made in the pool.
using MakeValues = std::function<std::vector<ExprId>(ExprPool&)>;

Result<Instance, std::string> put_in(const Question& question, const MakeValues& values,
                                     bool partial) {
  Instance out;
  auto model = std::make_shared<Model>(*question.model);
  if (question.properties != nullptr)
    out.properties = std::make_unique<PropertySet>(*question.properties);
  Substitution by{out.properties ? out.properties->pool : model->pool, {}};
  by.values = values(by.pool);
  substitute(*model, by);
  if (out.properties) {
    PropertySet& set = *out.properties;
    for (PropNode& node : set.nodes)
      for (ExprId* id : {&node.expr, &node.bound, &node.time.lower, &node.time.upper})
        by.apply(*id);
    for (Label& label : set.labels) by.apply(label.value);
    for (Constant& c : set.constants) by.apply(c.value);
    for (Annotation& a : set.annotations) {
      by.apply(a.condition);
      if (a.kind == AnnotationKind::assume && a.condition.valid() && by.pool.is_false(a.condition))
        return fail(fmt::format("the assumption {} is false", a.text));
    }
    set.pool = by.pool;
  }
  model->pool = std::move(by.pool);
  if (!partial) model->parameters.clear();
  if (std::string reason = illegal(*model, partial); !reason.empty())
    return fail(std::move(reason));
  out.model = std::move(model);
  if (out.properties) out.properties->model = out.model;
  out.question = question;
  out.question.model = out.model;
  out.question.properties = out.properties.get();
  return out;
}

ExprId value_in(ExprPool& pool, const Parameter& parameter, std::int64_t value) {
  return parameter.type == Type::boolean ? pool.boolean(value != 0) : pool.integer(value);
}

}  // namespace

Result<Instance, std::string> instance_of(const Question& question,
                                          const std::vector<std::int64_t>& values) {
  const auto& parameters = question.model->parameters;
  auto made = put_in(
      question,
      [&](ExprPool& pool) {
        std::vector<ExprId> out;
        for (std::size_t p = 0; p < parameters.size(); ++p)
          out.push_back(value_in(pool, parameters[p], values[p]));
        return out;
      },
      false);
  if (made) made->values = values;
  return made;
}

Result<Instance, std::string> partial_instance(
    const Question& question, const std::vector<std::pair<std::size_t, std::int64_t>>& values) {
  const auto& parameters = question.model->parameters;
  auto made = put_in(
      question,
      [&](ExprPool& pool) {
        std::vector<ExprId> out(parameters.size());
        for (const auto& [p, value] : values) out[p] = value_in(pool, parameters[p], value);
        return out;
      },
      true);
  if (!made || !made->properties) return made;
  // Nothing mentions the constant any more, so that it has this value must be said.
  ExprPool& pool = made->properties->pool;
  for (const auto& [p, value] : values) {
    Annotation pinned;
    pinned.condition = pool.eq(pool.parameter(static_cast<std::uint32_t>(p), parameters[p].type),
                               value_in(pool, parameters[p], value));
    pinned.text = fmt::format("{}={}", parameters[p].name, value);
    made->properties->annotations.push_back(std::move(pinned));
  }
  return made;
}

std::string print_values(const Model& model, const std::vector<std::int64_t>& values) {
  std::string text;
  for (std::size_t p = 0; p < model.parameters.size(); ++p) {
    const bool boolean = model.parameters[p].type == Type::boolean;
    text += fmt::format("{}{}={}", p == 0 ? "" : ", ", model.parameters[p].name,
                        boolean ? (values[p] != 0 ? "true" : "false") : std::to_string(values[p]));
  }
  return text;
}

namespace {

/// Copies an expression over constants from one pool to another of the same model.
ExprId copy(ExprPool& to, const ExprPool& from, ExprId root) {
  std::vector<ExprId> image(root.index + std::size_t{1});
  std::vector<bool> needed(root.index + std::size_t{1}, false);
  needed[root.index] = true;
  for (std::uint32_t i = root.index + 1; i-- > 0;)
    if (needed[i])
      for (const ExprId arg : from[ExprId{i}].operands()) needed[arg.index] = true;
  for (std::uint32_t i = 0; i <= root.index; ++i) {
    if (!needed[i]) continue;
    const ExprNode& node = from[ExprId{i}];
    const auto index = static_cast<std::uint32_t>(node.value);
    const auto arg = [&](std::size_t k) {
      return k < node.operands().size() ? image[node.args[k].index] : ExprId{};
    };
    switch (node.kind) {
      case ExprKind::boolean:
        image[i] = to.boolean(node.value != 0);
        break;
      case ExprKind::integer:
        image[i] = to.integer(node.value);
        break;
      case ExprKind::real:
        image[i] = to.real(from.real_constant(ExprId{i}));
        break;
      case ExprKind::variable:
        image[i] = to.variable(index, node.type);
        break;
      case ExprKind::parameter:
        image[i] = to.parameter(index, node.type);
        break;
      case ExprKind::apply:
        image[i] = to.apply(node.op, arg(0), arg(1), arg(2));
        break;
    }
  }
  return image[root.index];
}

}  // namespace

Result<PropertySet, Diagnostics> with_assumptions(PropertySet set,
                                                  const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    const std::string line = "//@ assume " + text + "\ntrue\n";
    auto file = parse_properties(make_source("--assume", line));
    if (!file) return fail(file.error());
    auto read = check_properties(*file, set.model);
    if (!read) return fail(read.error());
    for (const Annotation& a : read->annotations) {
      if (a.kind != AnnotationKind::assume) continue;
      Annotation copied = a;
      copied.condition = copy(set.pool, read->pool, a.condition);
      copied.text = text;
      set.annotations.push_back(std::move(copied));
    }
  }
  return set;
}

}  // namespace brink::solver
