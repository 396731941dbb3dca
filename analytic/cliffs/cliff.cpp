// Finding cliffs. All in logarithms: L = ln y over X = ln x, so that factors are differences and
// elasticities are slopes.
//
// Noise is the robust spread of each point about the line through its neighbours (median of
// absolute values), which a few jumps do not move. Elasticities are taken at the scale of the
// window, not of the grid, or a fine grid would turn noise into slope. Of overlapping candidates
// the largest stays, shrunk to where most of its change is.
//
// Tried and dropped: change points by penalised likelihood alone (they find bends and trends, too);
// pairs of single points alone (30 % noise in a flat curve gave some alarms in a thousand curves,
// the levels on both sides give none).
#include "analytic/cliffs/cliff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "analytic/cliffs/fits.h"

namespace brink::cliffs {
namespace {

constexpr double kLeastFactor = 1.3;
constexpr double kNoiseTimes = 6;
constexpr std::size_t kLevelPoints = 5, kFewPoints = 12;
constexpr double kSteeper = 3, kOnset = 10, kBetter = 10;

struct Logs {
  std::vector<double> x, y;              ///< logarithms, by increasing x
  std::vector<double> plain_x, plain_y;  ///< as given; y of several points: their geometric mean
  double repeated_noise = -1;            ///< from several points of one x; < 0: none
};

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Result<Logs, std::string> logs_of(std::vector<Point> points) {
  std::stable_sort(points.begin(), points.end(),
                   [](const Point& a, const Point& b) { return a.x < b.x; });
  Logs out;
  double squares = 0, freedom = 0;
  for (std::size_t i = 0; i < points.size();) {
    const double x = points[i].x;
    if (!(x > 0) || !std::isfinite(x))
      return fail(fmt::format("x = {:.6g}: cliffs are sought over positive numbers", x));
    std::size_t end = i;
    double mean = 0;
    for (; end < points.size() && points[end].x == x; ++end) {
      if (!(points[end].y > 0) || !std::isfinite(points[end].y))
        return fail(
            fmt::format("at x = {:.6g} the value is {:.6g}; only positive values have "
                        "factors between them",
                        x, points[end].y));
      mean += std::log(points[end].y);
    }
    const auto count = static_cast<double>(end - i);
    mean /= count;
    out.plain_x.push_back(x);
    out.plain_y.push_back(end - i == 1 ? points[i].y : std::exp(mean));
    for (; i < end; ++i) squares += std::pow(std::log(points[i].y) - mean, 2);
    freedom += count - 1;
    out.x.push_back(std::log(x));
    out.y.push_back(mean);
  }
  if (out.x.size() < 5)
    return fail(fmt::format(
        "{} different x are too few to tell a cliff from a slope (5 are needed)", out.x.size()));
  if (freedom > 0) {
    const double repeats = static_cast<double>(points.size()) / static_cast<double>(out.x.size());
    out.repeated_noise = std::sqrt(squares / freedom / repeats);
  }
  return out;
}

double noise_of(const Logs& logs) {
  std::vector<double> spread;
  for (std::size_t i = 1; i + 1 < logs.x.size(); ++i) {
    const double share = (logs.x[i] - logs.x[i - 1]) / (logs.x[i + 1] - logs.x[i - 1]);
    const double line = logs.y[i - 1] + share * (logs.y[i + 1] - logs.y[i - 1]);
    const double size = std::sqrt(1 + share * share + (1 - share) * (1 - share));
    spread.push_back(std::abs(logs.y[i] - line) / size);
  }
  return std::max(1.4826 * median(std::move(spread)), logs.repeated_noise);
}

/// ln y at X, between the points.
double at(const Logs& logs, double x) {
  const auto above = std::lower_bound(logs.x.begin(), logs.x.end(), x);
  if (above == logs.x.begin()) return logs.y.front();
  if (above == logs.x.end()) return logs.y.back();
  const auto i = static_cast<std::size_t>(above - logs.x.begin());
  const double share = (x - logs.x[i - 1]) / (logs.x[i] - logs.x[i - 1]);
  return logs.y[i - 1] + share * (logs.y[i] - logs.y[i - 1]);
}

/// Median of |change| over one window, over windows that do not touch [from, to].
double median_change(const Logs& logs, double window, double from, double to) {
  std::vector<double> changes;
  for (const double x : logs.x)
    if (x + window <= logs.x.back() + 1e-12 && (x + window <= from || x >= to))
      changes.push_back(std::abs(at(logs, x + window) - at(logs, x)));
  return median(std::move(changes));
}

/// Difference of the mean levels beside points i and j.
double level_change(const Logs& logs, std::size_t i, std::size_t j) {
  double before = 0, after = 0;
  const std::size_t first = i + 1 >= kLevelPoints ? i + 1 - kLevelPoints : 0;
  const std::size_t last = std::min(logs.x.size(), j + kLevelPoints);
  for (std::size_t k = first; k <= i; ++k) before += logs.y[k] / static_cast<double>(i + 1 - first);
  for (std::size_t k = j; k < last; ++k) after += logs.y[k] / static_cast<double>(last - j);
  return after - before;
}

struct Candidate {
  std::size_t i, j;
  double change;
};

/// All pairs within a window that change enough, the largest first.
std::vector<Candidate> candidates(const Logs& logs, double window, double noise) {
  std::vector<Candidate> out;
  const double least = std::max(std::log(kLeastFactor), kNoiseTimes * noise);
  for (std::size_t i = 0; i < logs.x.size(); ++i)
    for (std::size_t j = i + 1; j < logs.x.size() && logs.x[j] <= logs.x[i] + window + 1e-9; ++j) {
      const double change = logs.y[j] - logs.y[i];
      if (std::abs(change) >= least - 1e-12) out.push_back({i, j, change});
    }
  std::stable_sort(out.begin(), out.end(), [](const Candidate& a, const Candidate& b) {
    return std::abs(a.change) > std::abs(b.change);
  });
  return out;
}

/// The narrowest pair inside that keeps nine tenths of the change.
Candidate shrink(const Logs& logs, Candidate wide) {
  const double enough = 0.9 * std::abs(wide.change);
  Candidate best = wide;
  for (std::size_t i = wide.i; i < wide.j; ++i)
    for (std::size_t j = i + 1; j <= wide.j; ++j) {
      const double change = logs.y[j] - logs.y[i];
      if (change * wide.change > 0 && std::abs(change) >= enough &&
          logs.x[j] - logs.x[i] < logs.x[best.j] - logs.x[best.i] - 1e-15)
        best = {i, j, change};
    }
  return best;
}

Grade grade_of(double size) {
  return size >= std::log(10) - 1e-9  ? Grade::wall
         : size >= std::log(2) - 1e-9 ? Grade::cliff
                                      : Grade::step;
}

Cliff describe(const Logs& logs, const Candidate& found, double noise, double ratio, bool jump) {
  Cliff cliff;
  cliff.a = logs.plain_x[found.i];
  cliff.b = logs.plain_x[found.j];
  cliff.y_a = logs.plain_y[found.i];
  cliff.y_b = logs.plain_y[found.j];
  const double size = std::abs(found.change);
  cliff.factor = std::exp(size);
  cliff.factor_low = std::exp(std::max(0.0, size - 2.576 * std::sqrt(2.0) * noise));
  cliff.falls = found.change < 0;
  cliff.grade = grade_of(size);
  cliff.jump = jump;
  cliff.elasticity_ratio = ratio;
  return cliff;
}

/// Changes between neighbours further apart than the window, beyond what the slopes beside give.
void find_unresolved(const Logs& logs, double window, double noise, Findings& out) {
  // A few points far apart do not tell noise from steps; asking for more of them is right in both.
  const double points_per_window =
      static_cast<double>(logs.x.size() - 1) * window / (logs.x.back() - logs.x.front());
  const bool few = logs.x.size() < kFewPoints || (points_per_window < 1 && logs.repeated_noise < 0);
  const double least = std::max(std::log(kLeastFactor), few ? 0 : kNoiseTimes * noise);
  for (std::size_t i = 0; i + 1 < logs.x.size(); ++i) {
    const double width = logs.x[i + 1] - logs.x[i];
    if (width <= window + 1e-9) continue;
    double slopes = 0, count = 0;
    if (i > 0) slopes += (logs.y[i] - logs.y[i - 1]) / (logs.x[i] - logs.x[i - 1]), ++count;
    if (i + 2 < logs.x.size())
      slopes += (logs.y[i + 2] - logs.y[i + 1]) / (logs.x[i + 2] - logs.x[i + 1]), ++count;
    const double expected = count > 0 ? slopes / count * width : 0;
    const double change = logs.y[i + 1] - logs.y[i];
    if (std::abs(change - expected) >= least && std::abs(change) >= least &&
        std::abs(change) >= kSteeper * std::abs(expected))
      out.unresolved.emplace_back(logs.plain_x[i], logs.plain_x[i + 1]);
  }
}

}  // namespace

std::string_view grade_name(Grade grade) {
  constexpr std::string_view kNames[] = {"step", "cliff", "wall"};
  return kNames[static_cast<int>(grade)];
}

Result<Findings, std::string> find_cliffs(std::vector<Point> points, const FindOptions& options) {
  const auto logs = logs_of(std::move(points));
  if (!logs) return fail(logs.error());
  const double window = std::log1p(options.window);
  Findings out;
  out.points = logs->x.size();
  out.noise = options.exact ? 0 : noise_of(*logs);
  out.too_noisy = out.noise > 0.1;
  std::vector<std::pair<double, double>> taken;
  for (const Candidate& wide : candidates(*logs, window, out.noise)) {
    const double from = logs->x[wide.i], to = logs->x[wide.j];
    const bool seen = std::any_of(taken.begin(), taken.end(), [&](const auto& other) {
      return from <= other.second + window && to >= other.first - window;
    });
    if (seen) continue;
    const double elsewhere = median_change(*logs, window, from, to);
    const double ratio =
        elsewhere > 0 ? std::abs(wide.change) / elsewhere : std::numeric_limits<double>::infinity();
    const double levels = level_change(*logs, wide.i, wide.j);
    if (ratio < kSteeper || levels * wide.change <= 0 ||
        std::abs(levels) < 0.5 * std::abs(wide.change))
      continue;
    if (const auto pole = fit_pole(logs->x, logs->y, wide.i, wide.j)) {
      taken.emplace_back(from, to);
      if (std::none_of(out.poles.begin(), out.poles.end(), [&](const Pole& other) {
            return std::abs(std::log(other.at / pole->at)) < 2 * window;
          }))
        out.poles.push_back(*pole);
      continue;
    }
    const bool jump = jump_over_hinge(logs->x, logs->y, wide.i, wide.j) >= kBetter;
    if (!jump && ratio < kOnset) continue;
    taken.emplace_back(from, to);
    out.cliffs.push_back(describe(*logs, shrink(*logs, wide), out.noise, ratio, jump));
  }
  std::sort(out.cliffs.begin(), out.cliffs.end(),
            [](const Cliff& a, const Cliff& b) { return a.a < b.a; });
  find_unresolved(*logs, window, out.noise, out);
  return out;
}

Cliff refine(const Cliff& cliff, const std::function<double(double)>& y, double tolerance,
             bool whole) {
  Cliff out = cliff;
  while (out.b - out.a > tolerance * out.a) {
    double middle = std::sqrt(out.a * out.b);
    if (whole) middle = std::round(middle);
    if (!(middle > out.a && middle < out.b)) break;
    const double value = y(middle);
    if (!(value > 0) || !std::isfinite(value)) break;
    const bool left = std::abs(std::log(value / out.y_a)) > std::abs(std::log(out.y_b / value));
    (left ? out.b : out.a) = middle;
    (left ? out.y_b : out.y_a) = value;
  }
  const double size = std::abs(std::log(out.y_b / out.y_a));
  out.factor = std::exp(size);
  out.factor_low = std::min(out.factor, cliff.factor_low);
  out.grade = grade_of(size);
  return out;
}

Cause cause_of(const std::vector<std::pair<std::string, double>>& before,
               const std::vector<std::pair<std::string, double>>& after) {
  double growth = 0;
  for (std::size_t k = 0; k < before.size(); ++k) growth += after[k].second - before[k].second;
  Cause out;
  if (!(growth > 0)) return out;
  for (std::size_t k = 0; k < before.size(); ++k) {
    const double share = (after[k].second - before[k].second) / growth;
    if (out.part.empty() || share > out.share_of_growth)
      out = {before[k].first, share, before[k].second, after[k].second};
  }
  return out;
}

}  // namespace brink::cliffs
