// Numbers from expressions over named numbers, in the syntax of the PRISM language.
//
// Scenarios use them for metrics, inputs of formulas and tunables; views use them over the
// machine's counters. There is one expression language in Brink, so this is a thin wrap around it.
#pragma once

#include <map>
#include <string>

#include "experiments/scenario/scenario.h"

namespace brink {

using Names = std::map<std::string, double, std::less<>>;

/// Evaluates `expression` with `names` as constants. Errors: E07xx at the expression's place in
/// `source`, naming what is wrong with it.
Result<double, Diagnostics> evaluate_expression(const Placed& expression, const Names& names,
                                                const SourcePtr& source);

/// One diagnostic about a place of the scenario file.
Diagnostics scenario_error(std::string code, std::string message, const SourcePtr& source,
                           Span span, std::string help = {});

/// Can expressions use this name? Not a reserved word of the language, no dashes.
bool is_name(std::string_view text);

/// "the nearest known name is `x`", or empty.
std::string did_you_mean(const std::string& name, const std::vector<std::string>& known);

}  // namespace brink
