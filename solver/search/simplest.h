// Simplest traces: runs with the fewest different commands, and among those with the same commands
// the shortest.
//
// A shortest trace may use ten commands where a longer one makes the same point with three. Which
// commands suffice is monotone: more commands reach more. So the smallest sufficient set is a
// smallest hitting set of the complements of insufficient sets (Reiter, Artificial Intelligence 32,
// 1987; as "implicit hitting sets" Chandrasekaran et al., SODA 2011): take a smallest set that
// hits all complements known so far, search with it alone; where it does not suffice, grow it until
// nothing more can be added and learn the complement of that. The first set that suffices is a
// smallest one. The moves are listed once, with their commands, so that each search is a walk over
// arrays. Used by: the explicit engine with --simplest.
#pragma once

#include <optional>

#include "solver/result.h"
#include "solver/search/state_graph.h"

namespace brink::solver {

struct SimplestRun {
  std::vector<std::uint32_t> path;      ///< states, from an initial one to a target
  std::vector<std::uint32_t> commands;  ///< of the model, that it uses
  bool fewest = false;                  ///< shown; otherwise none of them alone can be left out
};

/// Nothing when no target is reachable, or the limits (and most_moves) do not even allow a first
/// set. The graph is complete.
std::optional<SimplestRun> simplest_run(const StateGraph& graph, const StateSet& target,
                                        const Limits& limits);

/// More moves than this are not listed.
inline constexpr std::uint64_t most_moves = 100'000'000;

/// The trace of such a run, by moves of these commands only.
Trace trace_of(const StateGraph& graph, const SimplestRun& run, std::string property);

}  // namespace brink::solver
