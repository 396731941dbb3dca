#include "models/machine/machine.h"

#include <optional>

#include "models/base/check.h"
#include "models/kernels/kernels.h"
#include "models/machine/kernel.h"
#include "models/workloads/run_script.h"

namespace brink::machine {

void Probe::check() const { checked_->check(); }

// In order of destruction: processes (in the engine) hold references to all the rest, so the engine
// goes first.
struct Machine::Parts {
  MachineDescription description;
  Script script;
  RunResult result;
  std::unique_ptr<Kernel> kernel;
  std::optional<Probe> probe;
  std::optional<Engine> engine;
  bool ran = false;
};

Machine::Machine(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Machine::Machine(Machine&&) noexcept = default;
Machine& Machine::operator=(Machine&&) noexcept = default;
Machine::~Machine() = default;

void Machine::observe(Observer* observer) { parts_->probe->observe(observer); }

Counters Machine::counters() const { return parts_->probe->counters(); }

namespace {

/// Counters over time. When there are too many, every second one goes and the distance doubles, so
/// that a run of any length gives some hundreds.
struct History {
  const Probe& probe;
  std::vector<Sample>& samples;
  Time distance = 1'000'000;

  static Time look(void* object, Time now) {
    auto& self = *static_cast<History*>(object);
    if (self.samples.size() == kMostHistory) {
      std::size_t kept = 0;
      for (std::size_t i = 0; i < kMostHistory; i += 2) {
        if (i > 0) self.samples[kept] = std::move(self.samples[i]);
        ++kept;
      }
      self.samples.resize(kept);
      self.distance *= 2;
    }
    self.samples.push_back({now, "", self.probe.counters()});
    return (now / self.distance + 1) * self.distance;
  }
};

Ending ending_of(Engine::Stop stop) {
  switch (stop) {
    case Engine::Stop::done:
      return Ending::finished;
    case Engine::Stop::limit:
      return Ending::time_limit;
    case Engine::Stop::interrupted:
      return Ending::interrupted;
    case Engine::Stop::nothing_left:
      break;
  }
  return Ending::stuck;
}

}  // namespace

RunResult Machine::run(const std::atomic<bool>* interrupt) {
  BRINK_CHECK(!parts_->ran, "a machine runs once");
  parts_->ran = true;
  Parts& p = *parts_;
  Process& root = p.engine->spawn(
      "workload", run_script(p.script, *p.kernel, *p.engine, *p.probe, p.result), false);
  p.kernel->boot();
  History history{*p.probe, p.result.history};
  p.engine->set_look(History::look, &history);
  p.result.ending = ending_of(p.engine->run(root, p.description.time_limit_ns, interrupt));
  p.result.end_ns = p.engine->now();
  p.result.end_counters = p.probe->counters();
  p.result.samples.push_back({p.engine->now(), "end", p.probe->counters()});
  for (const auto& entry : p.engine->processes()) {
    const Process& process = entry->process;
    p.result.tasks.push_back(
        {entry->name, process.user_ns, process.system_ns, process.reclaim_ns, process.spin_ns});
  }
  return std::move(p.result);
}

Result<Machine, MachineError> make_machine(const MachineDescription& description,
                                           std::string_view kernel, const Tunables& tunables,
                                           std::string_view workload, std::uint64_t seed) {
  const auto row = find_kernel(kernel);
  if (!row) return fail(row.error());
  const KernelRow& k = **row;
  if (auto checked = check_description(description, k.family); !checked) {
    return fail(checked.error());
  }
  auto values = read_tunables(k.tunables, tunables);
  if (!values) return fail(values.error());
  auto script = parse_script(workload, k.family);
  if (!script) return fail(script.error());
  if (auto bound = bind_tunables(*script, k.tunables); !bound) return fail(bound.error());

  auto parts = std::make_unique<Machine::Parts>();
  parts->description = description;
  parts->script = std::move(*script);
  parts->engine.emplace(static_cast<int>(description.cpus), description.wake_ns);
  parts->engine->set_seed(seed);
  parts->engine->set_slice(description.slice_ns);
  parts->probe.emplace(*parts->engine, k.counters.size());
  parts->probe->refuse(k.decisions, description.fault_alloc_ppm, seed);
  auto made = k.make(parts->description, *values, *parts->engine, *parts->probe);
  if (!made) return fail(made.error());
  parts->kernel = std::move(*made);
  const Statement* raw = first_of(parts->script.statements, Verb::readfiles);
  if (raw != nullptr && parts->kernel->device() == nullptr) {
    return fail(MachineError{"readfiles", "this kernel has files in pages, no raw devices",
                             raw->line, raw->column});
  }
  if (description.check_invariants != 0) parts->probe->check_with(parts->kernel.get());
  return Machine(std::move(parts));
}

}  // namespace brink::machine
