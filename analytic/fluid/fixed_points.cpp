// Roots by a grid of signs and TOMS 748; folds by bisection on the number of roots, since at a fold
// two roots vanish together. The position of a fold is where F(x) - x touches zero: the extremum of
// F - x between the two roots.
#include "analytic/fluid/fixed_points.h"

#include <boost/math/tools/minima.hpp>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <cstdint>

namespace brink::fluid {

std::vector<FixedPoint> fixed_points(const Map& f, double low, double high, int cells) {
  std::vector<FixedPoint> out;
  const auto drift = [&](double x) { return f(x) - x; };
  const double width = (high - low) / cells;
  const auto add = [&](double x) {
    const double step = 1e-6 * (high - low);
    const double a = std::max(low, x - step), b = std::min(high, x + step);
    const double slope = (f(b) - f(a)) / (b - a);
    if (out.empty() || x - out.back().x > 1e-9 * (high - low)) out.push_back({x, slope, slope < 1});
  };
  double before = drift(low);
  if (before == 0) add(low);
  for (int i = 1; i <= cells; ++i) {
    const double at = low + width * i, now = drift(at);
    if (now == 0) {
      add(at);
    } else if (before != 0 && (before < 0) != (now < 0)) {
      std::uintmax_t most = 200;
      const auto [a, b] = boost::math::tools::toms748_solve(
          drift, at - width, at, before, now, boost::math::tools::eps_tolerance<double>(52), most);
      add(0.5 * (a + b));
    }
    before = now;
  }
  return out;
}

namespace {

/// Where |F - x| is least between two neighbouring fixed points: there it touches zero at the fold.
double touch(const Map& f, double a, double b) {
  const auto [x, y] = boost::math::tools::brent_find_minima(
      [&](double x) { return -std::abs(f(x) - x); }, a, b, 40);
  (void)y;
  return x;
}

Fold narrow(const Family& f, double low, double high, double more, double fewer, int cells,
            double range) {
  const auto roots = [&](double theta) {
    return fixed_points([&](double x) { return f(x, theta); }, low, high, cells);
  };
  auto many = roots(more);
  const std::size_t count = roots(fewer).size();
  while (std::abs(more - fewer) > 1e-13 * range) {
    const double middle = 0.5 * (more + fewer);
    if (middle == more || middle == fewer) break;
    auto at = roots(middle);
    if (at.size() > count) {
      more = middle;
      many = std::move(at);
    } else {
      fewer = middle;
    }
  }
  std::size_t nearest = 0;
  for (std::size_t i = 0; i + 1 < many.size(); ++i)
    if (many[i + 1].x - many[i].x < many[nearest + 1].x - many[nearest].x) nearest = i;
  if (many.size() < 2) return {more, many.empty() ? 0 : many[0].x};
  return {more, touch([&](double x) { return f(x, more); }, many[nearest].x, many[nearest + 1].x)};
}

}  // namespace

std::vector<Fold> folds(const Family& f, double low, double high, double from, double to, int steps,
                        int cells) {
  std::vector<Fold> out;
  const auto count = [&](double theta) {
    return fixed_points([&](double x) { return f(x, theta); }, low, high, cells).size();
  };
  double before = from;
  std::size_t had = count(from);
  for (int i = 1; i <= steps; ++i) {
    const double theta = from + (to - from) * i / steps;
    const std::size_t has = count(theta);
    if (has != had)
      out.push_back(has > had ? narrow(f, low, high, theta, before, cells, to - from)
                              : narrow(f, low, high, before, theta, cells, to - from));
    had = has;
    before = theta;
  }
  return out;
}

std::vector<double> follow(const Family& f, double low, double high,
                           const std::vector<double>& thetas, double start) {
  std::vector<double> out;
  double x = start;
  for (const double theta : thetas) {
    const Map at = [&](double value) { return f(value, theta); };
    const double drift = at(x) - x;
    double next = drift > 0 ? high : low;
    const auto points = fixed_points(at, low, high);
    for (const FixedPoint& point : points) {
      if (drift > 0 && point.x >= x) {
        next = point.x;
        break;
      }
      if (drift <= 0 && point.x <= x) next = point.x;
    }
    out.push_back(x = next);
  }
  return out;
}

}  // namespace brink::fluid
