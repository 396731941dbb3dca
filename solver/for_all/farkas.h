// Farkas' lemma, exactly: linear inequalities over rationals have no solution if and only if some
// combination of them with non-negative factors says 0 <= -1. Used by: arithmetic.
//
// The factors are found by a simplex over exact fractions (Dutertre & de Moura, CAV 2006: a row
// that cannot be mended is the combination), and believed only when `refutes` has multiplied and
// added them up; nothing of the simplex has to be trusted.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "solver/symbolic/linear.h"

namespace brink::solver {

/// t >= 0, or t = 0.
struct Constraint {
  Linear t;
  bool equation = false;
};

/// A factor for each constraint, as a fraction "p/q" in decimal digits; "0" where it is not needed.
using Multipliers = std::vector<std::string>;

/// Nothing when there is a solution, or the search is too long.
std::optional<Multipliers> find_multipliers(const std::vector<Constraint>& constraints);

/// Do the multipliers prove that there is no solution? By multiplication and addition alone.
bool refutes(const std::vector<Constraint>& constraints, const Multipliers& multipliers);

}  // namespace brink::solver
