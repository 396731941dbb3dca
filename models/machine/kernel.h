// Kernel: what a workload can ask a kernel to do, and what the machine needs of it.
//
// Users: workloads (system calls), make_machine and run (boot, samples). Kernels implement one of
// the families files and device; those of the paging family have files and paging calls, and
// linux-6 device calls, too. The other pointers are null.
#pragma once

#include <cstdint>
#include <string>

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

/// A program beside the script: anonymous memory and the text it maps from a file of its own.
struct ProgramSpec {
  std::string name;
  std::int64_t bytes = 0;       ///< anonymous memory
  std::int64_t text_bytes = 0;  ///< mapped file pages
  std::int64_t idle_percent = 0;
  Time every_ns = 0;  ///< it touches every page that is not idle once in this time
};

/// Running totals as /proc/stat and /proc/meminfo show them.
struct Totals {
  std::int64_t swapped_bytes = 0, free_bytes = 0, buffer_bytes = 0, cache_bytes = 0;
  std::int64_t swapped_in_bytes = 0, swapped_out_bytes = 0;
  std::int64_t read_bytes = 0;      ///< from the disk, swap-ins included
  std::int64_t write_requests = 0;  ///< buffer heads written, as `bo` counts them
  std::int64_t interrupts = 0;
  std::int64_t waiting_for_disk = 0;
};

/// Files in pages, and programs that compete with them for memory.
class PagingCalls {
 public:
  virtual ~PagingCalls() = default;
  /// Starts a program; its memory is there when this returns, or on its way to swap.
  virtual Co<> start_program(Process& process, const ProgramSpec& program) = 0;
  /// A file that is on the disk already and not in memory.
  virtual void place_file(int file, std::int64_t bytes) = 0;
  /// One read of 8 KiB at a page of the file.
  virtual Co<> read_block(Process& process, int file, std::int64_t page) = 0;
  /// Is the page of the file in memory, and read? (what mincore tells)
  virtual bool present(int file, std::int64_t page) const = 0;
  /// A read of a page that is present and starts no I/O; false if it is not so. Costs no time: the
  /// caller sums it up and pays for it later, for all `pages` at once.
  virtual bool touch(int file, std::int64_t page) = 0;
  virtual Co<> pay_reads(Process& process, std::int64_t pages) = 0;
  virtual std::int64_t page_bytes() const = 0;
  /// Any read of one page; `ahead`: with read-ahead.
  virtual Co<> read_page(Process& process, int file, std::int64_t page, bool ahead) = 0;
  /// Metadata read into the buffer cache.
  virtual Co<> fill_buffers(Process& process, std::int64_t bytes) = 0;
  virtual Totals totals() const = 0;
  /// Changes the tunable of this row, which is one that can change at run time.
  virtual void set_tunable(std::size_t row, std::int64_t value) = 0;
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
  virtual PagingCalls* paging() { return nullptr; }
};

}  // namespace brink::machine
