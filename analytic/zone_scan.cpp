// The zone scan: throughput of reading a block device on a machine with HIGHMEM, over the position.
//
// The idea. Buffer pages may not lie in HIGHMEM, so the cache grows until lowmem is used up: B
// pages, each with its buffer heads beside it. From then on every page is bought by page_launder,
// at a price of E list entries a page, and the time of a page is t0 + c E. E follows from the rule:
//   Kz, global predicate blind (HIGHMEM has more free pages than freepages.high can miss): reclaim
//   stops at the
//     level at which allocation fails. The DMA pass comes first and moves NORMAL pages on until it
//     meets the DMA pages, which lie together. While there are any, two calls in a row (one full
//     walk, one short) give two pages of each zone: E = n / 4. When they are gone every call walks
//     the whole list for the one NORMAL page it frees at its beginning: E = n.
//   Kz with target pages_high: a walk frees high - min pages of each zone that still has any.
//   K247, Kpre7, no skip test, or a global path that sees the shortage: every entry met is freed, E
//   = 1.
// CPU and disk overlap before the barrier (read-ahead), so a page takes the longer of the two.
//
// Sources: 2.4 mm/page_alloc.c, mm/vmscan.c; zoned patch (Tosatti, 20 July 2001); bisection by
// Tridgell. Integrated page by page and reported once a second, as readfiles.c does; a closed form
// for the first phase was dropped, since the lines observed are means over a second.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "analytic/formulas.h"

namespace brink::analytic {
namespace {

constexpr std::array kInputs = {
    FormulaInput{"rule", "",
                 "0 K247, 1 Kz, 2 Kz with target pages_high, 3 Kz without the skip test, 4 Kpre7"},
    FormulaInput{"memory_bytes", "bytes", "physical memory"},
    FormulaInput{"page_bytes", "bytes", "a page"},
    FormulaInput{"block_bytes", "bytes", "a block of the device"},
    FormulaInput{"reserved_bytes", "bytes", "memory the allocator never sees, without mem_map"},
    FormulaInput{"mem_map_bytes_per_page", "bytes", "reserved for every page of memory"},
    FormulaInput{"dma_bytes", "bytes", "end of the DMA zone"},
    FormulaInput{"dma_reserved_bytes", "bytes", "part of the reservation in the DMA zone"},
    FormulaInput{"lowmem_bytes", "bytes", "end of the NORMAL zone"},
    FormulaInput{"other_lowmem_pages", "pages", "held by the kernel below HIGHMEM"},
    FormulaInput{"user_pages", "pages", "held by programs, HIGHMEM first"},
    FormulaInput{"buffer_head_bytes", "bytes", "a buffer head"},
    FormulaInput{"min_dma", "pages", "allocation fails below it"},
    FormulaInput{"min_normal", "pages", "allocation fails below it"},
    FormulaInput{"low_high", "pages", "programs leave HIGHMEM at this"},
    FormulaInput{"high_dma", "pages", "target of rule 2"},
    FormulaInput{"high_normal", "pages", "target of rule 2"},
    FormulaInput{"freepages_high", "pages", "global shortage below it"},
    FormulaInput{"page_ns", "ns", "CPU time of a page read"},
    FormulaInput{"page_ns_per_1000_cached", "ns", "added for every 1000 pages cached"},
    FormulaInput{"list_entry_ns", "ns", "an entry of the list looked at"},
    FormulaInput{"disk_ns_per_page", "ns", "transfer of a page; 0 for a null disk"},
};

struct Layout {
  double buffers = 0;     ///< pages cached when lowmem is used up
  double dma_listed = 0;  ///< of these in the DMA zone
  bool blind = false;     ///< the global predicate does not see that lowmem is short
};

Layout layout_of(const FormulaInputs& inputs) {
  const auto in = [&inputs](std::string_view name) { return inputs.find(name)->second; };
  const double page = in("page_bytes");
  const double low_end = std::min(in("lowmem_bytes"), in("memory_bytes"));
  const double map = in("memory_bytes") / page * in("mem_map_bytes_per_page");
  const double high_pages = (in("memory_bytes") - low_end) / page;
  const double user_high = std::min(in("user_pages"), std::max(0.0, high_pages - in("low_high")));
  const double lowmem = (low_end - in("reserved_bytes") - map) / page - in("other_lowmem_pages") -
                        (in("user_pages") - user_high);
  const double heads = 1 + in("buffer_head_bytes") / in("block_bytes");
  Layout layout;
  layout.buffers = (lowmem - in("min_dma") - in("min_normal")) / heads;
  layout.dma_listed =
      std::max(0.0, ((in("dma_bytes") - in("dma_reserved_bytes")) / page - in("min_dma")) / heads);
  layout.blind = high_pages - user_high > in("freepages_high") - in("min_dma") - in("min_normal");
  return layout;
}

/// Entries looked at for the next page, when `bought` pages have been bought since lowmem was used
/// up.
double entries_per_page(const FormulaInputs& inputs, const Layout& layout, double bought) {
  const auto in = [&inputs](std::string_view name) { return inputs.find(name)->second; };
  const int rule = static_cast<int>(in("rule"));
  if ((rule != 1 && rule != 2) || !layout.blind) return 1;
  const double listed = std::max(1.0, layout.buffers - bought);
  const double gap_dma = in("high_dma") - in("min_dma"),
               gap_normal = in("high_normal") - in("min_normal");
  if (rule == 2) {
    const bool dma_left = bought * gap_dma / (gap_dma + gap_normal) < layout.dma_listed;
    return std::max(1.0, listed / (gap_normal + (dma_left ? gap_dma : 0)));
  }
  return bought / 2 < layout.dma_listed ? listed / 4 : listed;
}

std::string because(const FormulaInputs& inputs, const Layout& layout) {
  const int rule = static_cast<int>(inputs.find("rule")->second);
  if (rule != 1 && rule != 2) return "every list entry met is freed: no barrier";
  if (!layout.blind) return "the global path sees the shortage and has hysteresis: no barrier";
  return rule == 1 ? "NORMAL and DMA reach min; reclaim stops there, and each walk of the list "
                     "buys one page"
                   : "NORMAL and DMA reach min; each walk of the list buys high - min pages";
}

Result<FormulaOutput, std::string> evaluate(const FormulaInputs& inputs) {
  const auto in = [&inputs](std::string_view name) { return inputs.find(name)->second; };
  for (const std::string_view name :
       {"page_bytes", "block_bytes", "buffer_head_bytes", "page_ns", "memory_bytes"}) {
    if (!(in(name) > 0)) return fail(fmt::format("`{}` must be positive", name));
  }
  const Layout layout = layout_of(inputs);
  if (!(layout.buffers > 0))
    return fail(std::string("the reservations leave no page below HIGHMEM"));
  FormulaOutput output;
  output.table = "lines";
  output.columns = {"position_mb", "throughput_mb_s", "at_s"};
  output.because = because(inputs, layout);
  constexpr double kSecond = 1e9;
  const double page_mb = in("page_bytes") / 1e6;
  double read = 0, now = 0, line_start = 0, line_pages = 0;
  // Past the barrier: some seconds of the floor, or a third of the way again where there is none.
  for (int slow_lines = 0; slow_lines < 8 && read < 1.35 * layout.buffers;) {
    const double cached = std::min(read, layout.buffers);
    double cpu = in("page_ns") + in("page_ns_per_1000_cached") * cached / 1000;
    const double bought = read - layout.buffers;
    const double entries = bought >= 0 ? entries_per_page(inputs, layout, bought) : 0;
    cpu += in("list_entry_ns") * entries;
    now += std::max(cpu, in("disk_ns_per_page"));
    read += 1;
    if (now - line_start < kSecond) continue;
    const double rate = (read - line_pages) * page_mb / ((now - line_start) / kSecond);
    output.rows.push_back({read * page_mb, rate, now / kSecond});
    if (bought >= 0 && entries >= layout.buffers / 2) ++slow_lines;
    line_start = now;
    line_pages = read;
  }
  return output;
}

}  // namespace

const FormulaInfo kZoneScan = {
    "zone-scan",
    "throughput of a block-device read over the position, with the cost of the list walk",
    "2.4.8-pre1 to pre7 mm/vmscan.c, mm/page_alloc.c", kInputs, evaluate};

}  // namespace brink::analytic
