#include "tests/property/expressions.h"

namespace brink::test {

using syntax::Expression;
using syntax::Node;
using syntax::NodeId;
using syntax::NodeKind;
using syntax::Optimum;
using syntax::Relation;

NodeId ExpressionMaker::add(Node node, const std::vector<Id>& children) {
  node.first_child = static_cast<std::uint32_t>(tree_.children.size());
  node.child_count = static_cast<std::uint32_t>(children.size());
  tree_.children.insert(tree_.children.end(), children.begin(), children.end());
  tree_.nodes.push_back(node);
  return static_cast<Id>(tree_.nodes.size() - 1);
}

std::uint32_t ExpressionMaker::text(const std::string& text) {
  tree_.texts.push_back(text);
  return static_cast<std::uint32_t>(tree_.texts.size() - 1);
}

NodeId ExpressionMaker::leaf(bool property) {
  switch (pick(property ? 5 : 4)) {
    case 0:
      return add({.kind = Kind::name, .text = text(name())});
    case 1:
      return add({.kind = Kind::integer,
                  .text = text(one_of<std::string>({"0", "1", "42", "9223372036854775807"}))});
    case 2:
      return add({.kind = Kind::real,
                  .text = text(one_of<std::string>({"0.5", "1e-9", "007", ".25", "3.0E+2"}))});
    case 3:
      return add({.kind = Kind::boolean, .text = text(one_of<std::string>({"true", "false"}))});
    default:
      return add(
          {.kind = Kind::label, .text = text(one_of<std::string>({"init", "deadlock", "full"}))});
  }
}

template <typename Make>
NodeId ExpressionMaker::application(Make operand) {
  // Every operator of the table, as it is written, and pow once more as a function.
  constexpr int kOperators = static_cast<int>(Op::real);
  const int number = pick(kOperators + 1);
  Node node{.kind = Kind::apply};
  node.op = number == kOperators ? Op::pow : static_cast<Op>(number);
  const OpInfo& info = op_info(node.op);
  const bool call = info.style == OpStyle::call || number == kOperators;
  int arity = info.arity;
  if (call) {
    node.text = text(number == kOperators ? "pow" : std::string(info.text));
    node.old_style = rarely(4);
    if (node.op == Op::min || node.op == Op::max) arity = 1 + pick(4);
  }
  std::vector<Id> operands;
  for (int i = 0; i < arity; ++i) operands.push_back(operand());
  return add(node, operands);
}

NodeId ExpressionMaker::expression(int depth) {
  if (depth <= 0 || rarely(4)) return leaf(false);
  return application([&] { return expression(depth - 1); });
}

Expression ExpressionMaker::state(int depth) {
  return whole([&] { return expression(depth); });
}

Expression ExpressionMaker::property(int depth) {
  return whole([&] { return state_formula(depth); });
}

NodeId ExpressionMaker::state_formula(int depth) {
  if (depth <= 0) return leaf(true);
  switch (pick(6)) {
    case 0:
      return leaf(true);
    case 1:
      return application([&] { return state_formula(depth - 1); });
    case 2:
      return add({.kind = one_of<Kind>({Kind::forall, Kind::exists})}, {path(depth - 1)});
    case 3:
      return filter(depth);
    case 4:
      return rarely(4) ? strategy(depth) : measured(depth);
    default:
      return measured(depth);
  }
}

NodeId ExpressionMaker::path(int depth) {
  if (depth <= 0) return leaf(true);
  switch (pick(4)) {
    case 0:
      return state_formula(depth - 1);
    case 1:
      return application([&] { return path(depth - 1); });
    default:
      return temporal(depth);
  }
}

NodeId ExpressionMaker::temporal(int depth) {
  Node node;
  node.kind = one_of<Kind>(
      {Kind::finally, Kind::globally, Kind::next, Kind::until, Kind::weak_until, Kind::release});
  const bool binary = node.kind >= Kind::until && node.kind <= Kind::release;
  const Id left = binary ? path(depth - 1) : kNone;
  Id lower = kNone;
  Id upper = kNone;
  if (rarely(2)) time_bound(node, lower, upper, depth - 1);
  const Id right = path(depth - 1);
  return add(node, {left, right, lower, upper});
}

void ExpressionMaker::time_bound(Node& node, Id& lower, Id& upper, int depth) {
  switch (pick(5)) {
    case 0:
      upper = expression(depth);
      node.upper_strict = rarely(2);
      break;
    case 1:
      lower = expression(depth);
      node.lower_strict = rarely(2);
      break;
    case 2:
      lower = expression(depth);
      upper = expression(depth);
      break;
    case 3:
      lower = upper = expression(depth);
      node.equal_bound = true;
      break;
    default:
      node.reward_bound = true;
      if (rarely(2)) node.text = text(name());
      const bool above = rarely(2);
      (above ? lower : upper) = expression(depth);
      (above ? node.lower_strict : node.upper_strict) = rarely(2);
      break;
  }
}

NodeId ExpressionMaker::relation(Node& node, int depth) {
  node.relation =
      one_of<Relation>({Relation::query, Relation::ge, Relation::gt, Relation::le, Relation::lt});
  if (node.kind != Kind::steady) {
    node.optimum = one_of<Optimum>({Optimum::none, Optimum::min, Optimum::max});
  }
  return node.relation == Relation::query ? kNone : expression(depth);
}

NodeId ExpressionMaker::measured(int depth) {
  if (rarely(8)) return elapsed(depth);
  const int which = pick(3);
  const Id inner = which == 0 ? probability(depth) : which == 1 ? steady(depth) : reward(depth);
  return rarely(4) ? old_filter(inner, depth) : inner;
}

NodeId ExpressionMaker::probability(int depth) {
  Node node{.kind = Kind::probability};
  const Id bound = relation(node, depth - 2);
  return add(node, {path(depth - 1), bound, kNone, kNone});
}

NodeId ExpressionMaker::steady(int depth) {
  Node node{.kind = Kind::steady};
  const Id bound = relation(node, depth - 2);
  return add(node, {state_formula(depth - 1), bound, kNone, kNone});
}

NodeId ExpressionMaker::reward_contents(int depth) {
  switch (pick(5)) {
    case 0:
      return add({.kind = Kind::cumulative}, {rarely(2) ? expression(depth) : kNone});
    case 1:
      return add({.kind = Kind::instantaneous}, {expression(depth)});
    case 2:
      return add({.kind = Kind::long_run}, {kNone});
    default:
      return path(depth);
  }
}

NodeId ExpressionMaker::reward(int depth) {
  Node node{.kind = Kind::reward};
  Id index = kNone;
  Id ratio = kNone;
  const auto structure = [&](std::uint32_t& named, Id& number) {
    if (rarely(2)) {
      number = expression(depth - 2);
    } else {
      named = text(name());
    }
  };
  if (rarely(2)) {
    structure(node.text, index);
    if (rarely(3)) structure(node.text2, ratio);
  }
  const Id bound = relation(node, depth - 2);
  return add(node, {reward_contents(depth - 1), bound, index, ratio});
}

NodeId ExpressionMaker::elapsed(int depth) {
  Node node{.kind = Kind::reward, .elapsed = true};
  node.optimum = one_of<Optimum>({Optimum::none, Optimum::min, Optimum::max});
  return add(node, {path(depth - 1), kNone, kNone, kNone});
}

NodeId ExpressionMaker::old_filter(Id inner, int depth) {
  Node node{.kind = Kind::filter, .old_style = true};
  const bool value = tree_.nodes[inner].relation == Relation::query;
  node.text =
      text(value ? one_of<std::string>({"state", "min", "max", "range"}) : std::string("forall"));
  const Id states = state_formula(depth - 1);
  return add(node, {inner, states});
}

NodeId ExpressionMaker::filter(int depth) {
  Node node{.kind = Kind::filter};
  node.text = text(
      one_of<std::string>({"min", "max", "argmin", "argmax", "count", "sum", "+", "avg", "first",
                           "range", "forall", "&", "exists", "|", "state", "print", "printall"}));
  const Id operand = state_formula(depth - 1);
  return add(node, {operand, rarely(2) ? state_formula(depth - 1) : kNone});
}

NodeId ExpressionMaker::strategy(int depth) {
  Node node{.kind = Kind::strategy, .old_style = rarely(2)};
  node.text = text(one_of<std::string>({"<<1>>", "<<p,q>>", "[[1,2]]", "<<*>>"}));
  std::vector<Id> operands;
  if (!node.old_style) {
    operands.push_back(rarely(2) ? reward(depth) : probability(depth));
  } else {
    for (int i = 1 + pick(3); i > 0; --i) operands.push_back(state_formula(depth - 1));
  }
  return add(node, operands);
}

}  // namespace brink::test
