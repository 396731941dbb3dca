// The two machines of the reports, as far as their mails and the derivations from them tell, and
// short forms for the tests. Numbers: domain notes on the reports of 1996 and 2001.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "models/kernels/kernels.h"
#include "models/machine/machine.h"

namespace brink::machine {

struct Rig {
  MachineDescription machine;
  std::string kernel;
  Tunables tunables;
  std::string script;
};

inline Machine make(const Rig& rig) {
  auto made = make_machine(rig.machine, rig.kernel, rig.tunables, rig.script, 1);
  if (!made) throw std::runtime_error(made.error().message());
  return std::move(*made);
}

inline RunResult run(const Rig& rig) { return make(rig).run(); }

/// Counter by name.
inline std::int64_t counter(const Rig& rig, const std::vector<std::int64_t>& counters,
                            std::string_view name) {
  const int index = row_index((*find_kernel(rig.kernel))->counters, name);
  if (index < 0) throw std::runtime_error("no counter " + std::string(name));
  return counters[index];
}
inline int event_id(const Rig& rig, std::string_view name) {
  return row_index((*find_kernel(rig.kernel))->events, name);
}
inline int site_id(const Rig& rig, std::string_view name) {
  return row_index((*find_kernel(rig.kernel))->decisions, name);
}

inline std::string mail_1996() {
  return "write big 16 MiB; copy big small 4 MiB; sync\n"
         "read big; read small\n"
         "repeat 3 { time copy small another; sync }\n"
         "remove big; sync\n"
         "repeat 3 { time copy small another; sync }\n";
}

/// 486DX2/66, 16 MiB, ext2 with 1 KiB blocks; 3000 usable frames.
inline Rig rig_1378() {
  Rig rig;
  MachineDescription& m = rig.machine;
  m.memory_bytes = 16 << 20;
  m.page_bytes = 4096;
  m.block_bytes = 1024;
  m.reserved_bytes = (4096 - 3000) * 4096;
  m.cpus = 1;
  m.tick_ns = 10'000'000;
  m.time_limit_ns = 1'000'000'000'000;
  m.fs_held_buffers = 12;
  m.disk_rate_bytes_per_s = 1'200'000;
  m.disk_latency_ns = 3'800'000;  // fitted: elapsed times before rm
  m.disk_request_slots = 64;
  m.disk_request_bytes = 244 * 512;
  m.user_ns_per_kib = 13'000;
  m.read_ns_per_kib = 120'000;
  m.write_ns_per_kib = 267'000;
  m.background_ns_per_kib = 100'000;
  m.sleep_ns = 6'000'000;
  rig.kernel = "linux-1.3.78";
  rig.tunables = {{"min", 32},  {"low", 48},    {"high", 64},           {"guard", 64},
                  {"slack", 5}, {"nfract", 25}, {"ndirty", 500},        {"nrefill", 64},
                  {"batch", 4}, {"effort", 6},  {"interval_ticks", 25}, {"free_enough", 100},
                  {"eager", 0}};
  rig.script = mail_1996();
  return rig;
}

inline Rig rig_1324() {
  Rig rig = rig_1378();
  rig.kernel = "linux-1.3.24";
  rig.tunables = {{"min", 64},     {"guard", 128},  {"slack", 5},        {"nfract", 25},
                  {"ndirty", 500}, {"nrefill", 64}, {"free_enough", 100}};
  return rig;
}

/// A machine small enough to recount every list after every event.
inline Rig small_1378(std::string script) {
  Rig rig = rig_1378();
  rig.machine.memory_bytes = 300 * 4096;
  rig.machine.reserved_bytes = 0;
  rig.machine.check_invariants = 1;
  rig.script = std::move(script);
  return rig;
}

/// Marks of zones [min, low = 2 min, high = 3 min] as the kernel computes them at boot.
inline void set_marks(Rig& rig, const std::string& zone, std::int64_t min) {
  rig.tunables["min_" + zone] = rig.tunables["target_" + zone] = rig.tunables["total_" + zone] =
      min;
  rig.tunables["low_" + zone] = 2 * min;
  rig.tunables["high_" + zone] = rig.tunables["plenty_" + zone] = 3 * min;
}

/// Dual PIII/800 with 2 GiB and the null disk.
inline Rig rig_2001(std::string script) {
  Rig rig;
  MachineDescription& m = rig.machine;
  m.memory_bytes = std::int64_t{2} << 30;
  m.page_bytes = 4096;
  m.block_bytes = 1024;
  m.reserved_bytes = 3 << 20;
  m.mem_map_bytes_per_page = 68;
  m.cpus = 2;
  m.tick_ns = 10'000'000;
  m.time_limit_ns = 100'000'000'000;
  m.dma_bytes = 16 << 20;
  m.lowmem_bytes = std::int64_t{896} << 20;
  m.dma_reserved_bytes = 9'000'000;
  m.other_lowmem_pages = 6500;
  m.user_pages = 4000;
  m.buffer_head_bytes = 96;
  m.read_burst_blocks = 64;
  m.disk_null = 1;
  m.disk_rate_bytes_per_s = 37'500'000;
  m.disk_request_slots = 128;
  m.disk_request_bytes = 128 << 10;
  m.page_ns = 18'280;
  m.page_ns_per_1000_cached = 42;
  m.list_entry_ns = 65;
  m.wake_ns = 40'000;
  m.kswapd_pass_ns = 100'000;
  m.kreclaimd_pass_ns = 2'000;
  rig.kernel = "linux-2.4";
  set_marks(rig, "dma", 128);
  set_marks(rig, "normal", 255);
  set_marks(rig, "high", 255);
  rig.tunables["freepages_high"] = 1914;
  rig.tunables["rule"] = 1;
  rig.tunables["skip"] = 1;
  rig.tunables["readmit"] = 0;
  rig.script = std::move(script);
  return rig;
}

/// 12 MiB of lowmem in two zones and 4 MiB above, all lists recounted after every event.
inline Rig small_2001(std::string script) {
  Rig rig = rig_2001(std::move(script));
  MachineDescription& m = rig.machine;
  m.memory_bytes = 16 << 20;
  m.dma_bytes = 1 << 20;
  m.lowmem_bytes = 12 << 20;
  m.reserved_bytes = 64 << 10;
  m.dma_reserved_bytes = 0;
  m.other_lowmem_pages = m.user_pages = 50;
  m.check_invariants = 1;
  m.time_limit_ns = 1'000'000'000;
  set_marks(rig, "dma", 8);
  set_marks(rig, "normal", 16);
  set_marks(rig, "high", 16);
  rig.tunables["freepages_high"] = 24 + 48 + 48;
  return rig;
}

inline double seconds(Time ns) { return static_cast<double>(ns) * 1e-9; }

/// What the machines of the paging family have in common.
inline Rig rig_paged(std::string kernel, std::int64_t memory_bytes, std::string script) {
  Rig rig;
  MachineDescription& m = rig.machine;
  m.memory_bytes = memory_bytes;
  m.page_bytes = 4096;
  m.block_bytes = 4096;
  m.cpus = 1;
  m.tick_ns = 10'000'000;
  m.time_limit_ns = 20'000'000'000'000;
  m.readahead_pages = 32;
  m.disk_request_slots = 128;
  m.disk_request_bytes = 128 << 10;
  rig.kernel = std::move(kernel);
  rig.script = std::move(script);
  return rig;
}

/// A machine of today for linux-6; the kernel's tunables are as it boots.
inline Rig rig_6(std::string script, std::int64_t memory_bytes = 64 << 20) {
  Rig rig = rig_paged("linux-6", memory_bytes, std::move(script));
  MachineDescription& m = rig.machine;
  m.fault_ns = 1'000;
  m.disk_rate_bytes_per_s = 100'000'000;
  m.disk_latency_ns = 100'000;
  m.read_ns_per_kib = 250;
  m.write_ns_per_kib = 2'500;
  m.list_entry_ns = 500;
  return rig;
}

/// PIII/800 with 40 MB for 2.5.52 (the report of 2002), scaled as its scenario is.
inline Rig rig_2002(std::string script) {
  Rig rig = rig_paged("linux-2.5.52", 40 << 20, std::move(script));
  MachineDescription& m = rig.machine;
  m.reserved_bytes = 3400 << 10;
  m.held_pages = 2840;
  m.tick_ns = 1'000'000;
  m.fault_ns = 10'000;
  m.disk_rate_bytes_per_s = 11'800'000;
  m.disk_latency_ns = 10'000'000;
  m.user_ns_per_kib = 15'000;
  m.read_ns_per_kib = 3'200;
  m.write_ns_per_kib = 10'000;
  m.list_entry_ns = 200;
  rig.tunables = {{"min", 90},          {"low", 180},        {"high", 270},
                  {"swappiness", 60},   {"dirty_ratio", 40}, {"dirty_background_ratio", 10},
                  {"congestion_ms", 20}};
  return rig;
}

inline Rig rig_2419(std::string script) {
  Rig rig = rig_2002(std::move(script));
  rig.kernel = "linux-2.4.19";
  rig.tunables = {{"min", 90},    {"low", 180},        {"high", 270},
                  {"nfract", 30}, {"nfract_sync", 60}, {"nfract_stop", 20}};
  return rig;
}

/// 64 MiB for 2.1.110 (the report of 1998), scaled as its scenario is.
inline Rig rig_1998(std::string script, std::int64_t ageings = 1) {
  Rig rig = rig_paged("linux-2.1.110", 64 << 20, std::move(script));
  MachineDescription& m = rig.machine;
  m.block_bytes = 1024;
  m.reserved_bytes = 4722 << 10;
  m.time_limit_ns = 2'000'000'000'000;
  m.fault_ns = 20'000;
  m.disk_rate_bytes_per_s = 8'750'000;
  m.disk_latency_ns = 10'000'000;
  m.disk_request_slots = 64;
  m.user_ns_per_kib = 1'500;
  m.read_ns_per_kib = 36'000;
  m.write_ns_per_kib = 36'000;
  m.list_entry_ns = 50;
  rig.tunables = {{"min", 128},         {"low", 256},          {"high", 384},
                  {"ageings", ageings}, {"clock_first", 0},    {"dispose", 1},
                  {"buffer_min", 3},    {"buffer_borrow", 10}, {"cache_min", 10},
                  {"cache_borrow", 30}, {"tries", 512},        {"frames", 16384},
                  {"spread_ages", 0}};
  return rig;
}

/// 512 MiB for 2.3.40 to 2.3.49 (the report of 2000), scaled as its scenario is.
inline Rig rig_2000(std::string script) {
  Rig rig = rig_paged("linux-2.3.47", std::int64_t{512} << 20, std::move(script));
  MachineDescription& m = rig.machine;
  m.reserved_bytes = 32 << 20;
  m.time_limit_ns = 10'000'000'000'000;
  m.disk_rate_bytes_per_s = 7'000'000;
  m.disk_latency_ns = 4'000'000;
  m.user_ns_per_kib = 1'000;
  m.read_ns_per_kib = 7'000;
  m.write_ns_per_kib = 15'400;
  m.list_entry_ns = 100;
  rig.tunables = {{"min", 255},   {"low", 510},    {"high", 765},
                  {"nfract", 40}, {"ndirty", 500}, {"subtract", 1}};
  return rig;
}

/// A rig of every kernel, by name.
inline Rig rig_of(std::string_view kernel) {
  if (kernel == "linux-1.3.24") return rig_1324();
  if (kernel == "linux-1.3.78") return rig_1378();
  if (kernel == "linux-2.1.110") return rig_1998("pause 1 s");
  if (kernel == "linux-2.3.47") return rig_2000("pause 1 s");
  if (kernel == "linux-2.4") return rig_2001("readfiles d 1 MB");
  if (kernel == "linux-2.4.19") return rig_2419("pause 1 s");
  if (kernel == "linux-2.5.52") return rig_2002("pause 1 s");
  if (kernel == "linux-6") return rig_6("pause 1 s");
  throw std::runtime_error("no rig of " + std::string(kernel));
}

}  // namespace brink::machine
