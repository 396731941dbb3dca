// Checked expressions, models and properties back to text.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/language/exact.h"
#include "models/language/print_impl.h"

namespace brink {
namespace {

/// All expressions of one model together; what is beyond is written as "...".
constexpr std::size_t kMaxPrintedTotal = std::size_t{1} << 28;

std::string integer_text(std::int64_t value) {
  if (value == std::numeric_limits<std::int64_t>::min()) return "(-9223372036854775807 - 1)";
  return std::to_string(value);
}

/// A decimal or a quotient that reads back as the same exact number (its double may then be a
/// better one).
std::string real_text(const RealConstant& constant) {
  if (std::isnan(constant.value)) return "(0/0)";
  if (std::isinf(constant.value)) return constant.value > 0 ? "(1/0)" : "(-1/0)";
  const std::string& exact = constant.exact;
  if (constant.value == 0 && (exact.empty() || exact == "0")) {
    return std::signbit(constant.value) ? "-0.0" : "0.0";
  }
  for (const double value : {constant.value, exact.empty() ? 0 : exact::to_double(exact)}) {
    std::string decimal = fmt::format("{}", value);
    if (decimal.find_first_of(".e") == std::string::npos) decimal += ".0";
    if (exact.empty() || exact::parse(decimal) == exact) return decimal;
  }
  // Written as a quotient of doubles: long numerators are no ints.
  const std::size_t slash = exact.find('/');
  if (slash == std::string::npos) return exact + ".0";
  if (exact.size() < 18) return "(" + exact + ")";
  return "(" + exact.substr(0, slash) + ".0/" + exact.substr(slash + 1) + ".0)";
}

class ExprPrinter {
 public:
  ExprPrinter(const Model& model, const ExprPool& pool) : model_(model), pool_(pool) {}

  std::string print(ExprId id, int wanted = kAnything) const {
    if (spent_ > kMaxPrintedTotal) return "...";
    std::string out = emit(
        id.index, wanted, [this](std::uint32_t i) { return expand(ExprId{i}); },
        [this](std::uint32_t i) { return level(ExprId{i}); });
    spent_ += out.size();
    return out;
  }

 private:
  /// Conversions to double are implicit in the language.
  ExprId bare(ExprId id) const {
    while (pool_[id].kind == ExprKind::apply && pool_[id].op == Op::real) id = pool_[id].args[0];
    return id;
  }

  int level(ExprId id) const {
    const ExprNode& node = pool_[bare(id)];
    if (node.kind == ExprKind::apply) return node.op == Op::pow ? kTightest : level_of(node.op);
    const bool negative =
        (node.kind == ExprKind::integer && node.value < 0) ||
        (node.kind == ExprKind::real && std::signbit(pool_.real_constant(bare(id)).value));
    return negative ? level_of(Op::neg) : kTightest;
  }

  std::vector<Piece> expand(ExprId id) const {
    id = bare(id);
    const ExprNode& node = pool_[id];
    switch (node.kind) {
      case ExprKind::boolean:
        return {{node.value != 0 ? "true" : "false"}};
      case ExprKind::integer:
        return {{integer_text(node.value)}};
      case ExprKind::real:
        return {{real_text(pool_.real_constant(id))}};
      case ExprKind::variable:
        return {{model_.variables[static_cast<std::size_t>(node.value)].name}};
      case ExprKind::parameter:
        return {{model_.parameters[static_cast<std::size_t>(node.value)].name}};
      case ExprKind::apply:
        break;
    }
    if (node.op == Op::pow) {  // `^` is new in PRISM 4.9, pow is not
      return widened(
          node,
          {{"pow("}, {{}, node.args[0].index, 0}, {", "}, {{}, node.args[1].index, 0}, {")"}});
    }
    std::vector<std::uint32_t> operands;
    for (const ExprId arg : node.operands()) operands.push_back(arg.index);
    return widened(node, application(node.op, operands));
  }

  /// Where all operands of real arithmetic are converted ints, without the conversions it would be
  /// int arithmetic (pow(x, -1) is an error there): one of them is written as `x * 1.0`.
  std::vector<Piece> widened(const ExprNode& node, std::vector<Piece> pieces) const {
    const OpTyping typing = op_info(node.op).typing;
    const bool depends = typing == OpTyping::arithmetic || typing == OpTyping::choice;
    if (!depends || node.type != Type::real) return pieces;
    const std::size_t first = typing == OpTyping::choice ? 1 : 0;
    for (const ExprId arg : node.operands().subspan(first)) {
      if (pool_.type(bare(arg)) == Type::real) return pieces;
    }
    const auto operand = std::ranges::find(pieces, node.args[first].index, &Piece::id);
    *operand = {{}, operand->id, operand_level(Op::mul, 0)};
    const auto after = pieces.insert(operand + 1, Piece{" * 1.0)"});
    pieces.insert(after - 1, Piece{"("});
    return pieces;
  }

  const Model& model_;
  const ExprPool& pool_;
  mutable std::size_t spent_ = 0;  ///< bytes written so far
};

std::string variable_text(const Model& model, const Variable& variable, const ExprPrinter& p) {
  std::string out = variable.name + " : ";
  if (variable.type == Type::boolean) {
    out += "bool";
  } else if (variable.unbounded) {
    out += "int";
  } else {
    out += fmt::format("[{}..{}]", p.print(variable.low.id), p.print(variable.high.id));
  }
  if (!model.init) out += " init " + p.print(variable.init.id);
  return out + ";\n";
}

std::string command_text(const Model& model, const Command& command, const ExprPrinter& p) {
  std::string out =
      fmt::format("  [{}] {} -> ", model.actions[command.action], p.print(command.guard.id));
  const bool certain = command.updates.size() == 1 &&
                       model.pool.is_constant(command.updates[0].weight.id) &&
                       model.pool.exact(command.updates[0].weight.id) == "1";
  for (std::size_t i = 0; i < command.updates.size(); ++i) {
    const Update& update = command.updates[i];
    if (i > 0) out += " + ";
    if (!certain) out += p.print(update.weight.id) + " : ";
    if (update.assignments.empty()) out += "true";
    for (std::size_t k = 0; k < update.assignments.size(); ++k) {
      const Assignment& a = update.assignments[k];
      out += fmt::format("{}({}'={})", k > 0 ? " & " : "", model.variables[a.variable].name,
                         p.print(a.value.id));
    }
  }
  return out + ";\n";
}

std::string rewards_text(const Model& model, const RewardStructure& structure,
                         const ExprPrinter& p) {
  std::string out = "rewards";
  if (!structure.name.empty()) out += fmt::format(" \"{}\"", structure.name);
  out += "\n";
  for (const RewardItem& item : structure.items) {
    out += "  ";
    if (item.on_transition) out += fmt::format("[{}] ", model.actions[item.action]);
    out += fmt::format("{} : {};\n", p.print(item.guard.id), p.print(item.value.id));
  }
  return out + "endrewards\n";
}

class PropPrinter {
 public:
  explicit PropPrinter(const PropertySet& set) : set_(set), exprs_(*set.model, set.pool) {}

  std::string print(PropId root) const {
    return emit(
        root.index, kAnything - 1, [this](std::uint32_t i) { return expand(set_.nodes[i]); },
        [this](std::uint32_t i) { return level(set_.nodes[i]); });
  }

 private:
  static int level(const PropNode& node) {
    switch (node.kind) {
      case PropKind::atom:
        return kAnything - 1;  // in parentheses wherever it is an operand
      case PropKind::apply:
        return level_of(node.op);
      case PropKind::next:
      case PropKind::finally:
      case PropKind::globally:
        return kTemporal;
      case PropKind::until:
      case PropKind::weak_until:
      case PropKind::release:
        return kAnything;
      default:
        return kTightest;
    }
  }

  Piece arg(const PropNode& node, std::size_t i, int level = kAnything - 1) const {
    return {{}, node.args[i].index, level};
  }

  std::string relation(const PropNode& node) const {
    std::string out;
    if (node.optimum != Optimum::none) out += node.optimum == Optimum::min ? "min" : "max";
    switch (node.relation) {
      case Relation::query:
        return out + "=?";
      case Relation::lt:
        out += "<";
        break;
      case Relation::le:
        out += "<=";
        break;
      case Relation::gt:
        out += ">";
        break;
      case Relation::ge:
        out += ">=";
        break;
    }
    join(out, exprs_.print(node.bound));
    return out;
  }

  std::string reward_name(std::uint32_t index) const {
    const std::string& name = set_.model->rewards[index].name;
    return name.empty() ? fmt::format("{{{}}}", index + 1) : fmt::format("{{\"{}\"}}", name);
  }

  std::string bound(const TimeBound& time) const {
    if (time.reward != kNone) {
      const bool above = time.lower.valid();
      const std::string& name = set_.model->rewards[time.reward].name;
      std::string out =
          fmt::format("^{{rew{}{}", name.empty() ? "" : fmt::format("{{\"{}\"}}", name),
                      above ? (time.lower_strict ? ">" : ">=") : (time.upper_strict ? "<" : "<="));
      join(out, exprs_.print(above ? time.lower : time.upper));
      return out + "}";
    }
    if (time.lower.valid() && time.upper.valid()) {
      return fmt::format("[{},{}]", exprs_.print(time.lower), exprs_.print(time.upper));
    }
    const auto side = [&](ExprId id, std::string_view sign) {
      return fmt::format("{}({})", sign, exprs_.print(id));
    };
    if (time.lower.valid()) return side(time.lower, time.lower_strict ? ">" : ">=");
    if (time.upper.valid()) return side(time.upper, time.upper_strict ? "<" : "<=");
    return {};
  }

  std::vector<Piece> temporal(const PropNode& node, std::string_view letter) const {
    std::vector<Piece> pieces;
    const bool binary = node.args.size() > 1;
    if (binary) pieces = {arg(node, 0, kTemporal), {" "}};
    pieces.push_back({std::string(letter) + bound(node.time) + " "});
    pieces.push_back(arg(node, binary ? 1 : 0, node.time.present() ? kTightest + 1 : kTemporal));
    return pieces;
  }

  std::vector<Piece> expand(const PropNode& node) const {
    switch (node.kind) {
      case PropKind::atom:
        return {{exprs_.print(node.expr)}};
      case PropKind::init:
        return {{"\"init\""}};
      case PropKind::deadlock:
        return {{"\"deadlock\""}};
      case PropKind::apply: {
        std::vector<std::uint32_t> operands;
        for (const PropId id : node.args) operands.push_back(id.index);
        return application(node.op, operands);
      }
      case PropKind::probability:
        return {{"P" + relation(node) + " [ "}, arg(node, 0), {" ]"}};
      case PropKind::steady:
        return {{"S" + relation(node) + " [ "}, arg(node, 0), {" ]"}};
      case PropKind::reward: {
        if (node.reward == kElapsedTime)
          return {{"T" + relation(node) + " [ "}, arg(node, 0), {" ]"}};
        std::string head = "R" + reward_name(node.reward);
        if (node.reward_divisor != kNone) head += "/" + reward_name(node.reward_divisor);
        return {{head + relation(node) + " [ "}, arg(node, 0), {" ]"}};
      }
      case PropKind::exists:
        return {{"E [ "}, arg(node, 0), {" ]"}};
      case PropKind::forall:
        return {{"A [ "}, arg(node, 0), {" ]"}};
      case PropKind::next:
        return temporal(node, "X");
      case PropKind::finally:
        return temporal(node, "F");
      case PropKind::globally:
        return temporal(node, "G");
      case PropKind::until:
        return temporal(node, "U");
      case PropKind::weak_until:
        return temporal(node, "W");
      case PropKind::release:
        return temporal(node, "R");
      case PropKind::cumulative:
        return {{node.time.upper.valid() ? "C<=" + exprs_.print(node.time.upper) : "C"}};
      case PropKind::instantaneous:
        return {{"I=" + exprs_.print(node.time.upper)}};
      case PropKind::long_run:
        return {{"S"}};
      case PropKind::filter:
        break;
      case PropKind::multi:
        break;
    }
    std::vector<Piece> pieces;
    const bool filter = node.kind == PropKind::filter;
    pieces.push_back({filter ? fmt::format("filter({}", filter_name(node.filter)) : "multi("});
    for (std::size_t i = 0; i < node.args.size(); ++i) {
      if (!node.args[i].valid()) continue;
      if (filter || i > 0) pieces.push_back({", "});
      pieces.push_back(arg(node, i));
    }
    pieces.push_back({")"});
    return pieces;
  }

  const PropertySet& set_;
  ExprPrinter exprs_;
};

}  // namespace

std::string print(const Model& model, const ExprPool& pool, ExprId id) {
  return ExprPrinter(model, pool).print(id);
}

std::string print(const Model& model, ExprId id) { return print(model, model.pool, id); }

std::string print(const Model& model) {
  const ExprPrinter p(model, model.pool);
  std::string out = fmt::format("{}\n", model_type_name(model.type));
  for (const Parameter& parameter : model.parameters) {
    out += fmt::format("const {} {};\n", type_name(parameter.type), parameter.name);
  }
  for (const Variable& v : model.variables) {
    if (v.module == kNone) out += "global " + variable_text(model, v, p);
  }
  std::vector<std::vector<const Variable*>> owned(model.modules.size());
  for (const Variable& v : model.variables) {
    if (v.module != kNone) owned[v.module].push_back(&v);
  }
  for (std::uint32_t m = 0; m < model.modules.size(); ++m) {
    out += fmt::format("module {}\n", model.modules[m].name);
    for (const Variable* v : owned[m]) out += "  " + variable_text(model, *v, p);
    for (const std::uint32_t c : model.modules[m].commands) {
      out += command_text(model, model.commands[c], p);
    }
    out += "endmodule\n";
  }
  for (const Label& label : model.labels) {
    out += fmt::format("label \"{}\" = {};\n", label.name, p.print(label.value.id));
  }
  for (const RewardStructure& r : model.rewards) out += rewards_text(model, r, p);
  if (model.init) out += fmt::format("init {} endinit\n", p.print(model.init->id));
  return out + model.system_text;
}

std::string print(const PropertySet& set, PropId id) { return PropPrinter(set).print(id); }

}  // namespace brink
