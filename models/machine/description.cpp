#include "models/machine/description.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "models/machine/nearest.h"

namespace brink::machine {

namespace {

using M = MachineDescription;
constexpr std::int64_t kGiB = std::int64_t{1} << 30;
constexpr std::int64_t kBytes = 64 * kGiB;              // more than any machine described here
constexpr std::int64_t kCount = std::int64_t{1} << 31;  // items are 32-bit numbers
constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kCost = 1000 * kSecond;
constexpr bool both = true;

// name, unit, meaning, member, needed by files, needed by device, least, most, needed by paging
constexpr ParameterRow kRows[] = {
    {"memory_bytes", "bytes", "physical memory", &M::memory_bytes, both, both, 1, kBytes, both},
    {"page_bytes", "bytes", "size of a frame", &M::page_bytes, both, both, 512, 1 << 22, both},
    {"block_bytes", "bytes", "size of a block", &M::block_bytes, both, both, 512, 1 << 22, both},
    {"reserved_bytes", "bytes", "memory the allocator never sees", &M::reserved_bytes, both, both,
     0, kBytes, both},
    {"mem_map_bytes_per_page", "bytes", "reserved in addition for every frame",
     &M::mem_map_bytes_per_page, false, both, 0, 4096},
    {"cpus", "", "processors", &M::cpus, both, both, 1, 64, both},
    {"tick_ns", "ns", "timer interrupt", &M::tick_ns, both, both, 1000, kSecond, both},
    {"slice_ns", "ns", "a process that others wait for keeps its CPU so long; 0: a few pages",
     &M::slice_ns, both, both, 0, kSecond, both},
    {"time_limit_ns", "ns", "end of the run at the latest", &M::time_limit_ns, both, both, 1,
     1'000'000 * kSecond, both},
    {"pin_buffer_pages", "pages", "hold the buffer cache at this size; -1: do not",
     &M::pin_buffer_pages, both, false, -1, kCount},
    {"fs_held_buffers", "buffers",
     "super blocks, descriptors, bitmaps held by mounted file systems, each in a page of its own",
     &M::fs_held_buffers, both, false, 0, 1 << 20},
    {"dma_bytes", "bytes", "end of the DMA zone", &M::dma_bytes, false, both, 1, kBytes},
    {"lowmem_bytes", "bytes", "end of the NORMAL zone", &M::lowmem_bytes, false, both, 1, kBytes},
    {"dma_reserved_bytes", "bytes", "part of the reservation in the DMA zone",
     &M::dma_reserved_bytes, false, both, 0, kBytes},
    {"other_lowmem_pages", "pages", "held by the kernel for the whole run, below HIGHMEM",
     &M::other_lowmem_pages, false, both, 0, kCount},
    {"user_pages", "pages", "held by programs for the whole run, HIGHMEM first", &M::user_pages,
     false, both, 0, kCount},
    {"buffer_head_bytes", "bytes", "size of a buffer head", &M::buffer_head_bytes, false, both, 1,
     4096},
    {"read_burst_blocks", "blocks", "blocks asked for before the read path waits",
     &M::read_burst_blocks, false, both, 1, 1 << 20},
    {"held_pages", "pages", "slab and page tables, held by the kernel for the whole run",
     &M::held_pages, false, false, 0, kCount, both},
    {"readahead_pages", "pages", "pages a miss of a sequential read asks for", &M::readahead_pages,
     false, false, 1, 1 << 16, both},
    {"fault_ns", "ns", "system, per page fault", &M::fault_ns, false, false, 0, kCost, both},
    {"disk_null", "", "1: requests complete at once", &M::disk_null, both, both, 0, 1, both},
    {"disk_rate_bytes_per_s", "bytes/s", "transfer rate", &M::disk_rate_bytes_per_s, both, both, 1,
     1000 * kGiB, both},
    {"disk_latency_ns", "ns", "per request that does not continue the last", &M::disk_latency_ns,
     both, both, 0, kCost, both},
    {"disk_request_slots", "requests", "length of the request queue", &M::disk_request_slots, both,
     both, 1, 1 << 20, both},
    {"disk_request_bytes", "bytes", "largest merged request", &M::disk_request_bytes, both, both, 1,
     kBytes, both},
    {"disk_elevator", "", "1: bounded bypass (2.3.46); 0: one way, unbounded", &M::disk_elevator,
     both, both, 0, 1, both},
    {"disk_read_bypass", "requests", "elevator 1: requests that may pass a waiting read",
     &M::disk_read_bypass, both, both, 0, kCount, both},
    {"disk_write_bypass", "requests", "elevator 1: requests that may pass a waiting write",
     &M::disk_write_bypass, both, both, 0, kCount, both},
    {"user_ns_per_kib", "ns/KiB", "program, per KiB", &M::user_ns_per_kib, both, both, 0, kCost,
     both},
    {"read_ns_per_kib", "ns/KiB", "system, read path", &M::read_ns_per_kib, both, false, 0, kCost,
     both},
    {"write_ns_per_kib", "ns/KiB", "system, write path", &M::write_ns_per_kib, both, false, 0,
     kCost, both},
    {"background_ns_per_kib", "ns/KiB", "CPU beside the write path, charged to no task",
     &M::background_ns_per_kib, both, false, 0, kCost},
    {"sleep_ns", "ns", "system, per sleep of a writer on a buffer or for bdflush", &M::sleep_ns,
     both, false, 1000, kCost},
    {"page_ns", "ns", "system, per device page read", &M::page_ns, false, both, 1, kCost},
    {"page_ns_per_1000_cached", "ns", "added to page_ns per 1000 cached pages",
     &M::page_ns_per_1000_cached, false, both, 0, kCost},
    {"list_entry_ns", "ns", "per list entry or frame a scan looks at", &M::list_entry_ns, both,
     both, 0, kCost, both},
    {"wake_ns", "ns", "from a wake-up to the first instruction", &M::wake_ns, both, both, 0, kCost,
     both},
    {"kswapd_pass_ns", "ns", "per turn of kswapd beside the list walk", &M::kswapd_pass_ns, false,
     both, 1000, kCost},
    {"kreclaimd_pass_ns", "ns", "per turn of kreclaimd", &M::kreclaimd_pass_ns, false, both, 0,
     kCost},
    {"check_invariants", "", "1: recount every list after every event", &M::check_invariants, both,
     both, 0, 1, both},
    {"fault_disk_ppm", "", "requests of a million that fail and are tried again",
     &M::fault_disk_ppm, both, both, 0, 900'000, both},
    {"fault_delay_ns", "ns", "requests take up to so much longer, at random", &M::fault_delay_ns,
     both, both, 0, kCost, both},
    {"fault_alloc_ppm", "", "allocations of a million that are refused at first",
     &M::fault_alloc_ppm, both, both, 0, 900'000, both},
};

MachineError wrong(std::string_view name, std::string text) {
  return {fmt::format("machine {}", name), std::move(text)};
}

Result<void, MachineError> check_memory(const M& m, Family family) {
  if (m.page_bytes % m.block_bytes != 0) {
    return fail(wrong("block_bytes", "a page is not a whole number of blocks"));
  }
  const std::int64_t frames = m.memory_bytes / m.page_bytes;
  const std::int64_t map = family == Family::device ? frames * m.mem_map_bytes_per_page : 0;
  if (m.reserved_bytes + map + m.page_bytes > m.memory_bytes) {
    return fail(wrong("memory_bytes", fmt::format("{} bytes are smaller than the reservation of {} "
                                                  "bytes and one page",
                                                  m.memory_bytes, m.reserved_bytes + map)));
  }
  return {};
}

Result<void, MachineError> check_zones(const M& m) {
  if (m.dma_bytes > m.lowmem_bytes) return fail(wrong("dma_bytes", "ends behind lowmem_bytes"));
  if (m.dma_bytes % m.page_bytes != 0 || m.lowmem_bytes % m.page_bytes != 0) {
    return fail(wrong("dma_bytes", "a zone does not end at a page boundary"));
  }
  const std::int64_t map = m.memory_bytes / m.page_bytes * m.mem_map_bytes_per_page;
  const std::int64_t dma = std::min(m.dma_bytes, m.memory_bytes);
  const std::int64_t low = std::min(m.lowmem_bytes, m.memory_bytes);
  const std::int64_t elsewhere = m.reserved_bytes + map - m.dma_reserved_bytes;
  if (m.dma_reserved_bytes > std::min(dma, m.reserved_bytes + map)) {
    return fail(wrong("dma_reserved_bytes", "exceeds the DMA zone or the whole reservation"));
  }
  if (elsewhere > low - dma) {
    return fail(wrong("reserved_bytes", "the reservation outside DMA exceeds the NORMAL zone"));
  }
  const std::int64_t usable_low = (low - elsewhere - m.dma_reserved_bytes) / m.page_bytes;
  if (m.other_lowmem_pages >= usable_low) {
    return fail(
        wrong("other_lowmem_pages", fmt::format("{} pages leave nothing of {} below HIGHMEM",
                                                m.other_lowmem_pages, usable_low)));
  }
  const std::int64_t usable = usable_low + (m.memory_bytes - low) / m.page_bytes;
  if (m.user_pages >= usable - m.other_lowmem_pages) {
    return fail(wrong("user_pages", fmt::format("{} pages leave nothing of {}", m.user_pages,
                                                usable - m.other_lowmem_pages)));
  }
  if (m.buffer_head_bytes > m.page_bytes) {
    return fail(wrong("buffer_head_bytes", "does not fit into a page"));
  }
  return {};
}

Result<void, MachineError> check_paging(const M& m) {
  const std::int64_t frames = (m.memory_bytes - m.reserved_bytes) / m.page_bytes;
  if (m.held_pages >= frames) {
    return fail(wrong("held_pages", fmt::format("{} pages leave nothing of {} usable frames",
                                                m.held_pages, frames)));
  }
  return {};
}

}  // namespace

std::span<const ParameterRow> parameter_rows() { return kRows; }

Result<void, MachineError> set_parameter(MachineDescription& description, std::string_view name,
                                         std::int64_t value) {
  std::vector<std::string_view> names;
  for (const ParameterRow& row : kRows) {
    if (row.name == name) {
      description.*row.member = value;
      return {};
    }
    names.push_back(row.name);
  }
  return fail(wrong(name, unknown_name("parameter", name, names)));
}

Result<void, MachineError> check_description(const MachineDescription& m, Family family) {
  for (const ParameterRow& row : kRows) {
    if (!row.needed_by(family)) continue;
    const std::int64_t value = m.*row.member;
    if (value < row.least || value > row.most) {
      return fail(wrong(row.name, fmt::format("{} {}is not between {} and {} ({})", value,
                                              value == 0 ? "(or not given) " : "", row.least,
                                              row.most, row.meaning)));
    }
  }
  auto memory = check_memory(m, family);
  if (!memory) return memory;
  if (family == Family::device) return check_zones(m);
  if (family == Family::paging) return check_paging(m);
  const std::int64_t frames = (m.memory_bytes - m.reserved_bytes) / m.page_bytes;
  if (m.pin_buffer_pages >= frames) {
    return fail(wrong("pin_buffer_pages", fmt::format("{} pages leave nothing of {} usable frames",
                                                      m.pin_buffer_pages, frames)));
  }
  if (m.fs_held_buffers >= frames) {
    return fail(wrong("fs_held_buffers", "every one needs a page, and that leaves none"));
  }
  if (m.pin_buffer_pages >= 0 && m.pin_buffer_pages <= m.fs_held_buffers) {
    return fail(wrong("pin_buffer_pages", "must exceed fs_held_buffers"));
  }
  return {};
}

}  // namespace brink::machine
