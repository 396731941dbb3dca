// Linux 2.4.19 (August 2002): programs are swapped out when the scan meets too many of their pages.
//
// There is no swappiness. shrink_cache looks at inactive / priority pages at most; a page that a
// program maps uses up one of m = min(32 << (10 - priority), scan / 10); when they are used up,
// swap_out takes up to 32 pages from the programs in turn [2.4.19 mm/vmscan.c:shrink_cache,
// swap_out]. Dirty pages are passed over, so while much is dirty the scan goes deeper, meets more
// mapped pages, and swaps: "write activity causes swapout" (Morton, 23 December 2002).
//
// What differs from the original: one zone; vm_mapped_ratio is not in 2.4.19 (it is of another
// tree); slab does not shrink.
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

constexpr int kFirstPriority = 6;  // DEF_PRIORITY
constexpr std::int64_t kPages = std::int64_t{1} << 32;

constexpr TunableRow kTunables[] = {
    {"min", "pages", "an allocation leaves at least this free", 0, kPages},
    {"low", "pages", "kswapd is woken below this", 0, kPages},
    {"high", "pages", "kswapd sleeps again from this on", 1, kPages},
    {"nfract", "%", "dirty pages above which bdflush writes", 0, 100, true},
    {"nfract_sync", "%", "dirty pages above which a writer writes itself", 0, 100, true},
    {"nfract_stop", "%", "bdflush stops below this", 0, 100, true},
};
enum { tMin, tLow, tHigh, tFract, tSync, tStop };

constexpr DecisionRow kDecisions[] = {
    {"take_page", "a free page is handed out", "2.4.19 mm/page_alloc.c:__alloc_pages", true},
    {"wake_kswapd", "an allocation wakes kswapd", "2.4.19 mm/page_alloc.c:__alloc_pages"},
    {"enough_free", "reclaim makes no further round", "2.4.19 mm/vmscan.c:try_to_free_pages"},
    {"reclaim_mapped", "the scan has met too many mapped pages: programs are swapped out",
     "2.4.19 mm/vmscan.c:shrink_cache"},
    {"throttle_writer", "a writer has to write dirty pages itself",
     "2.4.19 fs/buffer.c:balance_dirty"},
};
static_assert(std::size(kDecisions) == two_lists::kSites);

class Linux2419 final : public TwoLists {
 public:
  Linux2419(const MachineDescription& description, std::span<const std::int64_t> t, Engine& engine,
            Probe& probe)
      : TwoLists(description, {t[tMin], t[tLow], t[tHigh]}, kFirstPriority, false, 0, engine,
                 probe),
        fract_(t[tFract]),
        sync_(t[tSync]),
        stop_(t[tStop]) {}

  void set_tunable(std::size_t row, std::int64_t value) override {
    if (row == tFract) fract_ = value;
    if (row == tSync) sync_ = value;
    if (row == tStop) stop_ = value;
  }

 protected:
  std::int64_t shrink(int priority, std::int64_t goal) override {
    refill(goal * probe_[kActive] / (2 * (probe_[kInactive] + 1)));
    std::int64_t scan = probe_[kInactive] / priority, freed = 0;
    std::int64_t mapped = std::min(goal << (10 - priority), scan / 10);
    for (; scan > 0 && freed < goal; --scan) {
      const std::int32_t frame = lists_.front(inactive);
      if (frame < 0) break;
      Frame& f = frames_[frame];
      scanned(1);
      if (f.mapped) {
        rotate(frame);
        if (!probe_.decide(kSiteMapped, --mapped < 0)) continue;
        swap_out(goal);
        break;
      }
      if (f.dirty) queue_write(frame);
      if (f.locked || f.writeback) {
        rotate(frame);
        continue;
      }
      drop(frame);
      ++freed;
    }
    return freed;
  }

  std::int64_t writer_limit() const override { return sync_ * base() / 100; }
  std::int64_t daemon_limit() const override { return fract_ * base() / 100; }
  std::int64_t daemon_stop() const override { return stop_ * base() / 100; }

 private:
  // [fs/buffer.c:balance_dirty_state, mm/page_alloc.c:nr_free_buffer_pages]
  std::int64_t base() const { return probe_[kFree] + probe_[kInactive] + probe_[kActive]; }

  // [mm/vmscan.c:refill_inactive] A referenced page gets a second round.
  void refill(std::int64_t pages) {
    const std::int64_t most = probe_[kActive];
    for (std::int64_t looked = 0; pages > 0 && looked < most; ++looked) {
      const std::int32_t frame = lists_.front(active);
      Frame& f = frames_[frame];
      scanned(1);
      if (f.referenced) {
        f.referenced = false;
        rotate(frame);
        continue;
      }
      move(frame, inactive);
      f.referenced = true;
      --pages;
    }
  }

  // [mm/vmscan.c:swap_out, try_to_swap_out] Once round the programs at most; pages that are young
  // or on the active list stay.
  void swap_out(std::int64_t pages) {
    const auto count = programs_.size();
    for (std::size_t turn = 0; turn < count && pages > 0; ++turn) {
      Program& program = programs_[next_program_ % count];
      const std::int64_t size = program.anon_pages + program.text_pages;
      for (std::int64_t looked = 0; looked < size && pages > 0; ++looked) {
        const std::int64_t at = program.swap_at;
        program.swap_at = at + 1 == size ? 0 : at + 1;
        const std::int32_t frame = mapped_frame(program, at);
        if (frame < 0) continue;
        Frame& f = frames_[frame];
        scanned(1);
        if (f.young) {
          f.young = false;
          page_accessed(frame);
          continue;
        }
        if (lists_.list_of(frame) == active || f.locked || f.writeback) continue;
        unmap(frame);
        --pages;
      }
      if (pages > 0) ++next_program_;
    }
  }

  std::int64_t fract_, sync_, stop_;
  std::size_t next_program_ = 0;
};

Result<std::unique_ptr<Kernel>, MachineError> make(const MachineDescription& description,
                                                   std::span<const std::int64_t> t, Engine& engine,
                                                   Probe& probe) {
  if (t[tMin] > t[tLow]) return fail(MachineError{"tunable min", "must not exceed low"});
  if (t[tLow] > t[tHigh]) return fail(MachineError{"tunable low", "must not exceed high"});
  return std::make_unique<Linux2419>(description, t, engine, probe);
}

}  // namespace

KernelRow linux_2_4_19_row() {
  return {"linux-2.4.19",
          "Linux 2.4.19 (August 2002): two lists, swap-out by the share of mapped pages met",
          Family::paging,
          kTunables,
          two_lists::counter_rows(),
          two_lists::event_rows(),
          kDecisions,
          make};
}

}  // namespace brink::machine
