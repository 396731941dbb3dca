// RunResult: what one run of the machine gives back, and the text forms of the original tools.
//
// Users: scenarios (claims and figures are computed from it), `brink simulate`, tests.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/machine/tables.h"

namespace brink::machine {

/// A command of the workload that was prefixed by `time`.
struct TimedCommand {
  std::string text;        ///< as written, without `time`: "copy small another"
  std::string phase;       ///< name given by the last `phase NAME` statement, "" if none
  int removes_before = 0;  ///< how many `remove` statements had been executed
  Time start = 0;
  Time user_ns = 0;  ///< CPU time of the command itself
  Time system_ns = 0;
  Time elapsed_ns = 0;
};

/// One line a second of `readfiles`. Bytes are counted from the beginning of the device.
struct ReadfilesLine {
  Time at = 0;
  std::int64_t position_bytes = 0;
  double bytes_per_second = 0;  ///< over the time since the previous line
};

/// A line of `vmstat N`: amounts now, and rates over the interval.
struct VmstatLine {
  Time at = 0;  ///< end of the interval
  Time interval_ns = 0;
  std::int64_t running = 0, blocked = 0;  ///< now
  std::int64_t swapped_kib = 0, free_kib = 0, buffer_kib = 0, cache_kib = 0;
  std::int64_t swap_in = 0, swap_out = 0;  ///< KiB/s
  std::int64_t blocks_in = 0;   ///< KiB/s, as `bi` counts on a file system of 1 KiB blocks
  std::int64_t blocks_out = 0;  ///< buffer heads/s
  std::int64_t interrupts = 0, switches = 0;    ///< per second
  std::int64_t user = 0, system = 0, idle = 0;  ///< percent of all CPUs
};

/// One run of dbench.
struct DbenchRun {
  Time at = 0;
  std::string phase;
  std::int64_t clients = 0;
  Time elapsed_ns = 0;
  std::int64_t written_bytes = 0;
  std::int64_t files = 0;  ///< create, write, read, delete
  Time cpu_ns = 0;         ///< of all clients
};

/// A block of statements timed as osdb times its tests.
struct TestRun {
  std::string name;
  Time start = 0, elapsed_ns = 0;
};

/// One `access` statement: what its counted reads found, and what they moved.
struct AccessRun {
  std::string text;
  std::string phase;
  Time start = 0, elapsed_ns = 0;  ///< of the counted reads
  std::int64_t reads = 0, hits = 0;
  std::int64_t read_bytes = 0;  ///< from the disk, swap-ins included
  std::int64_t swapped_in_bytes = 0, swapped_out_bytes = 0;
};

/// All counters of the kernel at one moment, in the order of its counter table.
struct Sample {
  Time at = 0;
  std::string tag;  ///< "before: copy small another", "after: ...", "second", "end"
  std::vector<std::int64_t> counters;
};

/// CPU time of a task over the whole run. `reclaim_ns` is the part of `system_ns` spent in page
/// reclaim (list walks included), `spin_ns` the part spent spinning for a lock.
struct TaskTime {
  std::string name;
  Time user_ns = 0;
  Time system_ns = 0;
  Time reclaim_ns = 0;
  Time spin_ns = 0;
};

enum class Ending {
  finished,     ///< the workload came to its end
  time_limit,   ///< the description's time_limit_ns was reached first
  interrupted,  ///< from outside
  stuck,        ///< nothing can ever happen again and the workload is still waiting
};

inline constexpr std::size_t kMostHistory = 400;

struct RunResult {
  Ending ending = Ending::finished;
  Time end_ns = 0;
  std::vector<TimedCommand> timed;
  std::vector<ReadfilesLine> lines;
  std::vector<VmstatLine> vmstat;
  std::vector<DbenchRun> dbench;
  std::vector<TestRun> tests;
  std::vector<AccessRun> accesses;
  std::vector<Sample> samples;
  std::vector<Sample> history;  ///< all counters at even distances, at most kMostHistory; no tags
  std::vector<TaskTime> tasks;  ///< workload first, then daemons, in start order
  std::vector<std::int64_t> end_counters;
};

/// `0.05user 2.41system 0:08.37elapsed 29%CPU`, as GNU time prints it (truncating, not rounding).
std::string time_text(const TimedCommand& command);

/// `211 MB 211.754 MB/sec`: 10^6 bytes, six significant digits, as readfiles.c prints it.
std::string readfiles_text(const ReadfilesLine& line);

/// `1 0 0   428  1380  1964 31260   0  43 5579   13  221  202   1  22  77`, under vmstat_header().
std::string vmstat_text(const VmstatLine& line);
std::string vmstat_header();

/// `Throughput 42.1 MB/sec (NB=52.6 MB/sec  421 MBit/sec)  32 procs`, as dbench prints it.
std::string dbench_text(const DbenchRun& run);

/// `"Single User Test"` and its time, `806.78 seconds  (0:13:26.78)`, as osdb prints it.
std::string test_text(const TestRun& run);

/// `access data 15000 zipf: 12630 hits of 15000 (0.8420), 9480 KiB read`
std::string access_text(const AccessRun& run);

/// All kinds of lines in the order they were printed, one per line.
std::string run_text(const RunResult& result);

}  // namespace brink::machine
