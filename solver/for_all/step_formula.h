// State formulas with X: "after one step", taken apart for proofs about all values of constants.
//
// E [ X q ] is one step backwards from q, so a formula without other temporal operators stays a
// finite union of cubes. Moves that leave a range are not steps here: the proofs exclude them.
// Where no command is enabled a state repeats itself, as everywhere. Used by: pattern, claims.
#pragma once

#include <vector>

#include "solver/symbolic/counters.h"

namespace z3 {
class expr;
}

namespace brink::solver {

struct SmtRun;

/// Flags of the nodes that have no temporal operator but X under one quantifier, by index.
std::vector<bool> step_nodes(const PropertySet& set);

/// The formula or its negation. Throws GaveUp.
Dnf step_formula(CounterBuilder& builder, const PropertySet& set, PropId root, bool positive);

/// The same over the template state of the run's encoding: what certificates say.
z3::expr step_term(const SmtRun& run, const PropertySet& set, PropId root);

}  // namespace brink::solver
