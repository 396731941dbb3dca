// From a path property to a formula over numbered atoms: what P, E, A and R of linear temporal
// logic ask. For the engines of solver/ and analytic/ that multiply a model with an automaton.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/automata/formula.h"
#include "models/language/property.h"

namespace brink::automata {

struct PathFormula {
  FormulaPool pool;
  Formula root;
  std::vector<PropId> atoms;  ///< atom i is this state formula of the property set
};

/// Bounds of a temporal operator in steps.
struct StepBounds {
  std::int64_t lower = 0;
  std::optional<std::int64_t> upper;
};

/// Fails, with what is not supported, where the bound is on a reward, not a whole number, or the
/// model is in continuous time. An upper bound below the lower one is left as it is: no step.
Result<StepBounds, std::string> step_bounds(const PropertySet& set, const PropNode& node);

/// The formula of a path (or state) property; its maximal state formulas become atoms, equal ones
/// the same atom, constants truth values. `count_steps` as in FormulaPool. Fails, with what is not
/// supported, on more than 64 atoms and on operators other than those of logic. Bounds on steps are
/// written out with X up to `unroll` steps (F<=2 a = a | X (a | X a)); above, it fails.
Result<PathFormula, std::string> path_formula(const PropertySet& set, PropId path,
                                              bool count_steps = false, std::int64_t unroll = 0);

}  // namespace brink::automata
