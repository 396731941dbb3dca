// What the infinite run of a lasso says about a path formula, computed from the run alone.
//
// The second opinion on traces of temporal questions: no automaton, no graph; each operator is
// followed along the run as its definition reads. Used by: the gate.
#pragma once

#include <string>

#include "solver/question.h"
#include "solver/result.h"

namespace brink::solver {

/// Lassos of up to this many states are looked at.
inline constexpr std::size_t kMaxLassoStates = 4096;

/// What is wrong with the lasso as evidence for the verdict on an A or E question; empty when
/// nothing is. Path formulas with operators inside their state formulas are not looked at, except
/// that the run has to be fair where fairness is asked for.
std::string lasso_problem(const CheckResult& result, const Question& question,
                          Evaluator& evaluator);

}  // namespace brink::solver
