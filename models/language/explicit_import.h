// PRISM's explicit files read back: .tra (transitions), .sta (states), .lab (labels), .srew and
// .trew (rewards), as PRISM writes them and `brink export --to explicit` does.
// Used by: `brink check MODEL.tra`, tests.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/base/result.h"
#include "models/language/model.h"

namespace brink {

/// The texts of one model. Only the transitions are needed.
struct ExplicitFiles {
  SourcePtr transitions, states, labels;
  struct Rewards {
    SourcePtr states, transitions;  ///< either may be missing
  };
  std::vector<Rewards> rewards;
};

/// Is this the name of a transition file ("x.tra")?
bool is_explicit_file(const std::string& path);

/// Reads "x.tra" and what lies beside it: x.sta, x.lab, x.srew and x.trew, or, for several reward
/// structures, x1.srew, x1.trew, x2.srew, ... Errors: E0001.
Result<ExplicitFiles, Diagnostics> read_explicit_files(const std::string& path);

/// Builds a listed model (listed.h).
///
/// Its type is `as`, or else: mdp when the first line has three numbers; otherwise dtmc when the
/// rows of every state sum to 1, and ctmc when they do not. Variables are those of the states' file
/// with the smallest range that holds all values, or `x`, the number of the state; each label
/// becomes one more bool variable of its name. The initial states are those labelled "init";
/// without labels the state in which all variables have their least value, else state 0. A state
/// labelled "deadlock" whose only move is a loop has no move (PRISM adds the loop when it exports).
/// Errors, with file and line: E0803 not in the format, E0804 numbers that do not fit together,
/// E0805 probabilities and rates.
Result<ModelPtr, Diagnostics> import_explicit(const ExplicitFiles& files,
                                              std::optional<ModelType> as = {});

}  // namespace brink
