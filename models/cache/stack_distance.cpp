#include "models/cache/stack_distance.h"

#include <algorithm>
#include <limits>

namespace brink::cache {
namespace {

constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();

/// Marks at times; how many are later than one of them.
class LastReferences {
 public:
  explicit LastReferences(std::uint32_t pages)
      : tree_(2 * std::size_t{pages} + 2, 0),
        page_at_(tree_.size(), kNever),
        last_(pages, kNever) {}

  /// The number of pages referenced since `page` was, itself included; 0 at its first reference.
  std::uint32_t reference(std::uint32_t page) {
    if (now_ + 1 == tree_.size()) renumber();
    std::uint32_t distance = 0;
    if (last_[page] != kNever) {
      distance = marked_ - before(last_[page]);
      add(last_[page], -1);
      page_at_[last_[page]] = kNever;
      --marked_;
    }
    last_[page] = now_;
    page_at_[now_] = page;
    add(now_, 1);
    ++marked_;
    ++now_;
    return distance;
  }

 private:
  /// Marks at times earlier than this.
  std::uint32_t before(std::uint32_t time) const {
    std::uint32_t sum = 0;
    for (std::size_t i = time; i > 0; i &= i - 1) sum += tree_[i];
    return sum;
  }
  void add(std::uint32_t time, std::int32_t by) {
    for (std::size_t i = time + std::size_t{1}; i < tree_.size(); i += i & (~i + 1))
      tree_[i] += static_cast<std::uint32_t>(by);
  }
  /// The same order with times 0, 1, 2, ...
  void renumber() {
    std::uint32_t next = 0;
    for (std::uint32_t time = 0; time < now_; ++time) {
      const std::uint32_t page = page_at_[time];
      page_at_[time] = kNever;
      if (page == kNever) continue;
      page_at_[next] = page;
      last_[page] = next++;
    }
    now_ = next;
    std::fill(tree_.begin(), tree_.end(), 0);
    for (std::size_t i = 1; i < tree_.size(); ++i) {  // built from below, linear
      if (i <= next) ++tree_[i];
      const std::size_t up = i + (i & (~i + 1));
      if (up < tree_.size()) tree_[up] += tree_[i];
    }
  }

  std::vector<std::uint32_t> tree_;  ///< Fenwick's; [i] covers times i - lowbit(i) .. i - 1
  std::vector<std::uint32_t> page_at_, last_;
  std::uint32_t now_ = 0, marked_ = 0;
};

}  // namespace

StackDistances stack_distances(const PageTrace& trace) {
  StackDistances out;
  out.all.resize(trace.distinct + std::size_t{1}, 0);
  if (trace.has_writes()) out.writes.resize(trace.distinct + std::size_t{1}, 0);
  LastReferences references(trace.distinct);
  for (std::size_t i = 0; i < trace.pages.size(); ++i) {
    const std::uint32_t distance = references.reference(trace.pages[i]);
    const bool write = trace.has_writes() && trace.writes[i];
    if (distance == 0) {
      ++out.cold;
      out.cold_writes += write ? 1 : 0;
      continue;
    }
    ++out.all[distance];
    if (write) ++out.writes[distance];
  }
  return out;
}

Misses StackDistances::misses(std::uint64_t size) const {
  Misses out{cold, cold_writes};
  for (std::size_t d = size + 1; d < all.size(); ++d) {
    out.all += all[d];
    if (!writes.empty()) out.writes += writes[d];
  }
  return out;
}

}  // namespace brink::cache
