// The table of diagnostic codes: a title, an explanation and a tiny example each.
// Used by: `brink explain CODE`, the generated reference, and a test that holds every code to its
// example.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace brink {

/// What the example of a code is.
enum class ExampleKind : std::uint8_t {
  none,         ///< nothing that a text alone can show (a missing file, a command line)
  model,        ///< a model that is reported when read
  running,      ///< a model that is reported when its states are explored
  property,     ///< a property over kExampleModel
  formula,      ///< a formula, then (behind a line end) the property file it refers to
  file,         ///< the path of a model
  constants,    ///< what --const gives
  given,        ///< what --const gives, then (behind a line end) the model it is given to
  portable,     ///< the same, read with --portable
  symbolic,     ///< a name for --for-all, with a value for --const if it has one, then the model
  transitions,  ///< the text of a .tra file
};

struct CodeInfo {
  std::string_view code;         ///< "E0101"
  std::string_view title;        ///< one line, no full stop
  std::string_view explanation;  ///< what it means and how to repair it
  ExampleKind kind;
  std::string_view example;
};

/// The model that property examples are about.
inline constexpr std::string_view kExampleModel =
    "mdp\n"
    "module counter\n"
    "  x : [0..3];\n"
    "  [step] x<3 -> (x'=x+1);\n"
    "endmodule\n"
    "label \"full\" = x=3;\n"
    "rewards \"steps\"\n"
    "  [step] true : 1;\n"
    "endrewards\n";

/// All codes in increasing order.
std::span<const CodeInfo> diagnostic_codes();

/// The row of a code such as "E0101" (any case); null when there is none.
const CodeInfo* find_code(std::string_view code);

}  // namespace brink
