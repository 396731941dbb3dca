#include "analytic/stationary.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analytic/absorption.h"
#include "analytic/certified.h"
#include "analytic/elimination.h"
#include "models/base/check.h"

namespace brink::analytic {
namespace {

/// The closed component as a system without diagonal.
BalanceSystem closed_system(const Chain& chain, const std::vector<std::uint32_t>& states) {
  BalanceSystem system;
  for (const std::uint32_t s : states) {
    for (const Entry& entry : chain.row(s)) {
      if (entry.column == s) continue;
      const auto at = std::lower_bound(states.begin(), states.end(), entry.column);
      BRINK_CHECK(at != states.end() && *at == entry.column, "component is not closed");
      system.column.push_back(static_cast<std::uint32_t>(at - states.begin()));
      system.rate.push_back(entry.value);
    }
    system.begin.push_back(system.column.size());
    system.exit.push_back(0);
  }
  return system;
}

/// The balance equations pi_s leaving_s = sum_i pi_i rate(i,s) by columns.
struct Inflow {
  std::vector<std::size_t> begin;
  std::vector<std::uint32_t> from;
  std::vector<double> rate;
  std::vector<double> leaving;

  explicit Inflow(const BalanceSystem& system)
      : begin(system.size() + 1, 0),
        from(system.rate.size()),
        rate(system.rate.size()),
        leaving(system.size(), 0) {
    for (const std::uint32_t column : system.column) ++begin[column + 1];
    for (std::size_t s = 1; s < begin.size(); ++s) begin[s] += begin[s - 1];
    auto next = begin;
    for (std::uint32_t s = 0; s < system.size(); ++s)
      for (std::size_t k = system.begin[s]; k < system.begin[s + 1]; ++k) {
        from[next[system.column[k]]] = s;
        rate[next[system.column[k]]++] = system.rate[k];
        leaving[s] += system.rate[k];
      }
  }
};

/// A state that is heavy after some sweeps: pinning it keeps the other weights moderate.
std::uint32_t heavy_state(const Inflow& inflow) {
  std::vector<double> pi(inflow.leaving.size(), 1.0 / static_cast<double>(inflow.leaving.size()));
  constexpr int sweeps = 50;
  for (int round = 0; round < sweeps; ++round) {
    double total = 0;
    for (std::size_t s = 0; s < pi.size(); ++s) {
      double sum = 0;
      for (std::size_t k = inflow.begin[s]; k < inflow.begin[s + 1]; ++k)
        sum += inflow.rate[k] * pi[inflow.from[k]];
      pi[s] = sum / inflow.leaving[s];
      total += pi[s];
    }
    for (double& value : pi) value /= total;
  }
  return static_cast<std::uint32_t>(std::max_element(pi.begin(), pi.end()) - pi.begin());
}

Solution pinned(const Inflow& inflow, const SolveOptions& options) {
  const std::uint32_t n = static_cast<std::uint32_t>(inflow.leaving.size());
  const std::uint32_t pin = heavy_state(inflow);
  CertifiedSystem system;
  for (std::uint32_t s = 0; s < n; ++s) {
    if (s == pin) continue;
    double right = 0;
    for (std::size_t k = inflow.begin[s]; k < inflow.begin[s + 1]; ++k) {
      const std::uint32_t from = inflow.from[k];
      if (from == pin) {
        right += inflow.rate[k];
      } else {
        system.column.push_back(from - (from > pin ? 1 : 0));
        system.rate.push_back(inflow.rate[k]);
      }
    }
    system.begin.push_back(system.column.size());
    system.diagonal.push_back(inflow.leaving[s]);
    system.right.push_back(right);
  }
  Solution out = solve_certified(system, options);
  if (!out.converged) return out;
  out.values.insert(out.values.begin() + pin, 1.0);
  out.bounds.insert(out.bounds.begin() + pin, 0.0);
  double total = 0, doubt = 0;
  for (std::uint32_t s = 0; s < n; ++s) {
    total += out.values[s];
    doubt += out.bounds[s];
  }
  const double rounding = static_cast<double>(n) * std::numeric_limits<double>::epsilon();
  for (std::uint32_t s = 0; s < n; ++s) {
    out.values[s] = std::max(0.0, out.values[s] / total);
    out.bounds[s] = out.bounds[s] / total + out.values[s] * (doubt / total + rounding);
  }
  return out;
}

double imbalance(const Inflow& inflow, const std::vector<double>& pi) {
  double worst = 0;
  for (std::size_t s = 0; s < pi.size(); ++s) {
    double in = 0;
    for (std::size_t k = inflow.begin[s]; k < inflow.begin[s + 1]; ++k)
      in += inflow.rate[k] * pi[inflow.from[k]];
    const double out = pi[s] * inflow.leaving[s];
    // What underflows to nothing has no digits to compare.
    if (std::max(in, out) > 1e-290) worst = std::max(worst, std::abs(in - out) / (in + out));
  }
  return worst;
}

/// v >= 0 with v_i leaving_i - sum_j rate(i,j) v_j >= 1/2 for i != z: bounds of the mean times to
/// z, up to the factor 2. Sweeps from 0 rise, and this holds long before they settle. Empty: not
/// within `limit` sweeps.
std::vector<double> bounds_of_times(const BalanceSystem& system, const Inflow& inflow,
                                    std::uint32_t z, std::uint64_t limit, Solution& out,
                                    const SolveOptions& options) {
  std::vector<double> v(system.size(), 0);
  for (std::uint64_t i = 1; i <= limit && !stopped(options); ++i, ++out.iterations) {
    for (std::uint32_t s = 0; s < system.size(); ++s) {
      double sum = 1;
      for (std::size_t k = system.begin[s]; k < system.begin[s + 1]; ++k)
        sum += system.rate[k] * v[system.column[k]];
      v[s] = s == z ? 0 : sum / inflow.leaving[s];
    }
    if (i % 32 != 0) continue;
    bool holds = true;
    for (std::uint32_t s = 0; s < system.size() && holds; ++s) {
      double in = 0;
      for (std::size_t k = system.begin[s]; k < system.begin[s + 1]; ++k)
        in += system.rate[k] * v[system.column[k]];
      const double roundings = static_cast<double>(system.begin[s + 1] - system.begin[s] + 4) *
                               std::numeric_limits<double>::epsilon();
      const double out_of = v[s] * inflow.leaving[s];
      holds = s == z || out_of - in - roundings * (out_of + in) >= 0.5;
    }
    if (holds) return v;
  }
  return {};
}

/// Gauss-Seidel on the balance equations, with a bound. For a function f with |f| <= 1 and h(i) its
/// expected sum, less its mean, on the way from i to z, a distribution p has p f - pi f = -(p Q) h
/// (Poisson's equation), and |h(i)| is at most twice the mean time from i to z. So |p - pi| in all
/// is at most |p Q| in all, times four times v above. Nothing is pinned, so sweeps settle as fast
/// as the chain forgets.
Solution balanced(const BalanceSystem& system, const Inflow& inflow, const SolveOptions& options,
                  double& total_error) {
  constexpr std::uint64_t most_operations = 6'000'000'000;
  constexpr double wanted = 1e-10;
  Solution out;
  out.method = Method::gauss_seidel;
  const auto n = static_cast<double>(system.size());
  const std::uint64_t limit = most_operations / (system.rate.size() + system.size() + 1) / 2;
  const std::uint32_t z = heavy_state(inflow);
  const std::vector<double> v = bounds_of_times(system, inflow, z, limit, out, options);
  if (v.empty()) return out;
  const double longest = *std::max_element(v.begin(), v.end());
  std::vector<double> pi(system.size(), 1 / n);
  double best = std::numeric_limits<double>::infinity();
  for (std::uint64_t round = 0; round < limit && !stopped(options); ++round, ++out.iterations) {
    double total = 0, defect = 0;
    for (std::size_t s = 0; s < pi.size(); ++s) {
      double in = 0;
      for (std::size_t k = inflow.begin[s]; k < inflow.begin[s + 1]; ++k)
        in += inflow.rate[k] * pi[inflow.from[k]];
      pi[s] = in / inflow.leaving[s];
      total += pi[s];
    }
    for (double& value : pi) value /= total;
    if (round % 32 != 31) continue;
    for (std::size_t s = 0; s < pi.size(); ++s) {
      double in = 0;
      for (std::size_t k = inflow.begin[s]; k < inflow.begin[s + 1]; ++k)
        in += inflow.rate[k] * pi[inflow.from[k]];
      const double from = pi[s] * inflow.leaving[s];
      const double roundings = static_cast<double>(inflow.begin[s + 1] - inflow.begin[s] + 4) *
                               std::numeric_limits<double>::epsilon();
      defect += std::abs(in - from) + roundings * (in + from);
    }
    const double error = 4 * defect * longest + 2 * n * std::numeric_limits<double>::epsilon();
    const bool floor = error > 0.9 * best;
    best = std::min(best, error);
    if (!floor || error > wanted) continue;
    total_error = error;
    out.bounds.assign(pi.size(), error);
    out.values = std::move(pi);
    out.converged = true;
    return out;
  }
  return out;
}

Solution solve_bottom(const Chain& chain, const std::vector<std::uint32_t>& states,
                      const SolveOptions& options, double& total_error) {
  Solution out;
  if (states.size() == 1) {
    out.values = {1.0};
    out.bounds = {0.0};
    out.converged = true;
    return out;
  }
  const BalanceSystem system = closed_system(chain, states);
  const Inflow inflow(system);
  const auto by_elimination = [&](std::uint64_t operations) {
    SolveOptions own = options;
    own.elimination_operations = std::min(own.elimination_operations, operations);
    EliminationResult result = eliminate_stationary(system, own);
    if (!result.done) return false;
    out = {};
    out.values = std::move(result.values[0]);
    for (const double value : out.values)
      out.bounds.push_back(value * result.relative_bound + std::numeric_limits<double>::min());
    out.method = Method::elimination;
    out.residual = imbalance(inflow, out.values);
    out.converged = true;
    return true;
  };
  const bool automatic = options.method == Method::automatic;
  if (automatic && by_elimination(options.first_operations)) return out;
  if (automatic && !stopped(options)) out = balanced(system, inflow, options, total_error);
  if (!out.converged && (automatic || options.method == Method::elimination)) {
    if (!stopped(options) && by_elimination(options.elimination_operations)) return out;
    if (options.method == Method::elimination || stopped(options)) {
      out.method = Method::elimination;
      out.note = stopped(options) ? "interrupted" : "elimination exceeds its budget";
      return out;
    }
  }
  if (!out.converged) out = pinned(inflow, options);
  if (out.converged) out.residual = imbalance(inflow, out.values);
  return out;
}

}  // namespace

std::vector<BottomStationary> stationary_vectors(const Chain& chain, const SolveOptions& options) {
  const Components components = strong_components(chain);
  std::vector<BottomStationary> out;
  for (std::uint32_t c = 0; c < components.members.size(); ++c) {
    if (!components.bottom[c]) continue;
    BottomStationary bottom;
    const auto members = components.members[c];
    bottom.states.assign(members.begin(), members.end());
    if (chain.kind() == ChainKind::discrete) bottom.period = period(chain, components, c);
    bottom.solution = solve_bottom(chain, bottom.states, options, bottom.total_error);
    out.push_back(std::move(bottom));
  }
  std::sort(out.begin(), out.end(), [](const BottomStationary& a, const BottomStationary& b) {
    return a.states.front() < b.states.front();
  });
  return out;
}

Solution long_run(const Chain& chain, const std::vector<double>& start,
                  const SolveOptions& options) {
  BRINK_CHECK(start.size() == chain.size());
  const auto bottoms = stationary_vectors(chain, options);
  Solution out;
  out.values.assign(chain.size(), 0);
  out.bounds.assign(chain.size(), 0);
  out.converged = true;
  const auto give_up = [&out](const Solution& part) {
    out.converged = false;
    out.values.clear();
    out.bounds.clear();
    out.note = part.note;
    out.method = part.method;
    return out;
  };
  for (const BottomStationary& bottom : bottoms) {
    if (!bottom.solution.converged) return give_up(bottom.solution);
    double mass = 1, doubt = 0;
    if (bottoms.size() > 1) {
      StateSet target(chain.size(), false);
      for (const std::uint32_t s : bottom.states) target[s] = true;
      const Solution reach = reach_probability(chain, target, options);
      if (!reach.converged) return give_up(reach);
      mass = 0;
      for (std::uint32_t s = 0; s < chain.size(); ++s) {
        mass += start[s] * reach.values[s];
        doubt += start[s] * reach.bounds[s];
      }
      out.iterations += reach.iterations;
    }
    for (std::size_t i = 0; i < bottom.states.size(); ++i) {
      out.values[bottom.states[i]] = mass * bottom.solution.values[i];
      out.bounds[bottom.states[i]] =
          mass * bottom.solution.bounds[i] + doubt * bottom.solution.values[i] +
          2 * std::numeric_limits<double>::epsilon() * out.values[bottom.states[i]];
    }
    out.method = std::max(out.method, bottom.solution.method);
    out.residual = std::max(out.residual, bottom.solution.residual);
    out.iterations += bottom.solution.iterations;
  }
  return out;
}

}  // namespace brink::analytic
