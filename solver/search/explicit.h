// The explicit engine: explores all reachable states and evaluates the formula on the graph.
//
// Exact for every CTL formula of a finite model, with shortest traces. A [ G p ], E [ F p ] and the
// range question store no edges and evaluate p while they explore. An erroneous move in any
// reachable state makes every other answer worthless, so the search goes on after the state that
// decides; but not for ever: beyond kPatience states (state_graph.h) it ends there, and the verdict
// says that erroneous moves elsewhere are not excluded. When a limit stops it, what was seen until
// then is used.
#pragma once

#include "solver/question.h"
#include "solver/session.h"

namespace brink::solver {

/// Empty when the engine can answer, else why not.
std::string explicit_supports(const Question& question);

CheckResult explicit_check(Session& session, const Question& question, const Limits& limits);

}  // namespace brink::solver
