// The names under which the shared part of the paging kernels is seen from outside.
#include "models/machine/paged.h"

namespace brink::machine::paged {

namespace {

constexpr CounterRow kCounterTable[] = {
    {"usable_pages", "pages", "frames after the boot reservation; constant"},
    {"free_pages", "pages", "free frames"},
    {"file_pages", "pages", "pages of files, not mapped"},
    {"mapped_pages", "pages", "pages of program text, mapped"},
    {"anon_pages", "pages", "anonymous pages that have no slot of swap"},
    {"swap_cache_pages", "pages", "anonymous pages that have one, mapped or not"},
    {"buffer_pages", "pages", "pages of the buffer cache (metadata)"},
    {"held_pages", "pages", "held by the kernel; constant"},
    {"dirty_pages", "pages", "pages of files to be written"},
    {"writeback_pages", "pages", "pages of files on their way to the disk"},
    {"swapped_pages", "pages", "slots of swap in use"},
    {"resident_pages", "pages", "pages that programs map"},
    {"pages_read", "pages", "pages of files read from the disk since boot"},
    {"pages_written", "pages", "pages of files written to the disk since boot"},
    {"swap_ins", "pages", "pages read from swap since boot"},
    {"swap_outs", "pages", "pages written to swap since boot"},
    {"pages_scanned", "pages", "pages that reclaim has looked at since boot"},
    {"faults", "", "page faults since boot"},
};
static_assert(std::size(kCounterTable) == kCounters);

constexpr EventRow kEventTable[] = {
    {"file.in", "a free frame becomes a page of a file"},
    {"file.drop", "a clean page of a file is reclaimed"},
    {"file.remove", "a page of a truncated file becomes free"},
    {"text.in", "a free frame becomes a mapped page of text"},
    {"text.unmap", "a page of text is not mapped any more"},
    {"text.map", "a page of text in memory is mapped again"},
    {"anon.in", "a free frame becomes an anonymous page"},
    {"swap.in", "a free frame becomes a mapped page that comes from swap"},
    {"swap.out", "an anonymous page gets a slot of swap, leaves its program, and is written"},
    {"swap.keep", "a page that is on swap already leaves its program"},
    {"swap.back", "a page of the swap cache is mapped again"},
    {"swap.drop", "a page of the swap cache becomes free"},
    {"buffer.in", "a free frame becomes a page of the buffer cache"},
    {"buffer.drop", "a page of the buffer cache becomes free"},
    {"page.dirty", "a page of a file becomes dirty"},
    {"page.submit", "a dirty page of a file is submitted to the disk"},
    {"page.written", "a page of a file has been written"},
    {"page.forget", "a dirty page of a truncated file is forgotten"},
};
static_assert(std::size(kEventTable) == kEvents);

}  // namespace

std::span<const CounterRow> counter_rows() { return kCounterTable; }
std::span<const EventRow> event_rows() { return kEventTable; }

}  // namespace brink::machine::paged
