// Forecasts from the reuse times of a trace: working set and AET. They assume that reuse times have
// one law throughout the trace; `stationarity` says whether that is so.
// Used by: brink cache --predict (traces), tests.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace brink::caching {

/// Reuse times of a trace: references from one reference of a page to its next.
struct ReuseTimes {
  std::vector<std::uint64_t> count;  ///< [t]: references that come t >= 1 after the page's last
  std::uint64_t first = 0;           ///< first references
  std::uint64_t requests = 0;
};

/// `pages` are dense numbers below `distinct`.
ReuseTimes reuse_times(std::span<const std::uint32_t> pages, std::uint32_t distinct);

/// Denning 1968: a window of the last `window` references. Exact for the trace.
struct WorkingSet {
  double faults = 0;      ///< references to pages outside the window
  double mean_pages = 0;  ///< different pages in the window, over all references
};
WorkingSet working_set(const ReuseTimes& times, std::span<const std::uint32_t> pages,
                       std::uint32_t distinct, std::uint64_t window);

/// Hu et al., ATC 2016: LRU misses of `size` pages, as a share of references: P(reuse time > T)
/// with the T at which the integral of that probability is the size.
double aet_miss(const ReuseTimes& times, double size);

/// How far the halves of the trace differ: the largest difference of their AET miss ratios over
/// sizes. Above kUnsteady the forecasts of this file are not to be trusted.
double stationarity(std::span<const std::uint32_t> pages, std::uint32_t distinct);
inline constexpr double kUnsteady = 0.05;

}  // namespace brink::caching
