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

#include "solver/symbolic/accelerated.h"

namespace z3 {
template <typename T>
class ast_vector_tpl;
using expr_vector = ast_vector_tpl<expr>;
}  // namespace z3

namespace brink::solver {

struct Schema {
  std::vector<Block> blocks;  ///< times: as in the run it was made from
  Cube goal;                  ///< where it leads
  Cube from;                  ///< from where

  struct Repeat {
    bool once = true;           ///< as often as in the run; else k is chosen
    std::uint32_t symbol = 0;   ///< of its k
    std::vector<Linear> lower;  ///< k = max of these, rounded up: value / divisor
    std::vector<std::int64_t> divisor;
  };
  std::vector<Repeat> repeats;             ///< one for each block
  std::vector<std::uint32_t> elimination;  ///< blocks whose k was eliminated, in order
};

/// The schema of a run into `goal`. Where the elimination loses the run's own start (parities) or
/// gets too large, repetitions stay as they are in the run. Nothing when that is too large, too.
std::optional<Schema> generalise(const CounterSystem& system, const BlockRun& run,
                                 const Cube& goal);

/// Does the cube contain these values of all symbols?
bool contains(const Cube& cube, const std::vector<std::int64_t>& values);

struct ScriptWriter;
/// "one repetition of the command leads from here to there": move by move of the model, within the
/// ranges, each move from a state where `stay` holds.
z3::expr path_term(const ScriptWriter& script, const CounterSystem& system,
                   const CounterCommand& command, const z3::expr_vector& from,
                   const z3::expr_vector& to, const z3::expr& stay);

/// Adds the obligations of one schema: each of its steps is a move of the model that stays within
/// the ranges and starts where `stay` holds, and the last leads into `into`: the goal, or the cube
/// of an earlier schema.
void write_schema(ScriptWriter& script, const CounterSystem& system, const Schema& schema,
                  const Dnf& into, const z3::expr& stay, std::size_t number);

}  // namespace brink::solver
