#include "analytic/cliffs/fits.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

namespace brink::cliffs {
namespace {

constexpr std::size_t kBeside = 15;
constexpr double kLeastOrder = 0.75, kMostOrder = 8;  // of a saturating queue: 1
constexpr double kFloor = 1e-6;                       // squares of ln y that count as a perfect fit

/// Sum of squares about the best fit; columns of `basis` are functions.
double residual(const Eigen::MatrixXd& basis, const Eigen::VectorXd& y) {
  const Eigen::VectorXd best = basis.colPivHouseholderQr().solve(y);
  return (y - basis * best).squaredNorm();
}

double bic(double squares, double points, double parameters) {
  return points * std::log(squares / points + kFloor) + parameters * std::log(points);
}

}  // namespace

double jump_over_hinge(const std::vector<double>& x, const std::vector<double>& y, std::size_t i,
                       std::size_t j) {
  const std::size_t first = i + 1 > kBeside ? i + 1 - kBeside : 0;
  const std::size_t last = std::min(x.size(), j + kBeside);
  std::vector<std::size_t> used;  // what lies inside the jump belongs to neither side
  for (std::size_t k = first; k < last; ++k)
    if (k <= i || k >= j) used.push_back(k);
  const auto n = static_cast<Eigen::Index>(used.size());
  if (n < 6) return 0;
  Eigen::VectorXd values(n);
  Eigen::MatrixXd lines = Eigen::MatrixXd::Zero(n, 4), hinge(n, 3);
  for (Eigen::Index r = 0; r < n; ++r) {
    const std::size_t k = used[static_cast<std::size_t>(r)];
    values(r) = y[k];
    const Eigen::Index side = k <= i ? 0 : 2;
    lines(r, side) = 1;
    lines(r, side + 1) = x[k];
    hinge(r, 0) = 1;
    hinge(r, 1) = x[k];
  }
  double best = std::numeric_limits<double>::infinity();
  for (const std::size_t bend : used) {
    for (Eigen::Index r = 0; r < n; ++r)
      hinge(r, 2) = std::max(0.0, x[used[static_cast<std::size_t>(r)]] - x[bend]);
    best = std::min(best, residual(hinge, values));
  }
  const auto points = static_cast<double>(n);
  return bic(best, points, 4) - bic(residual(lines, values), points, 5);
}

std::optional<Pole> fit_pole(const std::vector<double>& x, const std::vector<double>& y,
                             std::size_t i, std::size_t j) {
  for (const bool rising : {true, false}) {
    // Twelve points up to the steep one, in the direction in which the curve steepens.
    std::vector<std::size_t> used;
    if (rising)
      for (std::size_t k = j + 1 > 12 ? j + 1 - 12 : 0; k <= j; ++k) used.push_back(k);
    else
      for (std::size_t k = i; k < std::min(x.size(), i + 12); ++k) used.push_back(k);
    if (used.size() < 6) continue;
    const auto n = static_cast<Eigen::Index>(used.size());
    Eigen::MatrixXd basis(n, 2);
    Eigen::VectorXd values(n);
    double mean = 0;
    for (Eigen::Index r = 0; r < n; ++r) mean += values(r) = y[used[static_cast<std::size_t>(r)]];
    mean /= static_cast<double>(n);
    const double spread = (values.array() - mean).square().sum();
    const double edge = std::exp(x[rising ? used.back() : used.front()]);
    const double width = std::abs(edge - std::exp(x[rising ? used.front() : used.back()]));
    double least = 0.01 * spread;
    std::optional<Pole> found;
    for (int step = 0; step <= 90; ++step) {
      const double distance = width * std::pow(10, -3 + step * 0.05);
      const double pole = rising ? edge + distance : edge - distance;
      // Nothing lies behind a pole: where the curve goes on, it was something else.
      if (!(pole > 0) || (rising ? pole <= std::exp(x.back()) : pole >= std::exp(x.front())))
        continue;
      for (Eigen::Index r = 0; r < n; ++r) {
        basis(r, 0) = 1;
        basis(r, 1) = std::log(std::abs(pole - std::exp(x[used[static_cast<std::size_t>(r)]])));
      }
      const Eigen::VectorXd best = basis.colPivHouseholderQr().solve(values);
      const double squares = (values - basis * best).squaredNorm();
      if (squares > least) continue;
      least = squares;
      found = Pole{pole, std::abs(best(1))};
    }
    if (found && found->order >= kLeastOrder && found->order <= kMostOrder) return found;
  }
  return std::nullopt;
}

}  // namespace brink::cliffs
