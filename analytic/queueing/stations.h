// One station alone: the formulas of the M/M/m/K family, M/G/1, Erlang and Engset.
//
// One row a formula, with the names of its inputs; `brink queue` with [formula] goes by the table.
// Used by: brink queue, tests, open.h (M/M/m).
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/base/result.h"

namespace brink::queueing {

/// Inputs by name: arrivals (1/s), service (s), servers, room, ...
struct FormulaInputs {
  std::map<std::string, double> numbers;
  std::vector<double> services_s;  ///< of unequal servers
  double operator[](const std::string& name) const { return numbers.at(name); }
};

/// Named results in the order shown: utilisation, queue, response_s, throughput, p_empty, ...
using FormulaResults = std::vector<std::pair<std::string, double>>;

struct StationFormula {
  std::string_view name;    ///< "M/M/m/K"
  std::string_view inputs;  ///< "arrivals service servers room"; "servers?" may be left out
  std::string_view about;
  std::string_view source;
  /// Inputs are present, finite and positive. Error: a sentence (unstable, out of range).
  Result<FormulaResults, std::string> (*compute)(const FormulaInputs&);
};

std::span<const StationFormula> station_formulas();
const StationFormula* find_station_formula(std::string_view name);

/// Share of arrivals lost with `servers` servers and `erlangs` offered (Erlang 1917), by the
/// recursion over servers, which neither overflows nor cancels.
double erlang_b(int servers, double erlangs);
/// Share of arrivals that wait, without a limit of the queue; erlangs < servers.
double erlang_c(int servers, double erlangs);

}  // namespace brink::queueing
