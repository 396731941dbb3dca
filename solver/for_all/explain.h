// Explain: what a violation needs. Used by: check --explain.
//
// By deletion, on the explicit search: a command is needed when the property holds without it; a
// condition of a guard is to blame when the property holds once that condition alone is left out.
// The commands that are needed are what the trace cannot do without; the conditions to blame are
// what could be changed in the policy. A changed model with an erroneous move tells nothing. Each
// entry is a verdict about a changed model, found by the same search as the violation itself.
#pragma once

#include <string>
#include <vector>

#include "solver/question.h"
#include "solver/result.h"

namespace brink::solver {

struct Explanation {
  std::vector<std::string> needed;  ///< commands; without one of them the property holds
  std::vector<std::string> blamed;  ///< "free > guard in [grow]": without it the property holds
  /// A smallest set of commands (by inclusion) with which alone it is violated.
  std::vector<std::string> enough;
  std::size_t tried = 0, skipped = 0;  ///< changed models; those that were too large, or no time
};

/// The question is violated within the limits; its model has no symbolic constants.
Explanation explain_violation(const Question& question, const Limits& limits);

}  // namespace brink::solver
