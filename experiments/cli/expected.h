// RESULT comments: does a result match what the property file expects? Used by: check --test.
#pragma once

#include "models/language/syntax.h"
#include "solver/result.h"

namespace brink::cli {

enum class Match { yes, no, undecided };

/// "true" and "false" against verdicts; "Error" (with any text behind it) against an error of the model or
/// property; "?" against anything.
Match matches(const ExpectedResult& expected, const solver::CheckResult& result);

}  // namespace brink::cli
