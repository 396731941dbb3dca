// Traps: a closed set of states that excludes a goal, as a conjunction of inequalities that holds
// for all values of the constants.
//
// The idea: take one state that small instances show to be doomed, and all inequalities of a
// template that are true there: the model's own atoms and their opposites, and sums and differences
// of few counters against the bounds that occur in the model. What some command does not keep is
// dropped until the rest is inductive (Houdini; Flanagan & Leino, FME 2001). If the rest excludes
// the goal, the state is doomed, and so is every state of the set, for every value of the constants
// that satisfies the set's conditions on constants. Of the rest only what the exclusion and its
// inductiveness need is kept (unsatisfiable cores), so that the set is large. Excluded: a set that
// some erroneous move leaves, because sets are used together with an invariant that excludes those.
#pragma once

#include "solver/for_all/small.h"
#include "solver/result.h"
#include "solver/symbolic/formula.h"

namespace z3 {
class context;
class expr;
class solver;
}  // namespace z3

namespace brink::solver {

struct ScriptWriter;

/// The inequalities of the template that hold for these values.
std::vector<Linear> template_atoms(const CounterSystem& system, const Dnf& goal,
                                   const Values& values);

/// A trap that contains `values`, within legal constants, ranges and `known`; nothing when the
/// template has none.
std::optional<Cube> find_trap(const CounterSystem& system, const Formula& known, const Dnf& goal,
                              const Values& values, const Limits& limits);

/// Obligations: nothing leaves the trap, and the goal is not in it.
void write_trap(ScriptWriter& script, const CounterSystem& system, const z3::expr& invariant,
                const Cube& trap, const z3::expr& goal);

}  // namespace brink::solver
