// Kernel: what a workload can ask a kernel to do, and what the machine needs of it.
//
// Users: workloads (system calls), make_machine and run (boot, samples). Kernels implement one of
// the two families; the other one's pointer is null.
#pragma once

#include <cstdint>

#include "models/machine/probe.h"
#include "models/machine/task.h"

namespace brink::machine {

/// Whole-file operations on a file system. Files are dense numbers given by the workload.
class FileCalls {
 public:
  virtual ~FileCalls() = default;
  virtual Co<> write(Process& process, int file, std::int64_t bytes) = 0;
  virtual Co<> read(Process& process, int file) = 0;
  virtual Co<> copy(Process& process, int from, int to, std::int64_t bytes) = 0;
  virtual Co<> sync(Process& process) = 0;
  virtual Co<> remove(Process& process, int file) = 0;
  /// Length in bytes, 0 if it does not exist.
  virtual std::int64_t length(int file) const = 0;
};

/// Sequential reads of a block device through the buffer cache.
class DeviceCalls {
 public:
  virtual ~DeviceCalls() = default;
  /// Reads `bytes` bytes from `position` on.
  virtual Co<> read_device(Process& process, std::int64_t position, std::int64_t bytes) = 0;
};

class Kernel {
 public:
  virtual ~Kernel() = default;
  /// Starts the daemons. Called once, after the workload's process was made.
  virtual void boot() = 0;
  /// Recounts lists against counters; BRINK_CHECK fails on a difference.
  virtual void check() const = 0;
  virtual FileCalls* files() { return nullptr; }
  virtual DeviceCalls* device() { return nullptr; }
};

}  // namespace brink::machine
