// CTL over the graph of a chain or decision process: what can, and what must, happen, whatever the
// probabilities. For E and A inside numeric properties (filters over them, P of them); the engines
// of solver/ answer those that stand alone. A state without moves repeats itself.
#pragma once

#include "analytic/graph.h"
#include "models/language/property.h"

namespace brink::analytic {

/// States with a path that satisfies the path operator `kind` (next, finally, globally, until,
/// weak_until, release). Operators with one operand take it from `a`.
StateSet some_path(const Chain& graph, PropKind kind, const StateSet& a, const StateSet& b);

/// States all of whose paths satisfy it.
StateSet every_path(const Chain& graph, PropKind kind, const StateSet& a, const StateSet& b);

}  // namespace brink::analytic
