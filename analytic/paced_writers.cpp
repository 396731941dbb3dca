// Paced writers: how much of what lives for a moment is written all the same.
//
// The idea. Writers create files and remove them some rounds later, so that `live` bytes are dirty
// if nothing is written. Three cases [6.1 mm/page-writeback.c:balance_dirty_pages]. The middle of
// the two limits is below that: writers wait for the disk, everything is written. Even the lower
// limit is above it: nothing is. In between the flusher writes once what is dirty when the lower
// limit is crossed; by the time that is on the disk the writers, whom nobody holds up, may be done.
//
// In between the other state is stable, too, and which one comes depends on whom the flusher
// happens to make wait; the formula gives the better one. The time is that of the disk or of the
// CPU, whichever is longer.
#include <algorithm>
#include <array>

#include "analytic/formulas.h"

namespace brink::analytic {
namespace {

constexpr std::array kInputs = {
    FormulaInput{"dirtyable", "bytes", "free memory and files"},
    FormulaInput{"ratio", "%", "vm.dirty_ratio"},
    FormulaInput{"background_ratio", "%", "vm.dirty_background_ratio"},
    FormulaInput{"live", "bytes", "of files that exist at once"},
    FormulaInput{"written", "bytes", "by all writers"},
    FormulaInput{"rate", "bytes/s", "of the disk"},
    FormulaInput{"cpu_s", "s", "the writers' CPU time"},
};

Result<FormulaOutput, std::string> evaluate(const FormulaInputs& in) {
  const auto get = [&](std::string_view name) { return in.find(name)->second; };
  const double written = get("written"), live = get("live"), rate = get("rate");
  if (!(written > 0 && rate > 0 && live > 0)) {
    return fail(std::string("writers must write, and the disk must move"));
  }
  const double limit = get("ratio") / 100 * get("dirtyable");
  double background = get("background_ratio") / 100 * get("dirtyable");
  if (background >= limit) background = limit / 2;
  const bool throttled = (limit + background) / 2 < live, quiet = background >= live;
  const double fraction = throttled ? 1 : quiet ? 0 : background / written;
  FormulaOutput output;
  output.table = "tests";
  output.columns = {"written_fraction", "churn_s"};
  output.rows = {{fraction, std::max(fraction * written / rate, get("cpu_s"))}};
  output.because = throttled ? "writers wait for the disk"
                   : quiet   ? "nothing is written"
                             : "the flusher writes once";
  return output;
}

}  // namespace

const FormulaInfo kPacedWriters = {
    "paced-writers", "writers whose files are short-lived, under dirty limits (6.1)",
    "6.1 mm/page-writeback.c:balance_dirty_pages", kInputs, evaluate};

}  // namespace brink::analytic
