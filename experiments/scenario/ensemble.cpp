#include "experiments/scenario/ensemble.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "experiments/scenario/parallel.h"

namespace brink {

Spread spread_of(const std::vector<double>& values) {
  Spread spread;
  double squares = 0;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    ++spread.runs;
    const double delta = value - spread.mean;
    spread.mean += delta / static_cast<double>(spread.runs);
    squares += delta * (value - spread.mean);
    spread.least = spread.runs == 1 ? value : std::min(spread.least, value);
    spread.most = spread.runs == 1 ? value : std::max(spread.most, value);
  }
  if (spread.runs < 2) {
    spread.half_width = std::nan("");
    return spread;
  }
  const auto n = static_cast<double>(spread.runs);
  const boost::math::students_t student(n - 1);
  spread.half_width = boost::math::quantile(student, 0.975) * std::sqrt(squares / (n - 1) / n);
  return spread;
}

namespace {

struct Outcome {
  Run run;
  Names metrics;
  Diagnostics error;
  bool finished = false;
};

void run_one(const Prepared& prepared, std::uint64_t seed, bool keep, Outcome& into) {
  auto run = simulate(prepared, seed);
  if (!run) {
    into.error = run.error();
    return;
  }
  if (run->result.ending == machine::Ending::interrupted) return;
  auto metrics =
      compute_metrics(prepared.scenario, run->tables, names_of(prepared.scenario, *prepared.model));
  if (!metrics) {
    into.error = metrics.error();
    return;
  }
  into.metrics = std::move(*metrics);
  if (keep) into.run = std::move(*run);
  into.finished = true;
}

}  // namespace

Result<Ensemble, Diagnostics> run_ensemble(const Prepared& prepared, std::uint64_t first,
                                           std::int64_t count, unsigned threads) {
  std::vector<Outcome> outcomes(static_cast<std::size_t>(count));
  for_each_index(
      outcomes.size(), threads, [&] { return prepared.stopped(); },
      [&](std::size_t i) { run_one(prepared, first + i, i == 0, outcomes[i]); });
  std::map<std::string, std::vector<double>> values;
  for (Outcome& outcome : outcomes) {
    if (!outcome.error.empty()) return fail(std::move(outcome.error));
    if (!outcome.finished) return fail(Diagnostics{});
    for (const auto& [name, value] : outcome.metrics) values[name].push_back(value);
  }
  Ensemble ensemble;
  ensemble.first = std::move(outcomes.front().run);
  for (const auto& [name, list] : values) ensemble.metrics[name] = spread_of(list);
  return ensemble;
}

}  // namespace brink
