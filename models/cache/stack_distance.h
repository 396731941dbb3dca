// Exact LRU stack distances in one pass, from which the misses of an LRU cache of every size
// follow.
//
// Mattson, Gecsei, Slutz & Traiger (1970): a reference hits in an LRU cache of C pages when fewer
// than C different pages were referenced since the page's last reference. The number of different
// pages is counted in a Fenwick tree over the times of last references (Bennett & Kruskal 1975),
// which is renumbered when it is full, so it has twice as many places as there are pages, however
// long the trace is.
#pragma once

#include <cstdint>
#include <vector>

#include "models/cache/policies.h"

namespace brink::cache {

struct StackDistances {
  /// [d]: references at distance d, 1 <= d <= distinct (1: the page referenced just before).
  std::vector<std::uint64_t> all, writes;
  std::uint64_t cold = 0, cold_writes = 0;  ///< first references

  /// Misses of an LRU cache of that size, first references included.
  Misses misses(std::uint64_t size) const;
};

StackDistances stack_distances(const PageTrace& trace);

}  // namespace brink::cache
