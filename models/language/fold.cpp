// Folding works on two readings of a real constant at once: its double and, where there is one, its
// exact rational. Where a comparison or a rounding depends on which one is taken (0.1+0.2=0.3), the
// pool's mode says.
#include "models/language/fold.h"

#include <charconv>
#include <cmath>
#include <optional>

#include "models/language/arithmetic.h"
#include "models/language/exact.h"

namespace brink {
namespace {

using arithmetic::Fault;
using Args = std::array<ExprId, 3>;

ExprId fold_logic(ExprPool& pool, Op op, const Args& args) {
  const ExprId a = args[0];
  const ExprId b = args[1];
  switch (op) {
    case Op::not_:
      if (pool.is_constant(a)) return pool.boolean(pool.is_false(a));
      if (pool[a].kind == ExprKind::apply && pool[a].op == Op::not_) return pool[a].args[0];
      return {};
    case Op::and_:
      if (pool.is_false(a) || pool.is_true(b)) return a;
      return pool.is_true(a) ? b : ExprId{};
    case Op::or_:
      if (pool.is_true(a) || pool.is_false(b)) return a;
      return pool.is_false(a) ? b : ExprId{};
    case Op::implies:
      if (pool.is_false(a)) return pool.boolean(true);
      return pool.is_true(a) ? b : ExprId{};
    case Op::iff:
      if (pool.is_true(a)) return b;
      if (pool.is_true(b)) return a;
      if (pool.is_false(a)) return pool.apply(Op::not_, b);
      return pool.is_false(b) ? pool.apply(Op::not_, a) : ExprId{};
    case Op::ite:
      if (pool.is_true(a)) return b;
      return pool.is_false(a) ? args[2] : ExprId{};
    default:
      return {};
  }
}

template <typename T>
std::optional<bool> compare(Op op, T a, T b) {
  switch (op) {
    case Op::eq:
      return a == b;
    case Op::ne:
      return a != b;
    case Op::lt:
      return a < b;
    case Op::le:
      return a <= b;
    case Op::gt:
      return a > b;
    case Op::ge:
      return a >= b;
    default:
      return std::nullopt;
  }
}

ExprId fold_integers(ExprPool& pool, Op op, std::int64_t a, std::int64_t b) {
  if (const auto truth = compare(op, a, b)) return pool.boolean(*truth);
  std::int64_t r = 0;
  bool good = true;
  switch (op) {
    case Op::add:
      good = !__builtin_add_overflow(a, b, &r);
      break;
    case Op::sub:
      good = !__builtin_sub_overflow(a, b, &r);
      break;
    case Op::mul:
      good = !__builtin_mul_overflow(a, b, &r);
      break;
    case Op::neg:
      good = !__builtin_sub_overflow(std::int64_t{0}, a, &r);
      break;
    case Op::min:
      r = a < b ? a : b;
      break;
    case Op::max:
      r = a < b ? b : a;
      break;
    case Op::mod:
      good = arithmetic::mod(a, b, r) == Fault::none;
      break;
    case Op::pow:
      good = arithmetic::pow(a, b, r) == Fault::none;
      break;
    default:
      good = false;
  }
  return good ? pool.integer(r) : ExprId{};
}

std::optional<double> real_value(Op op, double a, double b) {
  switch (op) {
    case Op::add:
      return a + b;
    case Op::sub:
      return a - b;
    case Op::mul:
      return a * b;
    case Op::div:
      return a / b;
    case Op::neg:
      return -a;
    case Op::pow:
      return std::pow(a, b);
    case Op::min:
      return a < b ? a : b;
    case Op::max:
      return a < b ? b : a;
    case Op::log:
      return arithmetic::log(a, b);
    default:
      return std::nullopt;
  }
}

ExprId fold_rounding(ExprPool& pool, Op op, double value, const std::string& exact) {
  std::int64_t r = 0;
  Fault fault = Fault::none;
  switch (op) {
    case Op::floor:
      fault = arithmetic::floor(value, r);
      break;
    case Op::ceil:
      fault = arithmetic::ceil(value, r);
      break;
    case Op::round:
      fault = arithmetic::round(value, r);
      break;
    default:
      return {};
  }
  if (fault != Fault::none) return {};
  if (pool.exact_mode() && !exact.empty()) {
    const std::string other = exact::apply(op, exact);
    const auto [end, error] = std::from_chars(other.data(), other.data() + other.size(), r);
    if (error != std::errc{}) return {};
  }
  return pool.integer(r);
}

ExprId fold_reals(ExprPool& pool, Op op, ExprId a, ExprId b) {
  const double x = pool.number(a);
  const double y = b.valid() ? pool.number(b) : 0;
  const std::string exact_x = pool.exact(a);
  const std::string exact_y = b.valid() ? pool.exact(b) : std::string{};
  if (const auto truth = compare(op, x, y)) {
    if (!pool.exact_mode()) return pool.boolean(*truth);
    const auto order = exact::compare(exact_x, exact_y);
    return pool.boolean(order ? *compare(op, *order, 0) : *truth);
  }
  if (op_info(op).typing == OpTyping::rounding) return fold_rounding(pool, op, x, exact_x);
  const auto value = real_value(op, x, y);
  if (!value) return {};
  const std::size_t digits =
      exact_x.size() + exact_y.size() + (op == Op::pow ? kMaxExactDigits : 0);
  if (!pool.afford_exact(digits)) return pool.real({*value, {}});
  return pool.real({*value, exact::apply(op, exact_x, exact_y)});
}

}  // namespace

ExprId fold(ExprPool& pool, Op op, const Args& args) {
  if (const ExprId simple = fold_logic(pool, op, args); simple.valid()) return simple;
  const std::size_t arity = op_info(op).arity;
  for (std::size_t i = 0; i < arity; ++i) {
    if (!pool.is_constant(args[i])) return {};
  }
  if (op == Op::ite) return {};
  if (op == Op::real) {
    const std::int64_t value = pool.integer_value(args[0]);
    return pool.real({static_cast<double>(value), std::to_string(value)});
  }
  if (pool.type(args[0]) == Type::real) return fold_reals(pool, op, args[0], args[1]);
  return fold_integers(pool, op, pool.integer_value(args[0]),
                       arity > 1 ? pool.integer_value(args[1]) : 0);
}

}  // namespace brink
