// cliff: looks for cliffs in any curve given as CSV.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "experiments/cli/cliff_report.h"
#include "experiments/cli/commands.h"
#include "experiments/data/table.h"
#include "experiments/scenario/expression.h"

namespace brink::cli {
namespace {

/// Number of a column by name, or the default; -1 and a report when there is none.
int column_of(const Table& table, const std::string& name, int without, Output& output) {
  if (name.empty()) return without;
  const int found = table.column(name);
  if (found < 0)
    output.error(kUsage, fmt::format("no column `{}`", name), did_you_mean(name, table.columns));
  return found;
}

/// Columns t_NAME are times per operation by part: which grew most from one end to the other?
void print_cause(const Table& table, int x, const cliffs::Cliff& cliff, Output& output) {
  std::vector<std::pair<std::string, double>> at_a, at_b;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (!table.columns[c].starts_with("t_")) continue;
    for (const bool first : {true, false}) {
      double sum = 0, count = 0;
      for (std::size_t row = 0; row < table.rows.size(); ++row) {
        const double at = table.number(row, x), wanted = first ? cliff.a : cliff.b;
        if (std::abs(at - wanted) > 1e-9 * wanted) continue;
        sum += table.number(row, static_cast<int>(c));
        ++count;
      }
      (first ? at_a : at_b).emplace_back(table.columns[c].substr(2), count > 0 ? sum / count : 0);
    }
  }
  double total_a = 0, total_b = 0;
  for (std::size_t k = 0; k < at_a.size(); ++k) {
    total_a += at_a[k].second;
    total_b += at_b[k].second;
  }
  const bool worse_at_b = total_b > total_a;
  const cliffs::Cause cause =
      worse_at_b ? cliffs::cause_of(at_a, at_b) : cliffs::cause_of(at_b, at_a);
  if (cause.part.empty()) return;
  output.say(
      fmt::format("       because {} grows from {:.4g} to {:.4g} per operation: {:.1f} % of "
                  "the growth\n",
                  cause.part, cause.before, cause.after, 100 * cause.share_of_growth));
  output.object({{"type", "because"},
                 {"part", cause.part},
                 {"share_of_growth", cause.share_of_growth},
                 {"before", cause.before},
                 {"after", cause.after}});
}

}  // namespace

int run_cliff(const Options& options, Output& output) {
  output.object({{"type", "start"}, {"schema", "brink/1"}, {"command", "cliff"}});
  const auto table = read_csv(options.arguments[0]);
  if (!table) return output.report(table.error());
  if (table->columns.size() < 2) return output.error(kInput, "a curve has two columns, x and y");
  const int x = column_of(*table, options.over, 0, output);
  if (x < 0) return kUsage;
  const int y = column_of(*table, options.metric, x == 0 ? 1 : 0, output);
  if (y < 0) return kUsage;
  std::vector<cliffs::Point> points;
  for (std::size_t row = 0; row < table->rows.size(); ++row) {
    const cliffs::Point point{table->number(row, x), table->number(row, y)};
    if (!std::isfinite(point.x) || !std::isfinite(point.y))
      return output.error(
          kInput, fmt::format("{}: row {} has no number in `{}` or `{}`", options.arguments[0],
                              row + 2, table->columns[static_cast<std::size_t>(x)],
                              table->columns[static_cast<std::size_t>(y)]));
    points.push_back(point);
  }
  const auto found = cliffs::find_cliffs(points);
  if (!found)
    return output.error(kInput, fmt::format("{}: {}", options.arguments[0], found.error()));
  const std::string& x_name = table->columns[static_cast<std::size_t>(x)];
  const std::string& y_name = table->columns[static_cast<std::size_t>(y)];
  print_findings(*found, x_name, y_name, "data", output);
  for (const cliffs::Cliff& cliff : found->cliffs) print_cause(*table, x, cliff, output);
  return kDone;
}

}  // namespace brink::cli
