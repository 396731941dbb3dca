// Fairness: which runs count when a question is about what finally happens.
//
// `//@ fair kswapd, [wbend]` in a property file (or --fair) names modules and labels; each is a
// group of moves. Weak fairness: a group that can move from some state on for ever moves again and
// again. Strong (`//@ strong-fair`): one that can move again and again does. A module is one group
// with all its commands (a process, as in SPIN), a label the moves that carry it. A deadlocked
// state repeats itself and every group is disabled there, so its repetition is fair.
//
// Any finite run can be continued fairly, so reachability does not depend on it. Used by: the
// explicit engine for LTL and CTL, and the check of a lasso.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/base/result.h"
#include "models/language/property.h"
#include "models/semantics/evaluator.h"
#include "solver/search/marked_graph.h"
#include "solver/search/state_graph.h"

namespace brink::solver {

struct FairGroup {
  std::string name;  ///< as in the annotation: "kswapd", "[wbend]"
  bool strong = false;
  std::uint32_t module = kNone;   ///< either a module
  ActionId action = kUnlabelled;  ///< or a label, as seen from outside or in a command
};

/// The groups that the annotations of a property set name, in order, each once.
std::vector<FairGroup> fair_groups(const PropertySet& set);

/// Bit i: group i takes part in the move.
std::uint64_t groups_of_move(const Model& model, const std::vector<FairGroup>& groups,
                             const Expansion& expansion, const Choice& choice);

/// At most this many groups (bits, two for each, have to leave room for an automaton's).
inline constexpr std::size_t kMaxFairGroups = 16;

/// What fairness needs of every state and edge of a graph.
struct FairMoves {
  std::vector<FairGroup> groups;
  std::vector<std::uint32_t> enabled;  ///< of each state: groups that can move
  std::vector<std::uint32_t> taken;    ///< of each edge: groups that some move along it is of

  std::uint64_t bytes() const { return (enabled.size() + taken.size()) * sizeof(enabled[0]); }
};

/// BRINK_CHECK: the graph is complete and has edges; at most kMaxFairGroups.
FairMoves fair_moves(const StateGraph& graph, std::vector<FairGroup> groups);

/// Marks for a cycle condition, from bit `first` on: what an edge from a state with these groups
/// enabled, taken by these, means; and the condition.
std::uint64_t fair_marks(const std::vector<FairGroup>& groups, std::uint64_t enabled,
                         std::uint64_t taken, unsigned first);
void add_fairness(const std::vector<FairGroup>& groups, unsigned first, CycleCondition& condition);
/// Bits that takes.
inline unsigned fair_bits(const std::vector<FairGroup>& groups) {
  return 2 * static_cast<unsigned>(groups.size());
}
/// The mark that says: group i was taken (strong), or taken or disabled (weak).
inline std::uint64_t fair_grant(std::size_t group, unsigned first) {
  return std::uint64_t{1} << (first + 2 * group);
}

/// Is the infinite run of a trace with a loop fair to all groups? An independent check: it looks at
/// the moves of the trace with the evaluator. The name of the first group it is not fair to, else
/// an empty string.
std::string unfair_to(const Trace& trace, const std::vector<FairGroup>& groups,
                      Evaluator& evaluator);

}  // namespace brink::solver
