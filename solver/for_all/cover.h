// Cover: from every state of a region the goal can be reached, shown by finitely many schemas.
//
// The idea: pick a state of the region that no schema covers yet, find a short path in blocks from
// it into what is covered, generalise the path to its precondition (schema.h), repeat until nothing
// of the region is left. Region and cubes speak of state and constants, so this proves A [ G (E [ F
// p ]) ] (region: an invariant), E [ F p ] (region: the initial states) and reachability of a trap
// for all values at once. Termination is not promised: when a state is stuck, or paths keep failing
// to generalise, the loop ends without a verdict and says with which state. Excluded: circular
// reasoning, because a schema leads into cubes that were covered before it.
#pragma once

#include "solver/for_all/schema.h"
#include "solver/for_all/small.h"

namespace z3 {
class context;
class expr;
class solver;
}  // namespace z3

namespace brink::solver {

struct Cover {
  std::vector<Schema> schemas;
  Dnf good;               ///< the goal, then a cube for each schema
  std::size_t goals = 0;  ///< how many of `good` are the goal
};

enum class CoverEnd {
  covered,
  stuck,  ///< from `state` the goal cannot be reached at all
  open,   ///< gave up
};

struct CoverResult {
  CoverEnd end = CoverEnd::open;
  Values state;     ///< the uncovered state it ended with
  std::string why;  ///< when open
};

/// Adds to `cover` (which holds the goal) until it covers legal & ranges & region.
/// Paths have at most `most_blocks` blocks.
CoverResult extend_cover(const CounterSystem& system, const Formula& region, Cover& cover,
                         const Limits& limits, std::size_t most_blocks = 10);

/// Obligations: region is covered, and each schema leads into the goal or an earlier cube, by moves
/// from states where `stay` holds.
void write_cover(ScriptWriter& script, const CounterSystem& system, const z3::expr& region,
                 const Cover& cover, const z3::expr& stay);

}  // namespace brink::solver
