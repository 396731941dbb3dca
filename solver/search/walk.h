// Random walks: cheap bugs in models too large to search.
//
// West's old observation (1986, on protocols) still holds: a walk that picks one of the enabled
// moves at random finds many errors long before a systematic search would, and needs no memory. It
// proves nothing. Walks start over after a number of steps that doubles from one round to the next,
// so that shallow and deep errors both have their turn. What is found is cut short where it comes
// back to a state it has been in; it is still no shortest trace. The walks are the same in every
// run: fixed seeds, and an effort counted in steps. Used by: the engine walk, and auto before
// the symbolic engines.
#pragma once

#include "solver/question.h"
#include "solver/session.h"

namespace brink::solver {

std::string walk_supports(const Question& question);

/// limits.states: steps in all (0: ten million).
CheckResult walk_check(Session& session, const Question& question, const Limits& limits);

}  // namespace brink::solver
