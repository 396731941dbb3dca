#include "tests/property/files.h"

#include "models/language/printer.h"
#include "tests/property/expressions.h"

namespace brink::test {
namespace {

using namespace syntax;

constexpr int kDepth = 3;

Identifier id(std::string text) { return {std::move(text), {}}; }
std::string action() { return one_of<std::string>({"go", "stay", "wake"}); }

std::optional<Identifier> maybe_action() {
  if (!rarely(2)) return std::nullopt;
  return id(action());
}

ConstantDef random_constant(ExpressionMaker& make) {
  ConstantDef out{.name = id(name())};
  out.type = one_of<Type>({Type::integer, Type::real, Type::boolean});
  if (rarely(2)) out.value = make.state(kDepth);
  return out;
}

VariableDef random_variable(ExpressionMaker& make) {
  VariableDef out{.name = id(name())};
  switch (pick(3)) {
    case 0:
      out.type = Type::boolean;
      break;
    case 1:
      out.low = make.state(1);
      out.high = make.state(2);
      break;
    default:
      out.unbounded = true;
      break;
  }
  if (rarely(2)) out.init = make.state(2);
  return out;
}

UpdateDef random_update(ExpressionMaker& make, bool weighed) {
  UpdateDef out;
  if (weighed) out.weight = make.state(2);
  for (int i = pick(3); i > 0; --i) out.assignments.push_back({id(name()), make.state(2)});
  return out;
}

CommandDef random_command(ExpressionMaker& make) {
  CommandDef out;
  out.action = maybe_action();
  out.guard = make.state(kDepth);
  const int updates = 1 + pick(3);
  for (int i = 0; i < updates; ++i) {
    out.updates.push_back(random_update(make, updates > 1 || rarely(2)));
  }
  return out;
}

ModuleDef random_module(ExpressionMaker& make) {
  ModuleDef out{.name = id(name())};
  if (rarely(4)) {
    out.base = id(name());
    for (int i = 1 + pick(3); i > 0; --i) {
      out.renames.push_back({id(rarely(4) ? "min" : name()), id(rarely(4) ? "max" : action())});
    }
    return out;
  }
  for (int i = pick(3); i > 0; --i) out.variables.push_back(random_variable(make));
  for (int i = pick(3); i > 0; --i) out.commands.push_back(random_command(make));
  return out;
}

RewardDef random_rewards(ExpressionMaker& make) {
  RewardDef out;
  if (rarely(2)) out.name = id(name());
  for (int i = pick(3); i > 0; --i) {
    RewardItemDef item;
    item.on_transition = rarely(2);
    if (item.on_transition) item.action = maybe_action();
    item.guard = make.state(2);
    item.value = make.state(2);
    out.items.push_back(std::move(item));
  }
  return out;
}

/// Appends a term of a composition and returns its index.
std::uint32_t random_term(SystemDef& def, int depth) {
  SystemNode node;
  const int kind = depth <= 0 ? pick(2) : pick(7);
  node.kind = static_cast<SystemKind>(kind);
  switch (node.kind) {
    case SystemKind::module:
    case SystemKind::reference:
      node.name = id(name());
      break;
    case SystemKind::full:
      for (int i = 2 + pick(2); i > 0; --i) node.operands.push_back(random_term(def, depth - 1));
      break;
    case SystemKind::interleaved:  // a ||| b ||| c is a ||| (b ||| c)
    case SystemKind::over:
      for (int i = 0; i < 2; ++i) node.operands.push_back(random_term(def, depth - 1));
      if (node.kind == SystemKind::over) node.actions.push_back(id(action()));
      break;
    case SystemKind::hide:
      node.operands.push_back(random_term(def, depth - 1));
      for (int i = 1 + pick(2); i > 0; --i) node.actions.push_back(id(action()));
      break;
    case SystemKind::rename:
      node.operands.push_back(random_term(def, depth - 1));
      for (int i = 1 + pick(2); i > 0; --i) node.renames.push_back({id(action()), id(action())});
      break;
  }
  def.nodes.push_back(std::move(node));
  return static_cast<std::uint32_t>(def.nodes.size() - 1);
}

SystemDef random_system() {
  SystemDef out;
  if (rarely(2)) out.name = id(name());
  random_term(out, 3);
  return out;
}

AnnotationDef random_annotation(ExpressionMaker& make, const Tree& tree) {
  AnnotationDef out;
  out.kind = one_of<AnnotationKind>({AnnotationKind::assume, AnnotationKind::fair,
                                     AnnotationKind::strong_fair, AnnotationKind::population});
  if (out.kind == AnnotationKind::assume) {
    out.condition = make.state(2);
    out.text = print(tree, out.condition);
    return out;
  }
  for (int i = 1 + pick(3); i > 0; --i) {
    out.names.push_back({id(name()), rarely(2)});
    const std::string& text = out.names.back().name.text;
    out.text += out.text.empty() ? "" : ", ";
    out.text += out.names.back().action ? "[" + text + "]" : text;
  }
  return out;
}

PropertyDef random_property(ExpressionMaker& make, int number) {
  PropertyDef out;
  if (rarely(2)) out.name = id("p" + std::to_string(number));
  out.value = make.property(4);
  for (int i = pick(3); i > 0; --i) {
    ExpectedResult result;
    for (int k = pick(3); k > 0; --k) {
      result.constants.emplace_back(name(), one_of<std::string>({"1", "true", "1/3"}));
    }
    result.value = one_of<std::string>({"true", "1/6", "~0.62", "Infinity", "[1,2]", "?"});
    out.results.push_back(std::move(result));
  }
  return out;
}

}  // namespace

ModuleFile random_model() {
  ModuleFile file;
  ExpressionMaker make(file.tree);
  if (rarely(2)) file.type = one_of<ModelType>({ModelType::dtmc, ModelType::ctmc, ModelType::mdp});
  const auto put = [&](auto& list, auto item, Item kind) {
    file.order.push_back({kind, static_cast<std::uint32_t>(list.size())});
    list.push_back(std::move(item));
  };
  put(file.modules, random_module(make), Item::module);
  for (int items = pick(6); items > 0; --items) {
    switch (pick(8)) {
      case 0:
        put(file.constants, random_constant(make), Item::constant);
        break;
      case 1:
        put(file.formulas, NamedDef{id(name()), make.state(kDepth)}, Item::formula);
        break;
      case 2:
        put(file.labels, NamedDef{id(name()), make.state(kDepth)}, Item::label);
        break;
      case 3:
        put(file.globals, random_variable(make), Item::global);
        break;
      case 4:
        put(file.modules, random_module(make), Item::module);
        break;
      case 5:
        put(file.rewards, random_rewards(make), Item::rewards);
        break;
      case 6:
        put(file.systems, random_system(), Item::system);
        break;
      default:
        if (file.init) break;
        file.init = make.state(kDepth);
        file.order.push_back({Item::init, 0});
        break;
    }
  }
  return file;
}

PropertyFile random_properties() {
  PropertyFile file;
  ExpressionMaker make(file.tree);
  for (int i = pick(3); i > 0; --i) file.constants.push_back(random_constant(make));
  for (int i = pick(3); i > 0; --i) file.labels.push_back({id(name()), make.state(2)});
  for (int i = pick(3); i > 0; --i) file.annotations.push_back(random_annotation(make, file.tree));
  for (int i = 1 + pick(3); i > 0; --i) file.properties.push_back(random_property(make, i));
  return file;
}

}  // namespace brink::test
