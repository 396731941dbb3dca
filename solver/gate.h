// The gate: nothing is reported as a verdict before its evidence has been checked by the evaluator,
// which shares no code with the engines' own encodings. Called by every engine on its way out.
#pragma once

#include "solver/question.h"
#include "solver/result.h"

namespace brink::solver {

/// A boolean operator of the property language on its operands (those it does not have are
/// ignored).
bool combined(Op op, bool a, bool b, bool c);

/// Value of a formula without temporal operators in one state. Error: a fault of an expression.
Result<bool, SemanticError> holds_at(const PropertySet& set, PropId root, Evaluator& evaluator,
                                     std::span<const std::int64_t> state);

/// Replays the trace and checks what it is said to show: that p fails (always) or holds (possible)
/// in its last state, that an error happens after it, or that its loop is fair and does what a path
/// formula says. A failure turns the verdict into
/// `disagreement` with a note.
void gate(CheckResult& result, const Question& question);

/// What the verdict rests on besides the model: `//@ assume` lines; for formulas that depend on it,
/// the convention for deadlocks.
std::vector<std::string> assumptions_of(const Question& question, bool deadlock_convention);

}  // namespace brink::solver
