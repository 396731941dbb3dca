// `check -v`: what of the model its reachable states use, as text or one JSON object. Used by:
// check.
#pragma once

#include <vector>

#include "experiments/cli/output.h"
#include "experiments/scenario/checking.h"
#include "solver/session.h"

namespace brink::cli {

/// Nothing when the states have not all been explored.
void report_coverage(const solver::Session& session, const Loaded& loaded,
                     const std::vector<PropId>& asked, const solver::Limits& limits,
                     Output& output);

}  // namespace brink::cli
