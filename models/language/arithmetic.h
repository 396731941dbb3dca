// The arithmetic of PRISM's operators, once: constant folding and compiled code both call it.
// Used by: the expression pool, the register machine.
#pragma once

#include <cmath>
#include <cstdint>

namespace brink::arithmetic {

enum class Fault : std::uint8_t {
  none,
  overflow,           ///< outside 64-bit integers
  division_by_zero,   ///< mod(x, 0)
  negative_exponent,  ///< pow(2, -1) of ints
  not_a_number,       ///< floor, ceil or round of NaN or an infinity
};

/// The mathematical remainder: it has the sign of the divisor, mod(-7, 3) = 2.
inline Fault mod(std::int64_t a, std::int64_t b, std::int64_t& result) {
  if (b == 0) return Fault::division_by_zero;
  if (b == -1) {
    result = 0;
    return Fault::none;
  }
  result = a % b;
  if (result != 0 && (result < 0) != (b < 0)) result += b;
  return Fault::none;
}

/// Integer power by squaring.
inline Fault pow(std::int64_t base, std::int64_t exponent, std::int64_t& result) {
  if (exponent < 0) return Fault::negative_exponent;
  result = 1;
  while (exponent > 0) {
    if ((exponent & 1) != 0 && __builtin_mul_overflow(result, base, &result))
      return Fault::overflow;
    exponent >>= 1;
    if (exponent > 0 && __builtin_mul_overflow(base, base, &base)) return Fault::overflow;
  }
  return Fault::none;
}

/// A real that is integral already, as an int.
inline Fault to_integer(double value, std::int64_t& result) {
  if (!std::isfinite(value)) return Fault::not_a_number;
  constexpr double kLimit = 9223372036854775808.0;  // 2^63
  if (value >= kLimit || value < -kLimit) return Fault::overflow;
  result = static_cast<std::int64_t>(value);
  return Fault::none;
}

inline Fault floor(double value, std::int64_t& result) {
  return to_integer(std::floor(value), result);
}

inline Fault ceil(double value, std::int64_t& result) {
  return to_integer(std::ceil(value), result);
}

/// Ties go up: round(-1.5) = -1, round(2.5) = 3.
inline Fault round(double value, std::int64_t& result) {
  const double below = std::floor(value);
  return to_integer(value - below >= 0.5 ? below + 1 : below, result);
}

inline double log(double value, double base) { return std::log(value) / std::log(base); }

}  // namespace brink::arithmetic
