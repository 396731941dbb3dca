// Large sparse systems, solved in double precision and then *certified*.
//
// Any method may propose x; the proof of its accuracy is separate. The matrix A has a positive
// diagonal and no positive off-diagonal entry. If some v >= 0 has A v >= g > 0 in every row
// (checked with rounding taken into account), then A is a non-singular M-matrix, its inverse is
// non-negative (Berman & Plemmons, ch. 6), and |x - exact| <= max(|A x - b| / g) * v. This is what
// makes iteration sound: a sweep that moves little proves nothing (haddad-monmege), a supersolution
// does.
//
// Gauss-Seidel iterates x and v side by side; SparseLU solves for both. Tried and dropped: stopping
// on the change per sweep; interval iteration from above, which needs a finite upper start.
#pragma once

#include "analytic/numeric.h"

namespace brink::analytic {

/// (diagonal_s) x_s - sum_j rate(s,j) x_j = right_s, rate >= 0.
struct CertifiedSystem {
  std::vector<std::size_t> begin{0};
  std::vector<std::uint32_t> column;
  std::vector<double> rate;
  std::vector<double> diagonal;
  std::vector<double> right;
  std::vector<double> right_error;  ///< absolute bounds of the entries of `right`, or empty

  std::uint32_t size() const { return static_cast<std::uint32_t>(begin.size() - 1); }
};

/// Solves by Gauss-Seidel or SparseLU (`automatic`: the former first, the latter when it mixes
/// slowly). Not converged when the certified bound exceeds the tolerance: relative for each value,
/// or 1e-6 of it relative to the largest value.
Solution solve_certified(const CertifiedSystem& system, const SolveOptions& options);

/// The same by Gauss-Seidel where its first sweeps say that it settles within some seconds; not
/// converged where they say otherwise.
Solution sweep_if_quick(const CertifiedSystem& system, const SolveOptions& options);

}  // namespace brink::analytic
