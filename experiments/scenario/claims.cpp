#include "experiments/scenario/claims.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "experiments/conformance/conform.h"
#include "experiments/scenario/checking.h"
#include "experiments/scenario/ensemble.h"

namespace brink {
namespace {

constexpr unsigned kThreads = 2;  // of an ensemble; the numbers do not depend on it

std::optional<double> look_up(const Names& names, const std::string& name) {
  const auto found = names.find(name);
  return found == names.end() ? std::nullopt : std::optional<double>(found->second);
}

struct Judged {
  bool within = true;
  bool any = false;
};

/// Every value the claim is about must be there and within.
Judged judge(const Claim& claim, const std::map<std::string, std::optional<double>>& values) {
  Judged judged;
  for (const std::string& source : claim.of) {
    const auto found = values.find(source);
    if (found == values.end() || !found->second) {
      judged.within = false;
      continue;
    }
    judged.any = true;
    const double value = *found->second;
    if (claim.low && !(value >= *claim.low && value <= *claim.high)) judged.within = false;
    if (claim.against.empty()) continue;
    const auto reference = values.find(claim.against);
    if (reference == values.end() || !reference->second) {
      judged.within = false;
      continue;
    }
    const double ratio = value / *reference->second;
    if (!(ratio <= claim.factor && ratio >= 1 / claim.factor)) judged.within = false;
  }
  return judged;
}

std::string expectation(const Claim& claim) {
  std::string text;
  if (claim.low) text = fmt::format("[{:g}, {:g}]", *claim.low, *claim.high);
  if (!claim.against.empty()) {
    text += fmt::format("{}within a factor {:g} of {}", text.empty() ? "" : ", ", claim.factor,
                        claim.against);
  }
  return text;
}

ClaimResult judge_check(const Claim& claim, const Evaluation& evaluation) {
  ClaimResult result;
  result.claim = claim.name;
  for (const CheckOutcome& outcome : evaluation.checks) {
    if (outcome.check.name != claim.check) continue;
    result.verdict = verdict_word(outcome.result.verdict);
    result.expected = outcome.check.expect;
    result.within = outcome.as_expected;
  }
  return result;
}

ClaimResult judge_numbers(const Claim& claim, const Evaluation& evaluation) {
  ClaimResult result;
  result.claim = claim.name;
  result.expected = expectation(claim);
  if (!claim.rows.empty()) {
    for (const RowsResult& rows : evaluation.rows) {
      if (rows.sweep.name != claim.rows) continue;
      result.simulated = look_up(rows.summary, claim.metric + "_simulated");
      result.predicted = look_up(rows.summary, claim.metric + "_predicted");
      result.observed = look_up(rows.summary, claim.metric + "_observed");
    }
  } else if (!claim.curve.empty()) {
    for (const CurveResult& curve : evaluation.curves) {
      if (curve.curve.name != claim.curve) continue;
      result.simulated = look_up(curve.summary, claim.metric + "_simulated");
      result.predicted = look_up(curve.summary, claim.metric + "_predicted");
      if (!result.simulated) result.predicted = look_up(curve.summary, claim.metric);
    }
  } else {
    const VariantResult& variant = evaluation.variants.at(claim.variant);
    const VariantResult* base = nullptr;
    if (!claim.over.empty()) base = &evaluation.variants.at(claim.over == "base" ? "" : claim.over);
    const auto value = [&](Names VariantResult::*metrics) {
      auto number = look_up(variant.*metrics, claim.metric);
      if (!number || !base) return number;
      const auto reference = look_up(base->*metrics, claim.metric);
      return reference ? std::optional<double>(*number / *reference) : std::nullopt;
    };
    result.simulated = value(&VariantResult::simulated_metrics);
    result.predicted = value(&VariantResult::predicted_metrics);
    // What was observed was observed on the kernel of the report: a variant has its own only if it
    // says so.
    const bool own = claim.variant.empty() || variant.prepared.scenario.own_observed;
    if (own) result.observed = value(&VariantResult::observed_metrics);
    for (const PassageResult& passage : evaluation.passages) {
      if (passage.name == claim.metric && passage.converged) result.predicted = passage.seconds;
    }
  }
  result.within = judge(claim, {{"simulated", result.simulated},
                                {"predicted", result.predicted},
                                {"observed", result.observed}})
                      .within;
  return result;
}

/// Variants that claims and figures look at.
std::set<std::string> needed_variants(const Scenario& scenario) {
  std::set<std::string> needed{""};
  for (const Claim& claim : scenario.claims) {
    needed.insert(claim.variant);
    if (!claim.over.empty() && claim.over != "base") needed.insert(claim.over);
  }
  for (const FigureSpec& figure : scenario.figures) {
    for (const FigureSeries& series : figure.series) needed.insert(series.variant);
  }
  return needed;
}

Result<void, Diagnostics> add_passages(const Prepared& prepared, Evaluation& evaluation,
                                       std::uint64_t seed) {
  Names estimates;
  for (const Passage& passage : prepared.scenario.passages) {
    if (passage.estimated && estimates.empty()) {
      auto rates = estimate_rates(prepared, seed);
      if (!rates) return fail(rates.error());
      estimates = std::move(*rates);
    }
    auto solved = solve_passage(prepared, passage, passage.estimated ? estimates : Names{});
    if (!solved) return fail(solved.error());
    evaluation.passages.push_back(std::move(*solved));
  }
  return {};
}

}  // namespace

Result<Names, Diagnostics> estimate_rates(const Prepared& prepared, std::uint64_t seed) {
  const auto followed = conform(prepared, seed, true);
  if (!followed) return fail(followed.error());
  if (!followed->complete()) return fail(Diagnostics{});
  Names rates;
  for (const CommandCount& command : followed->commands) {
    if (command.exposure_s > 0)
      rates[command.command] = estimate_rate(command.count, command.exposure_s).per_second;
  }
  return rates;
}

Result<VariantResult, Diagnostics> evaluate_variant(const ScenarioFile& file,
                                                    const std::string& variant,
                                                    const std::vector<Override>& overrides,
                                                    std::uint64_t seed, bool simulate_it,
                                                    const std::atomic<bool>* stop) {
  const auto scenario = file.interpret(variant, overrides);
  if (!scenario) return fail(scenario.error());
  auto prepared = prepare(*scenario, stop);
  if (!prepared) return fail(prepared.error());
  VariantResult result;
  std::map<std::string, Spread> spreads;
  result.prepared = std::move(*prepared);
  auto predicted = predict_tables(result.prepared);
  if (!predicted) return fail(predicted.error());
  result.predicted = std::move(*predicted);
  auto observed = observed_tables(*scenario);
  if (!observed) return fail(observed.error());
  result.observed = std::move(*observed);
  if (simulate_it) {
    auto ensemble = run_ensemble(result.prepared, seed, scenario->runs, kThreads);
    if (!ensemble) return fail(ensemble.error());
    result.simulated = std::move(ensemble->first.tables);
    result.run_text = std::move(ensemble->first.text);
    spreads = std::move(ensemble->metrics);
  }
  const std::pair<const Tables*, Names*> sources[] = {
      {&result.simulated, &result.simulated_metrics},
      {&result.predicted, &result.predicted_metrics},
      {&result.observed, &result.observed_metrics}};
  const Tables* const all[] = {&result.simulated, &result.predicted, &result.observed};
  if (simulate_it) {
    if (auto checked = check_metric_columns(*scenario, all); !checked) return fail(checked.error());
  }
  const Names names = names_of(*scenario, *result.prepared.model);
  for (const auto& [tables, metrics] : sources) {
    if (tables->empty()) continue;
    auto computed = compute_metrics(*scenario, *tables, names);
    if (!computed) return fail(computed.error());
    *metrics = std::move(*computed);
  }
  for (const auto& [name, spread] : spreads) result.simulated_metrics[name] = spread.mean;
  return result;
}

Result<Evaluation, Diagnostics> evaluate_scenario(
    const ScenarioFile& file, const EvaluateOptions& options,
    const std::function<void(const std::string&)>& progress) {
  const auto scenario = file.interpret({}, options.overrides);
  if (!scenario) return fail(scenario.error());
  Evaluation evaluation;
  evaluation.scenario = *scenario;
  const auto stopped = [&options] { return options.stop && options.stop->load(); };
  for (const std::string& name : needed_variants(*scenario)) {
    if (stopped()) return fail(Diagnostics{});
    progress(name.empty() ? "simulating" : "simulating " + name);
    auto variant =
        evaluate_variant(file, name, options.overrides, options.seed, true, options.stop);
    if (!variant) return fail(variant.error());
    evaluation.variants[name] = std::move(*variant);
  }
  const Prepared& prepared = evaluation.variants.at("").prepared;
  for (const Check& check : scenario->checks) {
    progress("checking " + check.name);
    auto outcome = run_check(prepared, check);
    if (!outcome) return fail(outcome.error());
    evaluation.all_decided =
        evaluation.all_decided && outcome->result.verdict != solver::Verdict::unknown;
    evaluation.checks.push_back(std::move(*outcome));
  }
  if (stopped()) return fail(Diagnostics{});
  progress("solving chains");
  if (auto added = add_passages(prepared, evaluation, options.seed); !added)
    return fail(added.error());
  for (const Curve& curve : scenario->curves) {
    if (stopped()) return fail(Diagnostics{});
    progress("curve " + curve.name);
    auto result = evaluate_curve(file, curve, options.overrides, options.seed, options.threads,
                                 true, options.stop);
    if (!result) return fail(result.error());
    evaluation.curves.push_back(std::move(*result));
  }
  for (const RowSweep& sweep : scenario->rows) {
    if (stopped()) return fail(Diagnostics{});
    progress("rows " + sweep.name);
    auto result = evaluate_rows(file, *scenario, sweep, options.overrides, options.seed,
                                options.threads, options.stop);
    if (!result) return fail(result.error());
    evaluation.rows.push_back(std::move(*result));
  }
  if (stopped()) return fail(Diagnostics{});
  for (const Claim& claim : scenario->claims) {
    evaluation.claims.push_back(claim.check.empty() ? judge_numbers(claim, evaluation)
                                                    : judge_check(claim, evaluation));
    evaluation.all_within = evaluation.all_within && evaluation.claims.back().within;
  }
  return evaluation;
}

}  // namespace brink
