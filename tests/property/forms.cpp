#include "tests/property/forms.h"

#include <fmt/format.h>

namespace brink::test {
namespace {

using namespace syntax;

std::string node_form(const Tree& tree, NodeId id) {
  if (id == kNone) return "-";
  const Node& n = tree.nodes[id];
  std::string out = fmt::format("({}", static_cast<int>(n.kind));
  if (n.kind == NodeKind::apply) out += fmt::format(" {}", op_info(n.op).id);
  out += fmt::format(" {}{}", static_cast<int>(n.relation), static_cast<int>(n.optimum));
  for (const bool flag :
       {n.lower_strict, n.upper_strict, n.elapsed, n.reward_bound, n.equal_bound, n.old_style}) {
    out += flag ? '1' : '0';
  }
  for (const std::uint32_t t : {n.text, n.text2}) {
    out += t == kNone ? " ." : " '" + tree.texts[t] + "'";
  }
  for (std::uint32_t i = 0; i < n.child_count; ++i) out += node_form(tree, tree.child(n, i));
  return out + ")";
}

std::string text_of(const std::optional<Identifier>& name) { return name ? name->text : "."; }

std::string constant_form(const Tree& tree, const ConstantDef& c) {
  return fmt::format("const {} {} {}\n", type_name(c.type), c.name.text, form(tree, c.value));
}

std::string named_form(const Tree& tree, const NamedDef& d) {
  return fmt::format("named {} {}\n", d.name.text, form(tree, d.value));
}

std::string variable_form(const Tree& tree, const VariableDef& v) {
  return fmt::format("var {} {} {} {} {} {}\n", v.name.text, type_name(v.type), v.unbounded,
                     form(tree, v.low), form(tree, v.high), form(tree, v.init));
}

std::string renames_form(const std::vector<RenameDef>& renames) {
  std::string out;
  for (const RenameDef& r : renames) out += fmt::format(" {}->{}", r.from.text, r.to.text);
  return out;
}

std::string module_form(const Tree& tree, const ModuleDef& m) {
  std::string out =
      fmt::format("module {} base {}{}\n", m.name.text, text_of(m.base), renames_form(m.renames));
  for (const VariableDef& v : m.variables) out += variable_form(tree, v);
  for (const CommandDef& c : m.commands) {
    out += fmt::format("command {} {}\n", text_of(c.action), form(tree, c.guard));
    for (const UpdateDef& u : c.updates) {
      out += fmt::format("update {}\n", form(tree, u.weight));
      for (const AssignmentDef& a : u.assignments) {
        out += fmt::format("assign {} {}\n", a.variable.text, form(tree, a.value));
      }
    }
  }
  return out;
}

std::string rewards_form(const Tree& tree, const RewardDef& r) {
  std::string out = fmt::format("rewards {}\n", text_of(r.name));
  for (const RewardItemDef& item : r.items) {
    out += fmt::format("item {} {} {} {}\n", item.on_transition, text_of(item.action),
                       form(tree, item.guard), form(tree, item.value));
  }
  return out;
}

std::string system_form(const SystemDef& s) {
  std::vector<std::string> parts;
  for (const SystemNode& node : s.nodes) {
    std::string out = fmt::format("({} {}", static_cast<int>(node.kind), node.name.text);
    for (const Identifier& a : node.actions) out += " " + a.text;
    out += renames_form(node.renames);
    for (const std::uint32_t i : node.operands) out += parts[i];
    parts.push_back(out + ")");
  }
  return fmt::format("system {} {}\n", text_of(s.name), parts.back());
}

}  // namespace

std::string form(const Tree& tree, const Expression& expression) {
  return expression.valid() ? node_form(tree, expression.root) : "none";
}

std::string form(const ModuleFile& file) {
  const Tree& tree = file.tree;
  std::string out = file.type ? std::string(model_type_name(*file.type)) + "\n" : "no type\n";
  for (const ItemRef item : file.order) {
    out += fmt::format("{}:{} ", static_cast<int>(item.item), item.index);
  }
  for (const ConstantDef& c : file.constants) out += constant_form(tree, c);
  for (const NamedDef& d : file.formulas) out += named_form(tree, d);
  for (const NamedDef& d : file.labels) out += named_form(tree, d);
  for (const VariableDef& v : file.globals) out += variable_form(tree, v);
  for (const ModuleDef& m : file.modules) out += module_form(tree, m);
  for (const RewardDef& r : file.rewards) out += rewards_form(tree, r);
  if (file.init) out += "init " + form(tree, *file.init) + "\n";
  for (const SystemDef& s : file.systems) out += system_form(s);
  return out;
}

std::string form(const PropertyFile& file) {
  const Tree& tree = file.tree;
  std::string out;
  for (const ConstantDef& c : file.constants) out += constant_form(tree, c);
  for (const NamedDef& d : file.labels) out += named_form(tree, d);
  for (const AnnotationDef& a : file.annotations) {
    out += fmt::format("annotation {} {} '{}'", static_cast<int>(a.kind), form(tree, a.condition),
                       a.text);
    for (const auto& n : a.names) out += fmt::format(" {}{}", n.name.text, n.action ? "!" : "");
    out += "\n";
  }
  for (const PropertyDef& p : file.properties) {
    out += fmt::format("property {} {}\n", text_of(p.name), form(tree, p.value));
    for (const ExpectedResult& r : p.results) {
      out += "result " + r.value;
      for (const auto& [constant, value] : r.constants)
        out += fmt::format(" {}={}", constant, value);
      out += "\n";
    }
  }
  return out;
}

}  // namespace brink::test
