// FIFO, CLOCK, LRU, SLRU and SIEVE. Sizes are in pages.
#pragma once

#include <algorithm>
#include <vector>

#include "models/cache/lists.h"

namespace brink::cache {

/// First in, first out.
class Fifo {
 public:
  Fifo(std::uint32_t size, std::uint32_t pages) : ring_(size, kNobody), here_(pages, 0) {}

  void prefetch(std::uint32_t page) const { prefetch_state(here_, page); }
  bool access(std::uint32_t page, std::uint64_t) {
    if (here_[page] != 0) return true;
    std::uint32_t& place = ring_[hand_];
    if (place != kNobody) here_[place] = 0;
    place = page;
    here_[page] = 1;
    if (++hand_ == ring_.size()) hand_ = 0;
    return false;
  }

 private:
  std::vector<std::uint32_t> ring_;
  std::vector<std::uint8_t> here_;
  std::size_t hand_ = 0;
};

/// One reference bit; a new page enters with bit 0 where the hand stands (Corbato 1968).
class Clock {
 public:
  Clock(std::uint32_t size, std::uint32_t pages) : ring_(size, kNobody), state_(pages, absent) {}

  void prefetch(std::uint32_t page) const { prefetch_state(state_, page); }
  bool access(std::uint32_t page, std::uint64_t) {
    if (state_[page] != absent) {
      state_[page] = referenced;
      return true;
    }
    while (ring_[hand_] != kNobody && state_[ring_[hand_]] == referenced) {
      state_[ring_[hand_]] = present;
      advance();
    }
    if (ring_[hand_] != kNobody) state_[ring_[hand_]] = absent;
    ring_[hand_] = page;
    state_[page] = present;
    advance();
    return false;
  }

 private:
  enum : std::uint8_t { absent, present, referenced };
  void advance() {
    if (++hand_ == ring_.size()) hand_ = 0;
  }

  std::vector<std::uint32_t> ring_;
  std::vector<std::uint8_t> state_;
  std::size_t hand_ = 0;
};

/// Least recently used. Its two links are all it keeps of a page.
class Lru {
 public:
  Lru(std::uint32_t size, std::uint32_t pages) : size_(size), list_(pages, 1) {}

  void prefetch(std::uint32_t page) const { list_.prefetch(page); }
  void prefetch_more(std::uint32_t page) const { list_.prefetch_neighbours(page); }
  bool access(std::uint32_t page, std::uint64_t) {
    if (list_.listed(page)) {
      if (list_.front(0) != page) list_.move_to_front(0, page);
      return true;
    }
    if (list_.size(0) == size_) list_.drop_back(0);
    list_.push_front(0, page);
    return false;
  }

 private:
  std::uint32_t size_;
  Lists list_;
};

/// Segmented LRU (Karedla, Love & Wherry 1994) with four segments of a quarter each: a hit moves a
/// page up one segment, what overflows sinks. While the cache fills, new pages enter the lowest
/// segment with room, as in the peer the suite's figures are from.
class Slru {
 public:
  Slru(std::uint32_t size, std::uint32_t pages)
      : size_(size), share_(size / segments), list_(pages, segments), of_(pages, absent) {}

  void prefetch(std::uint32_t page) const {
    prefetch_state(of_, page);
    list_.prefetch(page);
  }
  void prefetch_more(std::uint32_t page) const {
    if (of_[page] != absent) list_.prefetch_neighbours(page);
  }
  bool access(std::uint32_t page, std::uint64_t) {
    if (of_[page] != absent) {
      rise(page);
      return true;
    }
    std::uint32_t to = 0;
    while (to < segments && list_.size(to) >= share_) ++to;
    if (to == segments) {
      to = 0;
      if (total_ == size_) evict();
    } else if (total_ == size_) {
      evict();
    }
    list_.push_front(to, page);
    of_[page] = static_cast<std::uint8_t>(to);
    ++total_;
    return false;
  }

 private:
  static constexpr std::uint32_t segments = 4;
  static constexpr std::uint8_t absent = 0xff;

  void rise(std::uint32_t page) {
    const std::uint32_t from = of_[page];
    if (from == segments - 1) return list_.move_to_front(from, page);
    list_.remove(from, page);
    enter(from + 1, page);
    for (std::uint32_t at = from + 1; at > 0 && list_.size(at) > share_; --at)
      enter(at - 1, list_.pop_back(at));
  }
  void enter(std::uint32_t segment, std::uint32_t page) {
    list_.push_front(segment, page);
    of_[page] = static_cast<std::uint8_t>(segment);
  }
  void evict() {
    std::uint32_t from = 0;
    while (list_.empty(from)) ++from;
    of_[list_.pop_back(from)] = absent;
    --total_;
  }

  std::uint32_t size_, share_;
  Lists list_;
  std::vector<std::uint8_t> of_;
  std::uint32_t total_ = 0;
};

/// A queue whose hand walks from old to new and evicts the first page not visited since it passed
/// (Zhang et al., NSDI 2024).
class Sieve {
 public:
  Sieve(std::uint32_t size, std::uint32_t pages)
      : size_(size), list_(pages, 1), state_(pages, absent) {}

  void prefetch(std::uint32_t page) const { prefetch_state(state_, page); }
  bool access(std::uint32_t page, std::uint64_t) {
    if (state_[page] != absent) {
      state_[page] = visited;
      return true;
    }
    if (list_.size(0) == size_) evict();
    list_.push_front(0, page);
    state_[page] = present;
    return false;
  }

 private:
  enum : std::uint8_t { absent, present, visited };
  void evict() {
    std::uint32_t at = hand_ == kNobody ? list_.back(0) : hand_;
    while (state_[at] == visited) {
      state_[at] = present;
      at = list_.towards_front(at);
      if (at == kNobody) at = list_.back(0);
    }
    hand_ = list_.towards_front(at);
    state_[at] = absent;
    list_.remove(0, at);
  }

  std::uint32_t size_;
  Lists list_;
  std::vector<std::uint8_t> state_;
  std::uint32_t hand_ = kNobody;
};

}  // namespace brink::cache
