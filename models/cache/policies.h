// Cache policies that run over a trace of pages: what a cache of so many pages would have missed.
//
// One row a policy; `brink cache`, its help and the tests go by the table. A policy is a class with
// a constructor (pages of the cache, pages of the trace) and `bool access(page, time)`, true for a
// hit; pages are dense numbers, so its lists are 32-bit links in arrays (lists.h).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "models/cache/trace.h"

namespace brink::cache {

/// Misses, the first reference of each page included (those are trace.distinct, whatever the
/// policy).
struct Misses {
  std::uint64_t all = 0;
  std::uint64_t writes = 0;  ///< of those, by writes
};

struct PolicyRow {
  std::string_view name;
  std::string_view summary;  ///< one line, with its parameters
  std::string_view source;   ///< where it was published
  /// BRINK_CHECK: size >= 1.
  Misses (*run)(const PageTrace& trace, std::uint32_t size);
  /// Bytes that the policy keeps for each page of the trace, and for each of the cache.
  double bytes_per_page;
};

std::span<const PolicyRow> policies();
/// Null when there is none of that name.
const PolicyRow* find_policy(std::string_view name);

}  // namespace brink::cache
