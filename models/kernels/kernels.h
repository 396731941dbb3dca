// The page-level kernels of the machine: one row each, one file each.
//
// Users: make_machine looks a kernel up by name; scenarios read the tables to bind constants,
// variables, commands and guards of a policy model; `brink list` prints them.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "models/machine/description.h"
#include "models/machine/tables.h"

namespace brink::machine {

class Engine;
class Kernel;
class Probe;

struct KernelRow {
  std::string_view name;
  std::string_view title;
  Family family;
  std::span<const TunableRow> tunables;
  std::span<const CounterRow> counters;
  std::span<const EventRow> events;
  std::span<const DecisionRow> decisions;
  /// Checks how the tunables (in table order, each within its range) fit together and with the
  /// description, and builds the kernel. Errors name the tunable.
  Result<std::unique_ptr<Kernel>, MachineError> (*make)(const MachineDescription& description,
                                                        std::span<const std::int64_t> tunables,
                                                        Engine& engine, Probe& probe);
};

/// All kernels, in chronological order.
std::span<const KernelRow> kernel_rows();

/// The kernel called `name`. Error: there is none (with the nearest name).
Result<const KernelRow*, MachineError> find_kernel(std::string_view name);

}  // namespace brink::machine
