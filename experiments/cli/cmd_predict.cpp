// predict: the scenario's formula, its passages, and how they compare with the machine and the
// observed data.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "experiments/cli/interrupt.h"
#include "experiments/cli/scenario_command.h"
#include "experiments/data/files.h"
#include "experiments/data/quantity.h"
#include "models/language/diagnostic.h"

namespace brink::cli {
namespace {

void print_passage(const PassageResult& passage, bool verbose, Output& output) {
  output.object(
      {{"type", "passage"},
       {"name", passage.name},
       {"verdict", passage.converged ? "true" : "unknown"},
       {"seconds", passage.converged ? json_number(passage.seconds) : nlohmann::ordered_json()},
       {"error_bound", json_number(passage.error_bound)},
       {"method", passage.method},
       {"states", passage.states},
       {"rates", passage.rates}});
  if (!passage.converged) {
    const std::string& note = interrupted() ? why_interrupted() : passage.note;
    output.say(fmt::format("  chain      {:<28} UNDECIDED: {}\n", passage.name, note));
    return;
  }
  output.say(fmt::format("  chain      {:<28} {:.6g} s (+- {:.1g}; {} states, {})\n", passage.name,
                         passage.seconds, passage.error_bound, passage.states, passage.method));
  if (verbose) {
    for (const std::string& rate : passage.rates)
      output.say(fmt::format("               {}\n", rate));
  }
}

int undecided(Output& output) {
  return output.error(kUndecided, why_interrupted() + " before there was a result");
}

/// Empty, or why there is no such metric: those there are.
std::string metric_refusal(const VariantResult& variant, const std::string& metric) {
  if (metric.empty()) return {};
  std::vector<std::string> known;
  for (const Names* metrics :
       {&variant.predicted_metrics, &variant.simulated_metrics, &variant.observed_metrics})
    for (const auto& [name, value] : *metrics) known.push_back(name);
  for (const Passage& passage : variant.prepared.scenario.passages) known.push_back(passage.name);
  if (std::find(known.begin(), known.end(), metric) != known.end()) return {};
  const std::string near = nearest_name(metric, known);
  return fmt::format("no metric or passage `{}`{}", metric,
                     near.empty() ? "" : fmt::format("; did you mean `{}`?", near));
}

int print_passages(const VariantResult& variant, const Options& options, Output& output) {
  int code = kDone;
  Names estimates;
  for (const Passage& passage : variant.prepared.scenario.passages) {
    if (!options.metric.empty() && passage.name != options.metric) continue;
    if (passage.estimated && estimates.empty()) {
      output.progress("estimating rates from a run of the machine");
      auto rates = estimate_rates(variant.prepared, static_cast<std::uint64_t>(options.seed));
      if (!rates && rates.error().empty()) return undecided(output);
      if (!rates) return output.report(rates.error());
      estimates = std::move(*rates);
    }
    output.progress("solving " + passage.name);
    const auto solved =
        solve_passage(variant.prepared, passage, passage.estimated ? estimates : Names{});
    if (!solved) return output.report(solved.error());
    print_passage(*solved, options.verbose, output);
    if (!solved->converged) code = worse(code, kUndecided);
  }
  return code;
}

std::string bar(double value, double largest) {
  const int length =
      largest > 0 && std::isfinite(value) ? static_cast<int>(std::lround(36 * value / largest)) : 0;
  return std::string(static_cast<std::size_t>(std::max(0, length)), '#');
}

int print_curve(const ScenarioFile& file, const Options& options, const Settings& settings,
                Output& output) {
  if (options.metric.empty())
    return output.error(kUsage, "a range in --set needs --metric M",
                        "brink predict SCENARIO lists the metrics");
  Curve curve;
  curve.name = "sweep";
  curve.setting = settings.sweep->path;
  curve.values = settings.sweep->values;
  curve.metric = options.metric;
  curve.variant = options.variant;
  const bool machine = options.against == "machine";
  const auto result =
      evaluate_curve(file, curve, settings.overrides, static_cast<std::uint64_t>(options.seed),
                     static_cast<unsigned>(options.threads), machine, &interrupted());
  if (!result && result.error().empty()) {
    output.note(why_interrupted() + ": no curve");
    return kUndecided;
  }
  if (!result) return output.report(result.error());
  if (std::all_of(result->predicted.begin(), result->predicted.end(),
                  [](double v) { return std::isnan(v); }))
    return output.error(kUsage,
                        fmt::format("the formula predicts no metric `{}` here", options.metric),
                        "brink predict SCENARIO lists them; passages have no curves");
  double largest = 0;
  for (const double value : result->predicted)
    largest = std::max(largest, std::isfinite(value) ? value : 0);
  output.say(fmt::format("{:>16} {:>12}{}\n", curve.setting.substr(curve.setting.rfind('.') + 1),
                         "predicted", machine ? "    simulated    error" : ""));
  Table table{{curve.setting, "predicted", "simulated"}, {}};
  for (std::size_t i = 0; i < result->x.size(); ++i) {
    const double predicted = result->predicted[i], simulated = result->simulated[i];
    output.object({{"type", "point"},
                   {"setting", curve.setting},
                   {"value", curve.values[i]},
                   {"metric", curve.metric},
                   {"predicted", json_number(predicted)},
                   {"simulated", json_number(simulated)}});
    const std::string right =
        machine ? fmt::format(" {:>12.5g} {:>+7.1f}%", simulated, 100 * (predicted / simulated - 1))
                : "";
    output.say(fmt::format("{:>16} {:>12.5g}{}  {}\n", curve.values[i], predicted, right,
                           bar(predicted, largest)));
    table.rows.push_back({curve.values[i], predicted, simulated});
  }
  if (options.out.empty()) return kDone;
  const std::string path = options.out + "/" + curve.metric + ".csv";
  const auto written = write_whole(path, to_csv(table));
  if (!written) return output.error(kEnvironment, written.error());
  output.note("wrote " + path);
  return kDone;
}

}  // namespace

int run_predict(const Options& options, Output& output) {
  output.object({{"type", "start"}, {"schema", "brink/1"}, {"command", "predict"}});
  if (!options.against.empty() && options.against != "machine" && options.against != "observed") {
    return output.error(kUsage, "--against takes machine or observed");
  }
  int code = kDone;
  const auto file = open_scenario(options.arguments[0], output, code);
  if (!file) return code;
  const auto settings = read_settings(options);
  if (!settings) return output.error(kUsage, settings.error());
  if (settings->sweep) return print_curve(*file, options, *settings, output);
  const bool machine = options.against == "machine";
  if (machine) output.progress("simulating");
  const auto variant =
      evaluate_variant(*file, options.variant, settings->overrides,
                       static_cast<std::uint64_t>(options.seed), machine, &interrupted());
  if (!variant && variant.error().empty()) return undecided(output);
  if (!variant) return output.report(variant.error());
  if (const std::string problem = metric_refusal(*variant, options.metric); !problem.empty())
    return output.error(kUsage, problem);
  const Scenario& scenario = variant->prepared.scenario;
  output.say(fmt::format("{}\n", scenario.title));
  if (scenario.prediction)
    output.say(fmt::format("  formula {} (hand-derived)\n\n", scenario.prediction->formula.text));
  print_metrics(variant->predicted_metrics, "predicted", options.metric, output);
  if (machine) print_metrics(variant->simulated_metrics, "simulated", options.metric, output);
  if (options.against == "observed")
    print_metrics(variant->observed_metrics, "observed", options.metric, output);
  return worse(code, print_passages(*variant, options, output));
}

}  // namespace brink::cli
