// Rational numbers of any length, with an infinity: the values of exact mode. GMP by way of
// Boost.Multiprecision. Internal to analytic/exact.
#pragma once

#include <boost/multiprecision/gmp.hpp>
#include <optional>
#include <string>

namespace brink::analytic::exact {

namespace mp = boost::multiprecision;
using Rational = mp::number<mp::gmp_rational, mp::et_off>;

/// A number or plus infinity.
struct Number {
  Rational value = 0;
  bool infinite = false;

  friend bool operator==(const Number&, const Number&) = default;
  friend bool operator<(const Number& a, const Number& b) {
    return a.infinite || b.infinite ? !a.infinite && b.infinite : a.value < b.value;
  }
};

/// "p/q" or "p", as the expression pool writes exact constants.
inline Rational parsed(const std::string& text) { return Rational(text); }

/// "1/3", "-7", "inf".
inline std::string text(const Number& number) {
  return number.infinite ? "inf" : number.value.str();
}

}  // namespace brink::analytic::exact
