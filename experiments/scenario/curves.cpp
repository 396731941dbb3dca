// Curves: one metric over one setting, predicted and simulated, and where each of them steps.
//
// The step of a curve is between the two neighbouring points with the largest ratio; its position
// is the middle of the two. The error of the prediction is taken over the points that lie on the
// same side of both steps, so that a small error of the position does not count as a large error of
// the height.

#include <fmt/format.h>

#include <atomic>
#include <cmath>

#include "experiments/data/quantity.h"
#include "experiments/scenario/claims.h"
#include "experiments/scenario/parallel.h"

namespace brink {
namespace {

struct Step {
  std::size_t index = 0;  ///< between points index and index + 1
  double position = 0, ratio = 1;
};

Step step_of(const std::vector<double>& x, const std::vector<double>& y) {
  Step step;
  double largest = 0;
  for (std::size_t i = 0; i + 1 < y.size(); ++i) {
    const double change = std::abs(std::log(y[i + 1] / y[i]));
    if (!(change > largest)) continue;
    largest = change;
    step = {i, (x[i] + x[i + 1]) / 2, y[i] / y[i + 1]};
  }
  return step;
}

void summarise(CurveResult& curve) {
  const Step simulated = step_of(curve.x, curve.simulated),
             predicted = step_of(curve.x, curve.predicted);
  curve.summary["step_simulated"] = simulated.position;
  curve.summary["step_predicted"] = predicted.position;
  curve.summary["ratio_simulated"] = simulated.ratio;
  curve.summary["ratio_predicted"] = predicted.ratio;
  curve.summary["step_error"] = std::abs(predicted.position / simulated.position - 1);
  const std::size_t low = std::min(simulated.index, predicted.index),
                    high = std::max(simulated.index, predicted.index);
  double error = 0;
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    if (i > low && i <= high) continue;
    const double relative = std::abs(curve.predicted[i] / curve.simulated[i] - 1);
    if (!(relative <= error)) error = relative;
  }
  curve.summary["error"] = error;
}

struct Point {
  double x = 0;
  double simulated = std::nan(""), predicted = std::nan("");
};

Result<Point, Diagnostics> evaluate_point(const ScenarioFile& file, const Curve& curve,
                                          const std::string& value, std::vector<Override> overrides,
                                          std::uint64_t seed, bool simulate_it,
                                          const std::atomic<bool>* stop) {
  Point point;
  const auto quantity = parse_quantity(value);
  if (!quantity) {
    return fail(scenario_error("E0907", fmt::format("curve `{}`: {}", curve.name, quantity.error()),
                               file.source(), {}));
  }
  point.x = quantity->value;
  overrides.push_back({curve.setting, value});
  const auto variant = evaluate_variant(file, curve.variant, overrides, seed, simulate_it, stop);
  if (!variant) return fail(variant.error());
  const auto metric = [&](const Names& metrics) {
    const auto found = metrics.find(curve.metric);
    return found == metrics.end() ? std::nan("") : found->second;
  };
  point.simulated = metric(variant->simulated_metrics);
  point.predicted = metric(variant->predicted_metrics);
  if (curve.input.empty()) return point;
  const auto tables = predict_tables(variant->prepared, {{curve.input, point.x}});
  if (!tables) return fail(tables.error());
  const auto metrics = compute_metrics(variant->prepared.scenario, *tables, {});
  if (!metrics) return fail(metrics.error());
  point.predicted = metric(*metrics);
  return point;
}

}  // namespace

Result<CurveResult, Diagnostics> evaluate_curve(const ScenarioFile& file, const Curve& curve,
                                                const std::vector<Override>& overrides,
                                                std::uint64_t seed, unsigned threads,
                                                bool simulate_it, const std::atomic<bool>* stop) {
  std::vector<Point> points(curve.values.size());
  std::vector<Diagnostics> errors(curve.values.size());
  const auto stopped = [stop] { return stop && stop->load(); };
  for_each_index(points.size(), threads, stopped, [&](std::size_t i) {
    auto point = evaluate_point(file, curve, curve.values[i], overrides, seed, simulate_it, stop);
    if (point)
      points[i] = *point;
    else
      errors[i] = point.error();
  });
  if (stopped()) return fail(Diagnostics{});
  for (Diagnostics& error : errors) {
    if (!error.empty()) return fail(std::move(error));
  }
  CurveResult result;
  result.curve = curve;
  for (const Point& point : points) {
    result.x.push_back(point.x);
    result.simulated.push_back(point.simulated);
    result.predicted.push_back(point.predicted);
  }
  summarise(result);
  return result;
}

}  // namespace brink
