// 2Q, ARC, LIRS, S3-FIFO and the kernel's two lists: policies that remember pages which are gone.
// Sizes are in pages; pages remembered do not count.
#pragma once

#include <algorithm>
#include <vector>

#include "models/cache/lists.h"

namespace brink::cache {

/// Full 2Q (Johnson & Shasha, VLDB 1994): a FIFO A1in of a quarter, a memory A1out of half as many
/// pages as the cache, an LRU Am. A hit in A1in moves nothing.
class TwoQ {
 public:
  TwoQ(std::uint32_t size, std::uint32_t pages)
      : size_(size),
        in_size_(size / 4),
        out_size_(size / 2),
        list_(pages, 3),
        on_(pages, nowhere) {}

  void prefetch(std::uint32_t page) const {
    prefetch_state(on_, page);
    list_.prefetch(page);
  }
  void prefetch_more(std::uint32_t page) const {
    if (on_[page] != nowhere) list_.prefetch_neighbours(page);
  }
  bool access(std::uint32_t page, std::uint64_t) {
    if (on_[page] == in) return true;
    if (on_[page] == main) {
      list_.move_to_front(main, page);
      return true;
    }
    const bool remembered = on_[page] == out;
    if (remembered) list_.remove(out, page);
    on_[page] = nowhere;
    if (list_.size(in) + list_.size(main) == size_) evict();
    put(remembered ? main : in, page);
    return false;
  }

 private:
  enum : std::uint8_t { in, out, main, nowhere };
  void put(std::uint8_t list, std::uint32_t page) {
    list_.push_front(list, page);
    on_[page] = list;
  }
  void evict() {
    if (list_.size(in) <= in_size_ && !list_.empty(main)) {
      on_[list_.pop_back(main)] = nowhere;
      return;
    }
    const std::uint32_t page = list_.pop_back(in);
    on_[page] = nowhere;
    if (out_size_ == 0) return;
    if (list_.size(out) == out_size_) on_[list_.pop_back(out)] = nowhere;
    put(out, page);
  }

  std::uint32_t size_, in_size_, out_size_;
  Lists list_;
  std::vector<std::uint8_t> on_;
};

/// Adaptive replacement (Megiddo & Modha, FAST 2003, figure 4); the target is a real number.
class Arc {
 public:
  Arc(std::uint32_t size, std::uint32_t pages)
      : size_(size), list_(pages, 4), on_(pages, nowhere) {}

  void prefetch(std::uint32_t page) const {
    prefetch_state(on_, page);
    list_.prefetch(page);
  }
  void prefetch_more(std::uint32_t page) const {
    if (on_[page] != nowhere) list_.prefetch_neighbours(page);
  }
  bool access(std::uint32_t page, std::uint64_t) {
    const std::uint8_t was = on_[page];
    if (was == once || was == often) {
      list_.remove(was, page);
      put(often, page);
      return true;
    }
    if (was == nowhere) {
      make_room();
      put(once, page);
      return false;
    }
    const double once_gone_size = list_.size(once_gone), often_gone_size = list_.size(often_gone);
    if (was == once_gone)
      target_ = std::min<double>(size_, target_ + std::max(1.0, often_gone_size / once_gone_size));
    else
      target_ = std::max<double>(0, target_ - std::max(1.0, once_gone_size / often_gone_size));
    list_.remove(was, page);
    on_[page] = nowhere;
    replace(was == often_gone);
    put(often, page);
    return false;
  }

 private:
  enum : std::uint8_t { once, often, once_gone, often_gone, nowhere };  // T1, T2, B1, B2
  void put(std::uint8_t list, std::uint32_t page) {
    list_.push_front(list, page);
    on_[page] = list;
  }
  void drop(std::uint8_t list) { on_[list_.pop_back(list)] = nowhere; }
  /// Before a page that nobody remembers enters.
  void make_room() {
    const std::uint32_t first = list_.size(once) + list_.size(once_gone);
    const std::uint32_t all = first + list_.size(often) + list_.size(often_gone);
    if (first == size_) {
      if (list_.size(once) < size_) {
        drop(once_gone);
        replace(false);
      } else {
        drop(once);
      }
    } else if (all >= size_) {
      if (all == 2 * size_) drop(often_gone);
      replace(false);
    }
  }
  void replace(bool came_from_often_gone) {
    const std::uint32_t t1 = list_.size(once);
    if (t1 + list_.size(often) < size_) return;
    const bool from_once =
        t1 > 0 && (t1 > target_ || (came_from_often_gone && t1 == target_) || list_.empty(often));
    const std::uint8_t from = from_once ? once : often;
    put(from_once ? once_gone : often_gone, list_.pop_back(from));
  }

  std::uint32_t size_;
  double target_ = 0;
  Lists list_;
  std::vector<std::uint8_t> on_;
};

/// Low inter-reference recency set (Jiang & Zhang, SIGMETRICS 2002): one page in a hundred for
/// resident HIR pages. The stack remembers every page above its bottom LIR page, without a limit.
class Lirs {
 public:
  Lirs(std::uint32_t size, std::uint32_t pages)
      : hir_size_(std::max(1u, size / 100)),
        lir_size_(size > hir_size_ ? size - hir_size_ : 0),
        stack_(pages, 1),
        queue_(pages, 1),
        state_(pages, 0) {}

  bool access(std::uint32_t page, std::uint64_t) {
    const std::uint8_t was = state_[page];
    if ((was & lir) != 0) {
      const bool bottom = stack_.back(0) == page;
      stack_.move_to_front(0, page);
      if (bottom) prune();
      return true;
    }
    if ((was & resident) != 0) {
      hit_hir(page);
      return true;
    }
    miss(page);
    return false;
  }

 private:
  enum : std::uint8_t { resident = 1, lir = 2, stacked = 4 };

  void hit_hir(std::uint32_t page) {
    if ((state_[page] & stacked) != 0) {
      stack_.move_to_front(0, page);
      queue_.remove(0, page);
      become_lir(page);
    } else {
      to_stack(page);
      queue_.move_to_front(0, page);
    }
  }

  void miss(std::uint32_t page) {
    if (lirs_ < lir_size_ && (state_[page] & stacked) == 0) {  // while the cache fills
      to_stack(page);
      state_[page] |= resident | lir;
      ++lirs_;
      return;
    }
    if (queue_.size(0) == hir_size_) {
      const std::uint32_t gone = queue_.pop_back(0);
      state_[gone] &= static_cast<std::uint8_t>(~resident);
    }
    state_[page] |= resident;
    if ((state_[page] & stacked) != 0) {
      stack_.move_to_front(0, page);
      become_lir(page);
    } else {
      to_stack(page);
      queue_.push_front(0, page);
    }
  }

  void to_stack(std::uint32_t page) {
    stack_.push_front(0, page);
    state_[page] |= stacked;
  }

  /// A stacked page was met again sooner than the bottom LIR page: they change places.
  void become_lir(std::uint32_t page) {
    if (lir_size_ == 0) {  // a cache of one page
      queue_.push_front(0, page);
      return;
    }
    state_[page] |= lir;
    ++lirs_;
    if (lirs_ <= lir_size_) return;
    const std::uint32_t bottom = stack_.pop_back(0);
    state_[bottom] = resident;
    --lirs_;
    queue_.push_front(0, bottom);
    prune();
  }

  /// The bottom of the stack is a LIR page, always.
  void prune() {
    while (!stack_.empty(0) && (state_[stack_.back(0)] & lir) == 0) {
      const std::uint32_t page = stack_.pop_back(0);
      state_[page] &= static_cast<std::uint8_t>(~stacked);
    }
  }

  std::uint32_t hir_size_, lir_size_, lirs_ = 0;
  Lists stack_, queue_;
  std::vector<std::uint8_t> state_;
};

/// S3-FIFO (Yang et al., SOSP 2023): a small FIFO of a tenth, a main FIFO with two-bit counters, a
/// memory of nine tenths; two hits in the small one lead to the main one. Before anything has been
/// evicted all pages enter the small FIFO, as published (later code of the authors fills the main
/// one then).
class S3Fifo {
 public:
  S3Fifo(std::uint32_t size, std::uint32_t pages)
      : size_(size),
        small_size_(std::max(1u, size / 10)),
        ghost_size_(static_cast<std::uint32_t>(size * std::uint64_t{9} / 10)),
        list_(pages, 3),
        on_(pages, nowhere),
        hits_(pages, 0) {}

  void prefetch(std::uint32_t page) const {
    prefetch_state(on_, page);
    list_.prefetch(page);
  }
  void prefetch_more(std::uint32_t page) const {
    if (on_[page] != nowhere) list_.prefetch_neighbours(page);
  }
  bool access(std::uint32_t page, std::uint64_t) {
    if (on_[page] == small || on_[page] == main) {
      hits_[page] = static_cast<std::uint8_t>(std::min(hits_[page] + 1, 3));
      return true;
    }
    const bool remembered = on_[page] == ghost;
    if (remembered) list_.remove(ghost, page);
    on_[page] = nowhere;
    while (list_.size(small) + list_.size(main) >= size_) evict();
    put(remembered ? main : small, page);
    hits_[page] = 0;
    return false;
  }

 private:
  enum : std::uint8_t { small, main, ghost, nowhere };
  void put(std::uint8_t list, std::uint32_t page) {
    list_.push_front(list, page);
    on_[page] = list;
  }

  void evict() {
    if (list_.size(main) > size_ - small_size_ || list_.empty(small))
      evict_main();
    else
      evict_small();
  }
  void evict_small() {
    while (!list_.empty(small)) {
      const std::uint32_t page = list_.pop_back(small);
      if (hits_[page] >= 2) {
        put(main, page);
        hits_[page] = 0;
        continue;
      }
      on_[page] = nowhere;
      if (ghost_size_ == 0) return;
      if (list_.size(ghost) == ghost_size_) on_[list_.pop_back(ghost)] = nowhere;
      return put(ghost, page);
    }
  }
  void evict_main() {
    while (true) {
      const std::uint32_t page = list_.back(main);
      if (hits_[page] == 0) {
        list_.remove(main, page);
        on_[page] = nowhere;
        return;
      }
      --hits_[page];
      list_.move_to_front(main, page);
    }
  }

  std::uint32_t size_, small_size_, ghost_size_;
  Lists list_;
  std::vector<std::uint8_t> on_, hits_;
};

/// The two lists of Linux for file pages that are read (6.x mm/swap.c:folio_mark_accessed,
/// mm/vmscan.c, mm/workingset.c): a page enters the inactive list; a touch there marks it
/// referenced, the next one activates it; the active list is shrunk while it is the longer one;
/// a page that comes back within as many evictions and activations as there are active pages is
/// activated at once.
class TwoLists {
 public:
  TwoLists(std::uint32_t size, std::uint32_t pages)
      : size_(size), list_(pages, 2), on_(pages, nowhere), left_(pages, 0) {}

  void prefetch(std::uint32_t page) const {
    prefetch_state(on_, page);
    list_.prefetch(page);
  }
  void prefetch_more(std::uint32_t page) const {
    if (on_[page] != nowhere) list_.prefetch_neighbours(page);
  }
  bool access(std::uint32_t page, std::uint64_t) {
    switch (on_[page]) {
      case active:
        return true;
      case referenced:
        list_.remove(inactive, page);
        activate(page);
        return true;
      case inactive:
        on_[page] = referenced;
        return true;
      default:
        break;
    }
    if (list_.size(inactive) + list_.size(active) == size_) evict();
    if (left_[page] != 0 && clock_ - left_[page] <= list_.size(active)) {
      activate(page);
    } else {
      list_.push_front(inactive, page);
      on_[page] = inactive;
    }
    return false;
  }

 private:
  enum : std::uint8_t { inactive, active, referenced, nowhere };
  void activate(std::uint32_t page) {
    list_.push_front(active, page);
    on_[page] = active;
    ++clock_;
  }
  void evict() {
    while (list_.size(inactive) < list_.size(active)) {
      const std::uint32_t page = list_.pop_back(active);
      list_.push_front(inactive, page);
      on_[page] = inactive;
    }
    const std::uint32_t page = list_.pop_back(inactive);
    on_[page] = nowhere;
    left_[page] = ++clock_;
  }

  std::uint32_t size_;
  std::uint64_t clock_ = 0;
  Lists list_;
  std::vector<std::uint8_t> on_;
  std::vector<std::uint64_t> left_;  ///< the clock when it was evicted; 0: never
};

}  // namespace brink::cache
