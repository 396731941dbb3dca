// Explicit files line by line: numbers, words, places of errors. Not part of the public interface.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "models/language/diagnostic.h"

namespace brink {

/// A cursor over one file. After the first error everything fails.
class ExplicitLines {
 public:
  explicit ExplicitLines(SourcePtr source) : source_(std::move(source)), text_(source_->text()) {}

  /// Goes to the next line that is neither blank nor a comment (#); false at the end.
  bool next();
  /// Is there more in the line?
  bool more();
  std::optional<std::uint64_t> number(std::string_view what);
  std::optional<double> real(std::string_view what);
  /// A word without blanks.
  std::string_view word();
  bool symbol(char c);
  std::string_view rest();
  /// Nothing may follow in the line.
  bool end_of_line();

  /// The first error is kept; `whole_line`: about the line rather than the place in it. Returns
  /// false.
  bool error(std::string code, std::string message, std::string help = {}, bool whole_line = false);
  bool failed() const { return !errors_.empty(); }
  Diagnostics take_errors() { return std::move(errors_); }

  /// The place of the line at hand, to come back to in a later error.
  std::uint32_t line_begin() const { return static_cast<std::uint32_t>(line_); }
  const SourcePtr& source() const { return source_; }
  /// The name in a comment `# Reward structure: "name"` so far; empty: none.
  const std::string& structure() const { return structure_; }

 private:
  void blanks();

  SourcePtr source_;
  std::string_view text_;
  std::size_t at_ = 0, line_ = 0, end_ = 0, next_ = 0;
  std::string structure_;
  Diagnostics errors_;
};

/// An error about the line of `source` that begins at `begin`.
Diagnostic explicit_error(const SourcePtr& source, std::uint32_t begin, std::string code,
                          std::string message, std::string help = {});

}  // namespace brink
