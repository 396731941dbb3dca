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

struct RunResult {
  Ending ending = Ending::finished;
  Time end_ns = 0;
  std::vector<TimedCommand> timed;
  std::vector<ReadfilesLine> lines;
  std::vector<Sample> samples;
  std::vector<TaskTime> tasks;  ///< workload first, then daemons, in start order
  std::vector<std::int64_t> end_counters;
};

/// `0.05user 2.41system 0:08.37elapsed 29%CPU`, as GNU time prints it (truncating, not rounding).
std::string time_text(const TimedCommand& command);

/// `211 MB 211.754 MB/sec`: 10^6 bytes, six significant digits, as readfiles.c prints it.
std::string readfiles_text(const ReadfilesLine& line);

/// Both kinds of lines in the order they were printed, one per line.
std::string run_text(const RunResult& result);

}  // namespace brink::machine
