// The engines, one row each. Everything that offers, lists or tests engines is derived from this
// table: `--engine`, help, the manual, the differential tests.
//
// Adding an engine is adding its files and one row. A check of the program:
//
//   Session session(model, options);
//   CheckResult result = check(session, ask(properties, properties.properties[0]), "auto");
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "solver/question.h"
#include "solver/session.h"

namespace brink::solver {

struct EngineInfo {
  std::string_view name;
  std::string_view summary;  ///< one line, no full stop
  bool can_prove;            ///< HOLDS is possible
  bool can_refute;           ///< VIOLATED is possible
  bool shortest;             ///< its traces have the fewest steps wherever it can tell
  /// Empty: yes. Otherwise why not, for people.
  std::string (*supports)(const Question& question);
  CheckResult (*run)(Session& session, const Question& question, const Limits& limits);
};

/// All engines; the first is the default.
std::span<const EngineInfo> engines();

/// Null when there is none of that name.
const EngineInfo* find_engine(std::string_view name);

/// Asks one engine within the session's limits. BRINK_CHECK: the engine exists.
CheckResult check(Session& session, const Question& question, std::string_view engine = "auto");

}  // namespace brink::solver
