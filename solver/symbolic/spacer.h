// Invariants of counter systems by Z3's Spacer (property directed reachability on Horn clauses).
//
// The idea: an unknown relation Inv with a clause for the start, one for each command and one that
// says no bad state is in it (Hoder & Bjorner, SAT 2012; Komuravelli, Gurfinkel & Chaki, CAV 2014).
// What differs here: state and constants are relaxed to reals after all inequalities have been
// tightened as integers allow. Over reals Spacer generalises to a few linear inequalities that hold
// for every value of the symbolic constants; over integers the same clauses mostly do not end. The
// relaxation only adds runs, so an invariant of it is one of the model, but a bad state it reaches
// may be none: `reachable` over reals is therefore no answer. Conserved sums and ranges go in as
// known facts. Nothing returned here is believed before obligations.h has proved it again from the
// model's own expressions: Spacer's answers are known to be wrong at times. Tried and dropped: one
// clause with a disjunction of all commands (the same or slower), one counter eliminated by the
// sum.
#pragma once

#include "solver/result.h"
#include "solver/symbolic/counters.h"
#include "solver/symbolic/formula.h"

namespace brink::solver {

struct SpacerAnswer {
  enum class Kind { proved, reachable, unknown } kind = Kind::unknown;
  Formula invariant;  ///< when proved; conserved sums are conjuncts of it, ranges are not
};

/// Is there an invariant that excludes `bad`? Ends within `limits` (seconds, stop, bytes).
SpacerAnswer ask_spacer(const CounterSystem& system, const Dnf& start, const Dnf& bad,
                        const Formula& known, Numbers numbers, unsigned seed, const Limits& limits);

/// The facts `sum = 0` as a formula.
Formula formula_of_sums(const std::vector<Linear>& sums);

}  // namespace brink::solver
