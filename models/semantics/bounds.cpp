#include "models/semantics/bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace brink {
namespace {

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
using Wide = __int128;

Bounds truth() { return {.low = 0, .high = 1}; }

Bounds integers(Wide low, Wide high) {
  if (low < kLeast || high > kMost) {
    Bounds b = any_integer();
    b.may_fault = true;
    return b;
  }
  return {.low = static_cast<std::int64_t>(low), .high = static_cast<std::int64_t>(high)};
}

Bounds reals(double low, double high) {
  if (!std::isfinite(low) || !std::isfinite(high)) return {.wild = true};
  return {.real_low = low, .real_high = high};
}

Bounds hull(const Bounds& a, const Bounds& b) {
  return {.low = std::min(a.low, b.low),
          .high = std::max(a.high, b.high),
          .real_low = std::min(a.real_low, b.real_low),
          .real_high = std::max(a.real_high, b.real_high),
          .wild = a.wild || b.wild};
}

template <typename T, typename F>
std::pair<T, T> corners(T a, T b, T c, T d, const F& f) {
  const T values[] = {f(a, c), f(a, d), f(b, c), f(b, d)};
  return {*std::min_element(values, values + 4), *std::max_element(values, values + 4)};
}

Bounds of_integers(Op op, const Bounds& a, const Bounds& b) {
  const Wide al = a.low, ah = a.high, bl = b.low, bh = b.high;
  switch (op) {
    case Op::add:
      return integers(al + bl, ah + bh);
    case Op::sub:
      return integers(al - bh, ah - bl);
    case Op::neg:
      return integers(-ah, -al);
    case Op::mul: {
      const auto [low, high] = corners(al, ah, bl, bh, [](Wide x, Wide y) { return x * y; });
      return integers(low, high);
    }
    case Op::min:
      return integers(std::min(al, bl), std::min(ah, bh));
    case Op::max:
      return integers(std::max(al, bl), std::max(ah, bh));
    case Op::floor:
    case Op::ceil:
    case Op::round:
      return a;
    default: {  // mod, pow
      Bounds out = any_integer();
      out.may_fault = true;
      if (op == Op::mod && bl > 0) {
        out = integers(0, bh - 1);
        if (al >= 0 && ah < bl) out = a;
      }
      return out;
    }
  }
}

Bounds of_reals(Op op, const Bounds& a, const Bounds& b) {
  const double al = a.real_low, ah = a.real_high, bl = b.real_low, bh = b.real_high;
  if (a.wild || b.wild) return {.wild = true};
  switch (op) {
    case Op::add:
      return reals(al + bl, ah + bh);
    case Op::sub:
      return reals(al - bh, ah - bl);
    case Op::neg:
      return reals(-ah, -al);
    case Op::mul: {
      const auto [low, high] = corners(al, ah, bl, bh, [](double x, double y) { return x * y; });
      return reals(low, high);
    }
    case Op::div: {
      if (bl <= 0 && bh >= 0) return {.wild = true};
      const auto [low, high] = corners(al, ah, bl, bh, [](double x, double y) { return x / y; });
      return reals(low, high);
    }
    case Op::min:
      return reals(std::min(al, bl), std::min(ah, bh));
    case Op::max:
      return reals(std::max(al, bl), std::max(ah, bh));
    default:  // pow, log
      return {.wild = true};
  }
}

Bounds rounded(const Bounds& a) {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  Bounds out = any_integer();
  out.may_fault = true;
  if (a.wild || a.real_low < -kExact || a.real_high > kExact) return out;
  return {.low = static_cast<std::int64_t>(std::floor(a.real_low)),
          .high = static_cast<std::int64_t>(std::ceil(a.real_high))};
}

Bounds of_apply(const ExprPool& pool, const ExprNode& node, std::span<const Bounds> of) {
  const auto operands = node.operands();
  const Bounds& a = of[operands[0].index];
  const Bounds& b = of[operands[operands.size() > 1 ? 1 : 0].index];
  if (node.op == Op::ite) return hull(of[operands[1].index], of[operands[2].index]);
  if (node.type == Type::boolean) return truth();
  if (node.op == Op::real) {
    if (pool.type(operands[0]) == Type::real) return a;
    return reals(static_cast<double>(a.low), static_cast<double>(a.high));
  }
  if (node.type == Type::real) return of_reals(node.op, a, b);
  return pool.type(operands[0]) == Type::real ? rounded(a) : of_integers(node.op, a, b);
}

}  // namespace

Bounds any_integer() { return {.low = kLeast, .high = kMost}; }

Bounds bounds_of_node(const ExprPool& pool, ExprId id, std::span<const Bounds> of,
                      std::span<const Bounds> variables) {
  const ExprNode& node = pool[id];
  switch (node.kind) {
    case ExprKind::boolean:
    case ExprKind::integer:
      return {.low = node.value, .high = node.value};
    case ExprKind::real: {
      const double value = pool.real_constant(id).value;
      return reals(value, value);
    }
    case ExprKind::variable:
      return variables[static_cast<std::size_t>(node.value)];
    case ExprKind::parameter:
      return any_integer();
    case ExprKind::apply:
      break;
  }
  return of_apply(pool, node, of);
}

std::vector<ExprId> nodes_of(const ExprPool& pool, ExprId root, std::vector<std::uint8_t>& marks) {
  std::vector<ExprId> found{root};
  marks[root.index] = 1;
  for (std::size_t i = 0; i < found.size(); ++i)
    for (const ExprId arg : pool[found[i]].operands())
      if (marks[arg.index] == 0) {
        marks[arg.index] = 1;
        found.push_back(arg);
      }
  std::ranges::sort(found);
  for (const ExprId id : found) marks[id.index] = 0;
  return found;
}

}  // namespace brink
