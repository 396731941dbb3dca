#include "models/language/expr.h"

#include <algorithm>
#include <bit>

#include "models/base/check.h"
#include "models/language/exact.h"
#include "models/language/fold.h"

namespace brink {

std::string_view type_name(Type type) {
  switch (type) {
    case Type::boolean:
      return "bool";
    case Type::integer:
      return "int";
    case Type::real:
      return "double";
  }
  return {};
}

namespace {
constexpr OpInfo kOps[] = {
#define BRINK_OP(id, text, arity, style, precedence, typing) \
  {#id, text, arity, OpStyle::style, precedence, OpTyping::typing},
#include "models/language/ops.def"
#undef BRINK_OP
};
}  // namespace

const OpInfo& op_info(Op op) { return kOps[static_cast<std::size_t>(op)]; }

std::span<const ExprId> ExprNode::operands() const {
  const std::size_t count = kind == ExprKind::apply ? op_info(op).arity : 0;
  return {args.data(), count};
}

bool result_type(Op op, std::span<const Type> types, Type& result) {
  const auto numeric = [](Type t) { return t != Type::boolean; };
  const auto logical = [](Type t) { return t == Type::boolean; };
  const auto meet = [](std::span<const Type> of) {
    return std::ranges::find(of, Type::real) != of.end() ? Type::real : Type::integer;
  };
  switch (op_info(op).typing) {
    case OpTyping::choice: {
      const std::span<const Type> branches = types.subspan(1);
      if (!logical(types[0])) return false;
      if (std::ranges::all_of(branches, logical))
        result = Type::boolean;
      else if (std::ranges::all_of(branches, numeric))
        result = meet(branches);
      else
        return false;
      return true;
    }
    case OpTyping::logic:
      result = Type::boolean;
      return std::ranges::all_of(types, logical);
    case OpTyping::equality:
      result = Type::boolean;
      return std::ranges::all_of(types, logical) || std::ranges::all_of(types, numeric);
    case OpTyping::order:
      result = Type::boolean;
      return std::ranges::all_of(types, numeric);
    case OpTyping::arithmetic:
      result = meet(types);
      return std::ranges::all_of(types, numeric);
    case OpTyping::real_arithmetic:
      result = Type::real;
      return std::ranges::all_of(types, numeric);
    case OpTyping::rounding:
      result = Type::integer;
      return std::ranges::all_of(types, numeric);
    case OpTyping::integer:
      result = Type::integer;
      return std::ranges::all_of(types, [](Type t) { return t == Type::integer; });
  }
  return false;
}

namespace {

std::size_t mix(std::size_t seed, std::uint64_t value) {
  seed ^= value + 0x9e3779b97f4a7c15ULL + (seed << 6) + (seed >> 2);
  seed *= 0xff51afd7ed558ccdULL;
  return seed ^ (seed >> 32);
}

std::size_t hash(const ExprNode& node) {
  std::size_t h = mix(static_cast<std::size_t>(node.kind), static_cast<std::uint64_t>(node.type));
  h = mix(h, static_cast<std::uint64_t>(node.op));
  h = mix(h, static_cast<std::uint64_t>(node.value));
  for (const ExprId arg : node.args) h = mix(h, arg.index);
  return h;
}

}  // namespace

ExprId ExprPool::intern(const ExprNode& node) {
  const std::size_t key = hash(node);
  for (auto [it, end] = index_.equal_range(key); it != end; ++it) {
    if (nodes_[it->second] == node) return {it->second};
  }
  const ExprId id{size()};
  bool state_free = node.kind != ExprKind::variable;
  bool parameter_free = node.kind != ExprKind::parameter;
  for (const ExprId arg : node.operands()) {
    state_free = state_free && state_free_[arg.index];
    parameter_free = parameter_free && parameter_free_[arg.index];
  }
  nodes_.push_back(node);
  state_free_.push_back(state_free);
  parameter_free_.push_back(parameter_free);
  index_.emplace(key, id.index);
  return id;
}

ExprId ExprPool::boolean(bool value) {
  return intern({.kind = ExprKind::boolean, .type = Type::boolean, .value = value ? 1 : 0});
}

ExprId ExprPool::integer(std::int64_t value) {
  return intern({.kind = ExprKind::integer, .type = Type::integer, .value = value});
}

bool ExprPool::afford_exact(std::size_t digits) {
  exact_work_ += digits + digits * digits / 8;  // conversions are quadratic
  return exact_work_ <= kMaxExactWork;
}

ExprId ExprPool::real(RealConstant constant) {
  const auto bits = std::bit_cast<std::uint64_t>(constant.value);
  const std::size_t key = mix(std::hash<std::string>{}(constant.exact), bits);
  std::int64_t found = -1;
  for (auto [it, end] = real_index_.equal_range(key); it != end; ++it) {
    const RealConstant& other = reals_[it->second];
    if (std::bit_cast<std::uint64_t>(other.value) == bits && other.exact == constant.exact) {
      found = it->second;
    }
  }
  if (found < 0) {
    found = static_cast<std::int64_t>(reals_.size());
    reals_.push_back(std::move(constant));
    real_index_.emplace(key, static_cast<std::uint32_t>(found));
  }
  return intern({.kind = ExprKind::real, .type = Type::real, .value = found});
}

ExprId ExprPool::variable(std::uint32_t index, Type type) {
  return intern({.kind = ExprKind::variable, .type = type, .value = index});
}

ExprId ExprPool::parameter(std::uint32_t index, Type type) {
  return intern({.kind = ExprKind::parameter, .type = type, .value = index});
}

ExprId ExprPool::apply(Op op, ExprId a, ExprId b, ExprId c) {
  std::array<ExprId, 3> args{a, b, c};
  const std::size_t arity = op_info(op).arity;
  std::array<Type, 3> types{};
  for (std::size_t i = 0; i < 3; ++i) {
    BRINK_CHECK(args[i].valid() == (i < arity) && (i >= arity || args[i].index < size()));
    if (i < arity) types[i] = type(args[i]);
  }
  Type result = Type::boolean;
  BRINK_CHECK(result_type(op, {types.data(), arity}, result), std::string(op_info(op).text));
  if (op == Op::real && types[0] == Type::real) return a;
  if (op_info(op).typing == OpTyping::rounding && types[0] == Type::integer) return a;
  // Numbers of two types meet in double; from here on the operands that are numbers share one type.
  const bool widen = result == Type::real || std::ranges::find(types.begin(), types.begin() + arity,
                                                               Type::real) != types.begin() + arity;
  if (widen && op != Op::real) {
    for (std::size_t i = 0; i < arity; ++i) {
      if (types[i] == Type::integer) args[i] = apply(Op::real, args[i]);
    }
  }
  if (const ExprId folded = fold(*this, op, args); folded.valid()) return folded;
  return intern({.kind = ExprKind::apply, .type = result, .op = op, .args = args});
}

const RealConstant& ExprPool::real_constant(ExprId id) const {
  const ExprNode& node = nodes_[id.index];
  BRINK_CHECK(node.kind == ExprKind::real);
  return reals_[static_cast<std::size_t>(node.value)];
}

bool ExprPool::is_true(ExprId id) const {
  const ExprNode& node = nodes_[id.index];
  return node.kind == ExprKind::boolean && node.value == 1;
}

bool ExprPool::is_false(ExprId id) const {
  const ExprNode& node = nodes_[id.index];
  return node.kind == ExprKind::boolean && node.value == 0;
}

double ExprPool::number(ExprId id) const {
  const ExprNode& node = nodes_[id.index];
  BRINK_CHECK(is_constant(id));
  if (node.kind == ExprKind::real) return reals_[static_cast<std::size_t>(node.value)].value;
  return static_cast<double>(node.value);
}

std::int64_t ExprPool::integer_value(ExprId id) const {
  const ExprNode& node = nodes_[id.index];
  BRINK_CHECK(node.kind == ExprKind::integer || node.kind == ExprKind::boolean);
  return node.value;
}

std::string ExprPool::exact(ExprId id) const {
  const ExprNode& node = nodes_[id.index];
  BRINK_CHECK(is_constant(id));
  if (node.kind == ExprKind::real) return reals_[static_cast<std::size_t>(node.value)].exact;
  return std::to_string(node.value);
}

namespace {

/// Marks what `id` is made of: operands have smaller ids, so one loop downwards does it.
std::vector<bool> parts_of(const ExprPool& pool, ExprId id) {
  std::vector<bool> needed(id.index + 1, false);
  needed[id.index] = true;
  for (std::uint32_t i = id.index + 1; i-- > 0;) {
    if (!needed[i]) continue;
    for (const ExprId arg : pool[ExprId{i}].operands()) needed[arg.index] = true;
  }
  return needed;
}

}  // namespace

std::vector<std::uint32_t> ExprPool::variables_of(ExprId id) const {
  std::vector<std::uint32_t> result;
  const std::vector<bool> needed = parts_of(*this, id);
  for (std::uint32_t i = 0; i <= id.index; ++i) {
    if (needed[i] && nodes_[i].kind == ExprKind::variable) {
      result.push_back(static_cast<std::uint32_t>(nodes_[i].value));
    }
  }
  std::ranges::sort(result);
  return result;
}

ExprId ExprPool::substitute(ExprId id, std::span<const ExprId> variables,
                            std::span<const ExprId> parameters) {
  const std::vector<bool> needed = parts_of(*this, id);
  std::vector<ExprId> image(id.index + 1);
  for (std::uint32_t i = 0; i <= id.index; ++i) {
    if (!needed[i]) continue;
    const ExprNode node = nodes_[i];
    image[i] = ExprId{i};
    const auto index = static_cast<std::size_t>(node.value);
    if (node.kind == ExprKind::variable && index < variables.size() && variables[index].valid()) {
      image[i] = variables[index];
    } else if (node.kind == ExprKind::parameter && index < parameters.size() &&
               parameters[index].valid()) {
      image[i] = parameters[index];
    } else if (node.kind == ExprKind::apply) {
      std::array<ExprId, 3> args{};
      for (std::size_t k = 0; k < node.operands().size(); ++k) {
        args[k] = image[node.args[k].index];
      }
      if (args != node.args) image[i] = apply(node.op, args[0], args[1], args[2]);
    }
  }
  return image[id.index];
}

}  // namespace brink
