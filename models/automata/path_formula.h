// From a path property to a formula over numbered atoms: what P, E, A and R of linear temporal
// logic ask. For the engines of solver/ and analytic/ that multiply a model with an automaton.
#pragma once

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

/// The formula of a path (or state) property; its maximal state formulas become atoms, equal ones
/// the same atom, constants truth values. `count_steps` as in FormulaPool. Fails, with what is not
/// supported, on time bounds, on more than 64 atoms and on operators other than those of logic.
Result<PathFormula, std::string> path_formula(const PropertySet& set, PropId path,
                                              bool count_steps = false);

}  // namespace brink::automata
