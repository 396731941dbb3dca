// simulate: a scenario on the machine of pages, printed as the original tools print it.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "experiments/cli/interrupt.h"
#include "experiments/cli/scenario_command.h"
#include "experiments/data/files.h"
#include "experiments/scenario/ensemble.h"

namespace brink::cli {
namespace {

/// Writes every event as a line: time in ns, event, count, all counters.
class EventLog final : public machine::Observer {
 public:
  explicit EventLog(const machine::KernelRow& kernel) : kernel_(kernel) {
    text_ = "at_ns,event,count";
    for (const auto& counter : kernel.counters) text_ += fmt::format(",{}", counter.name);
    text_ += "\n";
  }
  void event(int event, std::int64_t count, machine::Counters counters,
             machine::Time now) override {
    text_ += fmt::format("{},{},{}", now, kernel_.events[event].name, count);
    for (const std::int64_t value : counters) text_ += fmt::format(",{}", value);
    text_ += "\n";
  }
  const std::string& text() const { return text_; }

 private:
  const machine::KernelRow& kernel_;
  std::string text_;
};

void print_tasks(const Tables& tables, Output& output) {
  const auto found = tables.find("tasks");
  if (found == tables.end()) return;
  const Table& table = found->second;
  output.say("\n  task          user s   system s  of it reclaim  spinning   CPU share\n");
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const auto number = [&](const char* column) { return table.number(row, table.column(column)); };
    output.say(fmt::format("  {:<10} {:>9.2f} {:>10.2f} {:>14.2f} {:>9.2f} {:>10.1f}%\n",
                           table.text(row, 0), number("user_s"), number("system_s"),
                           number("reclaim_s"), number("spin_s"), 100 * number("cpu_share")));
    output.object({{"type", "task"},
                   {"name", table.text(row, 0)},
                   {"user_s", number("user_s")},
                   {"system_s", number("system_s")},
                   {"reclaim_s", number("reclaim_s")},
                   {"spin_s", number("spin_s")}});
  }
}

void print_rows(const Tables& tables, Output& output) {
  for (const auto& [name, table] : tables) {
    if (name == "tasks") continue;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      nlohmann::ordered_json object = {{"type", name}};
      for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const double* number = std::get_if<double>(&table.rows[row][i]);
        object[table.columns[i]] =
            number ? json_number(*number)
                   : nlohmann::ordered_json(table.text(row, static_cast<int>(i)));
      }
      output.object(object);
    }
  }
}

std::string ending_text(machine::Ending ending) {
  switch (ending) {
    case machine::Ending::finished:
      return "finished";
    case machine::Ending::time_limit:
      return "stopped at the scenario's time limit";
    case machine::Ending::interrupted:
      return why_interrupted();
    case machine::Ending::stuck:
      return "stuck: nothing can ever happen again";
  }
  return "";
}

int run_once(const Prepared& prepared, const Options& options, std::uint64_t seed, Output& output) {
  std::unique_ptr<EventLog> log;
  if (!options.trace_out.empty()) log = std::make_unique<EventLog>(*prepared.kernel);
  const auto run = simulate(prepared, seed, log.get());
  if (!run) return output.report(run.error());
  const machine::Ending ending = run->result.ending;
  if (ending == machine::Ending::interrupted) {
    output.say(run->text);
    return output.error(
        kUndecided,
        fmt::format("{} after {:.2f} simulated seconds; no metrics of an unfinished run",
                    why_interrupted(), static_cast<double>(run->result.end_ns) * 1e-9));
  }
  output.object({{"type", "run"},
                 {"scenario", prepared.scenario.name},
                 {"kernel", prepared.scenario.kernel.text},
                 {"seed", seed},
                 {"simulated_s", static_cast<double>(run->result.end_ns) * 1e-9},
                 {"ending", ending_text(ending)}});
  output.say(fmt::format("{}: kernel {}, seed {}\n{}", prepared.scenario.name,
                         prepared.scenario.kernel.text, seed, run->text));
  print_rows(run->tables, output);
  print_tasks(run->tables, output);
  const auto observed = observed_tables(prepared.scenario);
  if (!observed) return output.report(observed.error());
  const Tables* const sources[] = {&run->tables, &*observed};
  if (const auto checked = check_metric_columns(prepared.scenario, sources); !checked)
    return output.report(checked.error());
  const auto metrics =
      compute_metrics(prepared.scenario, run->tables, names_of(prepared.scenario, *prepared.model));
  if (!metrics) return output.report(metrics.error());
  output.say(fmt::format("\n  simulated {:.2f} s, {}\n",
                         static_cast<double>(run->result.end_ns) * 1e-9, ending_text(ending)));
  print_metrics(*metrics, "simulated", options.metric, output);
  if (log) {
    const auto written = write_whole(options.trace_out, log->text());
    if (!written) return output.error(kEnvironment, written.error());
    output.note(fmt::format("wrote {}", options.trace_out));
  }
  return kDone;
}

// The metrics of R runs with seeds S, S + 1, ...: mean, 95 % interval, least and most.
int run_many(const Prepared& prepared, const Options& options, std::uint64_t seed, Output& output) {
  const auto ensemble =
      run_ensemble(prepared, seed, options.runs, static_cast<unsigned>(options.threads));
  if (!ensemble && ensemble.error().empty()) {
    return output.error(kUndecided,
                        fmt::format("{}; no metrics of an unfinished ensemble", why_interrupted()));
  }
  if (!ensemble) return output.report(ensemble.error());
  output.say(fmt::format("{}: kernel {}, {} runs, seeds {} to {}\n\n", prepared.scenario.name,
                         prepared.scenario.kernel.text, options.runs, seed,
                         seed + static_cast<std::uint64_t>(options.runs) - 1));
  output.say(
      "  metric                        mean   95 % interval of the mean        least         "
      "most\n");
  for (const auto& [name, spread] : ensemble->metrics) {
    if (!options.metric.empty() && name != options.metric) continue;
    output.say(fmt::format("  {:<22} {:>11.6g}   [{:.6g}, {:.6g}]{:>{}}{:>11.6g}  {:>11.6g}\n",
                           name, spread.mean, spread.mean - spread.half_width,
                           spread.mean + spread.half_width, "", 3, spread.least, spread.most));
    output.object({{"type", "ensemble"},
                   {"metric", name},
                   {"runs", spread.runs},
                   {"mean", json_number(spread.mean)},
                   {"low", json_number(spread.mean - spread.half_width)},
                   {"high", json_number(spread.mean + spread.half_width)},
                   {"least", json_number(spread.least)},
                   {"most", json_number(spread.most)}});
  }
  return kDone;
}

}  // namespace

int run_simulate(const Options& options, Output& output) {
  output.object({{"type", "start"}, {"schema", "brink/1"}, {"command", "simulate"}});
  int code = kDone;
  const auto file = open_scenario(options.arguments[0], output, code);
  if (!file) return code;
  const auto prepared = prepare_scenario(*file, options, output, code);
  if (!prepared) return code;
  if (!options.metric.empty()) {
    bool known = false;
    for (const Metric& metric : prepared->scenario.metrics)
      known = known || metric.name == options.metric;
    if (!known)
      return output.error(kUsage, fmt::format("the scenario has no metric `{}`", options.metric));
  }
  if (options.runs > 1 && !options.trace_out.empty())
    return output.error(kUsage, "--trace-out is of one run: leave out --runs");
  const auto seed = static_cast<std::uint64_t>(options.seed);
  if (options.runs > 1) return worse(code, run_many(*prepared, options, seed, output));
  return worse(code, run_once(*prepared, options, seed, output));
}

}  // namespace brink::cli
