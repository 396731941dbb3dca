// Conjectured invariants: what small instances suggest and every move keeps.
//
// Spacer finds an invariant by generalising from what it wants to exclude, and may run away from it
// for ever. Small instances show directly what their states have in common. The states of some
// small instances are split by the values of the control variables (few values, only ever set to
// numbers: a pass is under way, a phase); in each part the candidates are the equations of its
// affine hull and inequalities between sums of at most two symbols. Houdini (Flanagan & Leino, FME
// 2001) then drops, until nothing changes, what does not hold initially or what some command does
// not keep, over the reals: what is left is inductive for all values. If it excludes the bad
// states, only what that needs is kept, by unsatisfiable cores backwards. Equations come close to
// Karr's (Acta Informatica 6, 1976), which would find them without samples but not the
// inequalities. Nothing here is trusted: whoever uses the result writes it into a script that other
// solvers check. Used by: pdr and the proofs for all values.
#pragma once

#include "solver/result.h"
#include "solver/symbolic/counters.h"
#include "solver/symbolic/formula.h"

namespace brink::solver {

struct Conjecture {
  Formula invariant;
  bool excludes = false;  ///< no bad state satisfies it
};

/// Nothing when there is nothing to conjecture, or no time. Throws GaveUp.
std::optional<Conjecture> conjecture_invariant(const Question& question,
                                               const CounterSystem& system, const Dnf& bad,
                                               const Formula& known, const Limits& limits);

}  // namespace brink::solver
