// The loads that were run on live kernels: reads of single pages in the order of a pattern, and
// writers whose files live for a few rounds.
//
// Users: run_script.cpp, for the statements `access` and `churn`.
#pragma once

#include "models/machine/engine.h"
#include "models/machine/kernel.h"
#include "models/machine/run_result.h"
#include "models/workloads/script.h"

namespace brink::machine {

/// Reads as `access` says. A read is a hit if its page is in memory just before; with read-ahead a
/// page may be that although the disk had to read it (`read_bytes`).
Co<AccessRun> access_pages(Process& process, Kernel& kernel, Engine& engine, const Statement& s);

/// Runs the writers of `churn` to their end. Files are numbered from `first_file` on, `keep` + 1
/// for each writer.
Co<> churn(Process& process, Kernel& kernel, Engine& engine, const Statement& s, int first_file);

}  // namespace brink::machine
