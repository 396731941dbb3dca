// linux-6: which lists are scanned, how far, and what becomes of a page. The essay is in linux_6.h.
//
// Traps, each with a test (tests/unit/machine/linux_6_test.cpp): a refault is measured on the
// clock, not in seconds or misses; the active list is scanned after refaults that were activated,
// too, not only when the inactive one is short; clean pages of files go although they were read,
// pages of programs are spared once; without refaults and with enough inactive pages of files
// nothing is swapped (cache trim); a written page costs, a rotated one does not.
#include <algorithm>
#include <cmath>

#include "models/base/check.h"
#include "models/kernels/linux_6.h"

namespace brink::machine {

using namespace paged;
using namespace linux_6;

namespace {
constexpr int kFirstPriority = 12;
constexpr std::int64_t kCluster = 32;
constexpr std::int64_t kSlabBatch = 1024;  // fs/super.c:alloc_super
constexpr std::int64_t kSeeks = 2;         // DEFAULT_SEEKS
constexpr std::int32_t kClockMask = 0x1fffffff;
constexpr std::int64_t kFairShare = 100, kAllShares = 200;  // swappiness at equal cost, and its end
}  // namespace

// --- Refault distance [mm/workingset.c] ---

// What is left behind: the clock, and whether the page had been deactivated before.
std::int32_t Linux6::evicted_mark(std::int32_t frame) {
  const auto now = static_cast<std::int32_t>(clock_++ & kClockMask);
  return -2 - (now * 2 + (frames_[frame].workingset ? 1 : 0));
}

// It would have stayed if the active list (and programs, if there is somewhere to swap) had given
// way.
bool Linux6::refault_activates(std::int32_t frame) {
  Frame& f = frames_[frame];
  const bool file = f.use == Use::file;
  const std::int32_t mark = -2 - came_back_;
  const std::int64_t distance = (clock_ - mark / 2) & kClockMask;
  ++probe_[kRefaults];
  std::int64_t size = on(kAF) + (file ? 0 : on(kIF));
  if (probe_[kSwapped] < t_[tSwapPages]) size += on(kAA) + (file ? on(kIA) : 0);
  if (!probe_.decide(kSiteRefault, distance <= size)) return false;
  ++clock_;
  ++activated_[file ? 1 : 0];
  ++probe_[kRefaultsActive];
  if (mark % 2 != 0) {
    f.workingset = true;
    note_cost(file, 1);
  }
  return true;
}

void Linux6::snapshot_refaults() { std::copy(activated_, activated_ + 2, activated_seen_); }

// [mm/swap.c:lru_note_cost] Costs are halved when they exceed a quarter of the lists.
void Linux6::note_cost(bool file, std::int64_t pages) {
  std::int64_t &anon_cost = probe_[kAnonCost], &file_cost = probe_[kFileCost];
  (file ? file_cost : anon_cost) += pages;
  const std::int64_t all = on(kIA) + on(kAA) + on(kIF) + on(kAF);
  if (anon_cost + file_cost > all / 4) {
    anon_cost /= 2;
    file_cost /= 2;
  }
}

// [mm/vmscan.c:inactive_is_low] 1:1 below a GiB, then the root of ten times the GiB.
bool Linux6::inactive_is_low(int inactive) const {
  const std::int64_t sum = on(inactive) + on(inactive + 1);
  const std::int64_t gb = sum * machine_.page_bytes >> 30;
  const std::int64_t ratio =
      gb > 0 ? static_cast<std::int64_t>(std::sqrt(static_cast<double>(10 * gb))) : 1;
  return on(inactive) * ratio < on(inactive + 1);
}

bool Linux6::may_swap(const Scan& scan) const {
  return scan.may_swap && probe_[kSwapped] < t_[tSwapPages];
}

std::int64_t Linux6::eligible(int list, int highest) const {
  std::int64_t pages = 0;
  for (int zone = 0; zone <= highest; ++zone) {
    pages += by_zone_[static_cast<std::size_t>(list)][static_cast<std::size_t>(zone)];
  }
  return pages;
}

// --- What is scanned [mm/vmscan.c:prepare_scan_count, get_scan_count] ---

Linux6::Shares Linux6::shares(const Scan& scan) {
  const std::int64_t swappiness = t_[tSwappiness];
  std::int64_t free = 0, high = 0;
  for (int zone = 0; zone < kZones; ++zone) {
    free += free_in(zone);
    const Zone& z = zones_[static_cast<std::size_t>(zone)];
    if (z.managed > 0) high += z.high + z.boost;
  }
  const bool trim = on(kIF) >> scan.priority > 0 && !scan.deactivate[1];
  const bool tiny = !scan.group && on(kIF) + on(kAF) + free <= high && !scan.deactivate[0] &&
                    on(kIA) >> scan.priority > 0;
  if (!may_swap(scan) || (scan.group && swappiness == 0)) return {Balance::file};
  if (scan.priority == 0 && swappiness > 0) return {Balance::equal};
  if (tiny) return {Balance::anon};
  if (trim) return {Balance::file};
  const std::int64_t sum = probe_[kAnonCost] + probe_[kFileCost];
  const std::int64_t anon_cost = sum + probe_[kAnonCost], file_cost = sum + probe_[kFileCost];
  const std::int64_t all = anon_cost + file_cost;
  return {Balance::share, swappiness * (all + 1) / (anon_cost + 1),
          (kAllShares - swappiness) * (all + 1) / (file_cost + 1)};
}

void Linux6::shrink_node(Scan& scan) {
  for (const bool file : {false, true}) {
    const bool native =
        activated_[file] != activated_seen_[file] || inactive_is_low(file ? kIF : kIA);
    scan.deactivate[file] = probe_.decide(file ? kSiteDeactivateFile : kSiteDeactivateAnon, native);
  }
  Shares what = shares(scan);
  const bool native = what.balance != Balance::file;
  if (!probe_.decide(kSiteScanAnon, native)) {
    what = {Balance::file};
  } else if (!native) {
    what = {Balance::share, kFairShare, kFairShare};
  }
  shrink_lists(scan, what);
  if (!scan.group) shrink_slab(scan.priority);
  for (int zone = 0; zone < kZones; ++zone) probe_[kFreeDma + zone] = free_in(zone);
}

// [mm/vmscan.c:shrink_lruvec] In parts of 32 pages. Once enough is free, the kind with less left
// is given up, and the other scanned in the same proportion.
void Linux6::shrink_lists(Scan& scan, const Shares& what) {
  std::array<std::int64_t, kLists> left{}, target{};
  for (int list = 0; list < kLists; ++list) {
    const bool file = list >= kIF;
    std::int64_t pages = eligible(list, scan.highest) >> scan.priority;
    if (what.balance == Balance::share) {
      pages =
          pages * (file ? what.file : what.anon) / std::max<std::int64_t>(1, what.file + what.anon);
    }
    if (what.balance == (file ? Balance::anon : Balance::file)) pages = 0;
    left[static_cast<std::size_t>(list)] = target[static_cast<std::size_t>(list)] = pages;
  }
  const bool all_of_it = !scan.group && !scan.kswapd && scan.priority == kFirstPriority;
  std::int64_t freed = 0;
  while (left[kIA] > 0 || left[kAF] > 0 || left[kIF] > 0) {
    for (int list = 0; list < kLists; ++list) {
      std::int64_t& rest = left[static_cast<std::size_t>(list)];
      const std::int64_t part = std::min(rest, kCluster);
      if (part == 0) continue;
      rest -= part;
      if (list == kIA || list == kIF) {
        freed += shrink_inactive(list, part, scan);
      } else if (scan.deactivate[list == kAF]) {
        shrink_active(list, part, scan);
      }
    }
    if (freed < scan.goal || all_of_it) continue;
    const std::int64_t files = left[kIF] + left[kAF], anon = left[kIA] + left[kAA];
    if (files == 0 || anon == 0) break;
    const std::size_t smaller = files > anon ? kIA : kIF, larger = files > anon ? kIF : kIA;
    const std::int64_t percent =
        std::min(files, anon) * 100 / (target[smaller] + target[smaller + 1] + 1);
    left[smaller] = left[smaller + 1] = 0;
    for (const std::size_t list : {larger, larger + 1}) {
      const std::int64_t done = target[list] - left[list];
      left[list] = std::max<std::int64_t>(0, target[list] * (100 - percent) / 100 - done);
    }
  }
  scan.reclaimed += freed;
  if (may_swap(scan) && inactive_is_low(kIA)) shrink_active(kAA, kCluster, scan);
}

// --- What becomes of a page ---

// [mm/vmscan.c:shrink_active_list] Down they go, whether they were used or not; text that is in
// use goes round once more.
void Linux6::shrink_active(int list, std::int64_t pages, const Scan& scan) {
  activate_queued();
  for (pages = std::min(pages, on(list)); pages > 0; --pages) {
    const std::int32_t frame = lists_.front(list);
    Frame& f = frames_[frame];
    ++probe_[kScanned];
    const bool text_in_use = list == kAF && f.mapped && f.young;
    if (zone_of(frame) > scan.highest || text_in_use) {
      if (text_in_use) f.young = false;
      lists_.remove(frame);
      lists_.push_back(list, frame);
      continue;
    }
    f.young = false;
    f.workingset = true;
    move(frame, list - 1);
  }
}

// [mm/vmscan.c:folio_check_references, shrink_folio_list]
Linux6::Fate Linux6::fate_of(std::int32_t frame, bool file, Scan& scan) {
  Frame& f = frames_[frame];
  if (f.locked) return Fate::keep;
  if (f.writeback) {  // out of the way; it comes back to the old end when written
    ++scan.in_flight;
    scan.again += scan.kswapd && scan.crowded && f.reclaim;
    f.reclaim = true;
    return Fate::activate;
  }
  const bool young = f.young, referenced = f.referenced;
  f.young = f.referenced = false;
  if (young) {
    f.referenced = true;
    return referenced || file ? Fate::activate : Fate::keep;  // text at once, programs' pages later
  }
  if (f.mapped) {
    if (!file && f.use == Use::anon && !may_swap(scan)) return Fate::activate;
    unmap(frame);  // queues the write of a page that has no slot yet
  }
  if (f.dirty) {
    f.reclaim = true;
    flush_all_ = true;
    if (flusher_asleep_) engine_.wake(flusher_wait_);
    return Fate::activate;
  }
  if (f.writeback) {
    f.reclaim = true;
    return Fate::keep;
  }
  drop(frame);
  return Fate::freed;
}

// [mm/vmscan.c:shrink_inactive_list] What is freed; what was begun to be written is a cost.
std::int64_t Linux6::shrink_inactive(int list, std::int64_t pages, Scan& scan) {
  activate_queued();
  const bool file = list == kIF;
  const std::int64_t outs = probe_[kSwapOuts];
  std::int64_t freed = 0;
  for (pages = std::min(pages, on(list)); pages > 0; --pages) {
    const std::int32_t frame = lists_.front(list);
    if (zone_of(frame) > scan.highest) {
      lists_.remove(frame);
      lists_.push_back(list, frame);
      continue;
    }
    ++probe_[kScanned];
    ++scan.scanned;
    const Fate fate = fate_of(frame, file, scan);
    if (fate == Fate::freed) {
      ++freed;
    } else if (fate == Fate::activate) {
      move(frame, list + 1);
    } else {
      lists_.remove(frame);
      lists_.push_back(list, frame);
    }
  }
  probe_[file ? kReclaimedFile : kReclaimedAnon] += freed;
  note_cost(file, probe_[kSwapOuts] - outs);
  return freed;
}

// [mm/vmscan.c:do_shrink_slab, fs/super.c:super_cache_scan] Inodes without pages, in parts of 1024;
// one that was used goes round once more. vfs_cache_pressure scales how many seem to be there.
void Linux6::shrink_slab(int priority) {
  const std::int64_t freeable = probe_[kInodes] * t_[tCachePressure] / 100;
  if (freeable == 0) return;
  const std::int64_t part = (freeable >> priority) * 4 / kSeeks;
  const std::int64_t due = std::min((slab_deferred_ >> priority) + part, 2 * freeable);
  std::int64_t looked = 0;
  while (due - looked >= std::min(kSlabBatch, freeable) && !inodes_.empty()) {
    for (std::int64_t i = 0; i < std::min(kSlabBatch, freeable) && !inodes_.empty(); ++i) {
      const int file = inodes_.front();
      inodes_.pop_front();
      ++looked;
      FileState& state = state_of(file);
      if (!state.inode) continue;  // removed
      if (file_of(file).cached > 0 || std::exchange(state.inode_used, false)) {
        inodes_.push_back(file);
        continue;
      }
      state.inode = false;
      --probe_[kInodes];
    }
  }
  slab_deferred_ = std::clamp<std::int64_t>(slab_deferred_ + part - looked, 0, 2 * freeable);
  fit_slab();
}

}  // namespace brink::machine
