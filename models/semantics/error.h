// What can go wrong while a model is executed: a property of the model, so a value, not an
// exception. Used by: the evaluator; the solver attaches the trace that leads there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/language/diagnostic.h"
#include "models/language/model.h"

namespace brink {

enum class SemanticFault : std::uint8_t {
  none,
  range,               ///< an update leaves a variable's range
  probability_sum,     ///< the probabilities of a command do not sum to 1
  negative_weight,     ///< a probability or rate below 0
  not_a_number,        ///< a weight or reward that is NaN or infinite
  division_by_zero,    ///< mod by 0 (x/0 of doubles is infinite, 0/0 is NaN)
  overflow,            ///< outside 64-bit integers (or 32-bit for an unbounded variable)
  negative_exponent,   ///< pow of ints with a negative exponent
  conflicting_writes,  ///< two commands of one move give a global different values
  too_many_choices,    ///< more than kMaxBranches branches in one state
};

struct SemanticError {
  SemanticFault fault = SemanticFault::none;
  std::uint32_t variable = kNone;  ///< range, overflow of a variable, conflicting_writes
  std::uint32_t command = kNone;   ///< kNone: in a label, reward or init expression
  double value = 0;                ///< the offending value: of the variable, the sum, the weight
  std::int64_t low = 0, high = 0;  ///< range: the bounds
  Span span{};                     ///< the part of the model's text
};

/// The error as a diagnostic of the model's text (E06xx), without the trace.
Diagnostic to_diagnostic(const SemanticError& error, const Model& model);

}  // namespace brink
