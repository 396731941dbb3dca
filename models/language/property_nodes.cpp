// Property formulas, node by node in the order of the tree (operands first).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "models/base/check.h"
#include "models/language/property_builder.h"

namespace brink {

using syntax::Node;
using syntax::NodeId;
using syntax::NodeKind;

namespace {

struct FilterRow {
  std::string_view text;
  FilterKind kind;
};

// The first name of a kind is the one it is printed with.
constexpr FilterRow kFilters[] = {
    {"min", FilterKind::min},
    {"max", FilterKind::max},
    {"argmin", FilterKind::argmin},
    {"argmax", FilterKind::argmax},
    {"count", FilterKind::count},
    {"sum", FilterKind::sum},
    {"+", FilterKind::sum},
    {"avg", FilterKind::avg},
    {"first", FilterKind::first},
    {"range", FilterKind::range},
    {"forall", FilterKind::forall},
    {"&", FilterKind::forall},
    {"exists", FilterKind::exists},
    {"|", FilterKind::exists},
    {"state", FilterKind::state},
    {"print", FilterKind::print},
    {"printall", FilterKind::printall},
};

PropKind temporal_kind(NodeKind kind) {
  switch (kind) {
    case NodeKind::next:
      return PropKind::next;
    case NodeKind::finally:
      return PropKind::finally;
    case NodeKind::globally:
      return PropKind::globally;
    case NodeKind::until:
      return PropKind::until;
    case NodeKind::weak_until:
      return PropKind::weak_until;
    case NodeKind::release:
      return PropKind::release;
    default:
      BRINK_CHECK(false);
      return PropKind::atom;
  }
}

}  // namespace

std::string_view filter_name(FilterKind kind) {
  return std::ranges::find(kFilters, kind, &FilterRow::kind)->text;
}

PropertyBuilder::Value& PropertyBuilder::child(const Node& node, std::uint32_t i) {
  return image_[tree_->child(node, i) - first_];
}

bool PropertyBuilder::has_child(const Node& node, std::uint32_t i) const {
  return i < node.child_count && tree_->child(node, i) != kNone;
}

Span PropertyBuilder::child_span(const Node& node, std::uint32_t i) const {
  return tree_->nodes[tree_->child(node, i)].span;
}

PropertyBuilder::Value PropertyBuilder::add(PropNode node) {
  Value value;
  value.type = node.type;
  value.path = node.is_path;
  value.prop = {static_cast<std::uint32_t>(set_.nodes.size())};
  set_.nodes.push_back(std::move(node));
  return value;
}

PropId PropertyBuilder::as_prop(const Value& value, Span span) {
  if (value.prop.valid()) return value.prop;
  PropNode node;
  node.kind = PropKind::atom;
  node.type = value.type;
  node.expr = value.expr;
  node.span = span;
  return add(std::move(node)).prop;
}

bool PropertyBuilder::state_formula(const Value& value, Span span, std::string_view where) {
  if (!value.path) return true;
  reporter_->error("E0704", span,
                   fmt::format("{} takes a state formula, this is a path formula", where),
                   "put it into P, A or E");
  return false;
}

bool PropertyBuilder::boolean(const Value& value, Span span, std::string_view what) {
  if (value.type == Type::boolean) return true;
  reporter_->error("E0303", span,
                   fmt::format("{} must be a bool, this is {} {}", what,
                               value.type == Type::integer ? "an" : "a", type_name(value.type)));
  return false;
}

PropertyBuilder::Value PropertyBuilder::lower(const PropertyFile& file,
                                              const syntax::Expression& expression) {
  tree_ = &file.tree;
  first_ = expression.first;
  image_.assign(expression.root - first_ + 1, {});
  for (NodeId id = first_; id <= expression.root; ++id) {
    const Node& current = tree_->nodes[id];
    // A part whose operands were reported says nothing more.
    bool good = true;
    for (std::uint32_t i = 0; i < current.child_count; ++i) {
      good = good && (!has_child(current, i) || child(current, i).valid());
    }
    if (good) image_[id - first_] = node(current);
  }
  return image_.back();
}

PropertyBuilder::Value PropertyBuilder::node(const Node& node) {
  Value value;
  switch (node.kind) {
    case NodeKind::boolean:
    case NodeKind::integer:
    case NodeKind::real:
      value.expr = lower_literal(set_.pool, *tree_, node);
      break;
    case NodeKind::name:
      value.expr = name(tree_->text(node), node.name_span);
      break;
    case NodeKind::label:
      return label(node);
    case NodeKind::apply:
      return application(node);
    case NodeKind::probability:
    case NodeKind::steady:
    case NodeKind::reward:
      return measured(node);
    case NodeKind::exists:
    case NodeKind::forall:
      return quantified(node);
    case NodeKind::next:
    case NodeKind::finally:
    case NodeKind::globally:
    case NodeKind::until:
    case NodeKind::weak_until:
    case NodeKind::release:
      return temporal(node);
    case NodeKind::cumulative:
    case NodeKind::instantaneous:
    case NodeKind::long_run:
      return reward_kind(node);
    case NodeKind::filter:
      return filter(node);
    case NodeKind::multi:
      return multi(node);
    case NodeKind::strategy:
      reporter_->error("E0110", node.name_span, "coalitions of players are not supported");
      return {};
  }
  if (value.expr.valid()) value.type = set_.pool.type(value.expr);
  return value;
}

PropertyBuilder::Value PropertyBuilder::label(const Node& node) {
  const std::string_view text = tree_->text(node);
  Value value;
  if (const auto found = labels_.find(text); found != labels_.end()) {
    if (!found->second.valid()) {
      reporter_->error("E0403", node.span,
                       fmt::format("label \"{}\" needs a constant without value", text),
                       "give the constant a value with `--const`");
    }
    value.expr = found->second;
    return value;
  }
  if (text == "init" || text == "deadlock") {
    PropNode out;
    out.kind = text == "init" ? PropKind::init : PropKind::deadlock;
    out.span = node.span;
    return add(std::move(out));
  }
  if (const auto found = by_name_.find(text); found != by_name_.end()) {
    const Definition& definition = definitions_[found->second];
    if (!definition.value.valid()) {
      reporter_->error("E0209", node.span, fmt::format("the property \"{}\" cannot be used", text));
      if (!definition.errors.empty() && !reporter_->diagnostics().empty()) {
        reporter_->diagnostics().back().notes.push_back(definition.errors.front().message);
      }
    }
    return definition.value;
  }
  std::vector<std::string> names{"init", "deadlock"};
  for (const auto& [name, _] : labels_) names.push_back(name);
  for (const auto& [name, _] : by_name_) names.push_back(name);
  const std::string near = nearest_name(text, names);
  reporter_->error("E0203", node.span, fmt::format("there is no label \"{}\"", text),
                   near.empty() ? "" : fmt::format("a label with a similar name is \"{}\"", near));
  return {};
}

PropertyBuilder::Value PropertyBuilder::application(const Node& node) {
  std::vector<Operand> typed;
  std::vector<ExprId> exprs;
  bool pure = true;
  bool path = false;
  for (std::uint32_t i = 0; i < node.child_count; ++i) {
    const Value& operand = child(node, i);
    typed.push_back({operand.type, child_span(node, i)});
    exprs.push_back(operand.expr);
    pure = pure && operand.expr.valid();
    path = path || operand.path;
  }
  const auto type = check_application(*reporter_, node.op, node, typed);
  if (!type) return {};
  if (pure) {
    Value value;
    value.expr = build_application(set_.pool, node.op, exprs);
    value.type = *type;
    return value;
  }
  if (path && op_info(node.op).typing != OpTyping::logic) {
    reporter_->error("E0704", node.span,
                     fmt::format("`{}` cannot be applied to path formulas", op_info(node.op).text));
    return {};
  }
  PropNode out;
  out.kind = PropKind::apply;
  out.op = node.op;
  out.type = *type;
  out.is_path = path;
  out.span = node.span;
  out.args.push_back(as_prop(child(node, 0), child_span(node, 0)));
  if (node.op != Op::min && node.op != Op::max) {
    for (std::uint32_t i = 1; i < node.child_count; ++i) {
      out.args.push_back(as_prop(child(node, i), child_span(node, i)));
    }
    return add(std::move(out));
  }
  // min and max of many: a chain of pairs.
  Value chain = child(node, 0);
  for (std::uint32_t i = 1; i < node.child_count; ++i) {
    PropNode pair = out;
    const PropId left = as_prop(chain, child_span(node, i - 1));
    pair.args = {left, as_prop(child(node, i), child_span(node, i))};
    chain = add(std::move(pair));
  }
  return chain;
}

PropertyBuilder::Value PropertyBuilder::quantified(const Node& node) {
  if (!boolean(child(node, 0), child_span(node, 0), "a path formula")) return {};
  PropNode out;
  out.kind = node.kind == NodeKind::exists ? PropKind::exists : PropKind::forall;
  out.span = node.span;
  out.args = {as_prop(child(node, 0), child_span(node, 0))};
  return add(std::move(out));
}

/// The bound of P>=p, S<p, R<=r: a number without variables.
bool PropertyBuilder::bound(const Node& node, PropNode& out) {
  out.relation = node.relation;
  out.optimum = node.optimum;
  out.type = node.relation == Relation::query ? Type::real : Type::boolean;
  if (!has_child(node, 1)) return true;
  const Value& value = child(node, 1);
  const Span span = child_span(node, 1);
  if (!value.expr.valid() || !set_.pool.is_state_free(value.expr)) {
    reporter_->error("E0305", span, "a bound is a constant expression");
    return false;
  }
  out.bound = require_type(*reporter_, set_.pool, value.expr, Type::real, span, "a bound");
  if (!out.bound.valid()) return false;
  if (node.kind == NodeKind::reward || !set_.pool.is_constant(out.bound)) return true;
  const double number = set_.pool.number(out.bound);
  if (number >= 0 && number <= 1) return true;
  reporter_->error("E0707", span, "a probability bound lies between 0 and 1");
  return false;
}

std::optional<std::uint32_t> PropertyBuilder::reward_structure(const Node& node, std::uint32_t text,
                                                               NodeId number) {
  const std::vector<RewardStructure>& rewards = model_->rewards;
  if (rewards.empty()) {
    reporter_->error("E0205", node.name_span, "the model has no rewards");
    return std::nullopt;
  }
  if (text != kNone) {
    const std::string& name = tree_->texts[text];
    if (const auto found = model_->find_reward(name)) return found;
    std::vector<std::string> names;
    for (const RewardStructure& r : rewards) names.push_back(r.name);
    const std::string near = nearest_name(name, names);
    reporter_->error("E0205", node.name_span,
                     fmt::format("there is no reward structure \"{}\"", name),
                     near.empty() ? "" : fmt::format("one with a similar name is \"{}\"", near));
    return std::nullopt;
  }
  if (number == kNone) return 0;
  const Value& value = image_[number - first_];
  const Span span = tree_->nodes[number].span;
  if (!value.expr.valid() || value.type != Type::integer || !set_.pool.is_constant(value.expr)) {
    reporter_->error("E0305", span, "the number of a reward structure is a constant int");
    return std::nullopt;
  }
  const std::int64_t index = set_.pool.integer_value(value.expr);
  if (index >= 1 && index <= static_cast<std::int64_t>(rewards.size())) {
    return static_cast<std::uint32_t>(index - 1);
  }
  reporter_->error("E0205", span,
                   fmt::format("there is no reward structure {}; they are counted from 1 to {}",
                               index, rewards.size()));
  return std::nullopt;
}

bool PropertyBuilder::reward_index(const Node& node, PropNode& out) {
  if (node.elapsed) {
    out.reward = kElapsedTime;
    return true;
  }
  const auto number = [&](std::uint32_t i) {
    return i < node.child_count ? tree_->child(node, i) : kNone;
  };
  const auto first = reward_structure(node, node.text, number(2));
  if (!first) return false;
  out.reward = *first;
  if (node.text2 == kNone && number(3) == kNone) return true;
  const auto second = reward_structure(node, node.text2, number(3));
  if (second) out.reward_divisor = *second;
  return second.has_value();
}

PropertyBuilder::Value PropertyBuilder::measured(const Node& node) {
  const Value& operand = child(node, 0);
  const Span span = child_span(node, 0);
  PropNode out;
  out.span = node.span;
  switch (node.kind) {
    case NodeKind::probability:
      out.kind = PropKind::probability;
      break;
    case NodeKind::steady:
      out.kind = PropKind::steady;
      break;
    default:
      out.kind = PropKind::reward;
      break;
  }
  const bool special = operand.prop.valid() &&
                       set_.nodes[operand.prop.index].kind >= PropKind::cumulative &&
                       set_.nodes[operand.prop.index].kind <= PropKind::long_run;
  if (!special && !boolean(operand, span, "what is measured")) return {};
  if (node.kind == NodeKind::steady && !state_formula(operand, span, "S")) return {};
  if (node.kind == NodeKind::reward && !reward_index(node, out)) return {};
  if (!bound(node, out)) return {};
  out.args = {as_prop(operand, span)};
  return add(std::move(out));
}

/// A bound: of time an int in discrete time, of time in a ctmc or of a reward a number; not
/// negative.
bool PropertyBuilder::time(NodeId id, ExprId& out, bool reward) {
  if (id == kNone) return true;
  const Value& value = image_[id - first_];
  const Span span = tree_->nodes[id].span;
  if (!value.expr.valid() || !set_.pool.is_state_free(value.expr)) {
    reporter_->error("E0305", span, "a time bound is a constant expression");
    return false;
  }
  const bool discrete = model_->type != ModelType::ctmc && !reward;
  if (value.type == Type::boolean || (discrete && value.type == Type::real)) {
    reporter_->error("E0706", span,
                     fmt::format("a time bound in a {} is {}", model_type_name(model_->type),
                                 discrete ? "an int" : "a number"));
    return false;
  }
  if (set_.pool.is_constant(value.expr)) {
    const double bound = set_.pool.number(value.expr);
    if (bound < 0 || !std::isfinite(bound)) {
      reporter_->error(
          "E0707", span,
          bound < 0 ? "a time bound is not negative" : "a time bound is a finite number");
      return false;
    }
  }
  out = value.expr;
  return true;
}

PropertyBuilder::Value PropertyBuilder::temporal(const Node& node) {
  PropNode out;
  out.kind = temporal_kind(node.kind);
  out.is_path = true;
  out.span = node.span;
  for (std::uint32_t i = 0; i < 2; ++i) {
    if (!has_child(node, i)) continue;
    if (!boolean(child(node, i), child_span(node, i), "the operand of a temporal operator"))
      return {};
    out.args.push_back(as_prop(child(node, i), child_span(node, i)));
  }
  if (node.reward_bound) {
    const auto structure = reward_structure(node, node.text, kNone);
    if (!structure) return {};
    out.time.reward = *structure;
  }
  if (!time(tree_->child(node, 2), out.time.lower, node.reward_bound)) return {};
  if (!time(tree_->child(node, 3), out.time.upper, node.reward_bound)) return {};
  out.time.lower_strict = node.lower_strict;
  out.time.upper_strict = node.upper_strict;
  return add(std::move(out));
}

PropertyBuilder::Value PropertyBuilder::reward_kind(const Node& node) {
  PropNode out;
  out.span = node.span;
  switch (node.kind) {
    case NodeKind::cumulative:
      out.kind = PropKind::cumulative;
      break;
    case NodeKind::instantaneous:
      out.kind = PropKind::instantaneous;
      break;
    default:
      out.kind = PropKind::long_run;
      break;
  }
  if (!time(tree_->child(node, 0), out.time.upper, false)) return {};
  return add(std::move(out));
}

PropertyBuilder::Value PropertyBuilder::filter(const Node& node) {
  const std::string_view text = tree_->text(node);
  const auto row = std::ranges::find(kFilters, text, &FilterRow::text);
  if (row == std::end(kFilters)) {
    std::vector<std::string> names;
    for (const FilterRow& f : kFilters) names.emplace_back(f.text);
    const std::string near = nearest_name(text, names);
    reporter_->error("E0703", node.name_span, fmt::format("there is no filter `{}`", text),
                     near.empty() ? "" : fmt::format("a filter with a similar name is `{}`", near));
    return {};
  }
  const Value& operand = child(node, 0);
  const Span span = child_span(node, 0);
  if (!state_formula(operand, span, "a filter")) return {};
  PropNode out;
  out.kind = PropKind::filter;
  out.filter = row->kind;
  out.filter_implicit = node.old_style;
  out.span = node.span;
  out.type = operand.type;
  switch (row->kind) {
    case FilterKind::min:
    case FilterKind::max:
    case FilterKind::sum:
    case FilterKind::avg:
    case FilterKind::range:
    case FilterKind::argmin:
    case FilterKind::argmax:
      if (operand.type == Type::boolean) {
        reporter_->error("E0301", span,
                         fmt::format("filter `{}` needs a number, this is a bool", text));
        return {};
      }
      if (row->kind == FilterKind::avg) out.type = Type::real;
      if (row->kind >= FilterKind::argmin && row->kind <= FilterKind::argmax)
        out.type = Type::boolean;
      break;
    case FilterKind::count:
    case FilterKind::forall:
    case FilterKind::exists:
      if (!boolean(operand, span, fmt::format("the operand of filter `{}`", text))) return {};
      if (row->kind == FilterKind::count) out.type = Type::integer;
      break;
    default:
      break;
  }
  PropId states;
  if (has_child(node, 1)) {
    const Span states_span = child_span(node, 1);
    if (!state_formula(child(node, 1), states_span, "a filter")) return {};
    if (!boolean(child(node, 1), states_span, "the states of a filter")) return {};
    states = as_prop(child(node, 1), states_span);
  }
  const PropId inner = as_prop(operand, span);
  out.args = {inner, states};
  return add(std::move(out));
}

PropertyBuilder::Value PropertyBuilder::multi(const Node& node) {
  PropNode out;
  out.kind = PropKind::multi;
  out.span = node.span;
  for (std::uint32_t i = 0; i < node.child_count; ++i) {
    if (child(node, i).type != Type::boolean) out.type = Type::real;
    out.args.push_back(as_prop(child(node, i), child_span(node, i)));
  }
  return add(std::move(out));
}

}  // namespace brink
