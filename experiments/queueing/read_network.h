// Reading a queueing network from TOML, with units: what `brink queue` takes.
//
// Stations ([[station]]), classes ([[class]]) with visits or routing, or one station as [formula].
// The text is in papers/manual/queueing.md. Used by: brink queue, tests.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analytic/queueing/network.h"
#include "analytic/queueing/stations.h"
#include "experiments/data/config.h"
#include "experiments/scenario/scenario.h"

namespace brink {

struct FormulaRequest {
  const queueing::StationFormula* formula = nullptr;
  queueing::FormulaInputs inputs;
  Span span;
};

struct NetworkFile {
  SourcePtr source;
  std::string title;
  std::string method;  ///< a row of queueing::method_rows, or empty
  Span method_span;
  queueing::Network network;
  std::optional<FormulaRequest> formula;  ///< then `network` is empty
  std::vector<Span> station_spans, class_spans;
};

/// Reads the file as a tree. Errors: E0001, E0901.
struct NetworkText {
  SourcePtr source;
  Config root;
};
Result<NetworkText, Diagnostics> read_network_text(const std::string& path);

/// The network with `overrides` applied; "class.NAME.population" and "station.NAME.servers" go by
/// name or by index. Errors: E09xx with place and, for names, the nearest known one.
Result<NetworkFile, Diagnostics> interpret_network(const NetworkText& text,
                                                   const std::vector<Override>& overrides = {});

/// A failure of a solver as a diagnostic at the station or class to blame.
Diagnostics network_failure(const NetworkFile& file, const queueing::Failure& failure);

}  // namespace brink
