// The copy cycle: how long it takes to copy a file through a buffer cache of B buffers.
//
// The idea. The writer dirties buffers until their number exceeds nfract B / 100; then a pass
// submits the oldest ndirty of them. If the current indirect block is among those, the writer
// sleeps until it is on disk, where it comes last: CPU and disk take turns, and the cycle (b =
// nfract B / 100 + 1 buffers of CPU, one batch of disk) renews itself. While b <= ndirty every pass
// takes the indirect block. Above, it escapes when it was first dirtied after the oldest ndirty, so
// the share of passes that stall falls from one to none while b grows by one group (the data blocks
// that an indirect block names). The recursion below follows the dirty list pass by pass: its
// length, and where in it the current indirect block stands.
//
// Sources: 1.3.78 fs/buffer.c (refile_buffer, bdflush), fs/ext2/inode.c (ext2_getblk); regenerative
// cycle. Invariant: lo <= p <= w, the indices of the oldest dirty block, of the write that dirtied
// the current indirect block, and of the write to come. What it leaves out: a cache smaller than
// the file and larger than the step, where in-flight buffers use it up (refill_freelist then waits
// for bdflush). Tried and dropped: a producer/consumer fluid (a ramp from B = 0, no step), and the
// plain formula c S + (S/b)(L + b/mu) with a jump at nfract B / 100 = ndirty, which puts the step
// 10 % too low.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "analytic/formulas.h"

namespace brink::analytic {
namespace {

constexpr std::array kInputs = {
    FormulaInput{"size_bytes", "bytes", "length of the file copied"},
    FormulaInput{"block_bytes", "bytes", "a buffer"},
    FormulaInput{"buffers", "", "buffers of the cache, constant during the copy"},
    FormulaInput{"nfract", "%", "share of dirty buffers above which the flusher is woken"},
    FormulaInput{"ndirty", "buffers", "buffers submitted in one pass"},
    FormulaInput{"user_ns_per_kib", "ns/KiB", "CPU time in user mode"},
    FormulaInput{"system_ns_per_kib", "ns/KiB", "CPU time in the kernel: read and write path"},
    FormulaInput{"sleep_ns", "ns", "CPU time of a sleep of the writer"},
    FormulaInput{"background_ns_per_kib", "ns/KiB",
                 "CPU time beside the writer: interrupts, daemons"},
    FormulaInput{"disk_rate_bytes_per_s", "bytes/s", "sequential rate of the disk"},
    FormulaInput{"disk_latency_ns", "ns",
                 "positioning before a request that does not continue the last"},
};

constexpr double kDirectBlocks = 12;  // of an ext2 inode
constexpr double kPointerBytes = 4;   // of an ext2 indirect block
constexpr double kMostBlocks = 1e8;

struct Costs {
  double block_cpu_ns, transfer_ns, latency_ns, sleep_ns;
};

/// The writer, the dirty list and the disk.
struct Cycle {
  double now_ns = 0, disk_free_ns = 0;
  double oldest = 0;  ///< index of the oldest dirty data block
  double indirect_at =
      -1;  ///< index of the write that dirtied the current indirect block; -1: clean
  double old_indirects = 0;        ///< dirty, no longer current
  double in_flight_until_ns = -1;  ///< the current indirect block; -1: it is not in flight
  double passes = 0, stalls = 0;

  double dirty(double written) const {
    return written - oldest + (indirect_at >= 0 ? 1 : 0) + old_indirects;
  }

  /// A pass over the oldest `most` buffers, `written` data blocks having been written.
  void pass(double written, double most, const Costs& costs) {
    const double submitted = std::min(dirty(written), most);
    const bool takes_indirect =
        indirect_at >= 0 &&
        (submitted >= dirty(written) || indirect_at - oldest + old_indirects < submitted);
    const double metadata = old_indirects + (takes_indirect ? 1 : 0);
    oldest = std::min(written, oldest + std::max(0.0, submitted - metadata));
    old_indirects = 0;
    const double requests = 1 + (metadata > 0 ? 1 : 0);
    disk_free_ns = std::max(now_ns, disk_free_ns) + submitted * costs.transfer_ns +
                   requests * costs.latency_ns;
    ++passes;
    if (!takes_indirect) return;
    indirect_at = -1;
    in_flight_until_ns = disk_free_ns;
  }
};

Cycle copy(const FormulaInputs& inputs, double blocks, const Costs& costs) {
  const auto in = [&inputs](std::string_view name) { return inputs.find(name)->second; };
  const double threshold = std::floor(in("nfract") * in("buffers") / 100);
  const double group = std::max(1.0, in("block_bytes") / kPointerBytes);
  Cycle cycle;
  for (double written = 1; written <= blocks; ++written) {
    const double index = written - 1 - kDirectBlocks;
    const bool next_group = index >= 0 && std::fmod(index, group) == 0;
    // Whoever goes on to the next indirect block does not wait for the one in flight.
    if (cycle.in_flight_until_ns >= 0 && !next_group) {
      cycle.now_ns = std::max(cycle.now_ns, cycle.in_flight_until_ns) + costs.sleep_ns;
      ++cycle.stalls;
    }
    cycle.in_flight_until_ns = -1;
    cycle.now_ns += costs.block_cpu_ns;
    if (next_group) {
      cycle.old_indirects += cycle.indirect_at >= 0 ? 1 : 0;
      cycle.indirect_at = -1;
    }
    if (index >= 0 && cycle.indirect_at < 0) cycle.indirect_at = written;
    // A pass repeats while the share is still too high; the writer sees only what it has to wait
    // for.
    for (int repeat = 0; repeat < 1000 && cycle.dirty(written) > threshold; ++repeat)
      cycle.pass(written, in("ndirty"), costs);
  }
  return cycle;
}

Result<FormulaOutput, std::string> evaluate(const FormulaInputs& inputs) {
  const auto in = [&inputs](std::string_view name) { return inputs.find(name)->second; };
  for (const std::string_view name :
       {"size_bytes", "block_bytes", "buffers", "ndirty", "disk_rate_bytes_per_s"}) {
    if (!(in(name) > 0)) return fail(fmt::format("`{}` must be positive", name));
  }
  const double blocks = std::ceil(in("size_bytes") / in("block_bytes"));
  if (blocks > kMostBlocks)
    return fail(fmt::format("`size_bytes` is more than {} blocks", kMostBlocks));
  const double kib = in("block_bytes") / 1024;
  const Costs costs{
      (in("user_ns_per_kib") + in("system_ns_per_kib") + in("background_ns_per_kib")) * kib,
      in("block_bytes") / in("disk_rate_bytes_per_s") * 1e9, in("disk_latency_ns"), in("sleep_ns")};
  const Cycle cycle = copy(inputs, blocks, costs);
  const double user = in("user_ns_per_kib") * kib * blocks;
  const double system = in("system_ns_per_kib") * kib * blocks + cycle.stalls * costs.sleep_ns;
  FormulaOutput output;
  output.table = "timed";
  output.columns = {"user_s", "system_s", "elapsed_s", "cpu_percent", "passes", "stalls"};
  output.rows = {{user * 1e-9, system * 1e-9, cycle.now_ns * 1e-9,
                  100 * (user + system) / cycle.now_ns, cycle.passes, cycle.stalls}};
  output.because = cycle.stalls >= cycle.passes && cycle.stalls > 0
                       ? "the writer sleeps on the indirect block of every pass"
                   : cycle.stalls > 0 ? "the indirect block escapes some of the passes"
                                      : "a pass leaves the current indirect block alone: no sleep";
  return output;
}

}  // namespace

const FormulaInfo kCopyCycle = {"copy-cycle", "time of a copy through a buffer cache of fixed size",
                                "1.3.78 fs/buffer.c, fs/ext2/inode.c; regenerative cycle", kInputs,
                                evaluate};

}  // namespace brink::analytic
