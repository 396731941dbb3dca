// Which transient values are exactly 0 or 1: what rounding must not put in doubt, since P>0 and
// P>=1 are questions about the graph. Used by path_values and by the R operators of chains.
#pragma once

#include <vector>

#include "analytic/graph.h"
#include "analytic/numeric.h"

namespace brink::analytic {

struct Certain {
  StateSet zero, one;

  /// Of values without error; `bounds` may be empty (all exact).
  static Certain of(const std::vector<double>& values, const std::vector<double>& bounds = {});
  /// One step before: all successors certain of the same.
  Certain before(const Chain& chain) const;
};

/// Expectations of a value after `time` (steps or time units): certain where all states that can be
/// occupied then are.
Certain after(const Chain& chain, Certain values, double time);

/// States that collect none of `reward` before `time`.
StateSet collects_nothing(const Chain& chain, const std::vector<double>& reward, double time);

/// Makes the certain values exact.
void settle(Solution& solution, const Certain& certain);

}  // namespace brink::analytic
