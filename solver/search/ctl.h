// CTL and CTL* over an explored state graph: the set of states where each formula holds.
//
// CTL is the classical labelling algorithm (Clarke, Emerson & Sistla, TOPLAS 1986) with work lists
// over predecessors, so that every operator is linear in the edges; nodes of a property are
// evaluated in the order they are stored (operands first), never by recursion. E [ G p ] counts
// successors that are still in p and deletes states whose count reaches 0; a deadlocked state loops
// on itself. Bounds on steps are that many backward steps; bounds on a reward are shortest and
// longest paths (cost.h). Path formulas beyond CTL, and all of them under fairness, go through
// automata (ltl.h). Used by: the explicit engine, passages of scenarios.
#pragma once

#include "models/base/result.h"
#include "solver/question.h"
#include "solver/search/ltl.h"
#include "solver/search/state_graph.h"

namespace brink::solver {

/// States where E [ a U b ] holds; `a` null: everywhere.
StateSet exists_until(const StateGraph& graph, const StateSet* a, const StateSet& b);
/// States where E [ G p ] holds.
StateSet exists_globally(const StateGraph& graph, const StateSet& p);
/// States where E [ X p ] holds.
StateSet exists_next(const StateGraph& graph, const StateSet& p);

/// Why there are no sets: an expression that cannot be evaluated in a reachable state, or no answer
/// to a question about paths.
struct CtlProblem {
  std::optional<SemanticError> fault;
  NoPathAnswer none;
};

struct CtlOptions {
  const FairMoves* fair = nullptr;  ///< only fair paths count
  Limits limits = {};
};

/// Does this quantified node go through an automaton, rather than labelling?
bool needs_automaton(const PropertySet& set, const PropNode& quantified, bool fair);

/// The sets of all state formulas below `root`, by node index (empty for other nodes). The form
/// must not be `unsupported` and the graph must be complete.
Result<std::vector<StateSet>, CtlProblem> evaluate_ctl(const StateGraph& graph,
                                                       const PropertySet& set, PropId root,
                                                       const CtlOptions& options = {});

/// The set of one formula without temporal operators, on any graph (states known so far).
Result<StateSet, SemanticError> evaluate_plain(const StateGraph& graph, const PropertySet& set,
                                               PropId root);

}  // namespace brink::solver
