// --for-all, --assume, --certificate and --explain of `check`. Used by: check.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/cli/options.h"
#include "experiments/cli/output.h"
#include "experiments/scenario/checking.h"
#include "solver/question.h"

namespace brink::cli {

/// The names of --for-all and --over: "N,high" as a list.
std::vector<std::string> symbolic_names(const std::string& text);

/// Adds --assume to the properties (which it makes, if there are none). An exit code where it
/// cannot be read, or is false for the constants given.
std::optional<int> add_assumptions(Loaded& loaded, const Options& options, Output& output);

/// Why a model with symbolic constants cannot be asked this; empty when it can.
std::string symbolic_refusal(const Loaded& loaded, const Options& options, bool asks_something);

/// No reachable state has an erroneous move, under the assumptions of the properties.
solver::Question range_question(const Loaded& loaded);

/// Writes the proof's script, or else the trace, where --certificate says.
int save_certificate(const solver::CheckResult& result, const Loaded& loaded,
                     const Options& options, Output& output);

/// --explain: the commands that a violation needs, and the conditions of guards to blame for it.
void explain(const std::string& property, const solver::Question& question, const Loaded& loaded,
             const Options& options, Output& output);

}  // namespace brink::cli
