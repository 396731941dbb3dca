#include "analytic/poisson.h"

#include <algorithm>
#include <cmath>

#include "models/base/check.h"

namespace brink::analytic {

PoissonWeights poisson_weights(double mean, double epsilon) {
  BRINK_CHECK(mean >= 0 && std::isfinite(mean) && epsilon > 0);
  if (mean == 0) return {0, {1.0}, 0};
  const double mode = std::floor(mean);
  std::vector<double> below, above{1.0};
  double total = 1;
  // The mode's weight is 1, so the sum is at least 1 and epsilon/4 of 1 is safe on either side.
  double tail_above = 0, tail_below = 0;
  for (double k = mode;; ++k) {
    const double ratio = mean / (k + 1);
    if (ratio < 1) {
      tail_above = above.back() * ratio / (1 - ratio);
      if (tail_above <= epsilon / 4 && above.back() <= epsilon / 4) break;
    }
    above.push_back(above.back() * ratio);
    total += above.back();
  }
  for (double k = mode, weight = 1; k > 0; --k) {
    const double ratio = k / mean;
    if (ratio < 1) {
      tail_below = weight * ratio / (1 - ratio);
      if (tail_below <= epsilon / 4) break;
    }
    tail_below = 0;
    weight *= ratio;
    below.push_back(weight);
    total += weight;
  }
  PoissonWeights out;
  out.left = static_cast<std::uint64_t>(mode) - below.size();
  out.weights.assign(below.rbegin(), below.rend());
  out.weights.insert(out.weights.end(), above.begin(), above.end());
  for (double& weight : out.weights) weight /= total;
  // Normalising by the kept part moves each weight by at most the tails' share again.
  out.missing = 2 * (tail_above + tail_below) / total;
  return out;
}

}  // namespace brink::analytic
