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
// Users: make_machine; the statement table feeds help and documentation.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/machine/description.h"
#include "models/machine/tables.h"

namespace brink::machine {

enum class Verb { write, read, copy, sync, remove, phase, repeat, readfiles };

struct Statement {
  Verb verb;
  bool timed = false;
  int file = -1;            ///< first file name, as a dense number
  int target = -1;          ///< copy: second file name
  std::int64_t bytes = -1;  ///< write, copy, readfiles: size or position; -1: not given
  Time duration = -1;       ///< readfiles `for`: -1: not given
  std::int64_t count = 1;   ///< repeat
  std::string name;         ///< phase
  std::string text;         ///< as written, one space between words, without `time`
  std::vector<Statement> body;
  int line = 0;
  int column = 0;
};

struct Script {
  std::vector<Statement> statements;
};

struct StatementRow {
  std::string_view name;
  std::string_view syntax;
  std::string_view meaning;
  Verb verb;
  bool files;   ///< for kernels of Family::files
  bool device;  ///< for kernels of Family::device
};

std::span<const StatementRow> statement_rows();

/// Parses a script for kernels of `family`. Errors have line and column: unknown statement,
/// missing unit, a file that is used before it is written, a statement the family does not have.
Result<Script, MachineError> parse_script(std::string_view text, Family family);

}  // namespace brink::machine
