// The copy cycle: how long it takes to copy a file through a buffer cache of B buffers.
//
// The idea. Between two passes of the flusher the writer dirties b = floor(nfract B / 100) + 1
// buffers. If b <= ndirty the pass submits all of them, the file's current indirect block among
// them, and the writer sleeps until that block is on disk, which is last: CPU and disk take turns,
// and the cycle (b buffers of CPU, one batch of disk) renews itself S / b times. If b > ndirty, a
// pass submits only the oldest ndirty buffers, the current indirect block is not among them, and
// the writer never sleeps while the disk keeps up: the copy takes its CPU time. The step is where
// nfract B / 100 reaches ndirty.
//
// Source: rules of 1.3.78 fs/buffer.c (refile_buffer, bdflush) and fs/ext2/inode.c (ext2_getblk).
// What differs from a producer/consumer fluid: no overlap below the step. The fluid was tried and
// dropped: it gives a ramp and puts the step 40 % too high.
// A batch costs two positioning latencies: its data run, then the indirect block, which lies
// elsewhere.

#include <fmt/format.h>

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

Result<FormulaOutput, std::string> evaluate(const FormulaInputs& inputs) {
  const auto in = [&inputs](std::string_view name) { return inputs.find(name)->second; };
  for (const std::string_view name :
       {"size_bytes", "block_bytes", "buffers", "disk_rate_bytes_per_s"}) {
    if (!(in(name) > 0)) return fail(fmt::format("`{}` must be positive", name));
  }
  const double blocks = in("size_bytes") / in("block_bytes");
  const double kib = in("size_bytes") / 1024;
  const double batch = std::floor(in("nfract") * in("buffers") / 100) + 1;
  const bool stalls = batch <= in("ndirty");
  const double passes = stalls ? std::floor(blocks / batch) : 0;
  const double user = in("user_ns_per_kib") * kib, background = in("background_ns_per_kib") * kib;
  const double system = in("system_ns_per_kib") * kib + passes * in("sleep_ns");
  // The indirect block is one block more in every batch.
  const double transfer = (batch + 1) * in("block_bytes") / in("disk_rate_bytes_per_s") * 1e9;
  const double disk = passes * (2 * in("disk_latency_ns") + transfer);
  const double elapsed = user + system + background + disk;
  FormulaOutput output;
  output.table = "timed";
  output.columns = {"user_s", "system_s", "elapsed_s", "cpu_percent", "batch_blocks", "passes"};
  output.rows = {
      {user * 1e-9, system * 1e-9, elapsed * 1e-9, 100 * (user + system) / elapsed, batch, passes}};
  output.because = stalls ? "the writer sleeps on the indirect block of every pass"
                          : "a pass leaves the current indirect block alone: no sleep";
  return output;
}

}  // namespace

const FormulaInfo kCopyCycle = {"copy-cycle", "time of a copy through a buffer cache of fixed size",
                                "1.3.78 fs/buffer.c, fs/ext2/inode.c; regenerative cycle", kInputs,
                                evaluate};

}  // namespace brink::analytic
