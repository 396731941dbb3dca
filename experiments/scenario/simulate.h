// Running a scenario on the machine of pages, and its results as tables.
// Used by: simulate, conform, predict --against machine, reproduce, curves.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <string>

#include "experiments/data/table.h"
#include "experiments/scenario/expression.h"
#include "experiments/scenario/scenario.h"
#include "models/kernels/kernels.h"
#include "models/language/model.h"
#include "models/machine/observer.h"
#include "models/machine/run_result.h"

namespace brink {

/// A scenario with its model at real size and its kernel: what a run needs.
struct Prepared {
  Scenario scenario;
  ModelPtr model;
  const machine::KernelRow* kernel = nullptr;
  machine::Tunables tunables;
  /// Set from outside: runs, conformance and passages end at their next step (null: never).
  const std::atomic<bool>* stop = nullptr;

  bool stopped() const { return stop != nullptr && stop->load(std::memory_order_relaxed); }
};

/// Loads the model (an empty one if the scenario names none), evaluates the kernel's tunables from
/// its constants, and checks every decision site the scenario names. Errors E09xx.
Result<Prepared, Diagnostics> prepare(const Scenario& scenario,
                                      const std::atomic<bool>* stop = nullptr);

/// The scenario's numbers by name: machine parameters in their units, constants of the model (bool
/// as 0/1).
Names names_of(const Scenario& scenario, const Model& model);

/// Tables of one source: "timed", "lines", "tasks", "vmstat", "dbench", "tests", "access", "memory".
using Tables = std::map<std::string, Table>;

struct Run {
  Tables tables;
  std::string text;  ///< as the original tools print it
  machine::RunResult result;
};

/// One run. `observer` watches (and decides); null: the kernel alone. Sites with decide = "model"
/// are answered by the model's guard in either case. `before` is shown the counters before the run.
/// An interrupted run says so in its `ending`; its tables hold what was finished.
Result<Run, Diagnostics> simulate(const Prepared& prepared, std::uint64_t seed,
                                  machine::Observer* observer = nullptr,
                                  const std::function<void(machine::Counters)>& before = {});

/// The tables of a run. "timed": phase, command, copy (counted within its phase), start_s, user_s,
/// system_s, elapsed_s, cpu_percent, and every counter after the command. "lines": position_mb,
/// throughput_mb_s, at_s and every counter at that second. "tasks": task, user_s, system_s,
/// reclaim_s, spin_s, reclaim_share (of the run's time). "vmstat": the columns of vmstat with
/// units. "dbench": phase, clients, throughput_mb_s, cpu_percent, files, counters. "tests": one
/// row, NAME_s for every `test NAME`, and the counters at the end.
Tables tables_of(const machine::RunResult& result, const machine::KernelRow& kernel);

/// The scenario's observed files. Errors: those of reading CSV.
Result<Tables, Diagnostics> observed_tables(const Scenario& scenario);

}  // namespace brink
