// The table of diagnostic codes: a title, an explanation and a tiny example each.
// Used by: `brink explain CODE`, the generated reference, and the tests that hold every code to its
// example.
#pragma once

#include <span>
#include <string_view>

namespace brink {

struct CodeInfo {
  std::string_view code;         ///< "E0101"
  std::string_view title;        ///< one line, no full stop
  std::string_view explanation;  ///< what it means and how to repair it
  std::string_view example;      ///< a text that is reported with this code; may be empty
  bool example_is_property;      ///< the example is a property, not a model
};

/// All codes in increasing order.
std::span<const CodeInfo> diagnostic_codes();

/// The row of a code such as "E0101" (any case); null when there is none.
const CodeInfo* find_code(std::string_view code);

}  // namespace brink
