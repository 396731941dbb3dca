// CTL over an explored state graph: the set of states where each formula holds.
//
// The classical labelling algorithm (Clarke, Emerson & Sistla, TOPLAS 1986) with work lists over
// predecessors, so that every operator is linear in the edges; nodes of a property are evaluated in
// the order they are stored (operands first), never by recursion. E [ G p ] counts successors that
// are still in p and deletes states whose count reaches 0; a deadlocked state loops on itself.
#pragma once

#include "models/base/result.h"
#include "solver/question.h"
#include "solver/search/state_graph.h"

namespace brink::solver {

/// States where E [ a U b ] holds; `a` null: everywhere.
StateSet exists_until(const StateGraph& graph, const StateSet* a, const StateSet& b);
/// States where E [ G p ] holds.
StateSet exists_globally(const StateGraph& graph, const StateSet& p);
/// States where E [ X p ] holds.
StateSet exists_next(const StateGraph& graph, const StateSet& p);

/// The sets of all state formulas below `root`, by node index (empty for other nodes). The form
/// must not be `unsupported` and the graph must be complete. Error: an atom that cannot be
/// evaluated in a reachable state.
Result<std::vector<StateSet>, SemanticError> evaluate_ctl(const StateGraph& graph,
                                                          const PropertySet& set, PropId root);

/// The same for one formula without temporal operators, on any graph (states known so far).
Result<StateSet, SemanticError> evaluate_plain(const StateGraph& graph, const PropertySet& set,
                                               PropId root);

}  // namespace brink::solver
