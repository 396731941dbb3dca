#include <fmt/format.h>

#include <cmath>

#include "experiments/figures/report.h"

namespace brink {
namespace {

Diagnostics figure_error(const Evaluation& evaluation, const FigureSpec& figure,
                         std::string message) {
  return scenario_error("E0919", fmt::format("figure `{}`: {}", figure.name, message),
                        evaluation.scenario.source, {});
}

Result<Series, Diagnostics> from_curve(const Evaluation& evaluation, const FigureSpec& figure,
                                       const FigureSeries& spec) {
  for (const CurveResult& curve : evaluation.curves) {
    if (curve.curve.name != spec.curve) continue;
    Series series;
    series.label = spec.label;
    series.line = spec.source == "predicted";
    series.x = curve.x;
    series.y = spec.source == "predicted" ? curve.predicted : curve.simulated;
    return series;
  }
  return fail(figure_error(evaluation, figure, fmt::format("no curve `{}`", spec.curve)));
}

Series from_columns(const FigureSeries& spec, const Table& rows, int x, int y) {
  Series series;
  series.label = spec.label;
  series.line = spec.source == "predicted";
  for (std::size_t row = 0; row < rows.rows.size(); ++row) {
    series.x.push_back(x < 0 ? static_cast<double>(row + 1) : rows.number(row, x));
    series.y.push_back(rows.number(row, y));
  }
  return series;
}

Result<Series, Diagnostics> from_rows(const Evaluation& evaluation, const FigureSpec& figure,
                                      const FigureSeries& spec) {
  for (const RowsResult& result : evaluation.rows) {
    if (result.sweep.name != spec.rows) continue;
    const Table rows = select(result.table, spec.where);
    const int y = rows.column(spec.source), x = spec.x.empty() ? -1 : rows.column(spec.x);
    if (x < 0 && !spec.x.empty()) {
      return fail(figure_error(evaluation, figure,
                               fmt::format("rows `{}` have no column `{}`", spec.rows, spec.x)));
    }
    return from_columns(spec, rows, x, y);
  }
  return fail(figure_error(evaluation, figure, fmt::format("no rows `{}`", spec.rows)));
}

Result<Series, Diagnostics> from_table(const Evaluation& evaluation, const FigureSpec& figure,
                                       const FigureSeries& spec) {
  const VariantResult& variant = evaluation.variants.at(spec.variant);
  const Tables* tables = nullptr;
  if (spec.source == "observed") tables = &variant.observed;
  if (spec.source == "simulated") tables = &variant.simulated;
  if (spec.source == "predicted") tables = &variant.predicted;
  if (!tables)
    return fail(figure_error(evaluation, figure, fmt::format("no source `{}`", spec.source)));
  const auto found = tables->find(spec.table);
  if (found == tables->end()) {
    return fail(
        figure_error(evaluation, figure,
                     fmt::format("the {} data have no table `{}`", spec.source, spec.table)));
  }
  const Table rows = select(found->second, spec.where);
  const int y = rows.column(spec.y), x = spec.x.empty() ? -1 : rows.column(spec.x);
  if (y < 0 || (x < 0 && !spec.x.empty())) {
    return fail(figure_error(evaluation, figure,
                             fmt::format("table `{}` of the {} data has no column `{}`", spec.table,
                                         spec.source, y < 0 ? spec.y : spec.x)));
  }
  return from_columns(spec, rows, x, y);
}

}  // namespace

Result<std::vector<Figure>, Diagnostics> figures_of(const Evaluation& evaluation) {
  std::vector<Figure> figures;
  for (const FigureSpec& spec : evaluation.scenario.figures) {
    Figure figure;
    figure.name = spec.name;
    figure.title = spec.title;
    figure.x_label = spec.x_label;
    figure.y_label = spec.y_label;
    figure.caption = spec.caption;
    figure.log_x = spec.log_x;
    figure.log_y = spec.log_y;
    figure.stacked = spec.stacked;
    for (const FigureSeries& series_spec : spec.series) {
      auto series = !series_spec.rows.empty()   ? from_rows(evaluation, spec, series_spec)
                    : series_spec.curve.empty() ? from_table(evaluation, spec, series_spec)
                                                : from_curve(evaluation, spec, series_spec);
      if (!series) return fail(series.error());
      figure.series.push_back(std::move(*series));
    }
    figures.push_back(std::move(figure));
  }
  return figures;
}

}  // namespace brink
