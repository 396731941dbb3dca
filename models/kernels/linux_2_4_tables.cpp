// The names under which the 2.4 kernel is seen from outside, and its construction.
#include <fmt/format.h>

#include <memory>

#include "models/kernels/linux_2_4.h"
#include "models/kernels/rows.h"

namespace brink::machine::linux24 {

namespace {

constexpr CounterRow kCounterTable[] = {
    {"free_dma", "pages", "free frames of DMA"},
    {"free_normal", "pages", "free frames of NORMAL"},
    {"free_high", "pages", "free frames of HIGHMEM"},
    {"inactive_clean_dma", "pages",
     "clean pages of DMA that are free for the asking (always 0 here)"},
    {"inactive_clean_normal", "pages",
     "clean pages of NORMAL that are free for the asking (always 0 here)"},
    {"inactive_clean_high", "pages",
     "clean pages of HIGHMEM that are free for the asking (always 0 here)"},
    {"list_dma", "pages", "pages of DMA on the inactive_dirty list"},
    {"list_normal", "pages", "pages of NORMAL on the inactive_dirty list"},
    {"list_high", "pages", "pages of HIGHMEM on the inactive_dirty list"},
    {"active_dma", "pages", "pages of DMA on the active list"},
    {"active_normal", "pages", "pages of NORMAL on the active list"},
    {"active_high", "pages", "pages of HIGHMEM on the active list"},
    {"bufferhead_dma", "pages", "frames of DMA that hold buffer heads"},
    {"bufferhead_normal", "pages", "frames of NORMAL that hold buffer heads"},
    {"bufferhead_high", "pages", "frames of HIGHMEM that hold buffer heads"},
    {"fixed_dma", "pages", "frames of DMA held by kernel and programs; constant"},
    {"fixed_normal", "pages", "frames of NORMAL held by kernel and programs; constant"},
    {"fixed_high", "pages", "frames of HIGHMEM held by kernel and programs; constant"},
    {"in_hand_dma", "pages", "frames of DMA allocated and not yet put to use"},
    {"in_hand_normal", "pages", "frames of NORMAL allocated and not yet put to use"},
    {"in_hand_high", "pages", "frames of HIGHMEM allocated and not yet put to use"},
    {"free_total", "pages", "free frames of all zones"},
    {"list_length", "pages", "entries of the inactive_dirty list"},
    {"buffer_pages", "pages", "pages of both lists: the buffer cache"},
    {"heads_free", "heads", "unused buffer heads"},
    {"entries_walked", "entries", "list entries looked at since boot"},
    {"pages_laundered", "pages", "pages freed from the list since boot"},
    {"entries_walked_reader", "entries", "of these, by the program itself"},
    {"entries_walked_kswapd", "entries", "of these, by kswapd"},
    {"alloc_fails", "", "allocations that gave up since boot"},
    {"kswapd_awake", "", "1 from a wake-up of kswapd to its next sleep"},
    {"kreclaimd_wakes", "", "wake-ups of kreclaimd since boot"},
};
static_assert(std::size(kCounterTable) == kCounters);

constexpr EventRow kEventTable[] = {
    {"alloc.take.dma", "a free frame of DMA is allocated (in hand)"},
    {"alloc.take.normal", "a free frame of NORMAL is allocated (in hand)"},
    {"alloc.take.high", "a free frame of HIGHMEM is allocated (in hand)"},
    {"list.add.dma", "a page of DMA in hand goes to the young end of inactive_dirty"},
    {"list.add.normal", "a page of NORMAL in hand goes to the young end of inactive_dirty"},
    {"list.add.high", "a page of HIGHMEM in hand goes to the young end of inactive_dirty"},
    {"active.add.dma", "a page of DMA in hand goes to the active list"},
    {"active.add.normal", "a page of NORMAL in hand goes to the active list"},
    {"active.add.high", "a page of HIGHMEM in hand goes to the active list"},
    {"heads.take.dma", "a page of DMA in hand is cut into buffer heads"},
    {"heads.take.normal", "a page of NORMAL in hand is cut into buffer heads"},
    {"heads.take.high", "a page of HIGHMEM in hand is cut into buffer heads"},
    {"launder.free.dma", "a page of DMA on inactive_dirty becomes free, its heads unused"},
    {"launder.free.normal", "a page of NORMAL on inactive_dirty becomes free, its heads unused"},
    {"launder.free.high", "a page of HIGHMEM on inactive_dirty becomes free, its heads unused"},
    {"launder.rotate.dma", "a page of DMA goes from the old to the young end unexamined"},
    {"launder.rotate.normal", "a page of NORMAL goes from the old to the young end unexamined"},
    {"launder.rotate.high", "a page of HIGHMEM goes from the old to the young end unexamined"},
    {"scan.begin.dma", "page_launder begins a round (with the LRU lock) of its pass for DMA"},
    {"scan.begin.normal", "page_launder begins a round (with the LRU lock) of its pass for NORMAL"},
    {"scan.begin.high", "page_launder begins a round (with the LRU lock) of its pass for HIGHMEM"},
    {"scan.begin.all", "page_launder begins a round (with the LRU lock) of its pass for all zones"},
    {"scan.end.dma", "page_launder ends a round of its pass for DMA"},
    {"scan.end.normal", "page_launder ends a round of its pass for NORMAL"},
    {"scan.end.high", "page_launder ends a round of its pass for HIGHMEM"},
    {"scan.end.all", "page_launder ends a round of its pass for all zones"},
    {"heads.use", "an unused buffer head is attached to a page"},
    {"alloc.fail", "an allocation gives up"},
    {"kswapd.wake", "kswapd is woken, or its second is over"},
    {"kswapd.sleep", "kswapd goes to sleep"},
    {"kreclaimd.wake", "kreclaimd is woken"},
};
static_assert(std::size(kEventTable) == kEvents);

constexpr std::string_view kAllocator = "mm/page_alloc.c:__alloc_pages";
constexpr std::string_view kLaunder = "mm/vmscan.c:page_launder";
constexpr DecisionRow kDecisionTable[] = {
    {"take_low_dma", "first round: a page of DMA may be taken", kAllocator, true},
    {"take_low_normal", "first round: a page of NORMAL may be taken", kAllocator, true},
    {"take_low_high", "first round: a page of HIGHMEM may be taken", kAllocator, true},
    {"take_high_dma", "second round: a page of DMA may be taken, clean pages counted", kAllocator, true},
    {"take_high_normal", "second round: a page of NORMAL may be taken, clean pages counted",
     kAllocator, true},
    {"take_high_high", "second round: a page of HIGHMEM may be taken, clean pages counted",
     kAllocator, true},
    {"take_clean_low_dma", "third round: a page of DMA may be taken, against the lower mark",
     kAllocator, true},
    {"take_clean_low_normal", "third round: a page of NORMAL may be taken, against the lower mark",
     kAllocator, true},
    {"take_clean_low_high", "third round: a page of HIGHMEM may be taken, against the lower mark",
     kAllocator, true},
    {"take_dma", "last round before the caller launders: a page of DMA may be taken", kAllocator, true},
    {"take_normal", "last round before the caller launders: a page of NORMAL may be taken",
     kAllocator, true},
    {"take_high", "last round before the caller launders: a page of HIGHMEM may be taken",
     kAllocator, true},
    {"zone_short_dma", "a pass is made for DMA", kLaunder},
    {"zone_short_normal", "a pass is made for NORMAL", kLaunder},
    {"zone_short_high", "a pass is made for HIGHMEM", kLaunder},
    {"rotate_dma", "the pass leaves pages of DMA alone (asked once per undisturbed run)", kLaunder},
    {"rotate_normal", "the pass leaves pages of NORMAL alone (asked once per undisturbed run)",
     kLaunder},
    {"rotate_high", "the pass leaves pages of HIGHMEM alone (asked once per undisturbed run)",
     kLaunder},
    {"stop_launder_dma", "after a page was freed: the pass for DMA stops", kLaunder},
    {"stop_launder_normal", "after a page was freed: the pass for NORMAL stops", kLaunder},
    {"stop_launder_high", "after a page was freed: the pass for HIGHMEM stops", kLaunder},
    {"stop_launder_all", "after a page was freed: the pass for all zones stops", kLaunder},
    {"global_short", "a pass over all zones is made", kLaunder},
    {"launder_again", "a finished pass is repeated", kLaunder},
    {"kswapd_works", "kswapd tries to free pages", "mm/vmscan.c:kswapd"},
    {"wake_kswapd", "the allocator wakes kswapd", kAllocator},
    {"wake_kreclaimd", "the allocator wakes kreclaimd for a zone", kAllocator},
};
static_assert(std::size(kDecisionTable) == kSites);

constexpr std::int64_t kPages = std::int64_t{1} << 32;
constexpr TunableRow kTunables[] = {
    {"min_dma", "pages", "the last page an allocation may take from DMA leaves one less than this",
     0, kPages},
    {"min_normal", "pages",
     "the last page an allocation may take from NORMAL leaves one less than this", 0, kPages},
    {"min_high", "pages",
     "the last page an allocation may take from HIGHMEM leaves one less than this", 0, kPages},
    {"low_dma", "pages", "first mark of the allocator for DMA", 0, kPages},
    {"low_normal", "pages", "first mark of the allocator for NORMAL", 0, kPages},
    {"low_high", "pages", "first mark of the allocator for HIGHMEM", 0, kPages},
    {"high_dma", "pages", "second mark, and the inactive target of DMA", 0, kPages},
    {"high_normal", "pages", "second mark, and the inactive target of NORMAL", 0, kPages},
    {"high_high", "pages", "second mark, and the inactive target of HIGHMEM", 0, kPages},
    {"target_dma", "pages", "page_launder: DMA is short below this", 0, kPages},
    {"target_normal", "pages", "page_launder: NORMAL is short below this", 0, kPages},
    {"target_high", "pages", "page_launder: HIGHMEM is short below this", 0, kPages},
    {"total_dma", "pages", "kswapd and the repeat round: DMA is short below this", 0, kPages},
    {"total_normal", "pages", "kswapd and the repeat round: NORMAL is short below this", 0, kPages},
    {"total_high", "pages", "kswapd and the repeat round: HIGHMEM is short below this", 0, kPages},
    {"plenty_dma", "pages", "rule 2: pages of DMA are left alone above this", 0, kPages},
    {"plenty_normal", "pages", "rule 2: pages of NORMAL are left alone above this", 0, kPages},
    {"plenty_high", "pages", "rule 2: pages of HIGHMEM are left alone above this", 0, kPages},
    {"freepages_high", "pages", "global shortage below this, HIGHMEM counted", 0, kPages},
    {"rule", "", "0: 2.4.7; 1: zoned (2.4.8-pre1 to pre6); 2: 2.4.8-pre7", 0, 2},
    {"skip", "", "1: zoned passes move pages of zones that are not short on", 0, 1},
    {"readmit", "", "1: pages allocated under pressure go back to the scanned list", 0, 1},
};
enum {
  tMin = 0,
  tLow = 3,
  tHigh = 6,
  tTarget = 9,
  tTotal = 12,
  tPlenty = 15,
  tGlobal = 18,
  tRule,
  tSkip,
  tReadmit,
  tCount
};
static_assert(std::size(kTunables) == tCount);

Result<std::unique_ptr<Kernel>, MachineError> make(const MachineDescription& description,
                                                   std::span<const std::int64_t> t, Engine& engine,
                                                   Probe& probe) {
  Knobs knobs{};
  for (int z = 0; z < kZones; ++z) {
    knobs.min[z] = t[tMin + z];
    knobs.low[z] = t[tLow + z];
    knobs.high[z] = t[tHigh + z];
    knobs.target[z] = t[tTarget + z];
    knobs.total[z] = t[tTotal + z];
    knobs.plenty[z] = t[tPlenty + z];
    if (knobs.min[z] > knobs.low[z]) {
      return fail(MachineError{fmt::format("tunable {}", kTunables[tMin + z].name),
                               fmt::format("must not exceed {}", kTunables[tLow + z].name)});
    }
    if (knobs.low[z] > knobs.high[z]) {
      return fail(MachineError{fmt::format("tunable {}", kTunables[tLow + z].name),
                               fmt::format("must not exceed {}", kTunables[tHigh + z].name)});
    }
  }
  knobs.freepages_high = t[tGlobal];
  knobs.rule = static_cast<Rule>(t[tRule]);
  knobs.skip = t[tSkip] != 0;
  knobs.readmit = t[tReadmit] != 0;
  return std::make_unique<Linux24>(description, knobs, engine, probe);
}

}  // namespace

std::span<const CounterRow> counter_rows() { return kCounterTable; }
std::span<const EventRow> event_rows() { return kEventTable; }
std::span<const DecisionRow> decision_rows() { return kDecisionTable; }

}  // namespace brink::machine::linux24

namespace brink::machine {

KernelRow linux_2_4_row() {
  using namespace linux24;
  return {
      "linux-2.4",     "Linux 2.4.7 to 2.4.8-pre7 (July and August 2001): zones and page_launder",
      Family::device,  kTunables,
      counter_rows(),  event_rows(),
      decision_rows(), make};
}

}  // namespace brink::machine
