// The dense end of a state elimination: what is left when fill has made every row nearly full.
//
// Plain Grassmann-Taksar-Heyman on a square block, in double precision and blocked, so that nearly
// all of the work is matrix products. Used by elimination.cpp only.
#pragma once

#include <cstdint>
#include <vector>

namespace brink::analytic {

struct DenseBlock {
  std::uint32_t size = 0;
  std::vector<double> rate;                ///< size x size, row-major; the diagonal is ignored
  std::vector<double> exit;                ///< rate out of the block, one per state
  std::vector<std::vector<double>> right;  ///< right-hand sides
  std::vector<double> leaving;             ///< out: rate out of each state when it was eliminated

  double& at(std::uint32_t row, std::uint32_t column) {
    return rate[static_cast<std::size_t>(row) * size + column];
  }
};

/// Eliminates the states size-1, size-2, ... until `left` remain. Afterwards rate(k, j) and
/// rate(i, k) for i, j < k are the censored rates at the moment k was eliminated. False when rates
/// span too many decades for a double (the caller has a wider way), leaving the block undefined.
bool eliminate_dense(DenseBlock& block, std::uint32_t left);

/// What the eliminations add to the relative perturbation of the result (see elimination.h).
double dense_perturbation(std::uint32_t size);

}  // namespace brink::analytic
