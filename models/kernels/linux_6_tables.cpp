// The names under which the kernel linux-6 is seen from outside, and the values it boots with.
#include <algorithm>
#include <cmath>
#include <memory>

#include "models/kernels/linux_6.h"
#include "models/kernels/rows.h"

namespace brink::machine {

namespace linux_6 {

namespace {

constexpr std::int64_t kPages = std::int64_t{1} << 32;
constexpr std::int64_t kBytes = std::int64_t{1} << 40;

constexpr TunableRow kTunables[] = {
    {"min_free_kbytes", "KiB", "what the low marks are derived from; 0: from the size of memory", 0,
     kPages, true, 0},
    {"transparent_hugepages", "", "1: min_free_kbytes is raised to keep whole blocks free", 0, 1,
     false, 0},
    {"watermark_scale_factor", "1/10000", "least distance of the marks, of a zone", 1, 3000, true,
     10},
    {"watermark_boost_factor", "1/10000", "most that fragmentation raises the marks, of high", 0,
     60000, true, 15000},
    {"swappiness", "", "cost of reading a file page again over that of swapping, of 200", 0, 200,
     true, 60},
    {"swap_pages", "pages", "size of the swap area; 0: none", 0, 1 << 18, false, 0},
    {"dirty_background_ratio", "%", "of dirtyable memory: above it the flusher writes", 0, 100,
     true, 10},
    {"dirty_ratio", "%", "of dirtyable memory: no writer goes on above it", 0, 100, true, 20},
    {"dirty_background_bytes", "bytes", "instead of the ratio; 0: the ratio", 0, kBytes, true, 0},
    {"dirty_bytes", "bytes", "instead of the ratio; 0: the ratio", 0, kBytes, true, 0},
    {"dirty_expire_centisecs", "cs", "what has been dirty for so long is written", 1, 1 << 30, true,
     3000},
    {"dirty_writeback_centisecs", "cs", "the flusher looks for it so often", 1, 1 << 30, true, 500},
    {"vfs_cache_pressure", "%", "how hard inodes are scanned, of how hard pages are", 0, 1000, true,
     100},
    {"memory_max", "pages", "limit of the memory group; 0: none", 0, kPages, true, 0},
    {"memory_high", "pages", "above it the group reclaims and is slowed down; 0: none", 0, kPages,
     true, 0},
    {"group_kernel_pages", "pages", "charged to the group beside its pages, index and inodes", 0,
     kPages, false, 0},
    {"activation_batch", "pages", "activations gathered before they are done; 1: one CPU", 1, 64,
     false, 1},
};
static_assert(std::size(kTunables) == tTunables);

constexpr CounterRow kMoreCounters[] = {
    {"inactive_anon_pages", "pages", "pages of programs on the inactive list"},
    {"active_anon_pages", "pages", "pages of programs on the active list"},
    {"inactive_file_pages", "pages", "pages of files on the inactive list"},
    {"active_file_pages", "pages", "pages of files on the active list"},
    {"free_dma_pages", "pages", "free in zone DMA"},
    {"free_normal_pages", "pages", "free in zone NORMAL"},
    {"free_high_pages", "pages", "free in zone HIGHMEM"},
    {"kswapd_awake", "", "1 from a wake-up of kswapd to its next sleep"},
    {"file_reclaimed", "pages", "pages of files reclaimed since boot"},
    {"anon_reclaimed", "pages", "pages of programs reclaimed since boot"},
    {"refaults", "pages", "pages that came back and were remembered, since boot"},
    {"refaults_activated", "pages", "of those, activated at once"},
    {"activations", "pages", "pages activated by a second access, since boot"},
    {"anon_cost", "pages", "what reclaim of programs has cost lately"},
    {"file_cost", "pages", "what reclaim of files has cost lately"},
    {"charged_pages", "pages", "charged to the memory group"},
    {"boost_pages", "pages", "by which the marks are raised now"},
    {"background_limit_pages", "pages", "dirty pages above which the flusher writes"},
    {"dirty_limit_pages", "pages", "dirty pages above which no writer goes on"},
    {"writer_pauses", "", "pauses of writers since boot"},
    {"inodes", "", "in the inode cache"},
};
static_assert(std::size(kMoreCounters) + paged::kCounters == kCounters);

constexpr EventRow kMoreEvents[] = {
    {"kswapd.wake", "kswapd is woken"},
    {"kswapd.sleep", "kswapd goes to sleep"},
    {"page.activate", "a page goes to its active list"},
    {"page.deactivate", "a page goes from the active to the inactive list"},
    {"page.refault", "a page that was dropped comes back"},
    {"group.reclaim", "the memory group is full and begins to reclaim"},
    {"writer.pause", "a writer has slept for its share of the disk"},
    {"flusher.wake", "the flusher is woken because too much is dirty"},
};
static_assert(std::size(kMoreEvents) + paged::kEvents == kEvents);

constexpr DecisionRow kDecisions[] = {
    {"take_page", "a free page is handed out", "6.1 mm/page_alloc.c:get_page_from_freelist", true},
    {"wake_kswapd", "an allocation wakes kswapd", "6.1 mm/page_alloc.c:wake_all_kswapds"},
    {"balanced", "kswapd has freed enough", "6.1 mm/vmscan.c:pgdat_balanced"},
    {"charge", "a page may be charged to the group", "6.1 mm/memcontrol.c:try_charge_memcg", true},
    {"refault_activates", "a page that comes back goes to the active list",
     "6.1 mm/workingset.c:workingset_refault"},
    {"deactivate_file", "the active list of files is scanned",
     "6.1 mm/vmscan.c:prepare_scan_count"},
    {"deactivate_anon", "the active list of programs is scanned",
     "6.1 mm/vmscan.c:prepare_scan_count"},
    {"scan_anon", "pages of programs are scanned", "6.1 mm/vmscan.c:get_scan_count"},
    {"throttle_writer", "a writer sleeps", "6.1 mm/page-writeback.c:balance_dirty_pages"},
    {"background_writeback", "the flusher writes on", "6.1 mm/page-writeback.c:wb_over_bg_thresh"},
};
static_assert(std::size(kDecisions) == kSites);

}  // namespace

std::span<const TunableRow> tunables() { return kTunables; }
std::span<const DecisionRow> decisions() { return kDecisions; }
std::span<const CounterRow> counter_rows() {
  static const std::vector<CounterRow> kRows =
      joined_rows<CounterRow>(paged::counter_rows(), kMoreCounters);
  return kRows;
}
std::span<const EventRow> event_rows() {
  static const std::vector<EventRow> kRows =
      joined_rows<EventRow>(paged::event_rows(), kMoreEvents);
  return kRows;
}

std::int64_t min_free_kb(std::int64_t lowmem_pages, std::int64_t all_pages, int zones,
                         std::int64_t page_bytes, bool huge_pages) {
  constexpr std::int64_t kMostKb = 262144, kLeastKb = 128, kBlockBytes = 2 << 20;
  constexpr std::int64_t kBlocksPerZone = 2 + 3 * 3;  // MIGRATE_PCPTYPES squared, and two
  const std::int64_t lowmem_kb = lowmem_pages * page_bytes / 1024;
  const auto root = static_cast<std::int64_t>(std::sqrt(static_cast<double>(lowmem_kb * 16)));
  const std::int64_t plain = std::clamp(root, kLeastKb, kMostKb);
  if (!huge_pages || all_pages * page_bytes < (512 << 20)) return plain;
  const std::int64_t wanted = kBlockBytes / page_bytes * zones * kBlocksPerZone;
  return std::max(plain, std::min(wanted, lowmem_pages / 20) * page_bytes / 1024);
}

}  // namespace linux_6

namespace {

using namespace linux_6;

Result<std::unique_ptr<Kernel>, MachineError> make(const MachineDescription& d,
                                                   std::span<const std::int64_t> t, Engine& engine,
                                                   Probe& probe) {
  const auto wrong = [](std::string where, std::string text) {
    return fail(MachineError{std::move(where), std::move(text)});
  };
  if (d.dma_bytes % d.page_bytes != 0 || d.lowmem_bytes % d.page_bytes != 0) {
    return wrong("machine dma_bytes", "a zone does not end at a page boundary");
  }
  const std::int64_t memory = d.memory_bytes - d.reserved_bytes;
  const std::int64_t low = d.lowmem_bytes > 0 ? std::min(d.lowmem_bytes, memory) : memory;
  if (d.dma_bytes >= low) return wrong("machine dma_bytes", "leaves nothing of zone NORMAL");
  const std::int64_t normal = (low - d.dma_bytes) / d.page_bytes;
  const std::int64_t high = (memory - low) / d.page_bytes;
  const std::int64_t held = d.held_pages + std::max<std::int64_t>(0, d.user_pages - high);
  if (held >= normal) {
    return wrong("machine held_pages",
                 "leaves nothing of zone NORMAL (user_pages take HIGHMEM "
                 "first)");
  }
  if (t[tMemoryMax] > 0 && t[tMemoryMax] <= t[tGroupKernel]) {
    return wrong("tunable memory_max", "must exceed group_kernel_pages");
  }
  return std::make_unique<Linux6>(d, t, engine, probe);
}

}  // namespace

KernelRow linux_6_row() {
  return {"linux-6",
          "Linux 6.1 (December 2022): refault distance, scan costs, paced writers, memory groups",
          Family::paging,
          tunables(),
          counter_rows(),
          event_rows(),
          decisions(),
          make};
}

}  // namespace brink::machine
