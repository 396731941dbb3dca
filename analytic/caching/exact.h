// Caches exactly, under independent references. Used by: tests of the formulas, predictions of
// small caches.
#pragma once

#include <string_view>
#include <vector>

#include "models/base/result.h"

namespace brink::caching {

/// Hit ratios of references to pages with probabilities `p` (all > 0, sum 1), 1 <= size < pages
/// (BRINK_CHECK).

/// RANDOM and FIFO: King 1971, Gelenbe 1973: P(cache holds S) is proportional to the product of p.
double random_hit_exact(const std::vector<double>& p, std::size_t size);
/// LRU: Flajolet, Gardy & Thimonier 1992: an integral over the time since the last reference, by
/// Poisson-binomial laws. Time O(pages^2) for each of some 700 nodes.
double lru_hit_exact(const std::vector<double>& p, std::size_t size);
/// LRU by stack distance at every size at once: [c] is the hit ratio of c pages, c = 0 .. pages.
std::vector<double> lru_hits_exact(const std::vector<double>& p);

enum class SmallPolicy { random, fifo, lru, clock };
struct ChainHit {
  double hit = 0;
  std::size_t states = 0;
};
/// The Markov chain of the policy over its states, from the empty cache. Error: more than `most`
/// states, or the chain was not solved.
Result<ChainHit, std::string> chain_hit(SmallPolicy policy, const std::vector<double>& p,
                                        std::size_t size, std::size_t most = 20'000);
/// The same for lists of these sizes, a hit moving a page one list up: to the head (LRU(m)), or in
/// place of a random one (RANDOM(m)).
Result<ChainHit, std::string> lists_chain_hit(bool random, const std::vector<double>& p,
                                              const std::vector<std::size_t>& sizes,
                                              std::size_t most = 20'000);

/// McCabe 1965: mean position of a page in the LRU stack when referenced (1: on top), which is the
/// sum of LRU miss ratios over all sizes.
double mean_stack_distance(const std::vector<double>& p);
/// References until every page was seen; until the first page is seen again.
double collect_all(const std::vector<double>& p);
double first_repeat(const std::vector<double>& p);

}  // namespace brink::caching
