// Popularity: how likely each page is to be the next one referenced, whatever came before (the
// independent reference model). What all cache formulas of this folder start from.
//
// The folder, in short:
//   characteristic.h  formulas by characteristic times (Che, TTL): lru, fifo, random, clock, ...
//   exact.h           small caches exactly: products, integrals, Markov chains of the policy
//   reuse.h           from a trace's reuse times: working set, AET; and whether to trust them
//   hull.h            lower convex hull of a miss curve, and what a cliff costs
// Stack distances of LRU are in models/cache. Time is counted in references. Used by: brink cache
// --predict, predictions, tests.
#pragma once

#include <cstdint>
#include <vector>

namespace brink::caching {

/// Pages of one probability.
struct Group {
  double p;      ///< of each page
  double count;  ///< so many pages
};

struct Popularity {
  std::vector<Group> groups;  ///< probabilities, over all pages, sum to 1

  double pages() const;
  double total() const;
};

/// p of rank r proportional to r^-alpha. The first 4096 ranks are kept apart, later ones are put
/// together where they differ by less than 0.1 %, which is of second order (1e-7) in every sum.
Popularity zipf(std::uint64_t pages, double alpha);
Popularity uniform(std::uint64_t pages);
/// Weights, which are scaled to sum to 1; pages of the same weight are one group.
Popularity from_weights(std::vector<double> weights);
/// One number a page, the most popular first; at most 100,000 of them (BRINK_CHECK).
std::vector<double> pages_of(const Popularity& popularity);

}  // namespace brink::caching
