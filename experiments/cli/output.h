// What the program prints: results on stdout, everything else on stderr; text for people or JSON
// Lines.
//
// One Output lives for one command. Exit codes are collected here and the first of 1, 5, 4, 3, 2,
// 10, 30, 0 that applies is returned.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "experiments/cli/options.h"
#include "models/language/diagnostic.h"

namespace brink::cli {

enum ExitCode : int {
  kDone = 0,
  kInternal = 1,
  kUsage = 2,
  kInput = 3,        ///< wrong model, scenario or data file
  kEnvironment = 4,  ///< missing program, disk full
  kDisagreement = 5,
  kViolated = 10,
  kUndecided = 30,
};

/// The code that counts when both apply.
int worse(int a, int b);

class Output {
 public:
  explicit Output(const Options& options);

  bool json() const { return json_; }
  bool quiet() const { return quiet_; }
  bool on_terminal() const { return terminal_; }  ///< standard error
  bool color_out() const { return color_out_; }

  /// Results for people; nothing with --json.
  void say(const std::string& text);
  /// One JSON object a line; nothing without --json.
  void object(const nlohmann::ordered_json& object);
  /// Progress: one line on a terminal's stderr that overwrites itself; nothing elsewhere.
  void progress(const std::string& text);
  /// A remark on stderr (not with --quiet).
  void note(const std::string& text);
  /// The same as a JSON object.
  void remark(const nlohmann::ordered_json& object);
  /// Diagnostics on stderr, with --json their twins on stdout. Returns the exit code for wrong
  /// input.
  int report(const Diagnostics& diagnostics);
  /// One line of error without a place.
  int error(int code, const std::string& message, const std::string& help = {});

 private:
  void clear_progress();
  bool json_, quiet_, color_out_, color_err_, terminal_;
  bool progress_shown_ = false;
};

/// A finite number as JSON, infinities as "inf" and "-inf", NaN as null.
nlohmann::ordered_json json_number(double value);

}  // namespace brink::cli
