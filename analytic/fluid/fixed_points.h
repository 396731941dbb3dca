// All fixed points of x = F(x, theta), where their number changes, and hysteresis.
//
// A system whose next state depends on its present one (a cache whose misses slow the requests that
// fill it, a dirty set that the disk's speed decides) may have several states that hold themselves:
//   stable      it comes back after a small push
//   vulnerable  stable, but for this setting there is another stable state, too
//   metastable  the worse of them: what triggered it is gone, and it stays
// A fold is a setting at which a stable and an unstable state meet and vanish: a cliff in one
// direction only. Used by: tests, predictions, users of the library.
#pragma once

#include <functional>
#include <vector>

namespace brink::fluid {

struct FixedPoint {
  double x = 0;
  double slope = 0;  ///< dF/dx; below 1: stable in dx/dt = F(x) - x
  bool stable = false;
};

using Map = std::function<double(double x)>;
using Family = std::function<double(double x, double theta)>;

/// All roots of F(x) = x in [low, high] that differ by more than (high - low) / cells. Two that
/// meet (a fold) may be missed; `folds` finds those.
std::vector<FixedPoint> fixed_points(const Map& f, double low, double high, int cells = 4000);

struct Fold {
  double theta = 0, x = 0;
};
/// Settings in [from, to] at which the number of fixed points changes, to 1e-12 of the range.
std::vector<Fold> folds(const Family& f, double low, double high, double from, double to,
                        int steps = 200, int cells = 4000);

/// The state reached at each setting when they are gone through in order, starting from `start`: at
/// each setting the system flows from where it was to the next fixed point.
std::vector<double> follow(const Family& f, double low, double high,
                           const std::vector<double>& thetas, double start);

}  // namespace brink::fluid
