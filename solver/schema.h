// Path schemas: a sequence of commands, each repeated any number of times, and from exactly which
// states it leads into a goal.
//
// The precondition of c1^k1 ... cn^kn into a cube is a conjunction of linear inequalities over
// state, constants and the k; the k are eliminated by Fourier and Motzkin's method, in the version
// that only keeps states for which integer k exist (linear.h). So a schema's cube is an
// under-approximation: from every state in it the goal can be reached, for all values of the
// constants. The elimination, read backwards, says what k to choose; the script takes these terms
// and shows with the model's own guards and updates that every single step of the path is a move.
// That is the check which excludes mistakes in splitting, repeating and eliminating. Used by:
// cover.h.
#pragma once

#include "solver/accelerated.h"

namespace brink::solver {

struct Schema {
  std::vector<Block> blocks;  ///< times: as in the run it was made from
  Cube goal;                  ///< where it leads
  Cube from;                  ///< from where

  struct Repeat {
    bool once = true;           ///< taken exactly once; else `times` is the witness
    std::uint32_t symbol = 0;   ///< of its k
    std::vector<Linear> lower;  ///< k = max of these, rounded up: value / divisor
    std::vector<std::int64_t> divisor;
  };
  std::vector<Repeat> repeats;             ///< one for each block
  std::vector<std::uint32_t> elimination;  ///< blocks whose k was eliminated, in order
};

/// The schema of a run into `goal`. Nothing when the elimination loses the run's own start, or the
/// precondition gets too large.
std::optional<Schema> generalise(const CounterSystem& system, const BlockRun& run,
                                 const Cube& goal);

/// Does the cube contain these values of all symbols?
bool contains(const Cube& cube, const std::vector<std::int64_t>& values);

struct ScriptWriter;
/// Adds the obligations of one schema: each of its steps is a move of the model that stays within
/// the ranges, and the last leads into `into`: the goal, or the cube of an earlier schema.
void write_schema(ScriptWriter& script, const CounterSystem& system, const Schema& schema,
                  const Dnf& into, std::size_t number);

}  // namespace brink::solver
