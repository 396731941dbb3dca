// Blocked GTH elimination.
//
// The idea: eliminating one state is a rank-one update of all rows that remain. A panel of
// `panel_width` states is eliminated with its updates applied only to the panel's own rows and
// columns; what they do to the rest of the matrix is then one product of two thin matrices (as in
// right-looking LU, Golub & Van Loan, ch. 3.2). What differs from LU: the pivot is never the
// diagonal entry, which would need a subtraction, but the sum of the row over the states that are
// left and the exit, which is complete because the panel's rows are updated over their whole width
// first.
//
// Invariant: no entry is ever negative and nothing is subtracted, so each entry carries a relative
// error of its number of roundings and the bound of elimination.h applies with the double's unit.
// Doubles end at 1e-308: when a product of the smallest factors could come near that, the whole
// block is given back undone. Tried and dropped: one rank-one update after the other, which is
// bound by memory and five times slower at 2,500 states.
#include "analytic/dense_elimination.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

#include "models/base/check.h"

namespace brink::analytic {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Row = Eigen::RowVectorXd;

constexpr Eigen::Index panel_width = 48;
constexpr double smallest_safe_product = 1e-280;
constexpr double unit_roundoff = std::numeric_limits<double>::epsilon() / 2;

double smallest_positive(const Eigen::Ref<const Matrix>& m) {
  return (m.array() > 0).select(m.array(), std::numeric_limits<double>::infinity()).minCoeff();
}

class DenseElimination {
 public:
  DenseElimination(DenseBlock& block)
      : block_(block), a_(block.rate.data(), block.size, block.size) {
    a_.diagonal().setZero();
  }

  bool run(Eigen::Index left) {
    Eigen::Index end = block_.size;
    while (end > left) {
      const Eigen::Index begin = std::max(left, end - panel_width);
      if (!eliminate_panel(begin, end)) return false;
      end = begin;
    }
    return true;
  }

 private:
  /// Eliminates the states begin .. end-1, the last first.
  bool eliminate_panel(Eigen::Index begin, Eigen::Index end) {
    shares_.setZero(begin, end - begin);
    for (Eigen::Index k = end - 1; k >= begin; --k) {
      const double leaving = block_.exit[k] + a_.row(k).head(k).sum();
      if (!(leaving > 0) || !std::isfinite(leaving)) return false;
      block_.leaving[k] = leaving;
      for (Eigen::Index i = begin; i < k; ++i) {  // rows of the panel: over their whole width
        const double share = a_(i, k) / leaving;
        if (share == 0) continue;
        a_.row(i).head(k) += share * a_.row(k).head(k);
        a_(i, i) = 0;
        pass_on(i, k, share);
      }
      for (Eigen::Index i = 0; i < begin; ++i) {  // other rows: only the panel's columns
        const double share = a_(i, k) / leaving;
        if (share == 0) continue;
        shares_(i, k - begin) = share;
        a_.row(i).segment(begin, k - begin) += share * a_.row(k).segment(begin, k - begin);
        pass_on(i, k, share);
      }
    }
    if (begin == 0) return true;
    const auto through = a_.block(begin, 0, end - begin, begin);
    const double product = smallest_positive(shares_) * smallest_positive(through);
    if (product < smallest_safe_product) return false;
    a_.topLeftCorner(begin, begin).noalias() += shares_ * through;
    a_.diagonal().head(begin).setZero();  // back to where it came from: no move at all
    return true;
  }

  void pass_on(Eigen::Index to, Eigen::Index from, double share) {
    block_.exit[to] += share * block_.exit[from];
    for (auto& right : block_.right) right[to] += share * right[from];
  }

  DenseBlock& block_;
  Eigen::Map<Matrix> a_;
  Matrix shares_;
};

}  // namespace

bool eliminate_dense(DenseBlock& block, std::uint32_t left) {
  BRINK_CHECK(block.rate.size() == static_cast<std::size_t>(block.size) * block.size);
  block.leaving.assign(block.size, 0);
  return DenseElimination(block).run(left);
}

double dense_perturbation(std::uint32_t size) {
  const double n = size;
  return (2 * n / 3 + 6) * n * n * unit_roundoff;
}

}  // namespace brink::analytic
