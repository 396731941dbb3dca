// linux-6: zones and marks, the four lists, kswapd, direct reclaim, the memory group, slab. The
// essay is in linux_6.h.
#include "models/kernels/linux_6.h"

#include <algorithm>

#include "models/base/check.h"

namespace brink::machine {

using namespace paged;
using namespace linux_6;

namespace {
constexpr int kFirstPriority = 12;         // DEF_PRIORITY
constexpr std::int64_t kCluster = 32;      // SWAP_CLUSTER_MAX
constexpr std::int64_t kChargeBatch = 64;  // MEMCG_CHARGE_BATCH
constexpr std::int64_t kBlockPages = 512;  // pageblock_nr_pages
constexpr std::int64_t kNodePages = 64;    // XA_CHUNK_SIZE
constexpr std::int64_t kNodesPerPage = 7;  // of 576 bytes
constexpr std::int64_t kInodesPerPage = 4;
constexpr std::int64_t kDmaRatio = 256, kNormalRatio = 32;  // sysctl_lowmem_reserve_ratio
constexpr Time kTroubleNs = 100'000'000;                    // HZ / 10
constexpr Time kMostDelayNs = 2'000'000'000;                // MEMCG_MAX_HIGH_DELAY_JIFFIES
}  // namespace

Linux6::Linux6(const MachineDescription& d, std::span<const std::int64_t> tunables, Engine& engine,
               Probe& probe)
    : Paged(d, engine, probe, kLists) {
  std::copy(tunables.begin(), tunables.end(), t_.begin());
  const std::int64_t page = d.page_bytes, memory = d.memory_bytes - d.reserved_bytes;
  const std::int64_t low = d.lowmem_bytes > 0 ? std::min(d.lowmem_bytes, memory) : memory;
  zones_[kDma].managed = d.dma_bytes / page;
  zones_[kNormal].managed = low / page - zones_[kDma].managed;
  zones_[kHigh].managed = (memory - low) / page;
  highest_zone_ = zones_[kHigh].managed > 0 ? kHigh : kNormal;
  const std::int64_t high_held = std::min(d.user_pages, zones_[kHigh].managed);
  const std::int64_t normal_held = d.held_pages + d.user_pages - high_held;
  const std::int64_t normal_end = zones_[kDma].managed + zones_[kNormal].managed - normal_held;
  split_zones({zones_[kDma].managed, normal_end, normal_end + zones_[kHigh].managed - high_held});
  metadata_ = hidden_file(0);
  device_ = hidden_file(0);
  set_marks();
  set_dirty_limits();
  recount_charge();
  for (int zone = 0; zone < kZones; ++zone) probe_[kFreeDma + zone] = free_in(zone);
}

// [mm/page_alloc.c:__setup_per_zone_wmarks, setup_per_zone_lowmem_reserve]
void Linux6::set_marks() {
  const std::int64_t low_pages = zones_[kDma].managed + zones_[kNormal].managed;
  const int populated = 1 + (zones_[kDma].managed > 0) + (zones_[kHigh].managed > 0);
  const std::int64_t kb = t_[tMinFreeKb] > 0
                              ? t_[tMinFreeKb]
                              : min_free_kb(low_pages, low_pages + zones_[kHigh].managed, populated,
                                            machine_.page_bytes, t_[tHugepages] != 0);
  const std::int64_t pages = kb * 1024 / machine_.page_bytes;
  for (int i = 0; i < kZones; ++i) {
    Zone& zone = zones_[i];
    const std::int64_t share = pages * zone.managed / std::max<std::int64_t>(1, low_pages);
    zone.min = i == kHigh ? std::clamp<std::int64_t>(zone.managed / 1024, kCluster, 128) : share;
    const std::int64_t step = std::max(share / 4, zone.managed * t_[tScaleFactor] / 10000);
    zone.low = zone.min + step;
    zone.high = zone.low + step;
    zone.reserve = {};
  }
  zones_[kDma].reserve[kNormal] = zones_[kNormal].managed / kDmaRatio;
  zones_[kDma].reserve[kHigh] = (zones_[kNormal].managed + zones_[kHigh].managed) / kDmaRatio;
  zones_[kNormal].reserve[kHigh] = zones_[kHigh].managed / kNormalRatio;
}

void Linux6::set_tunable(std::size_t row, std::int64_t value) {
  t_[row] = value;
  set_marks();
  set_dirty_limits();
}

void Linux6::boot() {
  engine_.spawn("kswapd", kswapd(), true);
  engine_.spawn("flusher", flusher(), false);
}

void Linux6::check() const {
  Paged::check();
  std::int64_t listed = 0;
  for (int list = 0; list < kLists; ++list) {
    BRINK_CHECK(lists_.count(list) == probe_[kInactiveAnon + list]);
    std::array<std::int64_t, kZones> zones{};
    for (std::int32_t f = lists_.front(list); f >= 0; f = lists_.after(f)) {
      ++zones[static_cast<std::size_t>(zone_of(f))];
      BRINK_CHECK((frames_[f].use == Use::file) == (list >= kIF), "a page is on the wrong list");
    }
    BRINK_CHECK(zones == by_zone_[static_cast<std::size_t>(list)]);
    listed += lists_.count(list);
  }
  BRINK_CHECK(listed + probe_[kBuffers] + probe_[paged::kFree] == std::ssize(frames_));
  BRINK_CHECK(std::ssize(slab_) == probe_[kBuffers]);
}

// --- The allocator [mm/page_alloc.c:get_page_from_freelist] ---

// Highest zone that may be used, and the first to be tried: pages of files and programs come from
// HIGHMEM, those of a raw device and of the kernel do not.
std::pair<int, int> Linux6::zonelist() const {
  const bool low =
      asked_.use == Use::buffer ||
      (asked_.use == Use::file && (asked_.owner == device_ || asked_.owner == metadata_));
  const int highest = low ? std::min<int>(highest_zone_, kNormal) : highest_zone_;
  return {highest, highest};
}

bool Linux6::zone_has(int zone, int highest, std::int64_t mark) const {
  const Zone& z = zones_[static_cast<std::size_t>(zone)];
  return free_in(zone) > mark + z.boost + z.reserve[static_cast<std::size_t>(highest)];
}

bool Linux6::may_take() {
  if (!charge_fits()) return false;
  const auto [highest, first] = zonelist();
  for (int pass = 0; pass < 2; ++pass) {
    for (int zone = first; zone >= 0; --zone) {
      const Zone& z = zones_[static_cast<std::size_t>(zone)];
      if (!zone_has(zone, highest, pass == 0 ? z.low : z.min)) continue;
      if (!probe_.decide(kSiteTake, true)) return false;
      take_from_ = zone;
      return true;
    }
    if (pass == 0 && probe_[kKswapdAwake] == 0 && probe_.decide(kSiteKswapd, true)) {
      probe_[kKswapdAwake] = 1;
      kswapd_highest_ = highest;
      probe_.emit(kKswapdWake);
      engine_.wake(kswapd_wait_);
    }
  }
  (void)probe_.decide(kSiteTake, false);
  return false;
}

Co<> Linux6::make_room(Process& process) {
  if (t_[tMemoryMax] > 0 && probe_[kCharged] >= t_[tMemoryMax]) {
    co_await group_reclaim(process, kCluster);
  } else if (t_[tMemoryHigh] > 0 && probe_[kCharged] >= t_[tMemoryHigh] && high_credit_ <= 0) {
    co_await group_reclaim(process, kCluster);
    high_credit_ = kChargeBatch;
    // [mm/memcontrol.c:calculate_high_delay] The square of the excess, at most 2 s.
    const std::int64_t over = probe_[kCharged] - t_[tMemoryHigh];
    if (over > 0) {
      const std::int64_t excess = (over << 20) / t_[tMemoryHigh];
      const __int128 delay = static_cast<__int128>(excess) * excess * 1'000'000'000 >> 34;
      co_await engine_.sleep(process, nobody_,
                             static_cast<Time>(std::min<__int128>(delay, kMostDelayNs)));
    }
  } else {
    co_await direct_reclaim(process);
  }
}

// [mm/vmscan.c:do_try_to_free_pages] Harder and harder until 32 pages are free.
Co<> Linux6::direct_reclaim(Process& process) {
  const std::int64_t before = probe_[kScanned];
  Scan scan{.priority = kFirstPriority, .goal = kCluster, .highest = zonelist().first};
  for (; scan.priority >= 0 && scan.reclaimed < scan.goal; --scan.priority) shrink_node(scan);
  snapshot_refaults();
  co_await submit_outgoing(process);
  co_await charge_scan(process, before);
  if (scan.reclaimed == 0) co_await engine_.sleep(process, io_done_, kTroubleNs);
}

// --- kswapd [mm/vmscan.c:balance_pgdat] ---

bool Linux6::balanced(int highest) {
  bool any = false;
  for (int zone = 0; zone <= highest && !any; ++zone) {
    const Zone& z = zones_[static_cast<std::size_t>(zone)];
    any = z.managed > 0 &&
          free_in(zone) > z.high + z.reserve[static_cast<std::size_t>(highest)] + z.boost;
  }
  return probe_.decide(kSiteBalanced, any);
}

Co<> Linux6::balance_node(Process& self, int highest) {
  std::int64_t boost = 0, goal = 0;
  for (int zone = 0; zone <= highest; ++zone) {
    const Zone& z = zones_[static_cast<std::size_t>(zone)];
    boost += z.boost;
    if (z.managed > 0) goal += std::max(z.high + z.boost, kCluster);
  }
  Scan scan{.priority = kFirstPriority, .goal = goal, .highest = highest, .kswapd = true};
  while (scan.priority >= 1) {
    const std::int64_t before = scan.reclaimed, looked = probe_[kScanned];
    const bool enough = balanced(highest);
    if (!enough && boost > 0) {
      boost = 0;
      scan.priority = kFirstPriority;
      continue;
    }
    if (boost == 0 && enough) break;
    scan.may_swap = boost == 0;
    if (may_swap(scan) && inactive_is_low(kIA)) shrink_active(kAA, kCluster, scan);
    scan.scanned = scan.in_flight = scan.again = 0;
    shrink_node(scan);
    co_await submit_outgoing(self);
    co_await charge_scan(self, looked);
    if (scan.scanned > 0 && scan.in_flight == scan.scanned) scan.crowded = true;
    if (scan.again > 0) co_await engine_.sleep(self, io_done_, kTroubleNs);
    const std::int64_t freed = scan.reclaimed - before;
    const bool boosted = boost > 0;
    boost -= std::min(boost, freed);
    if (boosted && boost > 0 && freed == 0) break;
    const bool hard_enough = boosted && scan.priority == kFirstPriority - 2;
    if ((scan.scanned < scan.goal && !hard_enough) || freed == 0) --scan.priority;
  }
  for (Zone& z : zones_) z.boost = 0;
  probe_[kBoost] = 0;
  snapshot_refaults();
}

Co<> Linux6::kswapd() {
  Process& self = co_await this_process();
  for (;;) {
    const std::int64_t before = probe_[kReclaimedFile] + probe_[kReclaimedAnon];
    co_await balance_node(self, kswapd_highest_);
    const bool helped = probe_[kReclaimedFile] + probe_[kReclaimedAnon] > before;
    if (helped && !balanced(kswapd_highest_)) {
      co_await engine_.offer(self);
      continue;
    }
    probe_.emit(kKswapdSleep, std::exchange(probe_[kKswapdAwake], 0));
    co_await engine_.sleep(self, kswapd_wait_);
  }
}

// Fragmentation raises the marks of the zone until kswapd has worked it off
// [mm/page_alloc.c:boost_watermark]: whenever pages of the kernel need a block more than they have
// claimed, one of another kind is taken.
void Linux6::fragment(std::int64_t kernel_pages) {
  if (kernel_pages <= claimed_) return;
  const bool first = claimed_ == 0;
  claimed_ += kBlockPages;
  if (first || t_[tBoostFactor] == 0) return;
  Zone& zone = zones_[kNormal];
  const std::int64_t most = std::max(zone.high * t_[tBoostFactor] / 10000, kBlockPages);
  zone.boost = std::min(zone.boost + kBlockPages, most);
  probe_[kBoost] = zone.boost;
}

// --- The memory group [mm/memcontrol.c:try_charge_memcg] ---

void Linux6::recount_charge() {
  probe_[kCharged] = probe_[kFile] + probe_[kMapped] + probe_[kAnon] + probe_[kSwapCache] +
                     probe_[kBuffers] + t_[tGroupKernel];
}

bool Linux6::charge_fits() {
  if (t_[tMemoryMax] == 0 && t_[tMemoryHigh] == 0) return true;
  recount_charge();
  const bool fits = t_[tMemoryMax] == 0 || probe_[kCharged] < t_[tMemoryMax];
  const bool slow = t_[tMemoryHigh] > 0 && probe_[kCharged] >= t_[tMemoryHigh];
  if (!probe_.decide(kSiteCharge, fits && (!slow || high_credit_ > 0))) return false;
  if (slow) --high_credit_;
  return true;
}

Co<> Linux6::group_reclaim(Process& process, std::int64_t goal) {
  probe_.emit(kGroupReclaim);
  const std::int64_t before = probe_[kScanned];
  Scan scan{.priority = kFirstPriority, .goal = goal, .highest = highest_zone_, .group = true};
  for (; scan.priority >= 0 && scan.reclaimed < scan.goal; --scan.priority) shrink_node(scan);
  snapshot_refaults();
  recount_charge();
  co_await submit_outgoing(process);
  co_await charge_scan(process, before);
  if (scan.reclaimed == 0) co_await engine_.sleep(process, io_done_, kTroubleNs);
}

// --- The lists ---

void Linux6::count(int list, std::int32_t frame, int step) {
  probe_[kInactiveAnon + list] += step;
  by_zone_[static_cast<std::size_t>(list)][static_cast<std::size_t>(zone_of(frame))] += step;
}

void Linux6::put(int list, std::int32_t frame) {
  lists_.push_back(list, frame);
  count(list, frame, 1);
}

void Linux6::move(std::int32_t frame, int list) {
  count(lists_.list_of(frame), frame, -1);
  lists_.remove(frame);
  put(list, frame);
  probe_.emit(list == kAA || list == kAF ? kActivate : kDeactivate);
}

void Linux6::add(std::int32_t frame, bool counts_as_refault) {
  Frame& f = frames_[frame];
  const bool file = f.use == Use::file;
  const bool refault = came_back_ < -1 && counts_as_refault;
  const bool active = refault && refault_activates(frame);
  put((file ? kIF : kIA) + (active ? 1 : 0), frame);
  if (refault) probe_.emit(kRefault);
  for (int zone = 0; zone < kZones; ++zone) probe_[kFreeDma + zone] = free_in(zone);
  if (file) {
    FileState& state = state_of(f.owner);
    const auto node = static_cast<std::size_t>(f.index / kNodePages);
    if (node >= state.nodes.size()) state.nodes.resize(node + 1, false);
    if (!state.nodes[node]) {
      state.nodes[node] = true;
      ++state.node_count;
      ++nodes_;
      fit_slab();
    }
  }
}

void Linux6::page_leaves(std::int32_t frame) {
  if (frames_[frame].queued) std::erase(queued_, frame);
  count(lists_.list_of(frame), frame, -1);
  lists_.remove(frame);
}

// [mm/swap.c:folio_mark_accessed, folio_activate] Use-once: the second access activates. A read
// that goes on in the page of the last one is no access of its own [mm/filemap.c:filemap_read].
void Linux6::page_accessed(std::int32_t frame) {
  Frame& f = frames_[frame];
  FileState& state = state_of(f.owner);
  if (std::exchange(state.last_read, f.index) == f.index) return;
  if (!f.referenced) {
    f.referenced = true;
    return;
  }
  if (lists_.list_of(frame) != kIF) return;
  if (!f.queued) {
    f.queued = true;
    queued_.push_back(frame);
  }
  f.referenced = false;
  ++clock_;
  ++probe_[kActivations];
  if (std::ssize(queued_) >= t_[tBatch]) activate_queued();
}

void Linux6::activate_queued() {
  for (const std::int32_t frame : std::exchange(queued_, {})) {
    frames_[frame].queued = false;
    if (lists_.list_of(frame) == kIF) move(frame, kAF);
  }
}

// [mm/swap.c:folio_rotate_reclaimable] What reclaim has written goes first when it looks again.
void Linux6::write_finished(std::int32_t frame) {
  Frame& f = frames_[frame];
  if (!f.reclaim) return;
  f.reclaim = false;
  const int list = lists_.list_of(frame);
  if (list == Links::none || f.dirty || f.mapped) return;
  const int inactive = list >= kIF ? kIF : kIA;
  count(list, frame, -1);
  lists_.remove(frame);
  lists_.push_front(inactive, frame);
  count(inactive, frame, 1);
}

// --- Slab: the index of the page cache, inodes ---

Linux6::FileState& Linux6::state_of(int file) {
  auto& states = files_state_[file < 0 ? 1 : 0];
  const auto at = static_cast<std::size_t>(file < 0 ? -1 - file : file);
  if (at >= states.size()) states.resize(at + 1);
  return states[at];
}

std::int64_t Linux6::slab_pages() const {
  return (nodes_ + kNodesPerPage - 1) / kNodesPerPage +
         (probe_[kInodes] + kInodesPerPage - 1) / kInodesPerPage;
}

// Takes or gives back frames until slab has what its objects need. What cannot be had now is taken
// later.
void Linux6::fit_slab() {
  const std::int64_t wanted = slab_pages();
  while (std::ssize(slab_) > wanted) {
    push_free(slab_.back());
    slab_.pop_back();
    --probe_[kBuffers];
    probe_.emit(kBufferDrop);
  }
  while (std::ssize(slab_) < wanted) {
    const int zone = free_in(kNormal) > 0 ? kNormal : kDma;
    if (free_in(zone) == 0) return;
    const int taking = std::exchange(take_from_, zone);
    slab_.push_back(pop_free(Use::buffer, -1, 0));
    take_from_ = taking;
    ++probe_[kBuffers];
    fragment(std::ssize(slab_));
    probe_.emit(kBufferIn);
  }
}

void Linux6::file_opened(int file) {
  FileState& state = state_of(file);
  state.inode_used = state.inode;
  if (state.inode) return;
  state.inode = true;
  inodes_.push_back(file);
  ++probe_[kInodes];
  fit_slab();
}

void Linux6::file_removed(int file) {
  FileState& state = state_of(file);
  nodes_ -= state.node_count;
  probe_[kInodes] -= state.inode;  // its place among inodes_ is dropped when the scan meets it
  state = FileState{};
  fit_slab();
}

// --- Devices and metadata: files from low memory ---

Co<> Linux6::read_device(Process& process, std::int64_t position, std::int64_t bytes) {
  const std::int64_t first = position / machine_.page_bytes;
  const std::int64_t pages = pages_of(position + bytes) - first;
  auto& frames = file_at(device_).frames;
  if (std::ssize(frames) < first + pages)
    frames.resize(static_cast<std::size_t>(first + pages), -1);
  co_await read_range(process, device_, first, pages, machine_.readahead_pages);
}

Co<> Linux6::fill_buffers(Process& process, std::int64_t bytes) {
  auto& frames = file_at(metadata_).frames;
  const std::int64_t first = std::ssize(frames), pages = pages_of(bytes);
  frames.resize(static_cast<std::size_t>(first + pages), -1);
  co_await read_range(process, metadata_, first, pages, machine_.readahead_pages);
}

// [mm/readahead.c:ondemand_readahead] The window begins with four times what is asked for, grows
// at each marker, up to the largest.
Window Linux6::window(int file, std::int64_t page, std::int64_t asked, bool marked) {
  if (asked <= 1) return {page, 1, -1};
  FileState& s = state_of(file);
  const auto begin = [&](std::int64_t start, std::int64_t size, std::int64_t async) {
    s.ahead_start = start;
    s.ahead_size = size;
    s.ahead_async = async;
    return Window{start, size, start + size - async};
  };
  const auto next = [&](std::int64_t size) {
    return std::min(size < asked / 16 ? 4 * size : 2 * size, asked);
  };
  const bool expected =
      page == s.ahead_start + s.ahead_size - s.ahead_async || page == s.ahead_start + s.ahead_size;
  if (page > 0 && s.ahead_size > 0 && expected) {
    const std::int64_t size = next(s.ahead_size);
    return begin(s.ahead_start + s.ahead_size, size, size);
  }
  if (marked) {
    const std::int64_t size = next(std::max<std::int64_t>(1, s.ahead_size));
    return begin(page + 1, size, size);
  }
  const bool sequential = page == 0 || page == s.last_read + 1;
  if (!sequential) return {page, 1, -1};
  const std::int64_t size = std::min<std::int64_t>(4, asked);
  return begin(page, size, size - 1);
}

}  // namespace brink::machine
