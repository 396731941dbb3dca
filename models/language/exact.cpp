#include "models/language/exact.h"

#include <boost/multiprecision/cpp_int.hpp>
#include <charconv>
#include <cstdlib>

namespace brink::exact {
namespace {

using boost::multiprecision::cpp_int;
using boost::multiprecision::cpp_rational;

bool all_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string canonical(const cpp_rational& value) {
  const cpp_int q = denominator(value);
  std::string text = numerator(value).str();
  if (q != 1) text += "/" + q.str();
  return text.size() > kMaxExactDigits ? std::string{} : text;
}

/// Digits without leading zeros, which cpp_int would read as octal.
cpp_int integer(std::string_view digits) {
  const std::size_t first = digits.find_first_not_of('0');
  return first == std::string_view::npos ? cpp_int(0) : cpp_int(std::string(digits.substr(first)));
}

std::optional<cpp_rational> decimal(std::string_view text) {
  bool negative = false;
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    negative = text[0] == '-';
    text.remove_prefix(1);
  }
  long exponent = 0;
  if (const std::size_t e = text.find_first_of("eE"); e != std::string_view::npos) {
    std::string_view digits = text.substr(e + 1);
    if (!digits.empty() && digits[0] == '+') digits.remove_prefix(1);
    const auto [end, error] = std::from_chars(digits.begin(), digits.end(), exponent);
    if (error != std::errc{} || end != digits.end()) return std::nullopt;
    text = text.substr(0, e);
  }
  const std::size_t dot = text.find('.');
  std::string digits(text.substr(0, dot));
  if (dot != std::string_view::npos) {
    const std::string_view fraction = text.substr(dot + 1);
    digits += fraction;
    exponent -= static_cast<long>(fraction.size());
  }
  constexpr long kLimit = static_cast<long>(kMaxExactDigits);
  if (!all_digits(digits) || digits.size() > kMaxExactDigits) return std::nullopt;
  if (exponent > kLimit || exponent < -kLimit) return std::nullopt;
  cpp_rational value = integer(digits);
  const cpp_int scale =
      boost::multiprecision::pow(cpp_int(10), static_cast<unsigned>(std::labs(exponent)));
  value = exponent < 0 ? cpp_rational(value / scale) : cpp_rational(value * scale);
  return negative ? cpp_rational(-value) : value;
}

cpp_rational number(const std::string& text) {
  const std::size_t slash = text.find('/');
  const bool negative = text[0] == '-';
  const std::string_view view = text;
  const cpp_int p = integer(view.substr(negative ? 1 : 0, slash - (negative ? 1 : 0)));
  const cpp_int q = slash == std::string::npos ? cpp_int(1) : integer(view.substr(slash + 1));
  const cpp_rational value(p, q);
  return negative ? cpp_rational(-value) : value;
}

cpp_int floor_of(const cpp_rational& value) {
  const cpp_int p = numerator(value);
  const cpp_int q = denominator(value);
  cpp_int quotient = p / q;
  if (p < 0 && quotient * q != p) --quotient;
  return quotient;
}

std::string power(const cpp_rational& base, const cpp_rational& exponent) {
  if (denominator(exponent) != 1) return {};
  const cpp_int e = numerator(exponent);
  constexpr int kLimit = 4096;
  if (e > kLimit || e < -kLimit) return {};
  const long n = e.convert_to<long>();
  if (n < 0 && base == 0) return {};
  const auto times = static_cast<unsigned>(std::labs(n));
  const std::size_t digits = std::max(numerator(base).str().size(), denominator(base).str().size());
  if (digits * times > 2 * kMaxExactDigits) return {};
  const cpp_int p = boost::multiprecision::pow(numerator(base), times);
  const cpp_int q = boost::multiprecision::pow(denominator(base), times);
  return canonical(n < 0 ? cpp_rational(q) / cpp_rational(p) : cpp_rational(p, q));
}

}  // namespace

std::string parse(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) {
    const auto value = decimal(text);
    return value ? canonical(*value) : std::string{};
  }
  const auto p = decimal(text.substr(0, slash));
  const auto q = decimal(text.substr(slash + 1));
  if (!p || !q || *q == 0) return {};
  return canonical(*p / *q);
}

std::string apply(Op op, const std::string& a, const std::string& b) {
  const bool binary = op_info(op).arity == 2;
  if (a.empty() || (binary && b.empty())) return {};
  const cpp_rational x = number(a);
  const cpp_rational y = binary ? number(b) : cpp_rational(0);
  switch (op) {
    case Op::add:
      return canonical(x + y);
    case Op::sub:
      return canonical(x - y);
    case Op::mul:
      return canonical(x * y);
    case Op::div:
      return y == 0 ? std::string{} : canonical(x / y);
    case Op::neg:
      return canonical(-x);
    case Op::min:
      return canonical(x < y ? x : y);
    case Op::max:
      return canonical(x < y ? y : x);
    case Op::floor:
      return canonical(cpp_rational(floor_of(x)));
    case Op::ceil:
      return canonical(cpp_rational(-floor_of(-x)));
    case Op::round:
      return canonical(cpp_rational(floor_of(x + cpp_rational(1, 2))));
    case Op::mod:
      return y == 0 ? std::string{} : canonical(x - y * floor_of(x / y));
    case Op::pow:
      return power(x, y);
    case Op::real:
      return a;
    default:
      return {};
  }
}

std::optional<int> compare(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) return std::nullopt;
  const cpp_rational x = number(a);
  const cpp_rational y = number(b);
  return x < y ? -1 : (x == y ? 0 : 1);
}

double to_double(const std::string& text) {
  const std::size_t slash = text.find('/');
  const std::string_view view = text;
  const auto whole = [](std::string_view digits) {
    double value = 0;
    std::from_chars(digits.begin(), digits.end(), value);
    return value;
  };
  if (slash == std::string::npos) return whole(view);
  if (text.size() < 300) return whole(view.substr(0, slash)) / whole(view.substr(slash + 1));
  return number(text).convert_to<double>();
}

}  // namespace brink::exact
