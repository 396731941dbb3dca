// Linux 6 (6.1, December 2022): two lists a kind, refault distance, scan costs, paced writers.
//
// Users: the four linux_6_*.cpp files, which are one kernel: linux_6.cpp (allocator, lists, kswapd,
// groups), linux_6_vmscan.cpp (what is scanned and what becomes of a page), linux_6_dirty.cpp (who
// writes dirty pages), linux_6_tables.cpp (names).
//
// Idea. Pages of files and of programs are on an inactive and an active list each. A page of a file
// begins inactive; its second read activates it [mm/swap.c:folio_mark_accessed]. A page that is
// dropped leaves a clock value behind; if it comes back before the clock, which ticks on evictions
// and activations, has advanced by more than the active list is long, it would have stayed had the
// list been inactive, and is activated at once [mm/workingset.c:workingset_refault]. How much of
// either kind is scanned follows from swappiness and from what each has cost lately, in pages
// written and in working sets that came back [mm/vmscan.c:get_scan_count].
//
// Source: 6.1 mm/vmscan.c, mm/workingset.c, mm/swap.c, mm/page_alloc.c, mm/page-writeback.c,
// mm/memcontrol.c, mm/readahead.c, from knowledge of them, and held against curves measured on live
// kernels (experiments/reports/live-*).
//
// What differs from the original. One node; at most one memory group, and everything is charged to
// it; its statistics are exact (the kernel's are up to some seconds old). Pages wait for their
// activation in batches, but not for their way to the lists. Blocks of pages of one mobility are
// not placed, only counted (boost). Per-CPU lists of free pages are part of the free pages. Slab
// is the index of the page cache and the inodes; its pages hold so many objects and no holes.
// No large folios, no multi-generation lists, no OOM killer: who cannot be given a page waits.
//
// Invariant kept: every page of a file or program is on exactly one of the four lists, and the
// lists' lengths by zone are counted right (`check`).
//
// Tried and dropped: rotations as a cost [6.2 mm/swap.c:lru_note_cost], which the curves of 6.1 do
// not show (swappiness over hit ratio 0.019 off instead of 0.002).
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "models/machine/paged.h"

namespace brink::machine {

namespace linux_6 {

enum Counter {
  kInactiveAnon = paged::kCounters,
  kActiveAnon,
  kInactiveFile,
  kActiveFile,
  kFreeDma,
  kFreeNormal,
  kFreeHigh,
  kKswapdAwake,
  kReclaimedFile,
  kReclaimedAnon,
  kRefaults,
  kRefaultsActive,  ///< refaults that were activated at once
  kActivations,     ///< by a second access
  kAnonCost,
  kFileCost,
  kCharged,  ///< pages of the group
  kBoost,
  kBackground,  ///< dirty pages above which the flusher writes
  kDirtyLimit,
  kThrottled,  ///< pauses of writers
  kInodes,
  kCounters
};
enum Event {
  kKswapdWake = paged::kEvents,
  kKswapdSleep,
  kActivate,
  kDeactivate,
  kRefault,
  kGroupReclaim,
  kWriterPause,
  kFlusherWake,
  kEvents
};
enum Site {
  kSiteTake,
  kSiteKswapd,
  kSiteBalanced,
  kSiteCharge,
  kSiteRefault,
  kSiteDeactivateFile,
  kSiteDeactivateAnon,
  kSiteScanAnon,
  kSiteThrottle,
  kSiteBackground,
  kSites
};
enum Tunable {
  tMinFreeKb,
  tHugepages,
  tScaleFactor,
  tBoostFactor,
  tSwappiness,
  tSwapPages,
  tBackgroundRatio,
  tDirtyRatio,
  tBackgroundBytes,
  tDirtyBytes,
  tExpire,
  tWritebackEvery,
  tCachePressure,
  tMemoryMax,
  tMemoryHigh,
  tGroupKernel,
  tBatch,
  tTunables
};

std::span<const TunableRow> tunables();
std::span<const CounterRow> counter_rows();
std::span<const EventRow> event_rows();
std::span<const DecisionRow> decisions();

/// min_free_kbytes of a machine [mm/page_alloc.c:calculate_min_free_kbytes; with huge pages
/// mm/khugepaged.c:set_recommended_min_free_kbytes, which reserves 11 blocks a zone, but no more
/// than 5 % of low memory, and nothing below 512 MiB].
std::int64_t min_free_kb(std::int64_t lowmem_pages, std::int64_t all_pages, int zones,
                         std::int64_t page_bytes, bool huge_pages);

}  // namespace linux_6

class Linux6 final : public Paged, public DeviceCalls {
 public:
  Linux6(const MachineDescription& description, std::span<const std::int64_t> tunables,
         Engine& engine, Probe& probe);

  void boot() override;
  void check() const override;
  DeviceCalls* device() override { return this; }
  Co<> read_device(Process& process, std::int64_t position, std::int64_t bytes) override;
  Co<> fill_buffers(Process& process, std::int64_t bytes) override;
  void set_tunable(std::size_t row, std::int64_t value) override;

 protected:
  bool may_take() override;
  Co<> make_room(Process& process) override;
  void page_added(std::int32_t frame) override { add(frame, true); }
  void page_added_by_write(std::int32_t frame) override { add(frame, false); }
  void page_leaves(std::int32_t frame) override;
  void page_accessed(std::int32_t frame) override;
  void page_written(std::int32_t) override {}  // a write is no access [mm/filemap.c]
  void write_finished(std::int32_t frame) override;
  std::int32_t evicted_mark(std::int32_t frame) override;
  paged::Window window(int file, std::int64_t page, std::int64_t asked, bool marked) override;
  void file_opened(int file) override;
  void file_removed(int file) override;
  bool must_balance() override;
  Co<> balance(Process& process) override;

 private:
  enum List { kIA, kAA, kIF, kAF, kLists };  // inactive, active; anonymous, file
  enum ZoneKind { kDma, kNormal, kHigh, kZones };
  struct Zone {
    std::int64_t managed = 0, min = 0, low = 0, high = 0, boost = 0;
    std::array<std::int64_t, kZones> reserve{};  ///< kept from requests that could go higher
  };
  /// One reclaim [struct scan_control].
  struct Scan {
    int priority;
    std::int64_t goal;
    int highest;  ///< pages of zones above are passed over
    bool kswapd = false, group = false, may_swap = true;
    std::int64_t scanned = 0, reclaimed = 0;
    std::int64_t in_flight = 0, again = 0;  ///< met on their way to the disk; of those, again
    bool crowded = false;                   ///< all that was met was on its way [PGDAT_WRITEBACK]
    bool deactivate[2] = {false, false};    ///< anonymous, file
  };
  enum class Balance { equal, file, anon, share };
  struct Shares {
    Balance balance;
    std::int64_t anon = 0, file = 0;
  };
  /// What is known of a file beside its pages.
  struct FileState {
    std::vector<bool> nodes;  ///< index nodes that exist, one for 64 pages
    std::int64_t node_count = 0;
    std::int64_t last_read = -1;  ///< page; a second read of it in a row is no second access
    std::int64_t ahead_start = 0, ahead_size = 0, ahead_async = 0;  // [struct file_ra_state]
    bool inode = false, inode_used = false;
  };

  // linux_6.cpp
  void set_marks();
  std::pair<int, int> zonelist() const;
  bool zone_has(int zone, int highest, std::int64_t mark) const;
  bool balanced(int highest);
  bool charge_fits();
  void add(std::int32_t frame, bool counts_as_refault);
  void count(int list, std::int32_t frame, int step);
  void put(int list, std::int32_t frame);
  void move(std::int32_t frame, int list);
  void activate_queued();
  void recount_charge();
  Co<> kswapd();
  Co<> balance_node(Process& self, int highest);
  Co<> group_reclaim(Process& process, std::int64_t goal);
  Co<> direct_reclaim(Process& process);
  FileState& state_of(int file);
  void fit_slab();
  std::int64_t slab_pages() const;
  void fragment(std::int64_t kernel_pages);

  // linux_6_vmscan.cpp
  bool refault_activates(std::int32_t frame);
  bool inactive_is_low(int inactive) const;
  void note_cost(bool file, std::int64_t pages);
  void shrink_node(Scan& scan);
  Shares shares(const Scan& scan);
  void shrink_lists(Scan& scan, const Shares& shares);
  void shrink_active(int list, std::int64_t pages, const Scan& scan);
  std::int64_t shrink_inactive(int list, std::int64_t pages, Scan& scan);
  enum class Fate { keep, activate, freed };
  Fate fate_of(std::int32_t frame, bool file, Scan& scan);
  void shrink_slab(int priority);
  void snapshot_refaults();
  bool may_swap(const Scan& scan) const;
  std::int64_t eligible(int list, int highest) const;
  std::int64_t on(int list) const { return lists_.count(list); }

  // linux_6_dirty.cpp
  std::int64_t dirtyable() const;
  void set_dirty_limits();
  void measure_bandwidth();
  double position_ratio(std::int64_t dirty) const;
  std::int64_t writers_now(Process& process);
  void wake_flusher();
  Co<std::int64_t> write_file_pages(Process& process, std::int64_t most, Time before);
  Co<> flusher();

  std::array<std::int64_t, linux_6::tTunables> t_{};
  std::array<Zone, kZones> zones_{};
  int highest_zone_ = kNormal;
  std::array<std::array<std::int64_t, kZones>, kLists> by_zone_{};
  std::int64_t clock_ = 0;                   ///< nonresident_age
  std::int64_t activated_[2] = {0, 0};       ///< refaults activated: anonymous, file
  std::int64_t activated_seen_[2] = {0, 0};  ///< when reclaim last ended
  std::vector<std::int32_t> queued_;         ///< waiting for their activation
  std::vector<std::int32_t> slab_;           ///< frames
  std::int64_t nodes_ = 0;
  std::vector<FileState> files_state_[2];  ///< named, hidden
  std::deque<int> inodes_;                 ///< oldest first
  std::int64_t slab_deferred_ = 0;
  std::int64_t claimed_ = 0;      ///< pages of blocks that kernel pages have claimed
  std::int64_t high_credit_ = 0;  ///< pages that may be charged above memory.high at once
  int metadata_ = 0, device_ = 0;
  int kswapd_highest_ = kNormal;
  WaitQueue kswapd_wait_, flusher_wait_, nobody_;
  bool flusher_asleep_ = false, flush_all_ = false;
  double bandwidth_ = 0;  ///< pages a second
  Time measured_at_ = 0;
  std::int64_t measured_ = 0;
  std::vector<std::pair<const Process*, Time>> writers_;
  std::int64_t unbalanced_ = 0;  ///< pages dirtied since writers were last looked at
};

}  // namespace brink::machine
