#include "experiments/cli/cliff_report.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace brink::cli {

namespace {

void print_cliff(const cliffs::Cliff& cliff, const std::string& x, const std::string& y,
                 const std::string& source, Output& output) {
  const std::string_view grade = cliffs::grade_name(cliff.grade);
  output.say(fmt::format(
      "{:<6} {} {} from {:.6g} to {:.6g} (x {:.4g}) between {} = {:.8g} and {:.8g}\n", grade, y,
      cliff.falls ? "falls" : "rises", cliff.y_a, cliff.y_b, cliff.factor, x, cliff.a, cliff.b));
  if (cliff.factor_low < cliff.factor * 0.999)
    output.say(fmt::format("       factor at least {:.4g} by the noise of the curve (99 %)\n",
                           cliff.factor_low));
  output.object({{"type", "cliff"},
                 {"source", source},
                 {"x", x},
                 {"y", y},
                 {"grade", grade},
                 {"a", cliff.a},
                 {"b", cliff.b},
                 {"y_a", cliff.y_a},
                 {"y_b", cliff.y_b},
                 {"factor", cliff.factor},
                 {"factor_low", cliff.factor_low},
                 {"direction", cliff.falls ? "falls" : "rises"},
                 {"kind", cliff.jump ? "jump" : "onset"},
                 {"elasticity_ratio", json_number(cliff.elasticity_ratio)}});
}

}  // namespace

void print_findings(const cliffs::Findings& found, const std::string& x, const std::string& y,
                    const std::string& source, Output& output) {
  for (const cliffs::Cliff& cliff : found.cliffs) print_cliff(cliff, x, y, source, output);
  for (const cliffs::Pole& pole : found.poles) {
    output.say(
        fmt::format("pole   {} runs away towards {} = {:.6g} (order {:.2g}): saturation, not a "
                    "cliff\n",
                    y, x, pole.at, pole.order));
    output.object({{"type", "pole"},
                   {"source", source},
                   {"x", x},
                   {"y", y},
                   {"at", pole.at},
                   {"order", pole.order}});
  }
  for (const auto& [a, b] : found.unresolved) {
    output.say(
        fmt::format("coarse {} changes between {} = {:.6g} and {:.6g}, which are too far apart "
                    "to tell a cliff: add points there\n",
                    y, x, a, b));
    output.object(
        {{"type", "unresolved"}, {"source", source}, {"x", x}, {"y", y}, {"a", a}, {"b", b}});
  }
  if (found.cliffs.empty() && found.poles.empty() && found.unresolved.empty()) {
    output.say(fmt::format("no cliff in {} over {} ({} points)\n", y, x, found.points));
    output.object(
        {{"type", "no_cliff"}, {"source", source}, {"x", x}, {"y", y}, {"points", found.points}});
  }
  if (found.too_noisy)
    output.say(
        fmt::format("noise  {:.0f} % from point to point: repeat the points (several rows of "
                    "one {}) until it is below 10 %\n",
                    100 * found.noise, x));
}

}  // namespace brink::cli
