#include "models/cache/policies.h"

#include <algorithm>
#include <array>
#include <queue>

#include "models/base/check.h"
#include "models/cache/adaptive_policies.h"
#include "models/cache/simple_policies.h"

namespace brink::cache {
namespace {

// References ahead at which a policy is told of a page, and told again.
constexpr std::uint64_t kFar = 24, kNear = 10;

template <typename Policy>
void fetch_ahead(const Policy& policy, const std::uint32_t* pages) {
  if constexpr (requires { policy.prefetch(0u); }) policy.prefetch(pages[kFar]);
  if constexpr (requires { policy.prefetch_more(0u); }) policy.prefetch_more(pages[kNear]);
}

template <typename Policy>
Misses replay(Policy policy, const PageTrace& trace) {
  Misses misses;
  const std::uint32_t* const pages = trace.pages.data();
  const std::uint64_t count = trace.pages.size();
  if (!trace.has_writes()) {
    const std::uint64_t ahead = count > kFar ? count - kFar : 0;
    std::uint64_t i = 0, hits = 0;
    for (; i < ahead; ++i) {
      fetch_ahead(policy, pages + i);
      hits += policy.access(pages[i], i) ? 1 : 0;
    }
    for (; i < count; ++i) hits += policy.access(pages[i], i) ? 1 : 0;
    misses.all = count - hits;
    return misses;
  }
  for (std::uint64_t i = 0; i < count; ++i) {
    if (policy.access(pages[i], i)) continue;
    ++misses.all;
    misses.writes += trace.writes[i] ? 1 : 0;
  }
  return misses;
}

template <typename Policy>
Misses run(const PageTrace& trace, std::uint32_t size) {
  BRINK_CHECK(size >= 1);
  // A cache that holds everything misses each page once, whatever it does.
  return replay(Policy(std::min(size, std::max(trace.distinct, 1u)), trace.distinct), trace);
}

/// Belady's MIN (1966): evicts the page whose next reference is farthest away. A page has an entry
/// in the heap for each of its references; all but the last are stale and are passed over.
class Opt {
 public:
  Opt(std::uint32_t size, const PageTrace& trace)
      : size_(size), next_(trace.pages.size()), of_(trace.distinct, kGone) {
    std::vector<std::uint64_t> last(trace.distinct, kNever);
    for (std::uint64_t i = trace.pages.size(); i-- > 0;) {
      next_[i] = last[trace.pages[i]];
      last[trace.pages[i]] = i;
    }
  }

  bool access(std::uint32_t page, std::uint64_t time) {
    const bool hit = of_[page] != kGone;
    if (!hit && here_ == size_) evict();
    if (!hit) ++here_;
    of_[page] = next_[time];
    heap_.emplace(next_[time], page);
    return hit;
  }

 private:
  static constexpr std::uint64_t kNever = ~std::uint64_t{0} - 1;
  static constexpr std::uint64_t kGone = ~std::uint64_t{0};

  void evict() {
    while (true) {
      const auto [next, page] = heap_.top();
      heap_.pop();
      if (of_[page] != next) continue;
      of_[page] = kGone;
      --here_;
      return;
    }
  }

  std::uint32_t size_, here_ = 0;
  std::vector<std::uint64_t> next_;  ///< of each reference, the time of the page's next one
  std::vector<std::uint64_t> of_;    ///< of each page in the cache, its next reference
  std::priority_queue<std::pair<std::uint64_t, std::uint32_t>> heap_;
};

Misses run_opt(const PageTrace& trace, std::uint32_t size) {
  BRINK_CHECK(size >= 1);
  return replay(Opt(std::min(size, std::max(trace.distinct, 1u)), trace), trace);
}

constexpr std::array kPolicies = {
    PolicyRow{"fifo", "first in, first out", "folklore", run<Fifo>, 1},
    PolicyRow{"clock", "FIFO with one reference bit, new pages without it", "Corbato 1968",
              run<Clock>, 1},
    PolicyRow{"lru", "least recently used", "folklore; Mattson et al. 1970", run<Lru>, 8},
    PolicyRow{"slru", "segmented LRU, four quarters", "Karedla, Love & Wherry 1994", run<Slru>, 9},
    PolicyRow{"sieve", "a queue with a hand that evicts what was not visited",
              "Zhang et al., NSDI 2024", run<Sieve>, 9},
    PolicyRow{"2q", "FIFO of 25 %, memory of 50 %, LRU", "Johnson & Shasha, VLDB 1994", run<TwoQ>,
              9},
    PolicyRow{"arc", "adaptive replacement", "Megiddo & Modha, FAST 2003", run<Arc>, 9},
    PolicyRow{"lirs", "low inter-reference recency, 1 % HIR pages",
              "Jiang & Zhang, SIGMETRICS 2002", run<Lirs>, 17},
    PolicyRow{"s3-fifo", "small FIFO of 10 %, main FIFO, memory of 90 %", "Yang et al., SOSP 2023",
              run<S3Fifo>, 10},
    PolicyRow{"two-list", "the active and inactive lists of Linux with refault distance",
              "Linux 6.x mm/swap.c, mm/workingset.c", run<TwoLists>, 17},
    PolicyRow{"opt", "the farthest next reference: the fewest misses there can be",
              "Belady 1966; Mattson et al. 1970", run_opt, 8},
};

}  // namespace

std::span<const PolicyRow> policies() { return kPolicies; }

const PolicyRow* find_policy(std::string_view name) {
  const auto at = std::find_if(kPolicies.begin(), kPolicies.end(),
                               [&](const PolicyRow& row) { return row.name == name; });
  return at == kPolicies.end() ? nullptr : &*at;
}

}  // namespace brink::cache
