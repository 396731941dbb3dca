#include "solver/symbolic/encode_terms.h"

#include <fmt/core.h>

#include <algorithm>

namespace brink::solver {
namespace {

using Wide = __int128;

constexpr Wide huge = Wide{1} << 100;  // products of two clamped values still fit
constexpr Wide clamp_at = Wide{1} << 62;
constexpr std::int64_t largest_exponent = 16;
constexpr Wide symbolic_limit = (Wide{1} << 31) - 1;  // constants are 32-bit ints

Wide clamped(Wide value) { return std::clamp(value, -huge, huge); }

Interval hull(std::initializer_list<Wide> values) {
  return {clamped(std::min(values)), clamped(std::max(values))};
}

Interval product(const Interval& a, const Interval& b) {
  const auto bounded = [](Wide v) { return std::clamp(v, -clamp_at, clamp_at); };
  const Wide al = bounded(a.low), ah = bounded(a.high), bl = bounded(b.low), bh = bounded(b.high);
  return hull({al * bl, al * bh, ah * bl, ah * bh});
}

Interval power(const Interval& base, std::int64_t exponent) {
  Interval out{1, 1};
  for (std::int64_t i = 0; i < exponent; ++i) out = product(out, base);
  return out;
}

/// Why an operator over these operands cannot be encoded; empty when it can.
std::string refusal(const ExprPool& pool, const ExprNode& node) {
  const auto constant = [&](std::size_t i) { return pool.is_constant(node.args[i]); };
  switch (node.op) {
    case Op::log:
      return "log";
    case Op::mod:
      if (!constant(1) || pool.number(node.args[1]) == 0) return "mod by a value that may be zero";
      return "";
    case Op::div:
      if (!constant(1) || pool.number(node.args[1]) == 0)
        return "division by a value that may be zero";
      return "";
    case Op::pow: {
      if (!constant(1) || pool.type(node.args[1]) != Type::integer) return "a variable exponent";
      const std::int64_t exponent = pool.integer_value(node.args[1]);
      return exponent < 0 || exponent > largest_exponent ? "an exponent outside 0..16" : "";
    }
    default:
      return "";
  }
}

Interval of_apply(const ExprPool& pool, const ExprNode& node, const std::vector<Interval>& known) {
  const auto arg = [&](std::size_t i) { return known[node.args[i].index]; };
  switch (node.op) {
    case Op::ite:
      return hull({arg(1).low, arg(2).low, arg(1).high, arg(2).high});
    case Op::add:
      return hull({arg(0).low + arg(1).low, arg(0).high + arg(1).high});
    case Op::sub:
      return hull({arg(0).low - arg(1).high, arg(0).high - arg(1).low});
    case Op::mul:
      return product(arg(0), arg(1));
    case Op::neg:
      return hull({-arg(0).high, -arg(0).low});
    case Op::min:
      return {std::min(arg(0).low, arg(1).low), std::min(arg(0).high, arg(1).high)};
    case Op::max:
      return {std::max(arg(0).low, arg(1).low), std::max(arg(0).high, arg(1).high)};
    case Op::mod: {
      const Wide divisor = arg(1).low;
      return divisor > 0 ? Interval{0, divisor - 1} : Interval{divisor + 1, 0};
    }
    case Op::pow:
      return power(arg(0), pool.integer_value(node.args[1]));
    default:  // roundings of ints change nothing; everything else is boolean or real
      return pool.type(node.args[0]) == Type::integer ? arg(0) : Interval{};
  }
}

Interval of_parameter(const ExprNode& node) {
  if (node.type == Type::boolean) return {0, 1};
  return {-symbolic_limit, symbolic_limit};
}

/// Ranges of the variables; bounds that depend on symbolic constants take their widest values, and
/// what they are made of is marked as needed.
std::vector<Interval> ranges(const Model& model, const ExprPool& pool, std::vector<bool>& needed) {
  std::vector<ExprId> bounds;
  for (const Variable& v : model.variables) {
    if (!v.low_value) bounds.push_back(v.low.id);
    if (!v.high_value) bounds.push_back(v.high.id);
    if (!v.init_value && v.init.id.valid() && !model.init) bounds.push_back(v.init.id);
  }
  std::vector<Interval> known(pool.size());
  const std::vector<bool> below = nodes_below(pool, bounds);
  for (std::uint32_t i = 0; i < pool.size(); ++i) {
    if (!below[i]) continue;
    needed[i] = true;
    const ExprNode& node = pool[ExprId{i}];
    if (node.kind == ExprKind::parameter) known[i] = of_parameter(node);
    if (node.kind == ExprKind::boolean || node.kind == ExprKind::integer)
      known[i] = {node.value, node.value};
    if (node.kind == ExprKind::apply && refusal(pool, node).empty())
      known[i] = of_apply(pool, node, known);
    // A real bound is rounded to an int; its size is that of the constants it is made of.
    if (node.type == Type::real) known[i] = {-symbolic_limit, symbolic_limit};
  }
  std::vector<Interval> out;
  for (const Variable& v : model.variables)
    out.push_back({v.low_value ? Wide{*v.low_value} : known[v.low.id.index].low,
                   v.high_value ? Wide{*v.high_value} : known[v.high.id.index].high});
  return out;
}

}  // namespace

std::vector<bool> nodes_below(const ExprPool& pool, const std::vector<ExprId>& expressions) {
  std::vector<bool> needed(pool.size(), false);
  for (const ExprId id : expressions) needed[id.index] = true;
  for (std::uint32_t i = pool.size(); i-- > 0;)
    if (needed[i])
      for (const ExprId arg : pool[ExprId{i}].operands()) needed[arg.index] = true;
  return needed;
}

Result<TermNeeds, std::string> analyse_terms(const Model& model, const ExprPool& pool,
                                             const std::vector<ExprId>& expressions) {
  TermNeeds needs;
  needs.needed = nodes_below(pool, expressions);
  std::vector<Interval> interval(pool.size());
  Wide largest = 1;
  const auto note = [&largest](const Interval& i) {
    largest = std::max({largest, i.high, -i.low});
  };
  const std::vector<Interval> range = ranges(model, pool, needs.needed);
  for (const Interval& i : range) note(i);
  for (std::uint32_t i = 0; i < pool.size(); ++i) {
    if (!needs.needed[i]) continue;
    const ExprNode& node = pool[ExprId{i}];
    switch (node.kind) {
      case ExprKind::parameter:
        if (node.type == Type::real) return fail(std::string("a real constant without a value"));
        interval[i] = of_parameter(node);
        break;
      case ExprKind::boolean:
      case ExprKind::integer:
        interval[i] = {node.value, node.value};
        break;
      case ExprKind::real:
        if (pool.exact(ExprId{i}).empty())
          return fail(std::string("a real constant that is no rational number"));
        break;
      case ExprKind::variable: {
        interval[i] = range[static_cast<std::size_t>(node.value)];
        break;
      }
      case ExprKind::apply: {
        const std::string reason = refusal(pool, node);
        if (!reason.empty()) return fail(fmt::format("{} in an expression", reason));
        interval[i] = of_apply(pool, node, interval);
        break;
      }
    }
    if (node.type == Type::integer) note(interval[i]);
    if (node.type == Type::real) needs.reals = true;
  }
  for (needs.width = 2; needs.width <= 62 && (Wide{1} << (needs.width - 1)) <= largest;)
    ++needs.width;
  if (needs.width > 62) needs.width = 0;
  return needs;
}

}  // namespace brink::solver
