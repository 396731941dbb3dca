// RESULT comments: does a result match what the property file expects? Used by: check --test.
#pragma once

#include "analytic/property_values.h"
#include "models/language/syntax.h"
#include "solver/result.h"

namespace brink::cli {

enum class Match { yes, no, undecided };

/// "true" and "false" against verdicts; "Error" (with any text behind it) against an error of the
/// model or property; "?" against anything.
Match matches(const ExpectedResult& expected, const solver::CheckResult& result);

/// The same for a number: within 1e-5 relative (PRISM's own tolerance for tests), "~x" within 1 %,
/// "p/q", "Infinity", or an interval "[a,b]" that it has to lie in.
Match matches(const ExpectedResult& expected, const analytic::Answer& answer);

}  // namespace brink::cli
