// Passage times to the next state up obey h(k) = (1 + down(k) h(k-1)) / up(k), and down likewise:
// no subtraction, so 1e17 comes out with full digits where solving linear equations fails. The
// stationary law is built in logarithms.
//
// Decay rates are eigenvalues of the generator made symmetric (its off-diagonal becomes
// sqrt(up(k) down(k+1))), counted by Sturm sequences and bisected; good to 1e-13 of the largest
// rate, which for slower relaxations than that is replaced by 1/up + 1/down of the passages.
#include "analytic/fluid/birth_death.h"

#include <algorithm>
#include <cmath>

namespace brink::fluid {
namespace {

std::vector<double> law(const BirthDeath& chain) {
  const std::size_t n = chain.up.size();
  std::vector<double> logs(n, 0);
  for (std::size_t k = 1; k < n; ++k)
    logs[k] = logs[k - 1] + std::log(chain.up[k - 1]) - std::log(chain.down[k]);
  const double top = *std::max_element(logs.begin(), logs.end());
  double sum = 0;
  for (double& at : logs) sum += at = std::exp(at - top);
  for (double& at : logs) at /= sum;
  return logs;
}

/// Eigenvalues of minus the generator below `value`.
std::size_t below(const BirthDeath& chain, double value) {
  const std::size_t n = chain.up.size();
  std::size_t count = 0;
  double pivot = 1;
  for (std::size_t k = 0; k < n; ++k) {
    const double out = (k + 1 < n ? chain.up[k] : 0) + (k > 0 ? chain.down[k] : 0);
    const double square = k > 0 ? chain.up[k - 1] * chain.down[k] : 0;
    pivot = out - value - (k > 0 ? square / pivot : 0);
    if (pivot == 0) pivot = 1e-300;
    count += pivot < 0;
  }
  return count;
}

double eigenvalue(const BirthDeath& chain, std::size_t index) {
  double low = 0, high = 0;
  for (std::size_t k = 0; k < chain.up.size(); ++k)
    high = std::max(high, 2 * (chain.up[k] + chain.down[k]));
  for (int i = 0; i < 200 && high - low > 1e-15 * high; ++i) {
    const double middle = low > 0 ? std::sqrt(low * high) : high * 1e-3;
    if (middle < 1e-200) break;
    (below(chain, middle) > index ? high : low) = middle;
  }
  return 0.5 * (low + high);
}

std::vector<std::size_t> maxima(const std::vector<double>& p) {
  std::vector<std::size_t> out;
  for (std::size_t k = 0; k < p.size(); ++k) {
    const bool rises = k == 0 || p[k] > p[k - 1];
    const bool falls = k + 1 == p.size() || p[k] >= p[k + 1];
    if (rises && falls) out.push_back(k);
  }
  return out;
}

}  // namespace

double passage_time(const BirthDeath& chain, std::size_t from, std::size_t to) {
  double step = 0, sum = 0;
  if (from <= to) {
    for (std::size_t k = 0; k < to; ++k) {
      step = (1 + (k > 0 ? chain.down[k] * step : 0)) / chain.up[k];
      if (k >= from) sum += step;
    }
    return sum;
  }
  for (std::size_t k = chain.up.size() - 1; k > to; --k) {
    step = (1 + (k + 1 < chain.up.size() ? chain.up[k] * step : 0)) / chain.down[k];
    if (k <= from) sum += step;
  }
  return sum;
}

Result<TwoModes, std::string> two_modes(const BirthDeath& chain) {
  const std::size_t n = chain.up.size();
  if (n < 3 || chain.down.size() != n)
    return fail(std::string("a chain needs three states, with rates up and down for each"));
  for (std::size_t k = 0; k < n; ++k)
    if ((k + 1 < n && !(chain.up[k] > 0)) || (k > 0 && !(chain.down[k] > 0)))
      return fail("state " + std::to_string(k) + " cannot be left both ways");
  TwoModes out;
  out.stationary = law(chain);
  for (std::size_t k = 0; k < n; ++k) out.mean += out.stationary[k] * static_cast<double>(k);
  out.modes = maxima(out.stationary);
  out.slowest = eigenvalue(chain, 1);
  out.next = eigenvalue(chain, 2);
  if (out.modes.size() < 2) return out;
  auto highest = out.modes;
  std::stable_sort(highest.begin(), highest.end(), [&](std::size_t a, std::size_t b) {
    return out.stationary[a] > out.stationary[b];
  });
  const std::size_t low = std::min(highest[0], highest[1]), high = std::max(highest[0], highest[1]);
  const auto begin = out.stationary.begin();
  out.valley =
      static_cast<std::size_t>(std::min_element(begin + static_cast<std::ptrdiff_t>(low),
                                                begin + static_cast<std::ptrdiff_t>(high)) -
                               begin);
  for (std::size_t k = 0; k < out.valley; ++k) out.mass_below += out.stationary[k];
  out.passage_up = passage_time(chain, low, high);
  out.passage_down = passage_time(chain, high, low);
  return out;
}

}  // namespace brink::fluid
