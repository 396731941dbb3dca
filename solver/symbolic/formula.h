// Formulas over the symbols of a counter system: invariants as they are found, printed and written
// into certificates. Used by: every engine that proves.
#pragma once

#include "solver/symbolic/linear.h"

namespace brink::solver {

/// How a solver reads symbols: as what they are, or relaxed (counter_terms.h).
enum class Numbers { integers, reals };

/// A formula in negation normal form over linear atoms.
struct Formula {
  enum class Kind { atom, all, any } kind = Kind::all;
  Linear atom;
  std::vector<Formula> parts;  ///< all of nothing: true; any of nothing: false
};

Formula formula_of(const Dnf& dnf);
Formula formula_of(const Cube& cube);

/// In PRISM's syntax.
std::string print(const Formula& formula, const std::function<std::string(std::uint32_t)>& name);

}  // namespace brink::solver
