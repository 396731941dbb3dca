// The cyclic scan: a table read again and again through what programs leave of memory.
//
// The idea. Under FIFO and under LRU a scan of W pages, repeated, misses W times if the cache is
// smaller than W and never otherwise. So the time of the whole test has two values, and the
// question is only which pages of programs may leave: all that are idle if half of their share of
// memory and swappiness reach 100 (distress is 0 for a load whose reclaim always succeeds), none
// otherwise. A few hot pages beside the table (a catalog) miss when the time from their use to
// their eviction, counted in reclaimed pages, is shorter than a scan: they cross the active list,
// which moves by A / 2 I + 1 / 32 pages a reclaimed page, and then the inactive one.
//
// Sources: 2.5.41 mm/vmscan.c:refill_inactive_zone, shrink_zone. Whole numbers as in the kernel:
// the share and its half are rounded down. What it leaves out: writing at the start, whose distress
// may let programs leave at a swappiness between the two regimes (the machine has it). Tried and
// dropped: a random working set (1 - C/W misses), which predicts a slope where a cliff was
// measured.

#include <algorithm>
#include <array>
#include <cmath>

#include "analytic/formulas.h"

namespace brink::analytic {
namespace {

constexpr std::array kInputs = {
    FormulaInput{"total", "pages", "usable memory"},
    FormulaInput{"held", "pages", "of it, held by the kernel"},
    FormulaInput{"programs", "pages", "pages that programs map"},
    FormulaInput{"live", "pages", "of them, not idle"},
    FormulaInput{"free", "pages", "kept free"},
    FormulaInput{"working", "pages", "the table"},
    FormulaInput{"swappiness", "", "added to half of the mapped share"},
    FormulaInput{"always", "", "1: idle pages of programs always leave (2.4.19)"},
    FormulaInput{"operations", "", "scans"},
    FormulaInput{"fixed_s", "s", "work beside the scans"},
    FormulaInput{"page_ns", "ns", "CPU time of a page"},
    FormulaInput{"disk_page_ns", "ns", "transfer of a page"},
    FormulaInput{"latency_ns", "ns", "positioning of the disk"},
    FormulaInput{"hot_blocks", "", "blocks of the catalog, of two pages each"},
    FormulaInput{"fetches", "", "reads of them at random, per scan"},
};

Result<FormulaOutput, std::string> evaluate(const FormulaInputs& in) {
  const auto get = [&](std::string_view name) { return in.find(name)->second; };
  const double total = get("total"), working = get("working"), programs = get("programs");
  const double hot = get("hot_blocks"), fetches = get("fetches"), operations = get("operations");
  if (!(total > 0 && working > 0 && hot > 0)) {
    return fail(std::string("memory, table and catalog must not be empty"));
  }
  const double share = std::floor(100 * programs / total);
  const bool gives_way = get("always") > 0 || std::floor(share / 2) + get("swappiness") >= 100;
  const double room = total - get("held") - get("free");
  // Programs that do not fit give way whatever the rule: the cache must have something.
  const bool forced = programs >= room;
  const double resident = gives_way || forced ? get("live") : programs;
  const double cache = std::max(0.0, room - resident);
  const bool fits = cache >= working + 2 * hot;
  const double active = resident + 2 * hot, inactive = std::max(1.0, cache - 2 * hot);
  const double lifetime = active / (active / (2 * inactive) + 1.0 / 32) + inactive;
  const double touched = hot * (1 - std::pow(1 - 1 / hot, fetches));
  const double cold = !fits && lifetime < working ? touched : 0;
  const double cpu = (working + 2 * fetches) * get("page_ns");
  const double disk = (fits ? 0 : working * get("disk_page_ns") + get("latency_ns")) +
                      cold * (get("latency_ns") + 2 * get("disk_page_ns"));
  FormulaOutput output;
  output.table = "tests";
  output.columns = {"single_user_test_s", "cache_pages"};
  output.rows = {{get("fixed_s") + operations * (cpu + disk) * 1e-9, cache}};
  output.because = fits ? "the table fits into the cache: CPU"
                        : (gives_way || forced ? "the table does not fit beside live programs: disk"
                                               : "programs do not give way: disk");
  return output;
}

}  // namespace

const FormulaInfo kCyclicScan = {"cyclic-scan",
                                 "a table scanned again and again beside programs (2002)",
                                 "2.5.41 mm/vmscan.c:refill_inactive_zone", kInputs, evaluate};

}  // namespace brink::analytic
