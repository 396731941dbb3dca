// Linear temporal logic and fairness over an explored state graph: is there a path that satisfies a
// path formula?
//
// The graph is multiplied with a Büchi automaton of the formula (models/automata/buchi.h; Vardi &
// Wolper 1986), edges carry the automaton's acceptance sets and what they mean for fairness, and a
// path exists where a cycle meets all of them (marked_graph.h). State formulas inside are atoms,
// whatever operators they have. The product has states x automaton states at most; only what is
// reachable from the states asked about is built. Used by: ctl, the explicit engine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/base/result.h"
#include "solver/result.h"
#include "solver/search/fairness.h"
#include "solver/search/state_graph.h"

namespace brink::solver {

/// Bounds such as F<=100 inside larger path formulas are written out step by step up to here.
inline constexpr std::int64_t kMaxUnrolledSteps = 1000;

/// Why there is no answer: a limit has been reached, or the question is too large for the method.
struct NoPathAnswer {
  bool limit = false;
  std::string reason;
};

struct PathQuestion {
  const StateGraph& graph;  ///< complete, with edges
  const PropertySet& set;
  PropId path;                         ///< a path formula of the set
  bool negated = false;                ///< ask for a path that does not satisfy it
  const std::vector<StateSet>& known;  ///< by node, of the state formulas inside
  const FairMoves* fair = nullptr;     ///< only fair paths count
  Limits limits;
};

/// The states from which such a path begins.
Result<StateSet, NoPathAnswer> states_with_path(const PathQuestion& question);

/// A path from the first initial state that has one, as a trace with a loop; nothing when no
/// initial state has one. The way to the loop is as short as any.
Result<std::optional<Trace>, NoPathAnswer> path_witness(const PathQuestion& question,
                                                        std::string property);

}  // namespace brink::solver
