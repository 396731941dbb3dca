// Working set (Denning, CACM 11(5), 1968) and average eviction time (Hu, Wang, Li, Luo, Wang,
// USENIX ATC 2016). Both need one pass over the trace for the histogram of reuse times.
//
// Fine where references are steady; a trace with phases (a loop that turns round, several programs
// one after the other) has no one law, and the forecast may miss a step or put it elsewhere. On the
// LIRS traces the mean error is below 0.016 on ten of twelve, 0.04 and 0.17 on the other two. Exact
// stack distances (models/cache) have no such limits, so AET is for what cannot be replayed.
#include "analytic/caching/reuse.h"

#include <algorithm>
#include <cmath>

#include "models/base/check.h"

namespace brink::caching {
namespace {

constexpr std::uint64_t kNever = ~std::uint64_t{0};

}  // namespace

ReuseTimes reuse_times(std::span<const std::uint32_t> pages, std::uint32_t distinct) {
  ReuseTimes out;
  out.requests = pages.size();
  out.count.assign(pages.size() + 1, 0);
  std::vector<std::uint64_t> last(distinct, kNever);
  for (std::uint64_t at = 0; at < pages.size(); ++at) {
    std::uint64_t& before = last[pages[at]];
    if (before == kNever)
      ++out.first;
    else
      ++out.count[at - before];
    before = at;
  }
  return out;
}

WorkingSet working_set(const ReuseTimes& times, std::span<const std::uint32_t> pages,
                       std::uint32_t distinct, std::uint64_t window) {
  BRINK_CHECK(window >= 1);
  WorkingSet out;
  out.faults = static_cast<double>(times.first);
  for (std::uint64_t t = window + 1; t < times.count.size(); ++t)
    out.faults += static_cast<double>(times.count[t]);
  // A page is in the window from a reference for `window` references, or to its next one.
  std::vector<std::uint64_t> last(distinct, kNever);
  double held = 0;
  const auto stays = [&](std::uint64_t from, std::uint64_t to) {
    held += static_cast<double>(std::min(to - from, window));
  };
  for (std::uint64_t at = 0; at < pages.size(); ++at) {
    std::uint64_t& before = last[pages[at]];
    if (before != kNever) stays(before, at);
    before = at;
  }
  for (const std::uint64_t before : last)
    if (before != kNever) stays(before, pages.size());
  out.mean_pages = pages.empty() ? 0 : held / static_cast<double>(pages.size());
  return out;
}

double aet_miss(const ReuseTimes& times, double size) {
  if (times.requests == 0) return 0;
  const auto all = static_cast<double>(times.requests);
  double longer = all, area = 0;  // references with a reuse time above t; those first ones for ever
  for (std::uint64_t t = 0; t < times.count.size(); ++t) {
    longer -= static_cast<double>(times.count[t]);
    area += longer / all;
    if (area < size) continue;
    // T = t + 1 is the time at which a page that is not referenced leaves.
    return (longer - (t + 1 < times.count.size() ? static_cast<double>(times.count[t + 1]) : 0)) /
           all;
  }
  return static_cast<double>(times.first) / all;
}

double stationarity(std::span<const std::uint32_t> pages, std::uint32_t distinct) {
  const std::size_t half = pages.size() / 2;
  if (half < 2) return 0;
  const ReuseTimes first = reuse_times(pages.first(half), distinct);
  const ReuseTimes second = reuse_times(pages.subspan(half), distinct);
  double most = 0;
  for (int i = 1; i <= 40; ++i) {
    const double size = std::max(1.0, distinct * i / 40.0);
    most = std::max(most, std::abs(aet_miss(first, size) - aet_miss(second, size)));
  }
  return most;
}

}  // namespace brink::caching
