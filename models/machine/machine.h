// The machine of pages: put together from a description, a kernel, its tunables and a workload,
// run once, deterministic.
//
//   auto made = make_machine(description, "linux-1.3.78", tunables, script, 1);
//   if (!made) return report(made.error().message());
//   RunResult result = made->run();
//
// Users: `brink simulate`, conformance, sweeps, tests.
#pragma once

#include <atomic>
#include <memory>
#include <string_view>

#include "models/machine/description.h"
#include "models/machine/observer.h"
#include "models/machine/run_result.h"
#include "models/machine/tables.h"

namespace brink::machine {

class Machine {
 public:
  struct Parts;
  explicit Machine(std::unique_ptr<Parts> parts);
  Machine(Machine&&) noexcept;
  Machine& operator=(Machine&&) noexcept;
  ~Machine();

  /// Lets `observer` watch and decide; null takes it away. The observer must outlive the run.
  void observe(Observer* observer);

  /// The counters now: the initial state before `run`, the end state after it.
  Counters counters() const;

  /// Runs the workload to its end, to the time limit, or until nothing can happen any more.
  /// Ends at the next event once `interrupt` (may be null) is true. To be called once. Throws
  /// InternalError (a bug) only.
  RunResult run(const std::atomic<bool>* interrupt = nullptr);

 private:
  std::unique_ptr<Parts> parts_;
};

/// Builds a machine. `kernel` is a name of models/kernels/kernels.h, `workload` the text of a
/// script (models/workloads/script.h). `seed` feeds whatever draws random numbers: sizes of file
/// sets, moments of programs, injected faults; the kernels of 1996 and 2001 draw none. Errors name
/// the parameter, tunable or statement.
Result<Machine, MachineError> make_machine(const MachineDescription& description,
                                           std::string_view kernel, const Tunables& tunables,
                                           std::string_view workload, std::uint64_t seed);

}  // namespace brink::machine
