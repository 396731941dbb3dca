// sweep: a metric of a scenario over one or two of its settings: curves, the cliffs in them, the
// best setting and how far it is from the next cliff.

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "experiments/cli/cliff_report.h"
#include "experiments/cli/interrupt.h"
#include "experiments/cli/scenario_command.h"
#include "experiments/data/files.h"
#include "experiments/data/quantity.h"
#include "experiments/scenario/parallel.h"

namespace brink::cli {
namespace {

constexpr std::size_t kMostPoints = 100'000;
constexpr double kNoEffect = 1e-6;    // relative
constexpr double kRefineTo = 0.01;    // of x
constexpr int kMostRefinements = 40;  // evaluations

/// One or two axes, the other settings, and what is asked of each point.
struct Plan {
  const ScenarioFile& file;
  const Options& options;
  std::vector<Sweep> axes;
  std::vector<Override> fixed;
  bool machine = false;
};

struct Point {
  std::vector<std::string> values;  ///< one an axis
  Names metrics;
  std::optional<Diagnostics> problem;
  bool done = false;
};

double number_of(const std::string& value) {
  const auto quantity = parse_quantity(value);
  return quantity ? quantity->value : std::nan("");
}

void evaluate(const Plan& plan, Point& point) {
  std::vector<Override> overrides = plan.fixed;
  for (std::size_t i = 0; i < plan.axes.size(); ++i)
    overrides.push_back({plan.axes[i].path, point.values[i]});
  auto variant =
      evaluate_variant(plan.file, plan.options.variant, overrides,
                       static_cast<std::uint64_t>(plan.options.seed), plan.machine, &interrupted());
  if (!variant) {
    if (!variant.error().empty()) point.problem = variant.error();
    return;
  }
  point.metrics =
      plan.machine ? std::move(variant->simulated_metrics) : std::move(variant->predicted_metrics);
  point.done = true;
}

void evaluate_all(const Plan& plan, std::vector<Point>& points, Output& output) {
  output.progress(fmt::format("{} points", points.size()));
  for_each_index(
      points.size(), static_cast<unsigned>(plan.options.threads),
      [] { return interrupted().load(); }, [&](std::size_t i) { evaluate(plan, points[i]); });
}

std::string source_of(const Plan& plan) { return plan.machine ? "simulated" : "predicted"; }

/// The name of a setting without its tables.
std::string short_name(const std::string& path) { return path.substr(path.rfind('.') + 1); }

void print_points(const Plan& plan, const std::vector<Point>& points, const std::string& metric,
                  Output& output) {
  double largest = 0;
  for (const Point& point : points)
    if (const auto at = point.metrics.find(metric); at != point.metrics.end())
      largest = std::max(largest, at->second);
  std::string head;
  for (const Sweep& axis : plan.axes) head += fmt::format("{:>18} ", short_name(axis.path));
  output.say(fmt::format("{}{:>14}\n", head, metric));
  for (const Point& point : points) {
    if (!point.done) continue;
    const auto at = point.metrics.find(metric);
    const double value = at == point.metrics.end() ? std::nan("") : at->second;
    std::string line;
    for (const std::string& text : point.values) line += fmt::format("{:>18} ", text);
    const auto bar = largest > 0 && value > 0
                         ? static_cast<std::size_t>(std::lround(36 * value / largest))
                         : std::size_t{0};
    output.say(fmt::format("{}{:>14.6g}  {}\n", line, value, std::string(bar, '#')));
    nlohmann::ordered_json settings = nlohmann::ordered_json::object();
    for (std::size_t i = 0; i < plan.axes.size(); ++i)
      settings[plan.axes[i].path] = point.values[i];
    output.object({{"type", "point"},
                   {"settings", settings},
                   {"metric", metric},
                   {source_of(plan), json_number(value)}});
  }
}

/// One line of points: those that differ in `axis` only.
struct Line {
  std::size_t axis;
  std::string at;  ///< "other=value", or empty
  std::vector<const Point*> points;
};

std::vector<Line> lines_of(const Plan& plan, const std::vector<Point>& points) {
  std::vector<Line> lines;
  for (std::size_t axis = 0; axis < plan.axes.size(); ++axis) {
    std::vector<std::string> order;
    std::map<std::string, Line> found;
    for (const Point& point : points) {
      std::string at;
      for (std::size_t other = 0; other < plan.axes.size(); ++other)
        if (other != axis)
          at = fmt::format("{} = {}", short_name(plan.axes[other].path), point.values[other]);
      if (!found.contains(at)) order.push_back(at);
      Line& line = found[at];
      line.axis = axis;
      line.at = at;
      if (point.done) line.points.push_back(&point);
    }
    for (const std::string& at : order) lines.push_back(std::move(found[at]));
  }
  return lines;
}

/// Halves a cliff by further evaluations of the scenario.
cliffs::Cliff refined(const Plan& plan, const Line& line, const std::string& metric,
                      const cliffs::Cliff& cliff) {
  const std::string& first = plan.axes[line.axis].values.front();
  const auto quantity = parse_quantity(first);
  const std::string_view unit = quantity ? unit_of(quantity->dimension) : "";
  bool whole = true;
  for (const std::string& value : plan.axes[line.axis].values)
    whole = whole && number_of(value) == std::floor(number_of(value));
  int evaluations = 0;
  return cliffs::refine(
      cliff,
      [&](double x) {
        if (++evaluations > kMostRefinements || interrupted()) return std::nan("");
        Point point;
        point.values = line.points.front()->values;
        point.values[line.axis] =
            fmt::format("{}{}{}", number_text(x), unit.empty() ? "" : " ", unit);
        evaluate(plan, point);
        const auto at = point.metrics.find(metric);
        return point.done && at != point.metrics.end() ? at->second : std::nan("");
      },
      kRefineTo, whole);
}

struct Found {
  Line line;
  cliffs::Cliff cliff;
};

/// Says for each line what is in it: nothing, no effect, cliffs.
std::vector<Found> print_lines(const Plan& plan, const std::vector<Point>& points,
                               const std::string& metric, Output& output) {
  std::vector<Found> all;
  for (const Line& line : lines_of(plan, points)) {
    std::vector<cliffs::Point> curve;
    double least = INFINITY, most = -INFINITY;
    for (const Point* point : line.points) {
      const auto at = point->metrics.find(metric);
      if (at == point->metrics.end() || !std::isfinite(at->second)) continue;
      curve.push_back({number_of(point->values[line.axis]), at->second});
      least = std::min(least, at->second);
      most = std::max(most, at->second);
    }
    const std::string name = short_name(plan.axes[line.axis].path);
    if (curve.size() < 2) continue;
    if (!line.at.empty()) output.say(fmt::format("\nat {}\n", line.at));
    if (most - least <= kNoEffect * std::max(std::abs(most), std::abs(least))) {
      output.say(fmt::format("{} has no effect on {} between {:.6g} and {:.6g}\n", name, metric,
                             curve.front().x, curve.back().x));
      output.object({{"type", "no_effect"},
                     {"setting", plan.axes[line.axis].path},
                     {"metric", metric},
                     {"at", line.at}});
      continue;
    }
    cliffs::FindOptions how;
    how.exact = !plan.machine;
    auto findings = cliffs::find_cliffs(curve, how);
    if (!findings) {
      output.say(fmt::format("cliffs not sought: {}\n", findings.error()));
      continue;
    }
    // What lies between two points too far apart is looked at, too.
    for (const auto& [a, b] : findings->unresolved) {
      const auto value = [&](double x) {
        for (const auto& point : curve)
          if (point.x == x) return point.y;
        return std::nan("");
      };
      cliffs::Cliff wide;
      wide.a = a, wide.b = b, wide.y_a = value(a), wide.y_b = value(b);
      const cliffs::Cliff fine = refined(plan, line, metric, wide);
      curve.push_back({fine.a, fine.y_a});
      curve.push_back({fine.b, fine.y_b});
    }
    if (!findings->unresolved.empty()) {
      std::vector<cliffs::Point> once;
      for (const auto& point : curve)
        if (std::none_of(once.begin(), once.end(),
                         [&](const auto& other) { return other.x == point.x; }))
          once.push_back(point);
      findings = cliffs::find_cliffs(once, how);
      if (!findings) continue;
    }
    for (cliffs::Cliff& cliff : findings->cliffs) {
      cliff = refined(plan, line, metric, cliff);
      all.push_back({line, cliff});
    }
    print_findings(*findings, name, metric, source_of(plan), output);
  }
  return all;
}

/// Does the point satisfy --subject-to? Error: the expression is wrong.
Result<bool, Diagnostics> allowed(const Plan& plan, const Point& point) {
  if (plan.options.subject_to.empty()) return true;
  const Placed condition{fmt::format("({}) ? 1 : 0", plan.options.subject_to), {}};
  const auto value = evaluate_expression(condition, point.metrics, plan.file.source());
  if (!value) return fail(value.error());
  return *value > 0.5;
}

int print_best(const Plan& plan, const std::vector<Point>& points, const std::vector<Found>& found,
               Output& output) {
  const bool least = plan.options.best.starts_with("min:");
  const std::string metric = least ? plan.options.best.substr(4) : plan.options.best;
  const Point* best = nullptr;
  double best_value = 0;
  for (const Point& point : points) {
    const auto at = point.metrics.find(metric);
    if (!point.done || at == point.metrics.end() || !std::isfinite(at->second)) continue;
    const auto fits = allowed(plan, point);
    if (!fits) return output.report(fits.error());
    if (!*fits) continue;
    if (best == nullptr || (least ? at->second < best_value : at->second > best_value)) {
      best = &point;
      best_value = at->second;
    }
  }
  if (best == nullptr) {
    output.say(fmt::format("\nbest   no point {}\n", plan.options.subject_to.empty()
                                                         ? "has " + metric
                                                         : "satisfies " + plan.options.subject_to));
    output.object({{"type", "best"}, {"metric", metric}, {"value", nullptr}});
    return kDone;
  }
  std::string where;
  nlohmann::ordered_json settings = nlohmann::ordered_json::object();
  for (std::size_t i = 0; i < plan.axes.size(); ++i) {
    where +=
        fmt::format("{}{} = {}", i > 0 ? ", " : "", short_name(plan.axes[i].path), best->values[i]);
    settings[plan.axes[i].path] = best->values[i];
  }
  output.say(fmt::format("\nbest   {} = {:.6g} at {}\n", metric, best_value, where));
  nlohmann::ordered_json object = {{"type", "best"},
                                   {"metric", metric},
                                   {"value", json_number(best_value)},
                                   {"settings", settings}};
  double margin = INFINITY;
  for (const Found& at : found) {
    if (std::find(at.line.points.begin(), at.line.points.end(), best) == at.line.points.end())
      continue;
    const double x = number_of(best->values[at.line.axis]);
    const double edge = x <= at.cliff.a ? at.cliff.a : at.cliff.b;
    if (const double away = std::abs(edge / x - 1); away < margin) {
      margin = away;
      object["next_cliff"] = {{"setting", plan.axes[at.line.axis].path}, {"at", edge}};
      object["margin"] = margin;
      where = fmt::format("{} = {:.8g}", short_name(plan.axes[at.line.axis].path), edge);
    }
  }
  if (std::isfinite(margin))
    output.say(fmt::format("margin {:.1f} % to the next cliff, at {}\n", 100 * margin, where));
  output.object(object);
  return kDone;
}

/// Reads --set: ranges are axes. Error: a sentence.
Result<void, std::string> read_axes(const Options& options, Plan& plan) {
  std::size_t count = 1;
  for (const std::string& text : options.set) {
    Options one;
    one.set = {text};
    const auto settings = read_settings(one);
    if (!settings) return fail(settings.error());
    plan.fixed.insert(plan.fixed.end(), settings->overrides.begin(), settings->overrides.end());
    if (!settings->sweep) continue;
    plan.axes.push_back(*settings->sweep);
    count *= settings->sweep->values.size();
    if (count > kMostPoints) return fail(fmt::format("more than {} points", kMostPoints));
  }
  if (plan.axes.empty() || plan.axes.size() > 2)
    return fail(std::string("sweep takes one or two ranges: --set PATH=FROM:STEP:TO"));
  return {};
}

std::vector<Point> grid(const Plan& plan) {
  std::vector<Point> points;
  for (const std::string& first : plan.axes[0].values) {
    if (plan.axes.size() == 1) {
      points.push_back({{first}, {}, {}, false});
      continue;
    }
    for (const std::string& second : plan.axes[1].values)
      points.push_back({{first, second}, {}, {}, false});
  }
  return points;
}

int write_points(const Plan& plan, const std::vector<Point>& points, Output& output) {
  if (plan.options.out.empty()) return kDone;
  Table table;
  for (const Sweep& axis : plan.axes) table.columns.push_back(axis.path);
  std::vector<std::string> names;
  for (const Point& point : points)
    for (const auto& [name, value] : point.metrics)
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  table.columns.insert(table.columns.end(), names.begin(), names.end());
  for (const Point& point : points) {
    if (!point.done) continue;
    std::vector<Cell> row;
    for (const std::string& value : point.values) row.emplace_back(number_of(value));
    for (const std::string& name : names) {
      const auto at = point.metrics.find(name);
      row.emplace_back(at == point.metrics.end() ? std::nan("") : at->second);
    }
    table.rows.push_back(std::move(row));
  }
  const std::string path = plan.options.out + "/sweep.csv";
  const auto written = write_whole(path, to_csv(table));
  if (!written) return output.error(kEnvironment, written.error());
  output.note("wrote " + path);
  return kDone;
}

/// The metric must be one that the points have.
int check_metric(const std::string& metric, const std::vector<Point>& points, Output& output) {
  std::vector<std::string> known;
  for (const Point& point : points)
    for (const auto& [name, value] : point.metrics) {
      if (name == metric) return kDone;
      if (std::find(known.begin(), known.end(), name) == known.end()) known.push_back(name);
    }
  return output.error(kUsage, fmt::format("no point has a metric `{}`", metric),
                      known.empty() ? "the scenario predicts nothing; --against machine simulates"
                                    : did_you_mean(metric, known));
}

}  // namespace

int run_sweep(const Options& options, Output& output) {
  output.object({{"type", "start"}, {"schema", "brink/1"}, {"command", "sweep"}});
  if (!options.against.empty() && options.against != "machine")
    return output.error(kUsage, "sweep --against takes machine: simulate instead of predicting");
  std::string metric = options.metric;
  if (metric.empty() && !options.best.empty())
    metric = options.best.starts_with("min:") ? options.best.substr(4) : options.best;
  if (metric.empty()) return output.error(kUsage, "sweep needs --metric or --best");
  int code = kDone;
  const auto file = open_scenario(options.arguments[0], output, code);
  if (!file) return code;
  Plan plan{*file, options, {}, {}, options.against == "machine"};
  if (const auto read = read_axes(options, plan); !read) return output.error(kUsage, read.error());
  std::vector<Point> points = grid(plan);
  evaluate_all(plan, points, output);
  for (const Point& point : points)
    if (point.problem) return output.report(*point.problem);
  const bool cut = interrupted();
  if (!cut)
    if (const int missing = check_metric(metric, points, output); missing != kDone) return missing;
  print_points(plan, points, metric, output);
  output.say("\n");
  code = write_points(plan, points, output);
  if (cut) {
    output.note(why_interrupted() + ": the points so far");
    return worse(code, kUndecided);
  }
  const std::vector<Found> found = print_lines(plan, points, metric, output);
  if (!options.best.empty()) code = worse(code, print_best(plan, points, found, output));
  return interrupted() ? worse(code, kUndecided) : code;
}

}  // namespace brink::cli
