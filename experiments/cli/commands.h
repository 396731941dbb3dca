// The commands of the program: one row each. Adding a command is adding its file and its row.
#pragma once

#include <span>
#include <string_view>

#include "experiments/cli/options.h"
#include "experiments/cli/output.h"

namespace brink::cli {

struct CommandRow {
  std::string_view name, arguments, about;
  std::string_view examples;  ///< one a line
  std::string_view options;   ///< names of the options it takes besides the common ones, by blanks
  int (*run)(const Options&, Output&);
  int least_arguments, most_arguments;  ///< most < 0: any number
  /// --time-limit is for each property (check); otherwise for the whole command.
  bool limits_each_question = false;
};

std::span<const CommandRow> command_rows();
const CommandRow* find_command_row(std::string_view name);

int run_list(const Options& options, Output& output);
int run_show(const Options& options, Output& output);
int run_check(const Options& options, Output& output);
int run_synthesize(const Options& options, Output& output);
int run_cache(const Options& options, Output& output);
int run_queue(const Options& options, Output& output);
int run_cliff(const Options& options, Output& output);
int run_sweep(const Options& options, Output& output);
int run_replay(const Options& options, Output& output);
int run_verify(const Options& options, Output& output);
int run_predict(const Options& options, Output& output);
int run_simulate(const Options& options, Output& output);
int run_conform(const Options& options, Output& output);
int run_reproduce(const Options& options, Output& output);
int run_export(const Options& options, Output& output);
int run_explain(const Options& options, Output& output);
int run_man(const Options& options, Output& output);
int run_completions(const Options& options, Output& output);

}  // namespace brink::cli
