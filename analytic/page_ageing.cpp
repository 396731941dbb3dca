// Page ages: how often the clock fails for one cohort of pages, and what reclaim never takes.
//
// The idea. After a boot all pages of the page cache have the same age: 16 and a reference, so 19
// after the first visit. A call of shrink_mmap looks at `budget` of them and fails until the cohort
// has come down to 0, after 1 + ceil(19 / ageings) turns. Each failure hands the call to swap_out,
// whose rounds go over the programs; a program's idle page, fresh (3) and young, goes on the 7th
// pass. The floors are whole numbers: reclaim stops at the last count that is not below the share.
//
// Sources: 2.1.110 mm/filemap.c:shrink_one_page, mm/vmscan.c:swap_out, mm/swap.c (buffermem 3 %).
// What it leaves out: the sticky state (once swap_out works it goes on), pages that enter
// meanwhile, disposed inodes. Tried and dropped: independent ages; 1024 pages of spread ages always
// contain one of age 0, the clock never fails, and nothing is ever swapped.

#include <algorithm>
#include <array>
#include <cmath>

#include "analytic/formulas.h"

namespace brink::analytic {
namespace {

constexpr std::array kInputs = {
    FormulaInput{"frames", "pages", "num_physpages"},
    FormulaInput{"page_bytes", "bytes", "a page"},
    FormulaInput{"buffer_min", "%", "floor of the buffer cache"},
    FormulaInput{"ageings", "", "calls of age_page per visit"},
    FormulaInput{"cohort", "pages", "unmapped pages of the page cache of equal age"},
    FormulaInput{"programs", "", "programs"},
    FormulaInput{"usable", "pages", "memory beside the kernel"},
    FormulaInput{"program_pages", "pages", "anonymous pages of programs"},
};

Result<FormulaOutput, std::string> evaluate(const FormulaInputs& in) {
  const auto get = [&](std::string_view name) { return in.find(name)->second; };
  const double frames = get("frames"), ageings = get("ageings"), programs = get("programs");
  if (!(frames >= 64 && ageings >= 1 && programs >= 1)) {
    return fail(std::string("frames, ageings and programs must be at least 64, 1 and 1"));
  }
  const double kib = get("page_bytes") / 1024;
  // The last page that may go leaves the first count below the share: "less than" is asked before.
  const double floor_pages = std::ceil(get("buffer_min") * frames / 100) - 1;
  const double visits = 1 + std::ceil(19 / ageings);
  const double budget = 4 * frames / 64;  // effort 6
  const double failures = visits * get("cohort") / budget;
  const double rounds = std::floor(8 * programs / 64) + 1;
  FormulaOutput output;
  output.table = "vmstat";
  output.columns = {"buff_kb", "sum_kb", "visits", "failures", "passes"};
  output.rows = {{floor_pages * kib, (get("usable") - get("program_pages")) * kib, visits + 1,
                  failures, failures * rounds / programs}};
  output.because = "one cohort of equal age: the clock fails until it has been visited that often";
  return output;
}

}  // namespace

const FormulaInfo kPageAgeing = {"page-ageing",
                                 "failures of the clock for a cohort of equal age (1998)",
                                 "2.1.110 mm/filemap.c:shrink_one_page", kInputs, evaluate};

}  // namespace brink::analytic
