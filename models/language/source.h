// A text that came from outside (a model, a property file, a command-line argument) and places in
// it. Used by: everything that reports where something stands.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace brink {

/// Half-open byte range [begin, end) of a SourceText.
struct Span {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  friend bool operator==(const Span&, const Span&) = default;
};

/// The smallest span that covers both.
Span cover(Span a, Span b);

/// Line and column of a byte, both counted from 1; a column is a byte of the line.
struct Position {
  std::uint32_t line = 1;
  std::uint32_t column = 1;

  friend bool operator==(const Position&, const Position&) = default;
};

/// Immutable text with a name (its path, or "<formula>") and a table of its lines.
class SourceText {
 public:
  SourceText(std::string name, std::string text);

  const std::string& name() const { return name_; }
  std::string_view text() const { return text_; }
  std::string_view slice(Span span) const;
  Position position(std::uint32_t byte) const;
  std::uint32_t line_count() const { return static_cast<std::uint32_t>(starts_.size()); }
  /// The line without its end, `line` counted from 1; empty when there is none.
  std::string_view line(std::uint32_t line) const;

 private:
  std::string name_;
  std::string text_;
  std::vector<std::uint32_t> starts_;
};

using SourcePtr = std::shared_ptr<const SourceText>;

/// Texts longer than this are refused with E0107 by the parsers (spans are 32 bits wide).
inline constexpr std::size_t kMaxSourceBytes = std::size_t{1} << 30;

SourcePtr make_source(std::string name, std::string text);

}  // namespace brink
