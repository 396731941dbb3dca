// Lowmem cache: where the page cache of a raw device stops growing on a 32-bit machine.
//
// The idea. Pages of a block device come from zone NORMAL and below, however much HIGHMEM is free.
// kswapd keeps NORMAL between its low and its high mark, and DMA keeps its low mark and 1/256 of
// NORMAL for others [6.1 mm/page_alloc.c:__setup_per_zone_wmarks, setup_per_zone_lowmem_reserve].
// With huge pages the marks are not the root of the size of memory, but eleven blocks of 2 MiB a
// zone, at most 5 % of low memory [mm/khugepaged.c:set_recommended_min_free_kbytes]: so a machine
// with HIGHMEM keeps some 60 MB of NORMAL free.
//
// What it says is the middle; the cache swings by half the distance of the marks around it. One
// page in 449 holds the index of the others (64 pages a node, 7 nodes a page).
#include <algorithm>
#include <array>
#include <cmath>

#include "analytic/formulas.h"

namespace brink::analytic {
namespace {

constexpr std::array kInputs = {
    FormulaInput{"normal_managed", "pages", "zone NORMAL"},
    FormulaInput{"dma_managed", "pages", "zone DMA"},
    FormulaInput{"high_managed", "pages", "zone HIGHMEM"},
    FormulaInput{"normal_free", "pages", "free in NORMAL at boot"},
    FormulaInput{"dma_free", "pages", "free in DMA at boot"},
    FormulaInput{"cached", "pages", "cached at boot"},
    FormulaInput{"page_bytes", "bytes", "size of a page"},
};

Result<FormulaOutput, std::string> evaluate(const FormulaInputs& in) {
  const auto get = [&](std::string_view name) { return in.find(name)->second; };
  const double normal = get("normal_managed"), dma = get("dma_managed"), page = get("page_bytes");
  const double high = get("high_managed"), low = normal + dma;
  if (!(normal > 0 && dma >= 0 && page > 0)) return fail(std::string("NORMAL must not be empty"));
  const bool huge_pages = (low + high) * page >= 512.0 * 1024 * 1024;
  const double zones = 1 + (dma > 0) + (high > 0);
  const double root = std::sqrt(low * page / 1024 * 16) * 1024 / page;
  const double blocks = 11 * zones * (2 << 20) / page;
  const double min = huge_pages ? std::max(root, std::min(blocks, low / 20)) : root;
  const double normal_min = min * normal / low, dma_min = min * dma / low;
  const double normal_kept = normal_min * 1.375;  // between min + 1/4 and min + 1/2
  const double dma_kept = std::min(get("dma_free"), dma_min * 1.25 + normal / 256);
  const double taken = get("normal_free") - normal_kept + get("dma_free") - dma_kept;
  const double pages = std::max(0.0, taken) * 448 / 449 + get("cached");
  FormulaOutput output;
  output.table = "timed";
  output.columns = {"cached_mib", "file_pages"};
  output.rows = {{pages * page / (1 << 20), pages - get("cached")}};
  output.because = high > 0 ? "zone NORMAL is full; HIGHMEM is not for devices" : "memory is full";
  return output;
}

}  // namespace

const FormulaInfo kLowmemCache = {"lowmem-cache",
                                  "the cache of a raw device, bounded by low memory (6.1)",
                                  "6.1 mm/page_alloc.c:__setup_per_zone_wmarks", kInputs, evaluate};

}  // namespace brink::analytic
