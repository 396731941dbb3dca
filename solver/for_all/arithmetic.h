// Arithmetic: the obligations of a certificate checked without a solver.
//
// The script is read again as text; each assertion is taken apart into cases (and, or, ite,
// equality of truths), and each case, a list of linear inequalities over integers, is closed by a
// contradiction of truth values or by multipliers that `refutes` has added up (farkas.h). Strict
// inequalities become t - 1 >= 0 and common factors are divided out, as integers allow; division by
// a constant becomes a new integer with its two inequalities. No solver takes part, so none has to
// be trusted. What is not linear, or takes too many cases, is left open, never guessed. Used by:
// obligations.
#pragma once

#include <string>

#include "solver/for_all/obligations.h"

namespace brink::solver {

/// `unsat` counts what was proved; `sat` is never said. `seconds` bounds the whole script.
ScriptAnswer answer_by_arithmetic(const std::string& script, double seconds);

}  // namespace brink::solver
