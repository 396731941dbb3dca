// The workload script: what the program of a scenario does, in a few plain statements.
//
//   write  big 16 MiB          # create a file
//   copy   big small 4 MiB     # copy its beginning (without a size: all of it)
//   repeat 3 { time copy small another ; sync }
//
//   readfiles /dev/ddisk until 808 MB
//
// Statements end at a line end, a `;` or a brace; `#` begins a comment. Sizes and times need units:
// B, KB, MB, GB (powers of 1000), KiB, MiB, GiB (powers of 1024), ms, s, min.
//
// Kernels of the paging family also run programs beside the script and measure as vmstat, dbench
// and osdb do:
//
//   program desktop 22 MiB text 8 MiB split 30 idle 75 % every 1 s
//   fileset mp3 200 3 MiB to 5 MiB
//   vmstat 10 s ; stream mp3
//   test Single_User_Test { repeat 1000 { read updates ; fetch index 40 } }
//   set nfract 20 ; dbench 32 3 MiB for 60 s
//   place data 32 MiB ; access data 15000 zipf alpha 0.9 warm 40000
//
// Users: make_machine; the statement table feeds help and documentation.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/machine/description.h"
#include "models/machine/tables.h"
#include "models/workloads/page_pattern.h"

namespace brink::machine {

enum class Verb {
  write,
  read,
  copy,
  sync,
  remove,
  phase,
  repeat,
  readfiles,
  program,
  fileset,
  stream,
  fetch,
  work,
  pause,
  vmstat,
  set,
  dbench,
  test,
  buffers,
  place,
  access,
  churn
};

struct Statement {
  Verb verb;
  bool timed = false;       ///< prefixed by `time`
  bool on = false;          ///< dbench: its clients go on
  int file = -1;            ///< first file name, as a dense number; set: row of the tunable
  int target = -1;          ///< copy: second file name
  std::int64_t bytes = -1;  ///< write, copy, readfiles: size or position; -1: not given
  Time duration = -1;       ///< readfiles `for`: -1: not given
  std::int64_t count = 1;   ///< repeat, fileset: files, fetch, access: reads, dbench, churn:
                            ///< clients, set: value
  std::string name;         ///< phase, program, set: tunable, test
  std::int64_t more = -1;   ///< program: bytes of text; fileset: largest size; churn: rounds
  std::int64_t idle = 0;    ///< program: percent of its pages that it never touches again
  std::int64_t split = 1;   ///< program: so many alike, each with its part of the memory
  PatternSpec pattern;      ///< access
  std::int64_t warm = 0;    ///< access: reads before the counted ones; churn: files kept
  bool ahead = false;       ///< access: with read-ahead
  std::string text;         ///< as written, one space between words, without `time`
  std::vector<Statement> body;
  int line = 0;
  int column = 0;
};

struct Script {
  std::vector<Statement> statements;
  int names = 0;  ///< file names used; further files are numbered from here
};

struct StatementRow {
  std::string_view name;
  std::string_view syntax;
  std::string_view meaning;
  Verb verb;
  bool files;   ///< for kernels of Family::files
  bool device;  ///< for kernels of Family::device
  bool paging;  ///< for kernels of Family::paging

  bool has(Family family) const {
    return family == Family::files ? files : family == Family::device ? device : paging;
  }
};

std::span<const StatementRow> statement_rows();

/// Parses a script for kernels of `family`. Errors have line and column: unknown statement,
/// missing unit, a file that is used before it is written, a statement the family does not have.
Result<Script, MachineError> parse_script(std::string_view text, Family family);

/// The first statement of this verb, also within blocks, or null.
const Statement* first_of(const std::vector<Statement>& statements, Verb verb);

/// Finds the tunables that `set` statements name. Errors, with their place: there is none of that
/// name, it cannot change at run time, the value is out of its range.
Result<void, MachineError> bind_tunables(Script& script, std::span<const TunableRow> rows);

}  // namespace brink::machine
