// Exact rational numbers as text ("p/q" or "p" in lowest terms): what double arithmetic rounds
// away. Used by: the expression pool (constants have an exact reading) and an exact mode of the
// engines.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "models/language/expr.h"

namespace brink::exact {

/// "0.25" -> "1/4", "1e-2" -> "1/100", "2/6" -> "1/3"; empty when it is no number, when the
/// denominator is 0 or when the result would be longer than kMaxExactDigits.
std::string parse(std::string_view text);

/// `op` on exact numbers; empty when the result is not rational, not defined or too long.
/// Supported: add sub mul div neg pow (integral exponent) min max floor ceil round mod real.
std::string apply(Op op, const std::string& a, const std::string& b = {});

/// -1, 0, 1; nothing when one of them is empty.
std::optional<int> compare(const std::string& a, const std::string& b);

/// The double nearest to p/q (off by at most one unit in the last place for huge p or q).
double to_double(const std::string& number);

}  // namespace brink::exact
