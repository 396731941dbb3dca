// The dirty balance: does what dbench keeps alive fit below the limit of dirty pages?
//
// The idea. A client creates, fills, reads and deletes a file of s bytes; at a random moment half
// of it is written, so N clients keep N s / 2 bytes dirty, however fast they are. If that is below
// the level at which writers wait (nfract % of T), nothing is ever throttled and the CPU is the
// limit. If it is above, the level is the buffer between the writers and the disk: as many bytes
// come in as go out to the disk or are deleted while dirty, and of a file at most limit / (N s / 2)
// escapes.
//
// Sources: 2.3.4x fs/buffer.c:balance_dirty_state; mm/page_alloc.c:nr_free_buffer_pages with and
// without the page cache. What it leaves out: the soft level (bdflush runs, nobody waits), kupdate,
// seeks. T without the page cache is what is free and the buffer cache: free memory is what the
// files of half of the clients' turns give back, since old cache is only reclaimed at low.

#include <algorithm>
#include <array>
#include <cmath>

#include "analytic/formulas.h"

namespace brink::analytic {
namespace {

constexpr std::array kInputs = {
    FormulaInput{"clients", "", "clients of dbench"},
    FormulaInput{"live_bytes", "bytes", "a client's file"},
    FormulaInput{"usable_bytes", "bytes", "memory for cache"},
    FormulaInput{"buffer_bytes", "bytes", "buffer cache"},
    FormulaInput{"old_bytes", "bytes", "cached files that nobody uses"},
    FormulaInput{"nfract", "%", "share of T that may be dirty"},
    FormulaInput{"subtract", "", "1: T is without the page cache"},
    FormulaInput{"cpu_ns_per_byte", "ns", "CPU time per byte written"},
    FormulaInput{"disk_bytes_per_s", "bytes/s", "rate of the disk under this load"},
};

Result<FormulaOutput, std::string> evaluate(const FormulaInputs& in) {
  const auto get = [&](std::string_view name) { return in.find(name)->second; };
  const double live = get("clients") * get("live_bytes"), alive = live / 2;
  const double cpu = 1e9 / get("cpu_ns_per_byte"), disk = get("disk_bytes_per_s");
  if (!(live > 0 && cpu > 0 && disk > 0 && get("usable_bytes") > live)) {
    return fail(
        std::string("clients, files, costs and memory must be positive, and files must fit"));
  }
  const double old = std::min(get("old_bytes"), get("usable_bytes") - get("buffer_bytes") - alive);
  const double free = get("usable_bytes") - get("buffer_bytes") - old - alive;
  const double given_back = std::max(0.0, std::sqrt(get("clients") / 12) * get("live_bytes"));
  const double base =
      get("subtract") > 0 ? get("buffer_bytes") + std::max(free, given_back) : get("usable_bytes");
  const double limit = get("nfract") / 100 * base;
  const bool fast = alive < limit;
  const double reaches_disk = std::max(0.0, 1 - limit / live);
  const double rate = fast ? cpu : std::min(cpu, disk / std::max(reaches_disk, disk / cpu));
  FormulaOutput output;
  output.table = "dbench";
  output.columns = {"clients", "throughput_mb_s", "cpu_percent", "dirty_limit_mb"};
  output.rows = {{get("clients"), rate / 1e6, 100 * rate / cpu, limit / 1e6}};
  output.because = fast ? "what the clients keep alive fits below the dirty limit: CPU"
                        : "it does not fit: writers wait for bdflush, and files reach the disk";
  return output;
}

}  // namespace

const FormulaInfo kDirtyBalance = {"dirty-balance",
                                   "dbench below and above the limit of dirty pages (2000)",
                                   "2.3.4x fs/buffer.c:balance_dirty_state", kInputs, evaluate};

}  // namespace brink::analytic
