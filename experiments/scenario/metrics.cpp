#include "experiments/scenario/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace brink {
namespace {

double reduce(Reducer reducer, const std::vector<double>& values) {
  switch (reducer) {
    case Reducer::mean:
      return std::accumulate(values.begin(), values.end(), 0.0) /
             static_cast<double>(values.size());
    case Reducer::sum:
      return std::accumulate(values.begin(), values.end(), 0.0);
    case Reducer::min:
      return *std::min_element(values.begin(), values.end());
    case Reducer::max:
      return *std::max_element(values.begin(), values.end());
    case Reducer::first:
      return values.front();
    case Reducer::last:
      return values.back();
    case Reducer::count:
      return static_cast<double>(values.size());
    case Reducer::crossing:
    case Reducer::value:
      break;
  }
  return std::nan("");
}

/// Does the expression mention only names that are there? Otherwise the metric is absent, not
/// wrong.
bool all_known(const std::string& expression, const Names& names, const Scenario& scenario) {
  for (std::size_t i = 0; i < expression.size();) {
    const auto is_start = [](char c) {
      return std::isalpha(static_cast<unsigned char>(c)) || c == '_';
    };
    const auto is_part = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
    };
    if (!is_part(expression[i])) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < expression.size() && is_part(expression[end])) ++end;
    const std::string word = expression.substr(i, end - i);
    const bool metric = std::any_of(scenario.metrics.begin(), scenario.metrics.end(),
                                    [&](const Metric& m) { return m.name == word; });
    const auto value = names.find(word);
    if (is_start(word[0]) && metric && (value == names.end() || !std::isfinite(value->second)))
      return false;
    i = end;
  }
  return true;
}

struct Window {
  double low = -INFINITY, high = INFINITY;
};

/// Absent window: an end of it depends on a metric that is absent.
Result<std::optional<Window>, Diagnostics> window_of(const Metric& metric, const Names& names,
                                                     const Scenario& scenario) {
  Window window;
  if (metric.between.empty()) return std::optional<Window>(window);
  for (int side = 0; side < 2; ++side) {
    if (!all_known(metric.between[side].text, names, scenario)) return std::optional<Window>();
    const auto value = evaluate_expression(metric.between[side], names, scenario.source);
    if (!value) return fail(value.error());
    (side == 0 ? window.low : window.high) = *value;
  }
  return std::optional<Window>(window);
}

Result<std::optional<double>, Diagnostics> compute(const Metric& metric, const Tables& tables,
                                                   const Names& names, const Scenario& scenario) {
  using Answer = std::optional<double>;
  if (metric.reducer == Reducer::value) {
    if (!all_known(metric.column.text, names, scenario)) return Answer();
    const auto value = evaluate_expression(metric.column, names, scenario.source);
    if (!value) return fail(value.error());
    return Answer(*value);
  }
  const auto found = tables.find(metric.table);
  if (found == tables.end()) return Answer();
  const Table rows = select(found->second, metric.where);
  const int column = rows.column(metric.column.text), x = rows.column(metric.x);
  const bool needs_x = metric.reducer == Reducer::crossing || !metric.between.empty();
  if (column < 0 || (needs_x && x < 0)) return Answer();
  const auto window = window_of(metric, names, scenario);
  if (!window) return fail(window.error());
  if (!*window) return Answer();
  std::vector<double> values, positions;
  for (std::size_t row = 0; row < rows.rows.size(); ++row) {
    const double at = needs_x ? rows.number(row, x) : 0;
    if (needs_x && (at < (*window)->low || at > (*window)->high)) continue;
    values.push_back(rows.number(row, column));
    positions.push_back(at);
  }
  if (metric.final_rows > 0 && values.size() > metric.final_rows) {
    const auto before = static_cast<std::ptrdiff_t>(values.size() - metric.final_rows);
    values.erase(values.begin(), values.begin() + before);
    positions.erase(positions.begin(), positions.begin() + before);
  }
  if (metric.reducer == Reducer::crossing) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] < *metric.below) return Answer(positions[i]);
    }
    return Answer(INFINITY);
  }
  if (values.empty()) return Answer();
  return Answer(reduce(metric.reducer, values));
}

}  // namespace

Result<Names, Diagnostics> compute_metrics(const Scenario& scenario, const Tables& tables,
                                           const Names& names) {
  Names known = names, result;
  for (const Metric& metric : scenario.metrics) {
    const auto value = compute(metric, tables, known, scenario);
    if (!value) return fail(value.error());
    if (!*value) continue;
    known[metric.name] = **value;
    result[metric.name] = **value;
  }
  return result;
}

Result<void, Diagnostics> check_metric_columns(const Scenario& scenario,
                                               std::span<const Tables* const> sources) {
  Diagnostics problems;
  for (const Metric& metric : scenario.metrics) {
    if (metric.reducer == Reducer::value) continue;
    const bool needs_x = metric.reducer == Reducer::crossing || !metric.between.empty();
    std::vector<std::string> known;
    bool found = false;
    if (!sources.front()->count(metric.table)) continue;
    for (const Tables* tables : sources) {
      const auto table = tables->find(metric.table);
      if (table == tables->end()) continue;
      found = found || (table->second.column(metric.column.text) >= 0 &&
                        (!needs_x || table->second.column(metric.x) >= 0));
      known.insert(known.end(), table->second.columns.begin(), table->second.columns.end());
    }
    if (found) continue;
    const bool column_missing =
        std::find(known.begin(), known.end(), metric.column.text) == known.end();
    const std::string wrong = column_missing ? metric.column.text : metric.x;
    const Diagnostics problem =
        scenario_error("E0910",
                       fmt::format("metric `{}`: the table `{}` has no column `{}`", metric.name,
                                   metric.table, wrong),
                       scenario.source, metric.column.span, did_you_mean(wrong, known));
    problems.insert(problems.end(), problem.begin(), problem.end());
  }
  if (!problems.empty()) return fail(std::move(problems));
  return {};
}

}  // namespace brink
