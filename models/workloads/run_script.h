// The process that carries out a workload script. Users: Machine::run.
#pragma once

#include "models/machine/kernel.h"
#include "models/machine/run_result.h"
#include "models/workloads/script.h"

namespace brink::machine {

/// Runs `script` on `kernel`; timed commands, lines and samples go to `result` as they happen.
/// Everything referred to must outlive the process.
Co<> run_script(const Script& script, Kernel& kernel, Engine& engine, const Probe& probe,
                RunResult& result);

}  // namespace brink::machine
