// Bottom components of a set of states that nothing leaves: the traps a policy ends in.
// Used by the recoverability check to say how large the lost part is and where runs end.
#pragma once

#include "solver/search/state_graph.h"

namespace brink::solver {

/// Counts the states of `closed` (no edge leaves it) and its bottom strong components, with
/// Boost.Graph's strong_components on the sub-graph in compressed sparse rows.
DoomedStates survey_traps(const StateGraph& graph, const StateSet& closed);

}  // namespace brink::solver
