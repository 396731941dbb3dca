#include "analytic/certified.h"

#include <fmt/core.h>

#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <limits>

namespace brink::analytic {
namespace {

using Column = std::vector<double>;

constexpr double roundoff = std::numeric_limits<double>::epsilon() / 2;

/// Proposed solutions: of the system, of its right-hand errors, and for a right side of ones.
struct Proposal {
  Column x, error, ones;
};

struct Row {
  double value;  ///< (A x)_s
  double size;   ///< the same sum over absolute values
};

Row apply(const CertifiedSystem& a, std::uint32_t s, const Column& x) {
  Row row{a.diagonal[s] * x[s], std::abs(a.diagonal[s] * x[s])};
  for (std::size_t k = a.begin[s]; k < a.begin[s + 1]; ++k) {
    const double term = a.rate[k] * x[a.column[k]];
    row.value -= term;
    row.size += std::abs(term);
  }
  return row;
}

double slack(const CertifiedSystem& a, std::uint32_t s) {
  // One rounding for each product and sum of the row, and as many in the diagonal itself.
  return (2.0 * static_cast<double>(a.begin[s + 1] - a.begin[s]) + 6) * roundoff;
}

/// max_s |A x - b|_s / g_s, or infinity when `ones` is no supersolution.
double ratio(const CertifiedSystem& a, const Column& x, const Column& b, const Column& ones) {
  double worst = 0;
  for (std::uint32_t s = 0; s < a.size(); ++s) {
    const Row support = apply(a, s, ones);
    const double g = support.value - slack(a, s) * support.size;
    if (!(g > 0) || !(ones[s] >= 0)) return std::numeric_limits<double>::infinity();
    const Row row = apply(a, s, x);
    const double defect = std::abs(row.value - b[s]) + slack(a, s) * (row.size + std::abs(b[s]));
    if (!(defect <= std::numeric_limits<double>::max()))
      return std::numeric_limits<double>::infinity();
    worst = std::max(worst, defect / g);
  }
  return worst;
}

/// Fills bounds and residual of `out` from a proposal; true when within the tolerance.
bool certify(const CertifiedSystem& a, const Proposal& p, const SolveOptions& options,
             Solution& out) {
  const std::uint32_t n = a.size();
  out.residual = 0;
  double largest = 0;
  for (std::uint32_t s = 0; s < n; ++s) {
    const Row row = apply(a, s, p.x);
    const double size = row.size + std::abs(a.right[s]);
    if (size > 0) out.residual = std::max(out.residual, std::abs(row.value - a.right[s]) / size);
    largest = std::max(largest, std::abs(p.x[s]));
  }
  double kappa = ratio(a, p.x, a.right, p.ones);
  if (!a.right_error.empty()) kappa += ratio(a, p.error, a.right_error, p.ones);
  if (!std::isfinite(kappa)) return false;
  out.bounds.assign(n, 0);
  bool good = true;
  for (std::uint32_t s = 0; s < n; ++s) {
    out.bounds[s] = kappa * p.ones[s] + (p.error.empty() ? 0 : std::abs(p.error[s]));
    const double wanted = options.tolerance * std::max(std::abs(p.x[s]), 1e-6 * largest);
    good = good && out.bounds[s] <= wanted;
  }
  return good;
}

void sweep(const CertifiedSystem& a, const Column& b, Column& x) {
  for (std::uint32_t s = 0; s < a.size(); ++s) {
    double sum = b[s];
    for (std::size_t k = a.begin[s]; k < a.begin[s + 1]; ++k) sum += a.rate[k] * x[a.column[k]];
    x[s] = sum / a.diagonal[s];
  }
}

/// Runs sweeps until certified or `limit`; keeps its iterates in `p` so that it can be resumed.
bool iterate(const CertifiedSystem& a, const SolveOptions& options, std::uint64_t limit,
             Proposal& p, Solution& out) {
  const Column ones(a.size(), 1.0);
  std::uint64_t check_at = out.iterations + 16;
  while (out.iterations < limit && !stopped(options)) {
    sweep(a, a.right, p.x);
    sweep(a, ones, p.ones);
    if (!a.right_error.empty()) sweep(a, a.right_error, p.error);
    if (++out.iterations < check_at) continue;
    if (certify(a, p, options, out)) return true;
    check_at += std::max<std::uint64_t>(16, out.iterations / 4);
  }
  return false;
}

/// Sweeps that are still needed if each goes on shrinking the change by the factor that the last
/// ones did; infinite when they do not shrink.
double sweeps_ahead(const CertifiedSystem& a, Proposal& p, Solution& out) {
  const Column ones(a.size(), 1.0);
  const auto change = [&] {
    const Column before = p.ones;
    constexpr int together = 4;
    for (int i = 0; i < together; ++i) {
      sweep(a, a.right, p.x);
      sweep(a, ones, p.ones);
      if (!a.right_error.empty()) sweep(a, a.right_error, p.error);
      ++out.iterations;
    }
    double moved = 0, largest = 0;
    for (std::size_t s = 0; s < before.size(); ++s) {
      moved = std::max(moved, std::abs(p.ones[s] - before[s]));
      largest = std::max(largest, p.ones[s]);
    }
    return largest == 0 ? 0 : moved / largest;
  };
  const double first = change(), second = change();
  if (second == 0) return 0;
  if (!(second < first)) return std::numeric_limits<double>::infinity();
  constexpr double wanted = 1e-15;
  return 4 * std::log(std::max(second / wanted, 1.0)) / std::log(first / second);
}

bool factorise(const CertifiedSystem& a, const SolveOptions& options, Proposal& p, Solution& out) {
  const auto n = static_cast<Eigen::Index>(a.size());
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(a.rate.size() + a.size());
  for (std::uint32_t s = 0; s < a.size(); ++s) {
    entries.emplace_back(s, s, a.diagonal[s]);
    for (std::size_t k = a.begin[s]; k < a.begin[s + 1]; ++k)
      entries.emplace_back(s, a.column[k], -a.rate[k]);
  }
  Eigen::SparseMatrix<double> matrix(n, n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  Eigen::SparseLU<Eigen::SparseMatrix<double>, Eigen::COLAMDOrdering<int>> lu(matrix);
  if (lu.info() != Eigen::Success) return false;
  const auto solve = [&](const Column& right) {
    const Eigen::Map<const Eigen::VectorXd> b(right.data(), n);
    Eigen::VectorXd x = lu.solve(b);
    x += lu.solve(b - matrix * x);  // one step of refinement
    return Column(x.data(), x.data() + n);
  };
  p.x = solve(a.right);
  p.ones = solve(Column(a.size(), 1.0));
  if (!a.right_error.empty()) p.error = solve(a.right_error);
  return certify(a, p, options, out);
}

Proposal nothing(const CertifiedSystem& system) {
  return {Column(system.size(), 0), Column(system.right_error.empty() ? 0 : system.size(), 0),
          Column(system.size(), 0)};
}

void finish(const CertifiedSystem& system, const SolveOptions& options, Proposal& p,
            Solution& out) {
  if (out.converged) {
    out.values = std::move(p.x);
    return;
  }
  out.bounds.clear();
  out.note = stopped(options)
                 ? "interrupted"
                 : fmt::format("no bound within {} after {} sweeps on {} states (residual {})",
                               options.tolerance, out.iterations, system.size(), out.residual);
}

}  // namespace

Solution solve_certified(const CertifiedSystem& system, const SolveOptions& options) {
  constexpr std::uint64_t first_sweeps = 600;
  Solution out;
  Proposal p = nothing(system);
  const bool may_iterate = options.method != Method::sparse_lu;
  const bool may_factorise =
      options.method != Method::gauss_seidel && system.size() <= options.max_lu_states;
  out.method = Method::gauss_seidel;
  if (may_iterate)
    out.converged = iterate(
        system, options,
        may_factorise ? std::min(first_sweeps, options.max_sweeps) : options.max_sweeps, p, out);
  if (!out.converged && may_factorise && !stopped(options)) {
    Proposal direct = p;
    if (factorise(system, options, direct, out)) {
      out.converged = true;
      out.method = Method::sparse_lu;
      out.iterations = 0;
      p = std::move(direct);
    } else if (may_iterate) {
      out.converged = iterate(system, options, options.max_sweeps, p, out);
    }
  }
  finish(system, options, p, out);
  return out;
}

Solution sweep_if_quick(const CertifiedSystem& system, const SolveOptions& options) {
  constexpr std::uint64_t first_sweeps = 60;
  constexpr double affordable = 1e10;  // operations
  Solution out;
  out.method = Method::gauss_seidel;
  Proposal p = nothing(system);
  out.converged = iterate(system, options, first_sweeps, p, out);
  const auto quick = [&] {
    const double entries = static_cast<double>(system.rate.size() + system.size());
    return sweeps_ahead(system, p, out) * entries * 2 < affordable;
  };
  if (!out.converged && !stopped(options) && quick())
    out.converged = iterate(system, options, options.max_sweeps, p, out);
  finish(system, options, p, out);
  return out;
}

}  // namespace brink::analytic
