// The decider: lets the model's guards decide at chosen sites of a running machine.
// Used by: every run of a scenario with decide = "model".
#pragma once

#include <memory>

#include "experiments/scenario/simulate.h"

namespace brink {

/// An observer that answers the sites with decide = "model" from the model's guard over the
/// machine's counters, and passes everything on to `next` (which may be null). Null when no site is
/// decided by the model. Guards at such sites may only read viewed variables (E0915).
Result<std::unique_ptr<machine::Observer>, Diagnostics> make_decider(const Prepared& prepared,
                                                                     machine::Observer* next);

}  // namespace brink
