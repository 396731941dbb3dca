// The HTML report: one file, no network, everything of an evaluation with the commands to redo it.
// Used by: reproduce.
#pragma once

#include <string>
#include <vector>

#include "experiments/figures/figure.h"
#include "experiments/scenario/claims.h"

namespace brink {

struct ReportPart {
  const Evaluation* evaluation = nullptr;
  std::vector<Figure> figures;
};

/// The figures a scenario asks for, from its evaluation. Errors: a series that names a table or
/// column that is not there (E0919).
Result<std::vector<Figure>, Diagnostics> figures_of(const Evaluation& evaluation);

/// The claims as a table: report, claim, verdict, predicted, simulated, observed, expected, within.
Table claims_table(const std::vector<const Evaluation*>& evaluations);

/// The same for a terminal.
std::string claims_text(const std::vector<const Evaluation*>& evaluations);

std::string to_html(const std::vector<ReportPart>& parts, const std::string& version);

}  // namespace brink
