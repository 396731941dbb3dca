// Diagnostics: what is wrong with a user's text, where, and what would help. Values, never thrown.
// Used by: the parsers, the checker, the command line (rendering and the JSON twin).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/base/result.h"
#include "models/language/source.h"

namespace brink {

enum class Severity : std::uint8_t { error, warning };

struct Diagnostic {
  std::string code;  ///< "E0101", "W0501": a row of models/language/codes.h
  Severity severity = Severity::error;
  std::string message;  ///< lower case, no full stop
  SourcePtr source;     ///< null: not about a place (for instance a constant on the command line)
  Span span;            ///< the smallest part of `source` that is to blame
  std::string label;    ///< optional text beside the carets
  std::vector<std::string> notes;  ///< facts
  std::string help;                ///< the only part that proposes a fix; may be empty

  /// Start and end (exclusive) of the span; nothing without a source.
  std::optional<Position> begin() const;
  std::optional<Position> end() const;
};

/// In the order of discovery; at most kMaxDiagnostics errors.
using Diagnostics = std::vector<Diagnostic>;

inline constexpr std::size_t kMaxDiagnostics = 20;

/// One diagnostic as rustc would show it, ending with a newline. `color` adds ANSI colours.
std::string render(const Diagnostic& diagnostic, bool color = false);
std::string render(const Diagnostics& diagnostics, bool color = false);

/// `text` with its middle left out when it is longer than a message should be (a name of a
/// megabyte).
std::string shortened(std::string text);

bool has_errors(const Diagnostics& diagnostics);

/// The candidate nearest to `name` by edit distance (at most 2, and less than the length of the
/// name), ignoring case first; the first in order of `candidates` among equals. Empty when none is
/// near.
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace brink
