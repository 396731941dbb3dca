// Characteristic times. The idea (Che, Tung & Wang, IEEE JSAC 20(7), 2002; Fagin 1977 before them):
// a page leaves an LRU cache when C other pages have been referenced, and for a large cache that
// time is the same number T for all pages, so pages become independent of each other:
//   sum over pages of P(page is in the cache | T) = C
// gives T, and the same probabilities give the hits. Other policies differ in what a page does
// during its stay. CLOCK: a page whose bit is set when the hand comes stays another round, so its
// stay is T e^pT, which is derived here in that style. 2Q: a cycle of cold, A1in, name in A1out,
// Am.
//
// Accuracy (measured, see the tests): LRU 2e-4 for 200 pages and more, CLOCK 2e-4 at 1 % of a
// million pages; FIFO and RANDOM 6e-5 there, but 0.03 for five pages. Small caches: exact.h.
//
// Sums run over groups of pages. All equations are monotone in their own T, so T is found by
// TOMS 748 in log T to the last digits; several lists are solved in turn until nothing moves.
#include "analytic/caching/characteristic.h"

#include <algorithm>
#include <array>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>

#include "models/base/check.h"

namespace brink::caching {
namespace {

/// 1 - e^-x.
double risen(double x) { return -std::expm1(-x); }

template <typename Part>
double sum(const Popularity& popularity, const Part& part) {
  double all = 0;
  for (const Group& group : popularity.groups) all += group.count * part(group.p);
  return all;
}

/// The T at which a function that rises from 0 takes this value: bracketed by steps from `start`,
/// then by TOMS 748 in log T.
double solve_for(double value, const std::function<double(double)>& rising, double start) {
  const auto miss = [&](double log_time) { return rising(std::exp(log_time)) - value; };
  double low = std::log(start), step = 0.01, at_low = miss(low);
  if (at_low == 0) return start;
  double high = low, at_high = at_low;
  while (at_low > 0 && low > -600) {
    high = low, at_high = at_low;
    at_low = miss(low = std::max(-600.0, low - (step *= 3)));
  }
  while (at_high < 0 && high < 600) {
    low = high, at_low = at_high;
    at_high = miss(high = std::min(600.0, high + (step *= 3)));
  }
  if (at_low >= 0 || at_high <= 0) return std::exp(at_high <= 0 ? high : low);
  std::uintmax_t most = 100;
  const auto [a, b] = boost::math::tools::toms748_solve(
      miss, low, high, at_low, at_high, boost::math::tools::eps_tolerance<double>(50), most);
  return std::exp(0.5 * (a + b));
}

/// One time, occupancy(p, T) which by PASTA is the hit probability, too.
template <typename Occupancy>
Forecast one_time(const Popularity& popularity, double size, const Occupancy& occupancy) {
  BRINK_CHECK(size > 0 && size < popularity.pages());
  const double time = solve_for(
      size, [&](double t) { return sum(popularity, [&](double p) { return occupancy(p, t); }); },
      size);
  return {sum(popularity, [&](double p) { return p * occupancy(p, time); }), {time}};
}

/// Lists above each other; `step(p, T)` is the ratio of a page's share of a list to the one below.
template <typename Step>
Forecast lists(const Popularity& popularity, const std::vector<double>& sizes, const Step& step) {
  double all = 0;
  for (const double size : sizes) all += size;
  BRINK_CHECK(all > 0 && all < popularity.pages());
  std::vector<double> times(sizes.size(), all);
  const auto share = [&](double p, std::size_t list, double& hit) {
    double weight = 1, total = 1, wanted = 0;
    for (std::size_t l = 0; l < times.size(); ++l) {
      weight = std::min(1e280, weight * step(p, times[l]));
      total += weight;
      if (l == list) wanted = weight;
    }
    hit = (total - 1) / total;
    return wanted / total;
  };
  for (int round = 0; round < 500; ++round) {
    double moved = 0;
    for (std::size_t list = 0; list < sizes.size(); ++list) {
      const double before = times[list];
      times[list] = solve_for(
          sizes[list],
          [&](double t) {
            times[list] = t;
            double hit = 0;
            return sum(popularity, [&](double p) { return share(p, list, hit); });
          },
          before);
      moved = std::max(moved, std::abs(times[list] / before - 1));
    }
    if (moved < 1e-13) break;
  }
  const double hit = sum(popularity, [&](double p) {
    double chance = 0;
    share(p, 0, chance);
    return p * chance;
  });
  return {hit, times};
}

}  // namespace

Forecast lru(const Popularity& popularity, double size) {
  return one_time(popularity, size, [](double p, double t) { return risen(p * t); });
}

Forecast lru_fagin(const Popularity& popularity, double size) {
  return one_time(popularity, size,
                  [](double p, double t) { return p < 1 ? -std::expm1(t * std::log1p(-p)) : 1; });
}

Forecast fifo(const Popularity& popularity, double size) {
  return one_time(popularity, size, [](double p, double t) { return p * t / (1 + p * t); });
}

Forecast clock(const Popularity& popularity, double size) {
  return one_time(popularity, size, [](double p, double t) {
    const double x = p * t;
    return x / (x + std::exp(-x));
  });
}

Forecast q_lru(const Popularity& popularity, double size, double q) {
  BRINK_CHECK(q > 0 && q <= 1);
  return one_time(popularity, size, [q](double p, double t) {
    const double in = q * risen(p * t);
    return in / (std::exp(-p * t) + in);
  });
}

Forecast k_lru(const Popularity& popularity, double size, int k) {
  BRINK_CHECK(k >= 1 && size > 0 && size < popularity.pages());
  std::vector<double> before(popularity.groups.size(), 1);  // hit one cache of names before
  Forecast out;
  for (int cache = 1; cache <= k; ++cache) {
    const auto hits = [&](std::size_t i, double t) {
      const double a = risen(popularity.groups[i].p * t);
      return cache == 1 ? a : a * before[i] / (1 - a * (1 - before[i]));
    };
    const double time = solve_for(
        size,
        [&](double t) {
          double all = 0;
          for (std::size_t i = 0; i < before.size(); ++i)
            all += popularity.groups[i].count * hits(i, t);
          return all;
        },
        size);
    out.times.push_back(time);
    out.hit = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
      before[i] = hits(i, time);
      out.hit += popularity.groups[i].count * popularity.groups[i].p * before[i];
    }
  }
  return out;
}

Forecast lru_m(const Popularity& popularity, const std::vector<double>& sizes) {
  return lists(popularity, sizes,
               [](double p, double t) { return std::expm1(std::min(600., p * t)); });
}

Forecast random_m(const Popularity& popularity, const std::vector<double>& sizes) {
  return lists(popularity, sizes, [](double p, double t) { return p * t; });
}

Forecast two_q(const Popularity& popularity, double a1in, double a1out, double am) {
  BRINK_CHECK(a1in > 0 && a1out > 0 && am > 0 && a1in + am < popularity.pages());
  std::array<double, 3> times = {a1in, a1out, am};
  const std::array<double, 3> sizes = times;
  const bool all_names = a1out >= popularity.pages() - a1in - am;  // A1out is never full
  if (all_names) times[1] = std::numeric_limits<double>::infinity();
  const auto parts = [&](double p) {  // shares of a page's cycle: A1in, A1out, Am
    const double back = risen(p * times[1]);
    const std::array<double, 3> spent = {times[0], back / p,
                                         back * std::expm1(std::min(600., p * times[2])) / p};
    const double cycle = 1 / p + spent[0] + spent[1] + spent[2];
    return std::array<double, 3>{spent[0] / cycle, spent[1] / cycle, spent[2] / cycle};
  };
  for (int round = 0; round < 500; ++round) {
    double moved = 0;
    for (std::size_t list = 0; list < 3; ++list) {
      if (list == 1 && all_names) continue;
      const double before = times[list];
      times[list] = solve_for(
          sizes[list],
          [&](double t) {
            times[list] = t;
            return sum(popularity, [&](double p) { return parts(p)[list]; });
          },
          before);
      moved = std::max(moved, std::abs(times[list] / before - 1));
    }
    if (moved < 1e-12) break;
  }
  const double hit = sum(popularity, [&](double p) {
    const auto share = parts(p);
    return p * (share[0] + share[2]);
  });
  return {hit, {times.begin(), times.end()}};
}

double finite_run(const Popularity& popularity, double size, const Forecast& forecast,
                  double requests) {
  const double fill = lru(popularity, size).times[0];  // references until `size` pages were seen
  if (fill >= requests)
    return sum(popularity, [&](double p) { return risen(p * requests); }) / requests;
  return (forecast.miss() * (requests - fill) + size) / requests;
}

double lru_finite_run(const Popularity& popularity, double size, double requests) {
  return finite_run(popularity, size, lru(popularity, size), requests);
}

double scan_cliff(const Popularity& popularity, const ScanMix& mix) {
  const double round = mix.scan_pages / mix.scan_share;
  return mix.scan_pages +
         sum(popularity, [&](double p) { return risen((1 - mix.scan_share) * p * round); });
}

Forecast lru_with_scan(const Popularity& popularity, const ScanMix& mix, double size) {
  BRINK_CHECK(size > 0 && size < popularity.pages() + mix.scan_pages);
  const double rest = 1 - mix.scan_share, round = mix.scan_pages / mix.scan_share;
  const double time = solve_for(
      size,
      [&](double t) {
        return mix.scan_pages * std::min(1.0, t / round) +
               sum(popularity, [&](double p) { return risen(rest * p * t); });
      },
      size);
  const double hit = sum(popularity, [&](double p) { return rest * p * risen(rest * p * time); });
  return {hit + (size >= scan_cliff(popularity, mix) ? mix.scan_share : 0), {time}};
}

namespace {

/// The shares of models/cache: A1in 25 %, A1out 50 % of the size.
Forecast two_q_as_simulated(const Popularity& popularity, double size) {
  const double a1in = std::max(1.0, std::floor(size / 4)),
               a1out = std::max(1.0, std::floor(size / 2));
  return two_q(popularity, a1in, a1out, std::max(1.0, size - a1in));
}

constexpr std::array kPolicies = {
    FormulaPolicy{"lru", "characteristic time", "Che, Tung & Wang 2002", lru},
    FormulaPolicy{"fifo", "mean field", "Dan & Towsley 1990", fifo},
    FormulaPolicy{"clock", "stay T e^pT", "derived here", clock},
    FormulaPolicy{"2q", "cycle of cold, A1in, A1out, Am", "derived here", two_q_as_simulated},
};

}  // namespace

std::span<const FormulaPolicy> formula_policies() { return kPolicies; }

const FormulaPolicy* find_formula_policy(std::string_view name) {
  for (const FormulaPolicy& row : kPolicies)
    if (row.name == name) return &row;
  return nullptr;
}

}  // namespace brink::caching
