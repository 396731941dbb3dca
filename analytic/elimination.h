// Balance systems and their solution by state elimination.
//
// The idea (Grassmann, Taksar & Heyman, Oper. Res. 33, 1985, "GTH"): take one state out of the
// chain and give every path through it to its neighbours as a direct transition. The rate out of a
// state is always re-computed as a sum of what is left, never as a difference, so no digit cancels
// and first-passage times of 1e17 come out with the relative accuracy of a product.
//
// What differs here: rows stay sparse; the state with the smallest (in x out) degree goes first
// (Markowitz), so that birth-death chains of any length eliminate in linear time; right-hand sides
// are carried along; and the answer has a proved relative error bound. The bound: by the
// Markov chain tree theorem (Freidlin & Wentzell, ch. 6) a solution is a ratio of sums of products
// that take one rate from each row, so a relative perturbation e of k rows moves it by at most
// 2ke. One elimination perturbs its in-degree of rows by (out-degree + 3) roundings each; the sum
// over all eliminations plus the depth of the back substitution bounds the whole error, to first
// order. (O'Cinneide, Numer. Math. 65, 1993, bounds the dense case by the same kind of argument.)
//
// Invariant: rates are positive, and the sum of a row (with its exit) is what it was in the
// censored chain. Tried and dropped: a posteriori residuals, which say nothing here, because
// rounding the solution to double alone makes a residual of 1e17 * 1e-16.
#pragma once

#include <cstdint>
#include <vector>

#include "analytic/numeric.h"

namespace brink::analytic {

/// x_s = (right_s + sum_j rate(s,j) x_j) / (exit_s + sum_j rate(s,j)), rates without a diagonal.
/// Where exits are zero and there is no right side it describes a closed component instead.
struct BalanceSystem {
  std::vector<std::size_t> begin{0};
  std::vector<std::uint32_t> column;
  std::vector<double> rate;
  std::vector<double> exit;                ///< rate to states outside the system
  std::vector<std::vector<double>> right;  ///< right-hand sides, one vector each

  std::uint32_t size() const { return static_cast<std::uint32_t>(begin.size() - 1); }
};

struct EliminationResult {
  bool done = false;                        ///< false: over budget, or stopped
  std::vector<std::vector<double>> values;  ///< for each right-hand side
  double relative_bound = 0;                ///< for non-negative right-hand sides
};

/// Solves the system for all its right-hand sides. Every state must be able to leave the system.
EliminationResult eliminate(const BalanceSystem& system, const SolveOptions& options);

/// The stationary distribution of a closed strongly connected system (exits ignored).
EliminationResult eliminate_stationary(const BalanceSystem& system, const SolveOptions& options);

}  // namespace brink::analytic
