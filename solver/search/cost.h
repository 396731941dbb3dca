// Costs of paths: "no reclaim call visits more than 4 entries for each page it frees" as a bound on
// a reward until something happens, F{rew{"visited"}<=4} "freed".
//
// The cost of a step is the reward of the state it leaves plus that of its moves' label, as PRISM
// accumulates them. Some path within a bound is a cheapest path (Dijkstra, backwards from the
// goal); all paths within it is a dearest one: a state is settled when all its successors are, so
// whatever can go round without reaching the goal never is. Rewards must not be negative. Used by:
// ctl.
#pragma once

#include <string>

#include "models/base/result.h"
#include "solver/search/state_graph.h"

namespace brink::solver {

struct CostBound {
  std::uint32_t reward = 0;  ///< index into Model::rewards
  double most = 0;
  bool strict = false;  ///< less than `most`
};

/// States from which some path along `along` (null: anywhere) reaches `goal` at a cost within the
/// bound. Error: why the reward is no cost, for people.
Result<StateSet, std::string> cheapest_within(const StateGraph& graph, const StateSet* along,
                                              const StateSet& goal, const CostBound& bound);

/// States from which all paths do.
Result<StateSet, std::string> dearest_within(const StateGraph& graph, const StateSet* along,
                                             const StateSet& goal, const CostBound& bound);

}  // namespace brink::solver
