#include "analytic/formulas.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace brink::analytic {

std::span<const FormulaInfo> formulas() {
  static const std::array kFormulas = {kCopyCycle,  kZoneScan,  kPageAgeing,  kDirtyBalance,
                                       kCyclicScan, kPageReads, kLowmemCache, kPacedWriters};
  return kFormulas;
}

const FormulaInfo* find_formula(std::string_view name) {
  for (const FormulaInfo& formula : formulas()) {
    if (formula.name == name) return &formula;
  }
  return nullptr;
}

Result<FormulaOutput, std::string> evaluate_formula(const FormulaInfo& formula,
                                                    const FormulaInputs& inputs) {
  for (const FormulaInput& input : formula.inputs) {
    const auto found = inputs.find(input.name);
    if (found == inputs.end()) {
      return fail(fmt::format("formula {} needs `{}` ({}{}{})", formula.name, input.name,
                              input.meaning, input.unit.empty() ? "" : ", ", input.unit));
    }
    if (!std::isfinite(found->second))
      return fail(fmt::format("`{}` is not a finite number", input.name));
  }
  for (const auto& [name, value] : inputs) {
    const bool known =
        std::any_of(formula.inputs.begin(), formula.inputs.end(),
                    [&name = name](const FormulaInput& input) { return input.name == name; });
    if (!known) return fail(fmt::format("formula {} has no input `{}`", formula.name, name));
  }
  return formula.evaluate(inputs);
}

}  // namespace brink::analytic
