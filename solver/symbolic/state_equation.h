// The state equation: a lower bound on the number of steps, without looking at any run.
//
// Where command j changes the counters by the constant vector c_j and is taken n_j times, a run
// from x to y satisfies y = x + sum n_j c_j whatever the order (Murata, Proc. IEEE 77(4), 1989,
// section IV.B). No run is shorter than the least sum of such n_j. That least sum is often the
// length of the shortest run where pages only move between lists, and costs one query whatever the
// size, where unrolling step by step has to refute every depth. What is left out: guards, the
// order, and counters that some command sets or moves by more than a constant; so the bound is
// never too large. Used by: abmc, to say that a trace cannot be shorter.
#pragma once

#include "solver/symbolic/counters.h"

namespace z3 {
class context;
}

namespace brink::solver {

class SmtWatch;

/// Does every run from `from` to `to` take at least `steps` steps? False: not shown.
bool no_run_below(z3::context& context, const SmtWatch& watch, const CounterSystem& system,
                  const Dnf& from, const Dnf& to, std::int64_t steps);

}  // namespace brink::solver
