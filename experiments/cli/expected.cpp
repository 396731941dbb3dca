#include "experiments/cli/expected.h"

#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>

namespace brink::cli {

Match matches(const ExpectedResult& expected, const solver::CheckResult& result) {
  using solver::Verdict;
  if (expected.value == "?") return Match::yes;
  if (expected.value.rfind("Error", 0) == 0)
    return result.verdict == Verdict::model_error ? Match::yes : Match::no;
  if (result.verdict == Verdict::unknown || result.verdict == Verdict::unsupported)
    return Match::undecided;
  if (expected.value == "true") return result.verdict == Verdict::holds ? Match::yes : Match::no;
  if (expected.value == "false")
    return result.verdict == Verdict::violated ? Match::yes : Match::no;
  return Match::no;
}

namespace {

bool near(double value, double wanted, double tolerance) {
  if (std::isinf(wanted) || std::isinf(value)) return value == wanted;
  return std::abs(value - wanted) <= tolerance * std::max(std::abs(wanted), 1e-300) ||
         value == wanted;
}

/// "0.5", "1/3", "Infinity"; nothing when it is no number.
std::optional<double> number_of(std::string text) {
  if (text == "Infinity" || text == "Inf") return INFINITY;
  if (text == "-Infinity") return -INFINITY;
  const std::size_t slash = text.find('/');
  char* end = nullptr;
  const double first = std::strtod(text.c_str(), &end);
  if (slash == std::string::npos)
    return *end == 0 && end != text.c_str() ? std::optional(first) : std::nullopt;
  const std::string below = text.substr(slash + 1);
  const double second = std::strtod(below.c_str(), &end);
  return *end == 0 && second != 0 ? std::optional(first / second) : std::nullopt;
}

}  // namespace

Match matches(const ExpectedResult& expected, const analytic::Answer& answer) {
  using Status = analytic::Answer::Status;
  if (expected.value == "?") return Match::yes;
  if (expected.value.rfind("Error", 0) == 0)
    return answer.status == Status::model_error ? Match::yes : Match::no;
  if (answer.status != Status::solved || (answer.partial && !answer.boolean))
    return Match::undecided;
  if (answer.boolean)
    return expected.value == (answer.truth ? "true" : "false") ? Match::yes : Match::no;
  std::string text = expected.value;
  if (!text.empty() && text.front() == '[') {
    const std::size_t comma = text.find(',');
    const auto low = number_of(text.substr(1, comma - 1));
    const auto high = comma == std::string::npos
                          ? std::nullopt
                          : number_of(text.substr(comma + 1, text.size() - comma - 2));
    return low && high && near(answer.low, *low, 1e-5) && near(answer.high, *high, 1e-5)
               ? Match::yes
               : Match::no;
  }
  if (text == "NaN") return std::isnan(answer.low) ? Match::yes : Match::no;
  const bool rough = !text.empty() && text.front() == '~';
  const auto wanted = number_of(rough ? text.substr(1) : text);
  return wanted && near(answer.low, *wanted, rough ? 1e-2 : 1e-5) ? Match::yes : Match::no;
}

}  // namespace brink::cli
