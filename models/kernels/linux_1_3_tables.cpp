// The names under which the 1.3 kernels are seen from outside.
#include "models/kernels/linux_1_3.h"

namespace brink::machine::linux13 {

namespace {

constexpr CounterRow kCounterTable[] = {
    {"usable_pages", "pages", "frames the allocator manages; constant"},
    {"free_pages", "pages", "free frames"},
    {"page_cache_pages", "pages", "frames of the page cache (always 0 in 1.3.24)"},
    {"buffer_pages", "pages", "frames cut into buffers"},
    {"buffers_total", "buffers", "buffers of all buffer pages = the six states below"},
    {"buffers_free", "buffers", "on the FREE list"},
    {"buffers_busy", "buffers", "taken from FREE, not yet dirty or clean"},
    {"buffers_clean", "buffers", "clean and unlocked: reusable unless pinned by the writer"},
    {"buffers_dirty", "buffers", "dirty, on the DIRTY list"},
    {"buffers_locked", "buffers", "submitted to the disk"},
    {"buffers_held", "buffers", "metadata held by the mounted file systems; constant"},
    {"indirect_state", "", "indirect block being filled: 0 clean or none, 1 dirty, 2 locked"},
    {"writer_waits", "", "1 while a writer sleeps on the locked indirect block"},
    {"bdflush_awake", "", "1 from a wake-up of bdflush to its next sleep"},
    {"kswapd_due", "", "1 once the least time since the last wake-up of kswapd has passed"},
    {"frames_scanned", "frames", "frames the clock hand has looked at since boot"},
};
static_assert(std::size(kCounterTable) == kCounters);

constexpr EventRow kEventTable[] = {
    {"page.in", "a free frame becomes a page of the page cache"},
    {"reclaim.page_cache", "a page of the page cache becomes free"},
    {"reclaim.buffers", "a page of clean buffers becomes free"},
    {"kswapd.wake", "the timer wakes kswapd"},
    {"kswapd.elapsed", "that least time has passed (kswapd_due 1)"},
    {"reclaim.fail", "a try of kswapd frees nothing"},
    {"buffers.drop", "a free buffer of a page about to be reclaimed becomes clean"},
    {"buffers.grow.r1", "a free frame becomes free buffers: main growth"},
    {"buffers.grow.r4", "the same: nothing reusable, above the lower floor"},
    {"buffers.grow.r5", "the same: nothing reusable, class ATOMIC"},
    {"buffers.reuse", "a clean buffer goes to the FREE list"},
    {"buffers.wait", "a refill found no page at all and waits for bdflush"},
    {"buffers.take", "a free buffer is bound to a block (busy)"},
    {"buffer.read", "a busy buffer holds its block (clean)"},
    {"buffer.dirty", "a busy buffer with file data becomes dirty"},
    {"bdflush.wake", "bdflush is woken"},
    {"bdflush.sleep", "bdflush goes to sleep"},
    {"bdflush.submit", "a dirty buffer is submitted to the disk (locked)"},
    {"disk.done", "a locked buffer has been written (clean)"},
    {"indirect.next", "writing goes on under another indirect block (indirect_state 0)"},
    {"indirect.dirty", "the indirect block, new and busy, becomes dirty"},
    {"indirect.redirty", "the indirect block, clean, becomes dirty again"},
    {"indirect.lock", "the indirect block, dirty, is submitted to the disk (locked)"},
    {"indirect.unlock", "the indirect block has been written (clean)"},
    {"buffers.forget", "a dirty buffer of a removed block becomes clean"},
    {"indirect.forget", "the indirect block being filled, dirty, is removed (clean)"},
    {"file.remove", "a page of the page cache becomes free because its file is gone"},
    {"writer.wait", "a writer begins to sleep on the locked indirect block"},
    {"writer.wake", "that writer goes on"},
};
static_assert(std::size(kEventTable) == kEvents);

constexpr DecisionRow kDecisionTable[] = {
    {"grow_buffers_r1", "the main growth takes a page", "fs/buffer.c:refill_freelist", true},
    {"grow_buffers_r4", "nothing reusable: growth takes a page", "fs/buffer.c:refill_freelist", true},
    {"grow_buffers_r5", "nothing reusable: growth takes a page of class ATOMIC",
     "fs/buffer.c:refill_freelist", true},
    {"wake_bdflush", "dirty buffers call for a pass of bdflush", "fs/buffer.c:refile_buffer"},
    {"may_write", "the writer goes on with its indirect block as it is",
     "fs/buffer.c:get_hash_table"},
    {"wake_kswapd_now", "the timer wakes kswapd at once", "1.3.78 mm/vmscan.c:swap_tick"},
    {"wake_kswapd_later", "the timer wakes kswapd, the least time having passed",
     "1.3.78 mm/vmscan.c:swap_tick"},
    {"continue_reclaim", "kswapd frees one more page before it sleeps",
     "1.3.78 mm/vmscan.c:kswapd"},
    {"alloc_user", "class KERNEL or USER takes a free page without reclaim",
     "1.3.78 mm/page_alloc.c:__get_free_pages", true},
};
static_assert(std::size(kDecisionTable) == kSites);

}  // namespace

std::span<const CounterRow> counter_rows() { return kCounterTable; }
std::span<const EventRow> event_rows() { return kEventTable; }
std::span<const DecisionRow> decision_rows() { return kDecisionTable; }

}  // namespace brink::machine::linux13
