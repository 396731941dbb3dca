// What was found in a curve, for people and as JSON. Used by: cliff, sweep, cache --predict.
#pragma once

#include <string>

#include "analytic/cliffs/cliff.h"
#include "experiments/cli/output.h"

namespace brink::cli {

/// Lines for each cliff, pole and unresolved place, or "no cliff"; `x` and `y` are names with
/// units. `extra` is put into every JSON object (metric, source).
void print_findings(const cliffs::Findings& found, const std::string& x, const std::string& y,
                    const std::string& source, Output& output);

}  // namespace brink::cli
