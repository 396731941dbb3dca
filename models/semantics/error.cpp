#include "models/semantics/error.h"

#include <fmt/format.h>

#include "models/base/check.h"

namespace brink {
namespace {

struct Text {
  std::string_view code;
  std::string message;
  std::string help;
};

Text describe(const SemanticError& e, const Model& model) {
  const auto name = [&] {
    return e.variable == kNone ? std::string_view{}
                               : std::string_view(model.variables[e.variable].name);
  };
  switch (e.fault) {
    case SemanticFault::none:
      break;
    case SemanticFault::range:
      return {"E0601",
              fmt::format("the new value {} of `{}` is outside {}..{}",
                          static_cast<std::int64_t>(e.value), name(), e.low, e.high),
              "guard the command, or widen the range"};
    case SemanticFault::probability_sum:
      return {"E0602",
              fmt::format("the probabilities of this command sum to {}, not to 1", e.value), ""};
    case SemanticFault::negative_weight:
      return {"E0603", fmt::format("this probability or rate is {}, below 0", e.value), ""};
    case SemanticFault::not_a_number:
      return {"E0604", fmt::format("the value is {}, which is not a finite number", e.value), ""};
    case SemanticFault::division_by_zero:
      return {"E0605", "mod with a divisor of 0", ""};
    case SemanticFault::overflow:
      if (e.variable == kNone) return {"E0606", "an integer leaves 64 bits", ""};
      return {"E0606",
              fmt::format("the new value of `{}` leaves the 32 bits of an unbounded int", name()),
              "give the variable a range"};
    case SemanticFault::negative_exponent:
      return {"E0607", "pow of ints with a negative exponent", "write pow(2.0, -1) for a double"};
    case SemanticFault::conflicting_writes:
      return {"E0608",
              fmt::format("two commands of one move give the global `{}` different values", name()),
              ""};
    case SemanticFault::too_many_choices:
      return {"E0609", "more branches than the limit allows", ""};
  }
  BRINK_CHECK(false, "no fault to describe");
  return {};
}

}  // namespace

Diagnostic to_diagnostic(const SemanticError& error, const Model& model) {
  Text text = describe(error, model);
  Diagnostic d;
  d.code = text.code;
  d.message = std::move(text.message);
  d.help = std::move(text.help);
  d.source = model.source;
  d.span = error.span;
  if (error.command != kNone) d.notes.push_back("in " + model.describe_command(error.command));
  return d;
}

}  // namespace brink
