#include "analytic/exact/expression.h"

#include <algorithm>
#include <set>

#include "models/base/check.h"

namespace brink::analytic::exact {
namespace {

mp::mpz_int floor_of(const Rational& x) {
  const mp::mpz_int p(mp::numerator(x)), q(mp::denominator(x));
  mp::mpz_int out = p / q;
  if (p < 0 && out * q != p) --out;
  return out;
}

std::optional<Rational> power(const Rational& base, const Rational& exponent) {
  constexpr long limit = 4096;
  if (mp::denominator(exponent) != 1 || abs(exponent) > limit) return std::nullopt;
  const long n = static_cast<long>(mp::numerator(exponent));
  if (n < 0 && base == 0) return std::nullopt;
  Rational out = 1;
  for (long i = 0; i < std::abs(n); ++i) out *= base;
  return n < 0 ? Rational(1 / out) : out;
}

Rational truth(bool value) { return value ? 1 : 0; }

/// Operators all of whose operands have values.
std::optional<Rational> strict(Op op, const Rational& x, const Rational& y) {
  switch (op) {
    case Op::iff:
    case Op::eq:
      return truth(x == y);
    case Op::ne:
      return truth(x != y);
    case Op::lt:
      return truth(x < y);
    case Op::le:
      return truth(x <= y);
    case Op::gt:
      return truth(x > y);
    case Op::ge:
      return truth(x >= y);
    case Op::not_:
      return truth(x == 0);
    case Op::add:
      return x + y;
    case Op::sub:
      return x - y;
    case Op::mul:
      return x * y;
    case Op::div:
      return y == 0 ? std::optional<Rational>() : x / y;
    case Op::neg:
      return -x;
    case Op::min:
      return x < y ? x : y;
    case Op::max:
      return x < y ? y : x;
    case Op::floor:
      return Rational(floor_of(x));
    case Op::ceil:
      return Rational(-floor_of(-x));
    case Op::round:
      return Rational(floor_of(x + Rational(1, 2)));
    case Op::mod:
      return y == 0 ? std::optional<Rational>() : x - y * Rational(floor_of(x / y));
    case Op::pow:
      return power(x, y);
    case Op::real:
      return x;
    default:
      return std::nullopt;  // log
  }
}

}  // namespace

std::optional<Rational> apply(Op op, const std::optional<Rational>& a,
                              const std::optional<Rational>& b, const std::optional<Rational>& c) {
  if (!a) return std::nullopt;
  switch (op) {
    case Op::and_:
      return *a == 0 ? a : b;
    case Op::or_:
      return *a != 0 ? a : b;
    case Op::implies:
      return *a == 0 ? std::optional<Rational>(1) : b;
    case Op::ite:
      return *a != 0 ? b : c;
    default:
      break;
  }
  if (op_info(op).arity == 1) return strict(op, *a, 0);
  if (!b) return std::nullopt;
  return strict(op, *a, *b);
}

const Expressions::Code& Expressions::code(ExprId id) {
  const auto known = codes_.find(id);
  if (known != codes_.end()) return known->second;
  std::set<ExprId> found = {id};
  std::vector<ExprId> work = {id};
  while (!work.empty()) {
    const ExprNode& node = pool_[work.back()];
    work.pop_back();
    for (const ExprId operand : node.operands())
      if (found.insert(operand).second) work.push_back(operand);
  }
  const std::vector<ExprId> below(found.begin(), found.end());  // operands before users
  Code out;
  for (const ExprId part : below) {
    Code::Step step{pool_[part]};
    const auto place = [&](std::size_t i) {
      const auto operands = step.node.operands();
      if (i >= operands.size()) return 0u;
      return static_cast<std::uint32_t>(std::lower_bound(below.begin(), below.end(), operands[i]) -
                                        below.begin());
    };
    step.a = place(0);
    step.b = place(1);
    step.c = place(2);
    if (pool_.is_constant(part)) {
      const bool boolean = pool_.type(part) == Type::boolean;
      const std::string exact = boolean ? (pool_.is_true(part) ? "1" : "0") : pool_.exact(part);
      if (!exact.empty()) step.constant = parsed(exact);
    }
    out.steps.push_back(std::move(step));
  }
  return codes_.emplace(id, std::move(out)).first->second;
}

std::optional<Rational> Expressions::operator()(ExprId id,
                                                std::span<const std::int64_t> valuation) {
  const Code& program = code(id);
  values_.clear();
  for (const Code::Step& step : program.steps) {
    switch (step.node.kind) {
      case ExprKind::variable:
        values_.emplace_back(valuation[static_cast<std::size_t>(step.node.value)]);
        break;
      case ExprKind::apply:
        values_.push_back(apply(step.node.op, values_[step.a], values_[step.b], values_[step.c]));
        break;
      default:
        values_.push_back(step.constant);
    }
  }
  return values_.back();
}

}  // namespace brink::analytic::exact
