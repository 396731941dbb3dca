// Small instances of a counter system: all states that follow from one, for values of the constants
// small enough to enumerate. The reference that guides proofs for all values (which state is stuck,
// from where to look for a path); nothing it finds is a verdict.
#pragma once

#include "solver/symbolic/counters.h"

namespace brink::solver {

/// Values of all symbols.
using Values = std::vector<std::int64_t>;

struct SmallGraph {
  std::vector<Values> states;  ///< in breadth-first order
  std::vector<std::vector<std::uint32_t>> successors;
  bool complete = false;
};

bool contains(const Dnf& dnf, const Values& values);
/// What a command makes of a state.
Values successor(const CounterCommand& command, const Values& state);

/// All states reachable from these, at most `limit`.
SmallGraph explore(const CounterSystem& system, const std::vector<Values>& from, std::size_t limit);

/// Flags of the states from which no state in `goal` can be reached (the graph is complete).
std::vector<bool> doomed(const SmallGraph& graph, const Dnf& goal);

}  // namespace brink::solver
