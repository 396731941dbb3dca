// What the commands on scenarios share: finding, reading, setting. Used by: predict, simulate,
// conform, reproduce.
#pragma once

#include <optional>

#include "experiments/cli/commands.h"
#include "experiments/scenario/claims.h"

namespace brink::cli {

/// A setting of --set whose value is a range a:step:b: a curve.
struct Sweep {
  std::string path;
  std::vector<std::string> values;
};

struct Settings {
  std::vector<Override> overrides;
  std::optional<Sweep> sweep;
};

/// Reads --set. Errors: not PATH=VALUE, a bad range, more than one range.
Result<Settings, std::string> read_settings(const Options& options);

/// Opens the scenario `name`, or reports why not and sets `code`.
std::optional<ScenarioFile> open_scenario(const std::string& name, Output& output, int& code);

/// The scenario with --variant and --set, ready to run; or the report and `code`.
std::optional<Prepared> prepare_scenario(const ScenarioFile& file, const Options& options,
                                         Output& output, int& code);

/// "name   1.234" lines, or JSON objects {"type":"metric","source":...}.
void print_metrics(const Names& metrics, const std::string& source, const std::string& only,
                   Output& output);

}  // namespace brink::cli
