// Linux 2.5.52 (December 2002): swappiness.
//
// A page of a program leaves the active list only if half of the mapped share of memory, the
// distress of reclaim and swappiness add up to 100 [2.5.41 mm/vmscan.c:refill_inactive_zone, the
// swappiness patch of Morton, 11 October 2002, merged in 2.5.43]. A load that reads clean pages
// over and over is always satisfied by the inactive list, so distress stays 0 and programs keep
// memory that they never touch: the stable bad state of the 2002 report.
//
// Integer arithmetic, as the kernel's: a mapped share of 39 % counts 19. Distress is 100 >>
// priority, and the priority goes down only when a round has freed too little, not because memory
// is full.
//
// What differs from the original: one zone; slab does not shrink; a page is written out when the
// scan meets it dirty, without looking whether the disk's queue is congested.
//
// Invariant kept: see TwoLists.
#include <algorithm>
#include <memory>

#include "models/kernels/rows.h"
#include "models/kernels/two_lists.h"

namespace brink::machine {

using namespace paged;
using namespace two_lists;

namespace {

constexpr int kFirstPriority = 12;         // DEF_PRIORITY
constexpr std::int64_t kMostRefill = 128;  // shrink_zone: pages of the active list at a time
constexpr std::int64_t kPages = std::int64_t{1} << 32;

constexpr TunableRow kTunables[] = {
    {"min", "pages", "an allocation leaves at least this free", 0, kPages},
    {"low", "pages", "kswapd is woken below this", 0, kPages},
    {"high", "pages", "kswapd sleeps again from this on", 1, kPages},
    {"swappiness", "", "added to half of the mapped share and to the distress", 0, 200, true},
    {"dirty_background_ratio", "%", "dirty pages above which pdflush writes", 0, 100, true},
    {"dirty_ratio", "%", "dirty pages above which a writer writes itself", 0, 100, true},
    {"congestion_ms", "ms", "how long a round that freed too little waits for writes", 0, 1000},
};
enum { tMin, tLow, tHigh, tSwappiness, tBackground, tRatio, tCongestion };

constexpr std::string_view kVmscan = "2.5.41 mm/vmscan.c:refill_inactive_zone";
constexpr DecisionRow kDecisions[] = {
    {"take_page", "a free page is handed out", "2.5 mm/page_alloc.c:__alloc_pages", true},
    {"wake_kswapd", "an allocation wakes kswapd", "2.5 mm/page_alloc.c:__alloc_pages"},
    {"enough_free", "reclaim makes no further round", "2.5 mm/vmscan.c:balance_pgdat"},
    {"reclaim_mapped", "pages of programs may leave the active list", kVmscan},
    {"throttle_writer", "a writer has to write dirty pages itself",
     "2.5 mm/page-writeback.c:balance_dirty_pages"},
};
static_assert(std::size(kDecisions) == two_lists::kSites);

class Linux25 final : public TwoLists {
 public:
  Linux25(const MachineDescription& description, std::span<const std::int64_t> t, Engine& engine,
          Probe& probe)
      : TwoLists(description, {t[tMin], t[tLow], t[tHigh]}, kFirstPriority, true,
                 t[tCongestion] * 1'000'000, engine, probe),
        swappiness_(t[tSwappiness]),
        background_(t[tBackground]),
        ratio_(t[tRatio]) {
    last_priority_ = 0;
  }

  void set_tunable(std::size_t row, std::int64_t value) override {
    if (row == tSwappiness) swappiness_ = value;
    if (row == tBackground) background_ = value;
    if (row == tRatio) ratio_ = value;
  }

 protected:
  std::int64_t shrink(int priority, std::int64_t goal) override {
    const std::int64_t scan = std::max(2 * goal, probe_[kInactive] >> priority);
    refill_due_ += goal * probe_[kActive] / (2 * (probe_[kInactive] | 1)) + 1;
    if (refill_due_ > kGoal) {
      const std::int64_t now = std::min(refill_due_, kMostRefill);
      refill_due_ -= now;
      refill(now, priority);
    }
    return shrink_inactive(scan, goal);
  }

  // [mm/page-writeback.c:get_dirty_limits, form of 2.6; that 2.5.52 has it follows from the change
  // log of 2.5.43] Half of what is not mapped, at most dirty_ratio, at least 5 %.
  std::int64_t writer_limit() const override { return percent() * probe_[kUsable] / 100; }
  std::int64_t daemon_limit() const override {
    const std::int64_t writer = percent();
    return (background_ >= writer ? writer / 2 : background_) * probe_[kUsable] / 100;
  }
  std::int64_t daemon_stop() const override { return daemon_limit(); }

 private:
  std::int64_t mapped_share() const { return probe_[kResident] * 100 / probe_[kUsable]; }
  std::int64_t percent() const {
    return std::max<std::int64_t>(5, std::min(ratio_, (100 - mapped_share()) / 2));
  }

  void refill(std::int64_t pages, int priority) {
    const std::int64_t tendency = mapped_share() / 2 + (100 >> priority) + swappiness_;
    const bool reclaim_mapped = probe_.decide(kSiteMapped, tendency >= 100);
    for (; pages > 0 && probe_[kActive] > 0; --pages) {
      const std::int32_t frame = lists_.front(active);
      Frame& f = frames_[frame];
      scanned(1);
      if (f.mapped && (f.young || !reclaim_mapped)) {
        f.young = false;
        rotate(frame);
      } else {
        f.referenced = false;
        move(frame, inactive);
      }
    }
  }

  // [mm/vmscan.c:shrink_list] From the old end of the inactive list.
  std::int64_t shrink_inactive(std::int64_t scan, std::int64_t goal) {
    std::int64_t freed = 0;
    for (scan = std::min(scan, probe_[kInactive]); scan > 0 && freed < goal; --scan) {
      const std::int32_t frame = lists_.front(inactive);
      if (frame < 0) break;
      Frame& f = frames_[frame];
      scanned(1);
      if (f.locked || f.writeback) {
        rotate(frame);
        continue;
      }
      if (f.mapped) {
        if (f.young) {
          f.young = false;
          move(frame, active);
          continue;
        }
        unmap(frame);
      }
      if (f.dirty) queue_write(frame);
      if (f.writeback) {
        rotate(frame);
        continue;
      }
      drop(frame);
      ++freed;
    }
    return freed;
  }

  std::int64_t swappiness_, background_, ratio_;
  std::int64_t refill_due_ = 0;
};

Result<std::unique_ptr<Kernel>, MachineError> make(const MachineDescription& description,
                                                   std::span<const std::int64_t> t, Engine& engine,
                                                   Probe& probe) {
  if (t[tMin] > t[tLow]) return fail(MachineError{"tunable min", "must not exceed low"});
  if (t[tLow] > t[tHigh]) return fail(MachineError{"tunable low", "must not exceed high"});
  return std::make_unique<Linux25>(description, t, engine, probe);
}

}  // namespace

KernelRow linux_2_5_row() {
  return {"linux-2.5.52",
          "Linux 2.5.52 (December 2002): two lists, swappiness decides about mapped pages",
          Family::paging,
          kTunables,
          two_lists::counter_rows(),
          two_lists::event_rows(),
          kDecisions,
          make};
}

}  // namespace brink::machine
