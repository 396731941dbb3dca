// Values for the constants of a model: what --const and a scenario's [model] constants give.
// Used by: the command line, scenarios, sweeps, instantiate().
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "models/base/result.h"
#include "models/language/diagnostic.h"
#include "models/language/expr.h"

namespace brink {

/// A real number given as text, so that 1/3 and 0.1 stay exact: "1/3", "0.25", "1e-9".
struct RealText {
  std::string text;

  friend bool operator==(const RealText&, const RealText&) = default;
};

/// An int also serves a double constant; a double or RealText with an integral value serves an int
/// one.
using ConstantValue = std::variant<bool, std::int64_t, double, RealText>;

using ConstantValues = std::map<std::string, ConstantValue, std::less<>>;

std::string to_string(const ConstantValue& value);

/// "16", "-3", "true", "0.5", "1/3", "1e-9"; nothing when it is none of these.
std::optional<ConstantValue> parse_constant_value(std::string_view text);

/// The value as a constant of that type in the pool; invalid when it does not fit the type.
ExprId constant_expression(ExprPool& pool, Type type, const ConstantValue& value);

/// "N=16,p=1/3": single values only (ranges are a sweep's business). Errors: E0401, E0402.
Result<ConstantValues, Diagnostics> parse_constant_values(std::string_view text);

}  // namespace brink
