// Ranges of constants: `check --const N=1:10,p=0.1:0.1:0.9` asks the properties once for every
// combination and prints one row for each. Used by cmd_check.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "experiments/cli/output.h"
#include "models/base/result.h"

namespace brink::cli {

/// Does the text of --const hold a range?
bool has_ranges(std::string_view constants);

/// The combinations, the last range fastest, each as text for --const; names of the constants that
/// vary and their values beside. Ranges are low:high (step 1) or low:step:high, as PRISM's, of
/// decimal numbers; what they hold is computed in decimals, so 0.1:0.1:0.9 has nine values. Errors:
/// one line, E0402's kind: no number, a step of 0 or away from the end, over a million
/// combinations.
struct Combinations {
  std::vector<std::string> names;                ///< that vary
  std::vector<std::vector<std::string>> values;  ///< of each combination, one for each name
  std::vector<std::string> constants;            ///< of each combination
};
Result<Combinations, std::string> combinations(std::string_view constants);

/// The whole command. Rows come in the order of the combinations, whatever the threads; the exit
/// code is the worst of all rows'.
int run_constant_sweep(const Options& options, Output& output);

}  // namespace brink::cli
