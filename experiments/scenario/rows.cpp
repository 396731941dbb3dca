// Rows: a file of measurements in which every row is a case of its own.
//
// Where a curve varies one setting, a row of such a file says many: the size of the file that was
// read, the memory that was free, the pattern, and what came out. The scenario is run once a row.
// No number may be chosen row by row: what a row sets comes from its own columns.

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>

#include "experiments/scenario/claims.h"
#include "experiments/scenario/parallel.h"

namespace brink {
namespace {

Names numbers_of(const Table& table, std::size_t row) {
  Names names;
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    const double value = table.number(row, static_cast<int>(column));
    if (!std::isnan(value) && is_name(table.columns[column])) names[table.columns[column]] = value;
  }
  return names;
}

/// `{column}` becomes the cell. A brace that is no column stays: scripts have braces of their own.
std::string filled(std::string text, const Table& table, std::size_t row) {
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    const std::string name = "{" + table.columns[column] + "}";
    const std::string cell = table.text(row, static_cast<int>(column));
    for (std::size_t at = text.find(name); at != std::string::npos;
         at = text.find(name, at + cell.size())) {
      text.replace(at, name.size(), cell);
    }
  }
  return text;
}

/// A parameter of the machine needs its unit.
std::string unit_of(const std::string& path) {
  for (const machine::ParameterRow& row : machine::parameter_rows()) {
    if (path == fmt::format("machine.{}", row.name)) {
      return row.unit == "pages" || row.unit.empty() ? "" : fmt::format(" {}", row.unit);
    }
  }
  return {};
}

struct Case {
  double observed = std::nan(""), simulated = std::nan(""), predicted = std::nan("");
};

Result<Case, Diagnostics> run_row(const ScenarioFile& file, const RowSweep& sweep,
                                  const Table& table, std::size_t row,
                                  std::vector<Override> overrides, std::uint64_t seed,
                                  const std::atomic<bool>* stop) {
  const Names names = numbers_of(table, row);
  Case result;
  const auto observed = evaluate_expression(sweep.observed, names, file.source());
  if (!observed) return fail(observed.error());
  result.observed = *observed;
  for (const auto& [path, placed] : sweep.set) {
    if (!placed.text.starts_with("=")) {
      overrides.push_back({path, filled(placed.text, table, row)});
      continue;
    }
    const auto value =
        evaluate_expression({placed.text.substr(1), placed.span}, names, file.source());
    if (!value) return fail(value.error());
    overrides.push_back({path, number_text(*value) + unit_of(path)});
  }
  const auto variant = evaluate_variant(file, sweep.variant, overrides, seed, true, stop);
  if (!variant) return fail(variant.error());
  const auto metric = [&](const Names& metrics) {
    const auto found = metrics.find(sweep.metric);
    return found == metrics.end() ? std::nan("") : found->second;
  };
  result.simulated = metric(variant->simulated_metrics);
  result.predicted = metric(variant->predicted_metrics);
  return result;
}

Result<Table, Diagnostics> rows_of(const Scenario& scenario, const RowSweep& sweep) {
  const std::filesystem::path path = std::filesystem::path(scenario.folder) / sweep.file.text;
  const auto table = read_csv(path.string());
  if (!table) {
    return fail(scenario_error("E0914",
                               fmt::format("rows `{}`: `{}`: {}", sweep.name, sweep.file.text,
                                           table.error().front().message),
                               scenario.source, sweep.file.span));
  }
  Where equal;
  std::vector<std::pair<int, std::string>> unequal;  // "!word": any other
  for (const auto& [column, word] : sweep.where) {
    if (word.starts_with("!")) {
      unequal.emplace_back(table->column(column), word.substr(1));
    } else {
      equal[column] = word;
    }
  }
  Table chosen = select(*table, equal);
  std::erase_if(chosen.rows, [&](const std::vector<Cell>& row) {
    const Table one{chosen.columns, {row}};
    return std::any_of(unequal.begin(), unequal.end(), [&](const auto& u) {
      return u.first < 0 || one.text(0, u.first) == u.second;
    });
  });
  Table kept{chosen.columns, {}};
  for (std::size_t row = 0; row < chosen.rows.size(); ++row) {
    if (!sweep.only.text.empty()) {
      const Placed condition{fmt::format("({}) ? 1 : 0", sweep.only.text), sweep.only.span};
      const auto wanted = evaluate_expression(condition, numbers_of(chosen, row), scenario.source);
      if (!wanted) return fail(wanted.error());
      if (*wanted == 0) continue;
    }
    kept.rows.push_back(chosen.rows[row]);
  }
  if (kept.rows.empty()) {
    return fail(scenario_error("E0914", fmt::format("rows `{}`: no row is left", sweep.name),
                               scenario.source, sweep.file.span));
  }
  return kept;
}

void summarise_source(const std::vector<double>& observed, const std::vector<double>& values,
                      const std::string& source, Names& summary) {
  if (std::any_of(values.begin(), values.end(), [](double v) { return std::isnan(v); })) return;
  double sum = 0, most = 0, relative = 0, most_relative = 0, decades = 0, disorder = 1;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double error = std::abs(values[i] - observed[i]);
    const double part = error == 0 ? 0 : error / std::abs(observed[i]);
    sum += error;
    most = std::max(most, error);
    relative += part;
    most_relative = std::max(most_relative, part);
    if (values[i] != observed[i]) {
      decades = std::max(decades, std::abs(std::log10(values[i] / observed[i])));
    }
    for (std::size_t j = 0; j < values.size(); ++j) {
      if (observed[i] > observed[j] && values[i] < values[j]) {
        disorder = std::max(disorder, observed[i] / observed[j]);
      }
    }
  }
  const auto count = static_cast<double>(values.size());
  summary["mean_error_" + source] = sum / count;
  summary["max_error_" + source] = most;
  summary["mean_relative_" + source] = relative / count;
  summary["max_relative_" + source] = most_relative;
  summary["max_decades_" + source] = decades;
  summary["disorder_" + source] = disorder;
}

}  // namespace

Names summarise_rows(const std::vector<double>& observed, const std::vector<double>& simulated,
                     const std::vector<double>& predicted) {
  Names summary;
  summarise_source(observed, simulated, "simulated", summary);
  summarise_source(observed, predicted, "predicted", summary);
  const std::pair<std::string, const std::vector<double>*> all[] = {
      {"observed", &observed}, {"simulated", &simulated}, {"predicted", &predicted}};
  for (const auto& [source, values] : all) {
    double sum = 0, least = INFINITY, most = -INFINITY;
    for (const double value : *values) {
      sum += value;
      least = std::min(least, value);
      most = std::max(most, value);
    }
    if (std::isnan(sum) || values->empty()) continue;
    summary["mean_" + source] = sum / static_cast<double>(values->size());
    summary["min_" + source] = least;
    summary["max_" + source] = most;
  }
  return summary;
}

Result<RowsResult, Diagnostics> evaluate_rows(const ScenarioFile& file, const Scenario& scenario,
                                              const RowSweep& sweep,
                                              const std::vector<Override>& overrides,
                                              std::uint64_t seed, unsigned threads,
                                              const std::atomic<bool>* stop) {
  auto table = rows_of(scenario, sweep);
  if (!table) return fail(table.error());
  std::vector<Case> cases(table->rows.size());
  std::vector<Diagnostics> errors(cases.size());
  const auto stopped = [stop] { return stop && stop->load(); };
  for_each_index(cases.size(), threads, stopped, [&](std::size_t i) {
    auto done = run_row(file, sweep, *table, i, overrides, seed, stop);
    if (done)
      cases[i] = *done;
    else
      errors[i] = done.error();
  });
  if (stopped()) return fail(Diagnostics{});
  for (Diagnostics& error : errors) {
    if (!error.empty()) return fail(std::move(error));
  }
  RowsResult result{sweep, std::move(*table), {}};
  std::vector<double> observed, simulated, predicted;
  for (const char* column : {"observed", "simulated", "predicted"}) {
    result.table.columns.emplace_back(column);
  }
  for (std::size_t i = 0; i < cases.size(); ++i) {
    observed.push_back(cases[i].observed);
    simulated.push_back(cases[i].simulated);
    predicted.push_back(cases[i].predicted);
    for (const double value : {cases[i].observed, cases[i].simulated, cases[i].predicted}) {
      result.table.rows[i].emplace_back(value);
    }
  }
  result.summary = summarise_rows(observed, simulated, predicted);
  return result;
}

}  // namespace brink
