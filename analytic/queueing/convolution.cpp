// Convolution. Buzen, CACM 16(9), 1973, for one class; Reiser & Kobayashi (1975) for several: the
// normalising constant G(N) is the convolution over stations of
//   F_k(n) = |n|! / prod n_c! * prod D_ck^n_c / (mu_k(1) ... mu_k(|n|)).
// Stations with one server are convolved in place, G(n) += sum_c D_ck G(n - e_c); thinking and
// delay stations are one factor Z_c^n_c / n_c!; the others by the full sum.
//
// Scaling: the demands of class c are divided by alpha_c, about 1 / X_c by the asymptotic bounds,
// so that G stays near 1 at the population asked for, and numbers are long doubles with exponents
// to 10^4932. A result that still leaves them is refused, never returned.
//
// Open classes: with load r at a station of rates mu, the open customers are summed out,
//   w(j) = sum_m C(j+m, m) r^m / (mu(1) ... mu(j+m)),
// and w takes the place of 1 / (mu(1) ... mu(j)). Terms are positive, so nothing cancels.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analytic/queueing/closed.h"
#include "analytic/queueing/lattice.h"
#include "analytic/queueing/parts.h"
#include "models/base/check.h"

namespace brink::queueing {
namespace {

using Real = long double;
using Constants = std::vector<Real>;  // G over the lattice

constexpr double kMostWork = 2e10;
constexpr double kMostPoints = 2e7;

/// w(0), ..., w(most) of one station, and the mean number of open customers beside j closed ones.
struct Weights {
  std::vector<Real> ratio;  ///< [j] = w(j) / w(j-1); [0] unused
  std::vector<Real> open;   ///< [j]
};

/// The sum over open customers given j closed ones, relative to its term m = 0.
bool sum_out_open(const Station& station, double load, std::int64_t j, Real& sum, Real& mean) {
  Real term = 1, weighted = 0;
  sum = 1;
  for (std::int64_t m = 1; m < 5'000'000; ++m) {
    term *= load * static_cast<Real>(j + m) / static_cast<Real>(m) /
            static_cast<Real>(station.rate(j + m));
    sum += term;
    weighted += term * static_cast<Real>(m);
    if (term * static_cast<Real>(m) < 1e-22L * (weighted + 1e-300L) && m > 2 * j + 50) {
      mean = weighted / sum;
      return true;
    }
  }
  return false;
}

bool weights_of(const Station& station, double load, std::int64_t most, Weights& out) {
  out.ratio.assign(static_cast<std::size_t>(most) + 1, 1);
  out.open.assign(static_cast<std::size_t>(most) + 1, 0);
  Real before = 1;
  for (std::int64_t j = 0; j <= most; ++j) {
    const auto at = static_cast<std::size_t>(j);
    Real sum = 1;
    if (load > 0 && !sum_out_open(station, load, j, sum, out.open[at])) return false;
    if (j > 0) out.ratio[at] = sum / before / static_cast<Real>(station.rate(j));
    before = sum;
  }
  return true;
}

class Convolver {
 public:
  Convolver(const Network& network, const Parts& parts)
      : network_(network), parts_(parts), lattice_(parts.population) {
    for (std::size_t c = 0; c < parts.closed.size(); ++c) {
      double most = 0, all = parts.think_s[c];
      for (std::size_t k = 0; k < network.stations.size(); ++k) {
        all += parts.demand_s[c][k];
        const double top = network.stations[k].rate(std::max<std::int64_t>(1, everyone()));
        if (network.stations[k].kind == StationKind::queue)
          most = std::max(most, parts.demand_s[c][k] / top / (1 - parts.open_load[k] / top));
      }
      const auto count = static_cast<double>(std::max<std::int64_t>(1, parts.population[c]));
      alpha_.push_back(std::max(most, all / count));
    }
  }

  std::int64_t everyone() const {
    std::int64_t all = 0;
    for (const std::int64_t count : parts_.population) all += count;
    return all;
  }
  const Lattice& lattice() const { return lattice_; }
  double alpha(std::size_t c) const { return alpha_[c]; }
  Real demand(std::size_t c, std::size_t k) const { return parts_.demand_s[c][k] / alpha_[c]; }

  /// Thinking and all delay stations.
  Constants delays() const {
    Constants g(lattice_.size(), 1);
    std::vector<std::int64_t> n(lattice_.classes(), 0);
    for (std::size_t at = 1; lattice_.next(n); ++at) {
      const auto c = static_cast<std::size_t>(
          std::find_if(n.begin(), n.end(), [](auto count) { return count > 0; }) - n.begin());
      Real think = parts_.think_s[c];
      for (std::size_t k = 0; k < network_.stations.size(); ++k)
        if (network_.stations[k].kind == StationKind::delay) think += parts_.demand_s[c][k];
      g[at] = g[at - lattice_.stride(c)] * think / alpha_[c] / static_cast<Real>(n[c]);
    }
    return g;
  }

  /// One more station of fixed rate.
  void convolve_fixed(std::size_t k, Constants& g) const {
    const Real share = 1 - static_cast<Real>(parts_.open_load[k]);
    std::vector<Real> demands(lattice_.classes());
    for (std::size_t c = 0; c < demands.size(); ++c) demands[c] = demand(c, k) / share;
    std::vector<std::int64_t> n(lattice_.classes(), 0);
    for (std::size_t at = 1; lattice_.next(n); ++at)
      for (std::size_t c = 0; c < demands.size(); ++c)
        if (n[c] > 0) g[at] += demands[c] * g[at - lattice_.stride(c)];
  }

  /// F_k over the lattice.
  Constants factor(std::size_t k, const Weights& weights) const {
    Constants f(lattice_.size(), 1);
    std::vector<std::int64_t> n(lattice_.classes(), 0);
    for (std::size_t at = 1; lattice_.next(n); ++at) {
      std::int64_t all = 0;
      for (const std::int64_t count : n) all += count;
      for (std::size_t c = 0; c < n.size(); ++c) {
        if (n[c] == 0) continue;
        f[at] = f[at - lattice_.stride(c)] * demand(c, k) * static_cast<Real>(all) /
                static_cast<Real>(n[c]) * weights.ratio[static_cast<std::size_t>(all)];
        break;
      }
    }
    return f;
  }

  Constants convolve(const Constants& f, const Constants& g) const {
    Constants out(lattice_.size(), 0);
    std::vector<std::int64_t> n(lattice_.classes(), 0);
    std::size_t at = 0;
    do {
      over_below(n, [&](std::size_t below, const auto&) { out[at] += f[below] * g[at - below]; });
      ++at;
    } while (lattice_.next(n));
    return out;
  }

  /// Calls visit(index, m) for every m <= n.
  template <typename Visit>
  void over_below(const std::vector<std::int64_t>& n, const Visit& visit) const {
    std::vector<std::int64_t> m(n.size(), 0);
    std::size_t index = 0;
    while (true) {
      visit(index, m);
      std::size_t c = 0;
      for (; c < m.size(); ++c) {
        if (m[c] < n[c]) {
          ++m[c];
          index += lattice_.stride(c);
          break;
        }
        index -= static_cast<std::size_t>(m[c]) * lattice_.stride(c);
        m[c] = 0;
      }
      if (c == m.size()) return;
    }
  }

 private:
  const Network& network_;
  const Parts& parts_;
  Lattice lattice_;
  std::vector<double> alpha_;
};

Failure too_large(const std::string& what) {
  return {Failure::Kind::limit, what + "; method = \"linearizer\" is approximate"};
}

struct Answers {
  std::vector<double> passages;
  std::vector<std::vector<double>> queue;
  std::vector<double> open_queue;
};

/// Queues of a station whose rate changes: its marginal law, from G without it.
void marginals(const Convolver& convolver, std::size_t k, const Constants& f,
               const Constants& without, const Weights& weights, Real whole, Answers& out) {
  const Lattice& lattice = convolver.lattice();
  std::vector<std::int64_t> population(lattice.classes());
  for (std::size_t c = 0; c < population.size(); ++c) population[c] = lattice.population(c);
  std::vector<Real> mean(lattice.classes(), 0);
  Real open = 0;
  convolver.over_below(population, [&](std::size_t below, const std::vector<std::int64_t>& m) {
    const Real p = f[below] * without[lattice.size() - 1 - below] / whole;
    std::int64_t all = 0;
    for (std::size_t c = 0; c < m.size(); ++c) {
      mean[c] += p * static_cast<Real>(m[c]);
      all += m[c];
    }
    open += p * weights.open[static_cast<std::size_t>(all)];
  });
  for (std::size_t c = 0; c < mean.size(); ++c) out.queue[c][k] = static_cast<double>(mean[c]);
  out.open_queue[k] = static_cast<double>(open);
}

bool in_range(Real value) { return std::isfinite(value) && value > 0; }

Result<Answers, Failure> solve(const Network& network, const Parts& parts) {
  const Convolver convolver(network, parts);
  const Lattice& lattice = convolver.lattice();
  const std::size_t stations = network.stations.size(), last = lattice.size() - 1;
  Constants base = convolver.delays();
  std::vector<std::size_t> changing;
  for (std::size_t k = 0; k < stations; ++k) {
    if (network.stations[k].fixed_rate()) convolver.convolve_fixed(k, base);
    if (network.stations[k].kind == StationKind::queue && !network.stations[k].fixed_rate())
      changing.push_back(k);
  }
  const auto count = static_cast<double>(changing.size());
  const double points = static_cast<double>(lattice.size());
  if (points * points * count * count > kMostWork)
    return fail(
        too_large(fmt::format("{:.3g} populations with {} stations of several servers or "
                              "changing speed are too many for convolution",
                              points, changing.size())));
  std::vector<Weights> weights(changing.size());
  std::vector<Constants> factors;
  for (std::size_t i = 0; i < changing.size(); ++i) {
    const std::size_t k = changing[i];
    if (!weights_of(network.stations[k], parts.open_load[k], convolver.everyone(), weights[i]))
      return fail(
          too_large(fmt::format("`{}` is too near to saturation", network.stations[k].name)));
    factors.push_back(convolver.factor(k, weights[i]));
  }
  Constants g = base;
  for (const Constants& f : factors) g = convolver.convolve(f, g);
  if (!in_range(g[last]))
    return fail(too_large("normalising constants leave the range of numbers"));
  Answers out{std::vector<double>(lattice.classes(), 0),
              std::vector<std::vector<double>>(lattice.classes(), std::vector<double>(stations, 0)),
              std::vector<double>(stations, 0)};
  for (std::size_t c = 0; c < lattice.classes(); ++c)
    if (lattice.population(c) > 0)
      out.passages[c] = static_cast<double>(g[last - lattice.stride(c)] / g[last] /
                                            static_cast<Real>(convolver.alpha(c)));
  for (std::size_t i = 0; i < changing.size(); ++i) {
    Constants without = base;
    for (std::size_t other = 0; other < factors.size(); ++other)
      if (other != i) without = convolver.convolve(factors[other], without);
    marginals(convolver, changing[i], factors[i], without, weights[i], g[last], out);
  }
  for (std::size_t k = 0; k < stations; ++k) {
    if (network.stations[k].kind == StationKind::delay) {
      for (std::size_t c = 0; c < lattice.classes(); ++c)
        out.queue[c][k] = out.passages[c] * parts.demand_s[c][k];
      out.open_queue[k] = parts.open_load[k];
    } else if (network.stations[k].fixed_rate()) {
      Constants twice = g;
      convolver.convolve_fixed(k, twice);
      const Real share = 1 - static_cast<Real>(parts.open_load[k]);
      double all = 0;
      for (std::size_t c = 0; c < lattice.classes(); ++c) {
        if (lattice.population(c) == 0) continue;
        out.queue[c][k] = static_cast<double>(convolver.demand(c, k) / share *
                                              twice[last - lattice.stride(c)] / g[last]);
        all += out.queue[c][k];
      }
      out.open_queue[k] = parts.open_load[k] * (1 + all) / static_cast<double>(share);
    }
  }
  return out;
}

}  // namespace

Solved convolution(const Network& network) {
  const auto parts = parts_of(network);
  if (!parts) return fail(parts.error());
  const double points = population_lattice(network);
  if (points > kMostPoints)
    return fail(too_large(fmt::format("{:.3g} populations are too many for convolution", points)));
  auto answers = solve(network, *parts);
  if (!answers) return fail(answers.error());
  Solution solution{"convolution", true, product_form_notes(network), {}, 0};
  solution.work = static_cast<std::uint64_t>(points);
  fill(network, *parts, answers->passages, answers->queue, answers->open_queue, solution);
  return solution;
}

}  // namespace brink::queueing
