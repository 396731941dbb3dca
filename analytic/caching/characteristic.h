// Miss ratios by characteristic times: a page stays for a time T that is the same for all pages,
// found from the cache being full. Used by: brink cache --predict, predictions, tests.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "analytic/caching/popularity.h"

namespace brink::caching {

struct Forecast {
  double hit = 0;             ///< share of references
  std::vector<double> times;  ///< characteristic times, in references
  double miss() const { return 1 - hit; }
};

/// Every size must be in (0, pages) (BRINK_CHECK); a cache of all pages misses none in the long
/// run.

/// Che, Tung & Wang 2002: sum (1 - e^-pT) = C.
Forecast lru(const Popularity& popularity, double size);
/// Fagin 1977: sum (1 - (1-p)^T) = C.
Forecast lru_fagin(const Popularity& popularity, double size);
/// Dan & Towsley 1990: occupancy pT / (1 + pT). The same for FIFO and RANDOM.
Forecast fifo(const Popularity& popularity, double size);
/// One reference bit, pages enter with 0: the stay is T e^pT.
Forecast clock(const Popularity& popularity, double size);
/// A missed page enters with probability q (Martina, Garetto & Leonardi 2014).
Forecast q_lru(const Popularity& popularity, double size, double q);
/// A page enters if it is in k - 1 caches of names before, each of that size.
Forecast k_lru(const Popularity& popularity, double size, int k);
/// Gast & Van Houdt 2015: lists 1, 2, ... of these sizes; a hit moves a page one list up.
Forecast lru_m(const Popularity& popularity, const std::vector<double>& sizes);
Forecast random_m(const Popularity& popularity, const std::vector<double>& sizes);
/// 2Q: new pages stay in A1in (FIFO), then their names in A1out; a reference then brings them into
/// Am (LRU).
Forecast two_q(const Popularity& popularity, double a1in, double a1out, double am);

/// Miss ratio of a run of so many references that starts with an empty cache: misses of the long
/// run after the time T of filling, and the first reference of each page before.
double lru_finite_run(const Popularity& popularity, double size, double requests);
/// The same correction for a forecast of another policy, with the cold misses of its filling.
double finite_run(const Popularity& popularity, double size, const Forecast& forecast,
                  double requests);

/// Random references with share 1 - `scan_share`, and a cyclic scan over `scan_pages` other pages.
struct ScanMix {
  double scan_pages, scan_share;
};
/// LRU under it: the scan comes back to a page after exactly scan_pages / scan_share references, so
/// it hits all or nothing (renewal form: Martina et al. 2014).
Forecast lru_with_scan(const Popularity& popularity, const ScanMix& mix, double size);
/// The size at which the scan begins to hit: a cliff.
double scan_cliff(const Popularity& popularity, const ScanMix& mix);

/// Policies with a formula of one size, by the names of models/cache.
struct FormulaPolicy {
  std::string_view name, about, source;
  Forecast (*forecast)(const Popularity& popularity, double size);
};
std::span<const FormulaPolicy> formula_policies();
const FormulaPolicy* find_formula_policy(std::string_view name);

}  // namespace brink::caching
