// --fair and --strong-fair: annotations of a property file, given on the command line. Used by:
// check.
#pragma once

#include <optional>

#include "experiments/cli/output.h"
#include "experiments/cli/symbolic.h"

namespace brink::cli {

/// Adds what the options name to the annotations. An exit code when they cannot be read; places in
/// messages are in the option's text.
std::optional<int> add_fairness(Loaded& loaded, const Options& options, Output& output);

}  // namespace brink::cli
