// Syntax trees back to text.
#include <fmt/format.h>

#include "models/base/check.h"
#include "models/language/parse_impl.h"
#include "models/language/print_impl.h"

namespace brink {

using syntax::Node;
using syntax::NodeId;
using syntax::NodeKind;

int operand_level(Op op, std::size_t i) {
  const OpInfo& info = op_info(op);
  const int own = level_of(op);
  switch (info.style) {
    case OpStyle::prefix:
      return own;
    case OpStyle::infix:
      return i == 0 ? own : own + 1;
    case OpStyle::infix_right:
      return i == 0 ? own + 1 : own;
    case OpStyle::call:
      return kAnything;
    case OpStyle::ternary:
      return i == 2 ? own : own + 1;
  }
  return kTightest;
}

std::vector<Piece> application(Op op, const std::vector<std::uint32_t>& operands) {
  const OpInfo& info = op_info(op);
  const std::string text(info.text);
  const auto operand = [&](std::size_t i) { return Piece{{}, operands[i], operand_level(op, i)}; };
  switch (info.style) {
    case OpStyle::prefix:
      return {{text}, operand(0)};
    case OpStyle::infix:
    case OpStyle::infix_right:
      return {operand(0), {" " + text + " "}, operand(1)};
    case OpStyle::ternary:
      return {operand(0), {" ? "}, operand(1), {" : "}, operand(2)};
    case OpStyle::call:
      break;
  }
  std::vector<Piece> pieces{{text + "("}};
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (i > 0) pieces.push_back({", "});
    pieces.push_back(operand(i));
  }
  pieces.push_back({")"});
  return pieces;
}

std::vector<Piece> parenthesise(std::vector<Piece> pieces) {
  pieces.insert(pieces.begin(), Piece{"("});
  pieces.push_back({")"});
  return pieces;
}

namespace {

std::string_view relation_text(syntax::Relation relation) {
  switch (relation) {
    case syntax::Relation::query:
      return "=?";
    case syntax::Relation::lt:
      return "<";
    case syntax::Relation::le:
      return "<=";
    case syntax::Relation::gt:
      return ">";
    case syntax::Relation::ge:
      return ">=";
  }
  return {};
}

class TreePrinter {
 public:
  explicit TreePrinter(const syntax::Tree& tree) : tree_(tree) {}

  std::string print(NodeId root) const {
    return emit(
        root, kAnything, [this](NodeId id) { return expand(id); },
        [this](NodeId id) { return level(tree_.nodes[id]); });
  }

 private:
  static int level(const Node& node) {
    switch (node.kind) {
      case NodeKind::apply:
        return node.text == kNone ? level_of(node.op) : kTightest;
      case NodeKind::next:
      case NodeKind::finally:
      case NodeKind::globally:
        return kTemporal;
      case NodeKind::until:
      case NodeKind::weak_until:
      case NodeKind::release:
        return kAnything;
      default:
        return kTightest;
    }
  }

  bool has(const Node& node, std::uint32_t i) const {
    return i < node.child_count && tree_.child(node, i) != kNone;
  }

  Piece child(const Node& node, std::uint32_t i, int level = kAnything) const {
    return {{}, tree_.child(node, i), level};
  }

  std::vector<Piece> expand(NodeId id) const {
    const Node& node = tree_.nodes[id];
    const std::string text(tree_.text(node));
    switch (node.kind) {
      case NodeKind::boolean:
      case NodeKind::integer:
      case NodeKind::real:
      case NodeKind::name:
        return {{text}};
      case NodeKind::label:
        return {{"\"" + text + "\""}};
      case NodeKind::apply:
        return operation(node, text);
      case NodeKind::probability:
      case NodeKind::steady:
      case NodeKind::reward:
        return measured(node, nullptr);
      case NodeKind::exists:
        return {{"E [ "}, child(node, 0), {" ]"}};
      case NodeKind::forall:
        return {{"A [ "}, child(node, 0), {" ]"}};
      case NodeKind::next:
        return temporal(node, "X");
      case NodeKind::finally:
        return temporal(node, "F");
      case NodeKind::globally:
        return temporal(node, "G");
      case NodeKind::until:
        return temporal(node, "U");
      case NodeKind::weak_until:
        return temporal(node, "W");
      case NodeKind::release:
        return temporal(node, "R");
      case NodeKind::cumulative:
        if (!has(node, 0)) return {{"C"}};
        return {{"C<="}, child(node, 0)};
      case NodeKind::instantaneous:
        return {{"I="}, child(node, 0)};
      case NodeKind::long_run:
        return {{"S"}};
      case NodeKind::filter:
        return filter(node, text);
      case NodeKind::multi:
        return list(node, "multi(", ")");
      case NodeKind::strategy:
        return node.old_style ? list(node, text + " (", ")") : list(node, text + " ", "");
    }
    return {};
  }

  std::vector<Piece> list(const Node& node, std::string open, const std::string& close) const {
    std::vector<Piece> pieces{{std::move(open)}};
    for (std::uint32_t i = 0; i < node.child_count; ++i) {
      if (i > 0) pieces.push_back({", "});
      pieces.push_back(child(node, i));
    }
    pieces.push_back({close});
    return pieces;
  }

  std::vector<Piece> operation(const Node& node, const std::string& name) const {
    if (node.text != kNone) {  // written as a call
      return list(node, node.old_style ? "func(" + name + ", " : name + "(", ")");
    }
    std::vector<std::uint32_t> operands;
    for (std::uint32_t i = 0; i < node.child_count; ++i) operands.push_back(tree_.child(node, i));
    return application(node.op, operands);
  }

  void reward(std::vector<Piece>& pieces, const Node& node) const {
    const auto index = [&](std::uint32_t text, std::uint32_t i) {
      if (text != kNone) {
        pieces.push_back({"{\"" + tree_.texts[text] + "\"}"});
      } else {
        pieces.push_back({"{"});
        pieces.push_back(child(node, i));
        pieces.push_back({"}"});
      }
    };
    if (node.text != kNone || has(node, 2)) index(node.text, 2);
    if (node.text2 != kNone || has(node, 3)) {
      pieces.push_back({"/"});
      index(node.text2, 3);
    }
  }

  /// P, S or R; with the older form of a filter before the closing bracket when `filter` is given.
  std::vector<Piece> measured(const Node& node, const Node* filter) const {
    const std::string_view letter = node.kind == NodeKind::probability ? "P"
                                    : node.kind == NodeKind::steady    ? "S"
                                                                       : "R";
    std::vector<Piece> pieces{{node.elapsed ? "T" : std::string(letter)}};
    if (node.kind == NodeKind::reward) reward(pieces, node);
    if (node.optimum != syntax::Optimum::none) {
      pieces.push_back({node.optimum == syntax::Optimum::min ? "min" : "max"});
    }
    pieces.push_back({std::string(relation_text(node.relation))});
    if (has(node, 1)) pieces.push_back(child(node, 1));
    pieces.push_back({" [ "});
    pieces.push_back(child(node, 0));
    if (filter != nullptr) {
      const std::string_view kind = tree_.text(*filter);
      pieces.push_back({" {"});
      pieces.push_back(child(*filter, 1));
      pieces.push_back({"}"});
      if (kind == "min" || kind == "range") pieces.push_back({"{min}"});
      if (kind == "max" || kind == "range") pieces.push_back({"{max}"});
    }
    pieces.push_back({" ]"});
    return pieces;
  }

  /// A bound that stands before an operand without anything between is kept apart by parentheses.
  Piece bound(const Node& node, std::uint32_t i) const {
    const Node& value = tree_.nodes[tree_.child(node, i)];
    const bool plain =
        value.kind == NodeKind::integer || value.kind == NodeKind::real ||
        (value.kind == NodeKind::name && !node.equal_bound && !function_named(tree_.text(value)));
    return child(node, i, plain ? kAnything : kTightest + 1);
  }

  std::vector<Piece> temporal(const Node& node, const std::string& letter) const {
    std::vector<Piece> pieces;
    if (has(node, 0)) {
      pieces.push_back(child(node, 0, kTemporal));
      pieces.push_back({" "});
    }
    pieces.push_back({letter});
    const bool lower = has(node, 2);
    const bool upper = has(node, 3);
    const bool interval = lower && upper && !node.equal_bound;
    if (node.reward_bound) {
      pieces.push_back(
          {node.text == kNone ? "^{rew" : "^{rew{\"" + tree_.texts[node.text] + "\"}"});
      pieces.push_back(
          {lower ? (node.lower_strict ? ">" : ">=") : (node.upper_strict ? "<" : "<=")});
      pieces.push_back(child(node, lower ? 2 : 3));
      pieces.push_back({"}"});
    } else if (interval) {
      pieces.insert(pieces.end(), {{"["}, child(node, 2), {","}, child(node, 3), {"]"}});
    } else if (lower) {
      pieces.push_back({node.equal_bound ? "=" : (node.lower_strict ? ">" : ">=")});
      pieces.push_back(bound(node, 2));
    } else if (upper) {
      pieces.push_back({node.upper_strict ? "<" : "<="});
      pieces.push_back(bound(node, 3));
    }
    pieces.push_back({" "});
    const Node& operand = tree_.nodes[tree_.child(node, 1)];
    const bool apart = (lower || upper) && !interval && operand.kind != NodeKind::label &&
                       operand.kind != NodeKind::name && operand.kind != NodeKind::boolean;
    pieces.push_back(child(node, 1, apart ? kTightest + 1 : kTemporal));
    return pieces;
  }

  std::vector<Piece> filter(const Node& node, const std::string& kind) const {
    if (node.old_style) return measured(tree_.nodes[tree_.child(node, 0)], &node);
    std::vector<Piece> pieces{{"filter(" + kind + ", "}, child(node, 0)};
    if (has(node, 1)) {
      pieces.push_back({", "});
      pieces.push_back(child(node, 1));
    }
    pieces.push_back({")"});
    return pieces;
  }

  const syntax::Tree& tree_;
};

class FilePrinter {
 public:
  explicit FilePrinter(const syntax::Tree& tree) : tree_(tree), printer_(tree) {}

  std::string text(const syntax::Expression& e) const { return printer_.print(e.root); }

  std::string constant(const syntax::ConstantDef& def) const {
    std::string out = fmt::format("const {} {}", type_name(def.type), def.name.text);
    if (def.value.valid()) out += " = " + text(def.value);
    return out + ";\n";
  }

  std::string label(const syntax::NamedDef& def) const {
    return fmt::format("label \"{}\" = {};\n", def.name.text, text(def.value));
  }

  std::string variable(const syntax::VariableDef& def) const {
    std::string out = def.name.text + " : ";
    if (def.type == Type::boolean) {
      out += "bool";
    } else if (def.unbounded) {
      out += "int";
    } else {
      out += fmt::format("[{}..{}]", text(def.low), text(def.high));
    }
    if (def.init.valid()) out += " init " + text(def.init);
    return out + ";\n";
  }

  std::string command(const syntax::CommandDef& def) const {
    std::string out =
        fmt::format("  [{}] {} -> ", def.action ? def.action->text : "", text(def.guard));
    for (std::size_t i = 0; i < def.updates.size(); ++i) {
      const syntax::UpdateDef& update = def.updates[i];
      if (i > 0) out += " + ";
      if (update.weight.valid()) out += text(update.weight) + " : ";
      if (update.assignments.empty()) out += "true";
      for (std::size_t k = 0; k < update.assignments.size(); ++k) {
        const syntax::AssignmentDef& a = update.assignments[k];
        out += fmt::format("{}({}'={})", k > 0 ? " & " : "", a.variable.text, text(a.value));
      }
    }
    return out + ";\n";
  }

  std::string module(const syntax::ModuleDef& def) const {
    if (def.base) {
      std::string renames;
      for (const syntax::RenameDef& r : def.renames) {
        renames += fmt::format("{}{}={}", renames.empty() ? "" : ", ", r.from.text, r.to.text);
      }
      return fmt::format("module {} = {} [{}] endmodule\n", def.name.text, def.base->text, renames);
    }
    std::string out = fmt::format("module {}\n", def.name.text);
    for (const syntax::VariableDef& v : def.variables) out += "  " + variable(v);
    for (const syntax::CommandDef& c : def.commands) out += command(c);
    return out + "endmodule\n";
  }

  std::string rewards(const syntax::RewardDef& def) const {
    std::string out = "rewards";
    if (def.name) out += fmt::format(" \"{}\"", def.name->text);
    out += "\n";
    for (const syntax::RewardItemDef& item : def.items) {
      out += "  ";
      if (item.on_transition) out += fmt::format("[{}] ", item.action ? item.action->text : "");
      out += fmt::format("{} : {};\n", text(item.guard), text(item.value));
    }
    return out + "endrewards\n";
  }

 private:
  const syntax::Tree& tree_;
  TreePrinter printer_;
};

std::string names(const std::vector<syntax::Identifier>& list) {
  std::string out;
  for (const syntax::Identifier& name : list) out += (out.empty() ? "" : ",") + name.text;
  return out;
}

/// Operands are put in parentheses unless they are modules, references or end in braces: how || and
/// ||| mix is not something to leave to the reader.
std::string system_term(const syntax::SystemDef& def) {
  using syntax::SystemKind;
  std::vector<std::string> texts;
  const auto operand = [&](std::uint32_t i) {
    const SystemKind kind = def.nodes[i].kind;
    const bool compound =
        kind == SystemKind::full || kind == SystemKind::interleaved || kind == SystemKind::over;
    return compound ? "(" + texts[i] + ")" : texts[i];
  };
  for (const syntax::SystemNode& node : def.nodes) {
    std::string separator;
    switch (node.kind) {
      case SystemKind::module:
        texts.push_back(node.name.text);
        continue;
      case SystemKind::reference:
        texts.push_back("\"" + node.name.text + "\"");
        continue;
      case SystemKind::hide:
        texts.push_back(operand(node.operands[0]) + " / {" + names(node.actions) + "}");
        continue;
      case SystemKind::rename: {
        std::string renames;
        for (const syntax::RenameDef& r : node.renames) {
          renames += (renames.empty() ? "" : ",") + r.from.text + "<-" + r.to.text;
        }
        texts.push_back(operand(node.operands[0]) + " {" + renames + "}");
        continue;
      }
      case SystemKind::full:
        separator = " || ";
        break;
      case SystemKind::interleaved:
        separator = " ||| ";
        break;
      case SystemKind::over:
        separator = " |[" + names(node.actions) + "]| ";
        break;
    }
    std::string out;
    for (const std::uint32_t i : node.operands) out += (out.empty() ? "" : separator) + operand(i);
    texts.push_back(std::move(out));
  }
  return texts.back();
}

std::string system_text(const syntax::SystemDef& def) {
  const std::string name = def.name ? " \"" + def.name->text + "\"" : "";
  return fmt::format("system{} {} endsystem\n", name, system_term(def));
}

}  // namespace

std::string print(const syntax::Tree& tree, const syntax::Expression& expression) {
  return TreePrinter(tree).print(expression.root);
}

std::string print_systems(const ModuleFile& file) {
  std::string out;
  for (const syntax::SystemDef& def : file.systems) out += system_text(def);
  return out;
}

std::string print(const ModuleFile& file) {
  const FilePrinter p(file.tree);
  std::string out;
  if (file.type) out += fmt::format("{}\n", model_type_name(*file.type));
  for (const syntax::ItemRef item : file.order) {
    const std::uint32_t i = item.index;
    switch (item.item) {
      case syntax::Item::constant:
        out += p.constant(file.constants[i]);
        break;
      case syntax::Item::formula:
        out += fmt::format("formula {} = {};\n", file.formulas[i].name.text,
                           p.text(file.formulas[i].value));
        break;
      case syntax::Item::label:
        out += p.label(file.labels[i]);
        break;
      case syntax::Item::global:
        out += "global " + p.variable(file.globals[i]);
        break;
      case syntax::Item::module:
        out += p.module(file.modules[i]);
        break;
      case syntax::Item::rewards:
        out += p.rewards(file.rewards[i]);
        break;
      case syntax::Item::init:
        out += fmt::format("init {} endinit\n", p.text(*file.init));
        break;
      case syntax::Item::system:
        out += system_text(file.systems[i]);
        break;
    }
  }
  return out;
}

std::string print(const PropertyFile& file) {
  const FilePrinter p(file.tree);
  std::string out;
  for (const syntax::ConstantDef& def : file.constants) out += p.constant(def);
  for (const syntax::NamedDef& def : file.labels) out += p.label(def);
  constexpr std::string_view kWords[] = {"assume", "fair", "strong-fair", "population"};
  for (const AnnotationDef& def : file.annotations) {
    out += fmt::format("//@ {} {}\n", kWords[static_cast<std::size_t>(def.kind)], def.text);
  }
  for (const PropertyDef& def : file.properties) {
    out += "\n";
    for (const ExpectedResult& result : def.results) {
      std::string constants;
      for (const auto& [name, value] : result.constants) {
        constants += fmt::format("{}{}={}", constants.empty() ? "" : ",", name, value);
      }
      if (!constants.empty()) constants = " (" + constants + ")";
      out += fmt::format("// RESULT{}: {}\n", constants, result.value);
    }
    if (def.name) out += fmt::format("\"{}\": ", def.name->text);
    out += p.text(def.value) + ";\n";
  }
  return out;
}

}  // namespace brink
