// Cliffs in a curve: where a small change of one parameter changes the result by a large factor.
//
// Definition. With y > 0 over x > 0, [a, b] is a cliff if b <= a (1 + w), w = 10 %, y changes by a
// factor of at least 1.3 (step), 2 (cliff) or 10 (wall) between them, elasticity over w there is at
// least 3 times the median elsewhere, the change is at least 6 times the noise, and there is either
// a jump (two lines with a jump fit better than a bent line, by 10 of BIC) or an onset (elasticity
// 10 times the median). The levels around must differ, too, so that one bad point is no cliff.
// A pole (1 / (x* - x), a queue that saturates) is named as such, and a knee (a bend) is nothing.
//
// Used by: brink cliff, brink sweep, tests.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "models/base/result.h"

namespace brink::cliffs {

struct Point {
  double x = 0, y = 0;
};

enum class Grade { step, cliff, wall };
std::string_view grade_name(Grade grade);

/// [a, b] with both values: anyone can check two evaluations.
struct Cliff {
  double a = 0, b = 0, y_a = 0, y_b = 0;
  double factor = 1;      ///< the larger value over the smaller
  double factor_low = 1;  ///< lower end of its 99 % interval by the noise of the curve
  bool falls = true;      ///< does y fall from a to b?
  Grade grade = Grade::step;
  bool jump = false;            ///< otherwise an onset
  double elasticity_ratio = 0;  ///< to the median elsewhere
};

struct Pole {
  double at = 0;  ///< where the fitted curve leaves all bounds
  double order = 1;
};

struct Findings {
  std::vector<Cliff> cliffs;  ///< by position
  std::vector<Pole> poles;
  /// Neighbours more than w apart between which the curve changes by 1.3 or more against what the
  /// slopes beside would give: a cliff may hide there, and more points would tell.
  std::vector<std::pair<double, double>> unresolved;
  double noise = 0;        ///< standard deviation of ln y of one point (robust)
  bool too_noisy = false;  ///< noise above 0.1: repeat the points before trusting "no cliff"
  std::size_t points = 0;
};

struct FindOptions {
  double window = 0.10;
  bool exact = false;  ///< the points are values of a function: what looks like noise is shape
};

/// Points in any order; several of one x are averaged (in ln y). Error: fewer than 5 different x, x
/// or y not positive and finite.
Result<Findings, std::string> find_cliffs(std::vector<Point> points,
                                          const FindOptions& options = {});

/// Halves [a, b] of a cliff until b - a <= tolerance * a, keeping the half with the larger change.
/// `y` is the curve; `whole`: x are whole numbers. Evaluations that are not positive end it.
Cliff refine(const Cliff& cliff, const std::function<double(double)>& y, double tolerance,
             bool whole);

/// Time shares at the two ends: the part whose time grew most, with its share of the growth.
struct Cause {
  std::string part;
  double share_of_growth = 0, before = 0, after = 0;
};
/// `before` and `after`: time per operation by part, at the better and the worse end. Empty name
/// when the total does not grow.
Cause cause_of(const std::vector<std::pair<std::string, double>>& before,
               const std::vector<std::pair<std::string, double>>& after);

}  // namespace brink::cliffs
