// Hand-derived formulas: throughput and time in closed form, from a kernel's rules.
//
// They are not derived from a model by a machine, and every table that shows one says
// "hand-derived". One row registers a formula; scenarios name it and give its inputs. Used by:
// predict, curves, the manual.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/base/result.h"

namespace brink::analytic {

struct FormulaInput {
  std::string_view name, unit, meaning;
};

/// Rows in the shape of the machine's tables, so that the same metrics read both.
struct FormulaOutput {
  std::string table;  ///< "timed", "lines", "access", "tests" ...
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;
  std::string because;  ///< the active constraint, in words
};

using FormulaInputs = std::map<std::string, double, std::less<>>;

struct FormulaInfo {
  std::string_view name, title, source;
  std::span<const FormulaInput> inputs;
  /// All inputs are present. The error says which of them make no sense.
  Result<FormulaOutput, std::string> (*evaluate)(const FormulaInputs& inputs);
};

/// All formulas, by name.
std::span<const FormulaInfo> formulas();
const FormulaInfo* find_formula(std::string_view name);

/// Checks that exactly the formula's inputs are given (the error names the difference) and
/// evaluates it.
Result<FormulaOutput, std::string> evaluate_formula(const FormulaInfo& formula,
                                                    const FormulaInputs& inputs);

// The rows, one file each.
extern const FormulaInfo kCopyCycle;
extern const FormulaInfo kZoneScan;
extern const FormulaInfo kPageAgeing;
extern const FormulaInfo kDirtyBalance;
extern const FormulaInfo kCyclicScan;
extern const FormulaInfo kPageReads;
extern const FormulaInfo kLowmemCache;
extern const FormulaInfo kPacedWriters;

}  // namespace brink::analytic
