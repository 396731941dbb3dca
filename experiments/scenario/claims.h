// Evaluating a scenario: every variant simulated and predicted once, checks decided, claims judged.
//
// Used by: reproduce (the table report x claim x verdict | predicted | simulated | observed |
// within?), tests.
#pragma once

#include <atomic>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/scenario/predict.h"
#include "solver/result.h"

namespace brink {

/// One variant of a scenario with everything computed from it. Absent numbers are absent. With
/// [ensemble] the simulated metrics are means over its runs; tables and text are of the first run.
struct VariantResult {
  Prepared prepared;
  Tables simulated, predicted, observed;
  Names simulated_metrics, predicted_metrics, observed_metrics;
  std::string run_text;
};

struct CheckOutcome {
  Check check;
  ModelPtr model;  ///< at the sizes checked
  solver::CheckResult result;
  std::string trace_table;  ///< of a violated property, for people
  bool as_expected = false;
};

struct CurveResult {
  Curve curve;
  std::vector<double> x, simulated, predicted;  ///< NaN: not available
  Names summary;  ///< error, step_simulated, step_predicted, step_error, ratio_simulated,
                  ///< ratio_predicted
};

/// A RowSweep done: the file's rows with what was observed, simulated and predicted of each.
struct RowsResult {
  RowSweep sweep;
  Table table;    ///< the file's columns, then observed, simulated, predicted (NaN: not available)
  Names summary;  ///< see summarise_rows
};

struct ClaimResult {
  std::string claim, verdict;  ///< verdict: HOLDS / VIOLATED / UNDECIDED for checks, else empty
  std::optional<double> predicted, simulated, observed;
  std::string expected;  ///< "[2.5, 4.2]", "within 10 % of observed", "VIOLATED"
  bool within = false;
};

struct Evaluation {
  Scenario scenario;
  std::map<std::string, VariantResult> variants;  ///< "" is the scenario as it stands
  std::vector<CheckOutcome> checks;
  std::vector<PassageResult> passages;
  std::vector<CurveResult> curves;
  std::vector<RowsResult> rows;
  std::vector<ClaimResult> claims;
  bool all_within = true;
  bool all_decided = true;
};

struct EvaluateOptions {
  std::uint64_t seed = 1;
  unsigned threads = 2;
  std::vector<Override> overrides;
  const std::atomic<bool>* stop = nullptr;  ///< set from outside: work ends at its next step
};

/// Computes all of it. Errors: the first thing of the scenario that is wrong; none at all when
/// `stop` was set. `progress` is told what is done.
Result<Evaluation, Diagnostics> evaluate_scenario(
    const ScenarioFile& file, const EvaluateOptions& options,
    const std::function<void(const std::string&)>& progress);

/// One variant: simulated (unless `simulate_it` is false) and predicted. Errors: of the scenario;
/// none at all when interrupted.
Result<VariantResult, Diagnostics> evaluate_variant(const ScenarioFile& file,
                                                    const std::string& variant,
                                                    const std::vector<Override>& overrides,
                                                    std::uint64_t seed, bool simulate_it,
                                                    const std::atomic<bool>* stop = nullptr);

/// One curve, its points on `threads` threads. `stop` as in EvaluateOptions.
Result<CurveResult, Diagnostics> evaluate_curve(const ScenarioFile& file, const Curve& curve,
                                                const std::vector<Override>& overrides,
                                                std::uint64_t seed, unsigned threads,
                                                bool simulate_it,
                                                const std::atomic<bool>* stop = nullptr);

/// One sweep over the rows of a file. Errors: no such file or column, what a row sets is wrong.
Result<RowsResult, Diagnostics> evaluate_rows(const ScenarioFile& file, const Scenario& scenario,
                                              const RowSweep& sweep,
                                              const std::vector<Override>& overrides,
                                              std::uint64_t seed, unsigned threads,
                                              const std::atomic<bool>* stop = nullptr);

/// What is said of many rows at once, for "simulated" and "predicted" behind each name:
/// mean_error, max_error (absolute), mean_relative, max_relative (error over observed), max_decades
/// (of the ratio, absolute), disorder (the largest ratio of two observed values that came out in
/// the other order; 1: none did); and mean, min, max of them and of "observed".
Names summarise_rows(const std::vector<double>& observed, const std::vector<double>& simulated,
                     const std::vector<double>& predicted);

/// Rates of the model's commands per second from a run of the scenario. Errors: none at all when
/// interrupted.
Result<Names, Diagnostics> estimate_rates(const Prepared& prepared, std::uint64_t seed);

}  // namespace brink
