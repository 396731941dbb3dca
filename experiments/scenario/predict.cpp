#include "experiments/scenario/predict.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "analytic/formulas.h"

namespace brink {
namespace {

using analytic::FormulaInfo;

Result<const FormulaInfo*, Diagnostics> formula_of(const Scenario& scenario) {
  const Placed& wanted = scenario.prediction->formula;
  if (const FormulaInfo* found = analytic::find_formula(wanted.text)) return found;
  std::vector<std::string> known;
  for (const FormulaInfo& formula : analytic::formulas()) known.emplace_back(formula.name);
  return fail(scenario_error(
      "E0916", fmt::format("no formula `{}`; formulas are {}", wanted.text, fmt::join(known, ", ")),
      scenario.source, wanted.span, did_you_mean(wanted.text, known)));
}

Result<void, Diagnostics> add_inputs(const std::map<std::string, Placed>& from, const Names& names,
                                     const Scenario& scenario, analytic::FormulaInputs& into) {
  for (const auto& [name, placed] : from) {
    const auto value = evaluate_expression(placed, names, scenario.source);
    if (!value) return fail(value.error());
    into[name] = *value;
  }
  return {};
}

void append(const analytic::FormulaOutput& output, const std::map<std::string, std::string>& words,
            Tables& tables) {
  Table& table = tables[output.table];
  if (table.columns.empty()) {
    for (const auto& [name, text] : words) table.columns.push_back(name);
    table.columns.insert(table.columns.end(), output.columns.begin(), output.columns.end());
    table.columns.emplace_back("because");
  }
  for (const auto& values : output.rows) {
    std::vector<Cell> row;
    for (const std::string& column : table.columns) {
      const auto word = words.find(column);
      const auto at = std::find(output.columns.begin(), output.columns.end(), column);
      if (word != words.end()) {
        row.emplace_back(word->second);
      } else if (at != output.columns.end()) {
        row.emplace_back(values[static_cast<std::size_t>(at - output.columns.begin())]);
      } else {
        row.emplace_back(column == "because" ? output.because : std::string());
      }
    }
    table.rows.push_back(std::move(row));
  }
}

}  // namespace

Result<Tables, Diagnostics> predict_tables(const Prepared& prepared, const Names& extra) {
  const Scenario& scenario = prepared.scenario;
  Tables tables;
  if (!scenario.prediction) return tables;
  const auto formula = formula_of(scenario);
  if (!formula) return fail(formula.error());
  const Names names = names_of(scenario, *prepared.model);
  std::vector<Prediction::Row> rows = scenario.prediction->rows;
  if (rows.empty()) rows.emplace_back();
  for (const Prediction::Row& row : rows) {
    analytic::FormulaInputs inputs;
    if (auto added = add_inputs(scenario.prediction->inputs, names, scenario, inputs); !added)
      return fail(added.error());
    if (auto added = add_inputs(row.inputs, names, scenario, inputs); !added)
      return fail(added.error());
    for (const auto& [name, value] : extra) inputs[name] = value;
    const auto output = analytic::evaluate_formula(**formula, inputs);
    if (!output) {
      return fail(scenario_error("E0916", output.error(), scenario.source,
                                 scenario.prediction->formula.span,
                                 "inputs stand in [prediction.inputs] or in a row's inputs"));
    }
    append(*output, row.words, tables);
  }
  return tables;
}

}  // namespace brink
