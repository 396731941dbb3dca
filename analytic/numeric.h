// What every numeric answer of analytic/ carries besides its values: how it was found, how wrong it
// can be, and whether it may be used at all. Used by all solvers here and by the reports.
//
// A solver that did not converge returns no numbers (an empty vector): UNDECIDED is never a number.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace brink::analytic {

/// How a system of balance equations was solved; `describe` gives the name used in results.
enum class Method {
  automatic,     ///< in options only: let the size and the fill decide
  graph,         ///< decided by reachability alone (probability 0 or 1, infinite times)
  elimination,   ///< sparse GTH state elimination, no subtraction, entrywise relative accuracy
  gauss_seidel,  ///< sweeps with a certified bound from a supersolution
  sparse_lu,     ///< Eigen SparseLU (one state pinned for stationary vectors), certified likewise
  uniformise,    ///< Poisson-weighted powers of the uniformised chain
  powers,        ///< plain vector-matrix products of a discrete chain
  exact          ///< rational arithmetic throughout (exact mode)
};

struct SolveOptions {
  Method method = Method::automatic;
  double tolerance = 1e-9;  ///< wanted bound of the relative error; a larger one is UNDECIDED
  std::uint64_t elimination_operations = 4'000'000'000;  ///< budget of the elimination
  std::uint64_t first_operations = 30'000'000;           ///< before quick sweeps are tried
  std::uint64_t max_sweeps = 20'000;                     ///< of Gauss-Seidel, per component
  std::uint32_t max_lu_states = 60'000;                  ///< SparseLU is not tried above this size
  bool lump = false;                                     ///< chains: alike states become one first
  std::uint64_t bytes = 0;                  ///< limit of products with automata; 0: none
  const std::atomic<bool>* stop = nullptr;  ///< set by the caller to interrupt
};

/// One value for each state, or none.
struct Solution {
  std::vector<double> values;  ///< empty unless `converged`; may hold +infinity
  std::vector<double> bounds;  ///< absolute error bound of each value (0 where value is exact)
  double residual = 0;         ///< largest scaled defect of the balance equations, measured
  Method method = Method::graph;
  std::uint64_t iterations = 0;  ///< sweeps or products; 0 for direct methods
  bool converged = false;
  std::uint32_t classes = 0;  ///< states of the chain that was solved instead, when lumped
  /// Values minus bounds are lower bounds and nothing is said about the other side (rewards of a
  /// model that is only partly explored).
  bool at_least = false;
  std::string note;  ///< why not, when not converged
};

/// A row of the table of methods (`brink list`, the manual).
struct MethodInfo {
  Method method;
  std::string_view name;
  std::string_view what;
  std::string_view when;
};

/// The table of methods, one row each, in the order of the enumeration.
const std::vector<MethodInfo>& methods();

/// The row's name, for instance "elimination".
std::string_view describe(Method method);

/// Largest |bound| relative to |value| over finite non-zero values: what a report prints.
double relative_bound(const Solution& solution);

inline bool stopped(const SolveOptions& options) {
  return options.stop != nullptr && options.stop->load(std::memory_order_relaxed);
}

}  // namespace brink::analytic
