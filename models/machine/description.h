// MachineDescription: the hardware and the costs. Every number comes from the caller (a scenario);
// nothing here has a default that could stand for a measured machine.
//
// Users: scenarios fill it by name through `set_parameter`, make_machine checks it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "models/machine/tables.h"

namespace brink::machine {

/// Which kernels need a parameter. A kernel works on files in small buffers (1996), on a block
/// device (2001), or on files in pages beside the pages of programs (1998, 2000, 2002).
enum class Family { files, device, paging };

struct MachineDescription {
  // Memory.
  std::int64_t memory_bytes = 0;
  std::int64_t page_bytes = 0;
  std::int64_t block_bytes = 0;
  std::int64_t reserved_bytes = 0;          ///< kernel, processes: never seen by the allocator
  std::int64_t mem_map_bytes_per_page = 0;  ///< reserved in addition, per frame of memory
  std::int64_t cpus = 0;
  std::int64_t tick_ns = 0;            ///< timer interrupt
  std::int64_t slice_ns = 0;           ///< a process that others wait for keeps its CPU so long
  std::int64_t time_limit_ns = 0;      ///< the run ends here at the latest
  std::int64_t pin_buffer_pages = -1;  ///< >= 0: hold the buffer cache at exactly this size

  std::int64_t fs_held_buffers = 0;  ///< metadata the mounted file systems hold in buffers

  // Zones (device family).
  std::int64_t dma_bytes = 0;           ///< end of the DMA zone
  std::int64_t lowmem_bytes = 0;        ///< end of the NORMAL zone
  std::int64_t dma_reserved_bytes = 0;  ///< part of the reservation that lies in the DMA zone
  std::int64_t other_lowmem_pages = 0;  ///< slab, tables ...: held for the whole run, not HIGHMEM
  std::int64_t user_pages = 0;          ///< process pages held for the whole run, HIGHMEM first
  std::int64_t buffer_head_bytes = 0;
  std::int64_t read_burst_blocks = 0;  ///< blocks asked for before the read path waits

  // Programs and page cache (paging family).
  std::int64_t held_pages = 0;       ///< slab, page tables: held by the kernel for the whole run
  std::int64_t readahead_pages = 0;  ///< pages a miss of a sequential read asks for
  std::int64_t fault_ns = 0;         ///< system, per page fault

  // Disk.
  std::int64_t disk_null = 0;  ///< 1: every request completes at once
  std::int64_t disk_rate_bytes_per_s = 0;
  std::int64_t disk_latency_ns = 0;  ///< per request that does not continue the last one
  std::int64_t disk_request_slots = 0;
  std::int64_t disk_request_bytes = 0;  ///< largest merged request
  std::int64_t disk_elevator = 0;       ///< 0: one-way, unbounded bypass; 1: bounded bypass
  std::int64_t disk_read_bypass = 0;    ///< elevator 1: requests that may pass a waiting read
  std::int64_t disk_write_bypass = 0;   ///< elevator 1: requests that may pass a waiting write

  // Costs in CPU time.
  std::int64_t user_ns_per_kib = 0;          ///< user mode, per KiB read or written by a program
  std::int64_t read_ns_per_kib = 0;          ///< system, read path
  std::int64_t write_ns_per_kib = 0;         ///< system, write path
  std::int64_t background_ns_per_kib = 0;    ///< CPU beside the write path, charged to no task
  std::int64_t sleep_ns = 0;                 ///< system, per sleep of a writer on a locked buffer
  std::int64_t page_ns = 0;                  ///< system, per device page read (null cache)
  std::int64_t page_ns_per_1000_cached = 0;  ///< added to page_ns per 1000 cached pages
  std::int64_t list_entry_ns = 0;            ///< per entry of a page list looked at
  std::int64_t wake_ns = 0;                  ///< from wake-up of a daemon to its first instruction
  std::int64_t kswapd_pass_ns = 0;           ///< per turn of kswapd beside the list walk
  std::int64_t kreclaimd_pass_ns = 0;        ///< per turn of kreclaimd

  // Debugging.
  std::int64_t check_invariants = 0;  ///< 1: recount every list after every event (slow)
  std::int64_t fault_disk_ppm = 0;    ///< requests of a million that fail and are tried again
  std::int64_t fault_delay_ns = 0;    ///< requests take up to so much longer, at random
  std::int64_t fault_alloc_ppm = 0;   ///< allocations of a million that are refused at first
};

struct ParameterRow {
  std::string_view name;  ///< the name of the member
  std::string_view unit;
  std::string_view meaning;
  std::int64_t MachineDescription::*member;
  bool files;   ///< needed by kernels of Family::files
  bool device;  ///< needed by kernels of Family::device
  std::int64_t least;
  std::int64_t most;
  bool paging = false;  ///< needed by kernels of Family::paging

  bool needed_by(Family family) const {
    return family == Family::files ? files : family == Family::device ? device : paging;
  }
};

/// All parameters, in the order of the struct.
std::span<const ParameterRow> parameter_rows();

/// Sets one parameter by name. Error: no such parameter (with the nearest name).
Result<void, MachineError> set_parameter(MachineDescription& description, std::string_view name,
                                         std::int64_t value);

/// Checks every parameter the family needs, then how they fit together (a page must be a whole
/// number of blocks, the reservation must leave frames, ...). Errors name the parameter.
Result<void, MachineError> check_description(const MachineDescription& description, Family family);

}  // namespace brink::machine
