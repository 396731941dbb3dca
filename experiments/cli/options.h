// The command line as values: every option of every command, from one table.
//
// Help, completions and the man page are derived from the two tables here and in commands.h, and a
// test holds the three against each other. Used by: the program only.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "models/base/result.h"

namespace brink::cli {

struct Options {
  std::vector<std::string> arguments;  ///< what is not an option
  std::vector<std::string> properties;
  std::string formula, constants, assume, fair, strong_fair, for_all, over, as,
      engine = "auto", metric, against, trace_out, resume, policy, size, format, page,
      checkpoint_every, out, color = "auto", to, time_limit, memory_limit;
  double time_limit_s = 0;               ///< what time_limit says; 0: none
  double checkpoint_every_s = 60;        ///< what checkpoint_every says
  std::uint64_t memory_limit_bytes = 0;  ///< 0: none
  std::vector<std::string> set;
  std::string strategy, csv;
  std::string variant, certificate, best, subject_to;
  std::int64_t seed = 1, runs = 1, threads = 2, state_limit = 0, depth = 0;
  bool test = false, estimate = false, json = false, quiet = false, verbose = false, exact = false,
       lump = false, deadlock_error = false, explain = false, simplest = false, predict = false;
};

enum class Group { check, scenario, cache, common };

struct OptionRow {
  std::string_view name;      ///< without dashes
  char letter;                ///< short form, 0: none
  std::string_view argument;  ///< name of its value in help; empty for a flag
  std::string_view help;
  Group group;
  std::variant<std::string Options::*, std::vector<std::string> Options::*, std::int64_t Options::*,
               bool Options::*>
      member;
};

std::span<const OptionRow> option_rows();

/// What main() is to do.
struct Request {
  const struct CommandRow* command = nullptr;  ///< null: print `text` and stop with `exit_code`
  Options options;
  std::string text;
  int exit_code = 0;
};

/// Reads the arguments behind the program's name. Wrong usage gives a request without a command,
/// with text for people (naming the nearest option or command) and exit code 2; --help and
/// --version with exit code 0.
Request read_arguments(const std::vector<std::string>& arguments);

}  // namespace brink::cli
