#include "models/language/source.h"

#include <algorithm>

#include "models/base/check.h"

namespace brink {

Span cover(Span a, Span b) { return {std::min(a.begin, b.begin), std::max(a.end, b.end)}; }

SourceText::SourceText(std::string name, std::string text)
    : name_(std::move(name)), text_(std::move(text)) {
  BRINK_CHECK(text_.size() < UINT32_MAX);
  starts_.push_back(0);
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') starts_.push_back(static_cast<std::uint32_t>(i + 1));
  }
}

std::string_view SourceText::slice(Span span) const {
  const std::size_t size = text_.size();
  const std::size_t begin = std::min<std::size_t>(span.begin, size);
  const std::size_t end = std::clamp<std::size_t>(span.end, begin, size);
  return std::string_view(text_).substr(begin, end - begin);
}

Position SourceText::position(std::uint32_t byte) const {
  byte = std::min(byte, static_cast<std::uint32_t>(text_.size()));
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), byte);
  const auto line = static_cast<std::uint32_t>(after - starts_.begin());
  return {line, byte - starts_[line - 1] + 1};
}

std::string_view SourceText::line(std::uint32_t line) const {
  if (line == 0 || line > line_count()) return {};
  const std::uint32_t begin = starts_[line - 1];
  const auto end = line < line_count() ? starts_[line] : static_cast<std::uint32_t>(text_.size());
  std::string_view text = slice({begin, end});
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

SourcePtr make_source(std::string name, std::string text) {
  return std::make_shared<const SourceText>(std::move(name), std::move(text));
}

}  // namespace brink
