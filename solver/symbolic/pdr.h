// pdr: proofs of invariants for fixed and for symbolic constants.
//
// Bad states that contradict the conserved sums or the ranges fall away first. The rest is given to
// Spacer at once, then, if that does not end within its slice of time, cube by cube, each proved
// invariant serving the next as a fact; over reals first, over integers after, in growing slices.
// Every proof is written as a script of obligations over the model's own expressions, which a fresh
// Z3 and, where installed, cvc5 must answer before HOLDS is said. The claim always includes that no
// reachable move is erroneous. Where Spacer reaches a bad state, accelerated search looks for the
// trace; without one the result is undecided.
#pragma once

#include "solver/session.h"
#include "solver/symbolic/counters.h"
#include "solver/symbolic/formula.h"

namespace brink::solver {

struct InvariantProof {
  Formula invariant;
  std::string script;                ///< SMT-LIB 2; every check-sat answers unsat
  std::vector<std::string> remarks;  ///< by whom it was proved again
};

/// What is known of a system at once: its conserved sums, and whether ranges can be left.
struct Facts {
  std::vector<Linear> sums;
  Formula known;  ///< the sums, and invariants proved since
};
Facts facts_of(const CounterSystem& system);

/// The cubes that are possible within legal constants, ranges and known facts (integers).
Dnf possible(const CounterSystem& system, const Dnf& cubes, const Formula& known);

/// A proof that `target` (that of the question) and erroneous moves cannot be reached, checked.
/// `reached` is set when Spacer over integers says one of them can. Notes say what was done.
/// `provisional`: the caller writes the invariant into a script of its own and has that checked, so
/// a fresh Z3 suffices here.
std::optional<InvariantProof> prove_unreachable(const Question& question, const Form& form,
                                                const CounterSystem& system, const Dnf& target,
                                                Facts& facts, const Limits& limits,
                                                std::vector<std::string>& notes, bool& reached,
                                                bool provisional = false);

std::string pdr_supports(const Question& question);
CheckResult pdr_check(Session& session, const Question& question, const Limits& limits);

}  // namespace brink::solver
