// Lassos: short cycles of commands that undo each other and stay inside a set, so that a run may go
// round for ever, for all values of the constants. Used by: claims E [ G q ], E [ F (E [ G q ]) ].
#pragma once

#include "solver/for_all/schema.h"
#include "solver/for_all/small.h"

namespace brink::solver {

struct Lasso {
  std::vector<std::size_t> commands;  ///< in order; none: a deadlock, which repeats itself
  Dnf from;                           ///< states from which the cycle can be taken, inside
};

/// Cycles of at most three commands that come back to the same state and stay in `inside`.
std::vector<Lasso> find_lassos(const CounterSystem& system, const Dnf& inside, const Dnf& deadlock);

/// A longer cycle: a shortest one of the small instance that `state` belongs to, in reach of it,
/// inside and through `where`. Its cube says, besides where it can be taken, that what it sets has
/// that value already. `within`: the moves that may lead there; commands are those of `system`.
std::optional<Lasso> lasso_near(const CounterSystem& within, const CounterSystem& system,
                                const Dnf& inside, const Dnf& where, const Values& state);

/// The system whose moves start and end inside.
CounterSystem restricted(const CounterSystem& system, const Dnf& inside);

/// Obligations: from the cube the cycle's moves lead back to where they began, from states where
/// `stays` holds; in the cube `goal` holds.
void write_lasso(ScriptWriter& script, const CounterSystem& system, const Cube& cube,
                 const Lasso& lasso, const z3::expr& goal, const z3::expr& stays);

}  // namespace brink::solver
