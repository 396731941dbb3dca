// The explicit engine: explores all reachable states and evaluates the formula on the graph.
//
// Exact for every CTL formula of a finite model, with shortest traces. It explores completely even
// when a violation shows early, because an erroneous move in any reachable state makes every other
// answer worthless; when a limit stops it, what was seen until then is used.
#pragma once

#include "solver/question.h"
#include "solver/session.h"

namespace brink::solver {

/// Empty when the engine can answer, else why not.
std::string explicit_supports(const Question& question);

CheckResult explicit_check(Session& session, const Question& question, const Limits& limits);

}  // namespace brink::solver
