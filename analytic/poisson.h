// Poisson weights for uniformisation: the terms e^-a a^k / k! that matter, and a proved bound of
// what is left out.
//
// The idea is Fox & Glynn's (CACM 31, 1988): start at the mode with an arbitrary weight, recur to
// both sides, normalise by the sum, so that nothing underflows for large a. What differs: the
// truncation points are not taken from their corollaries (whose constants fail for some a, see
// Jansen, "Understanding Fox and Glynn's ...", 2011) but found while recurring: beyond a point the
// ratio of neighbours is below r < 1, so the whole tail is below w r / (1 - r).
#pragma once

#include <cstdint>
#include <vector>

namespace brink::analytic {

struct PoissonWeights {
  std::uint64_t left = 0;       ///< index of the first weight
  std::vector<double> weights;  ///< probabilities of left, left+1, ...
  double missing = 0;           ///< upper bound of the probability outside
};

/// Weights for mean `mean` >= 0 that leave out at most `epsilon` in all.
PoissonWeights poisson_weights(double mean, double epsilon);

}  // namespace brink::analytic
