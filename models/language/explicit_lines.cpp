#include "models/language/explicit_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace brink {

bool ExplicitLines::next() {
  while (!failed() && next_ < text_.size()) {
    line_ = at_ = next_;
    end_ = std::min(text_.find('\n', line_), text_.size());
    next_ = end_ + 1;
    blanks();
    if (at_ == end_) continue;
    if (text_[at_] != '#') return true;
    const std::string_view comment = text_.substr(at_, end_ - at_);
    const std::size_t open = comment.find('"');
    if (comment.find("Reward structure") != comment.npos && open != comment.npos) {
      structure_ = comment.substr(open + 1, comment.rfind('"') - open - 1);
    }
  }
  if (!failed()) at_ = line_ = end_ = text_.size();
  return false;
}

void ExplicitLines::blanks() {
  while (at_ < end_ && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r')) ++at_;
}

bool ExplicitLines::more() {
  blanks();
  return !failed() && at_ < end_;
}

std::optional<std::uint64_t> ExplicitLines::number(std::string_view what) {
  blanks();
  std::uint64_t value = 0;
  const auto [stop, code] = std::from_chars(text_.data() + at_, text_.data() + end_, value);
  if (code != std::errc{} || failed()) {
    error("E0803", fmt::format("expected {}, a whole number", what));
    return std::nullopt;
  }
  at_ = static_cast<std::size_t>(stop - text_.data());
  return value;
}

std::optional<double> ExplicitLines::real(std::string_view what) {
  blanks();
  double value = 0;
  const std::size_t sign = at_ < end_ && text_[at_] == '+' ? 1 : 0;
  const auto [stop, code] = std::from_chars(text_.data() + at_ + sign, text_.data() + end_, value);
  const bool tiny = code == std::errc::result_out_of_range &&
                    std::string_view(text_).substr(at_, end_ - at_).find("e-") != text_.npos;
  if ((code != std::errc{} && !tiny) || failed()) {
    error("E0803", fmt::format("expected {}, a number", what));
    return std::nullopt;
  }
  at_ = static_cast<std::size_t>(stop - text_.data());
  return tiny ? 0 : value;
}

std::string_view ExplicitLines::word() {
  blanks();
  const std::size_t from = at_;
  while (at_ < end_ && text_[at_] != ' ' && text_[at_] != '\t' && text_[at_] != '\r') ++at_;
  return text_.substr(from, at_ - from);
}

bool ExplicitLines::symbol(char c) {
  blanks();
  if (failed()) return false;
  if (at_ >= end_ || text_[at_] != c) return error("E0803", fmt::format("expected `{}`", c));
  ++at_;
  return true;
}

std::string_view ExplicitLines::rest() {
  blanks();
  std::size_t stop = end_;
  while (stop > at_ && (text_[stop - 1] == '\r' || text_[stop - 1] == ' ')) --stop;
  const std::string_view out = text_.substr(at_, stop - at_);
  at_ = end_;
  return out;
}

bool ExplicitLines::end_of_line() {
  if (failed()) return false;
  blanks();
  return at_ == end_ || error("E0803", "there is more in this line than belongs here");
}

bool ExplicitLines::error(std::string code, std::string message, std::string help,
                          bool whole_line) {
  if (failed()) return false;
  errors_.push_back(
      explicit_error(source_, line_begin(), std::move(code), std::move(message), std::move(help)));
  if (!whole_line) {
    const std::size_t stop = std::max(at_, std::min(text_.find_first_of(" \t\r\n", at_), end_));
    errors_[0].span = {static_cast<std::uint32_t>(at_), static_cast<std::uint32_t>(stop)};
  }
  return false;
}

Diagnostic explicit_error(const SourcePtr& source, std::uint32_t begin, std::string code,
                          std::string message, std::string help) {
  Diagnostic d;
  d.code = std::move(code);
  d.message = shortened(std::move(message));
  d.help = shortened(std::move(help));
  d.source = source;
  const std::string_view text = source->text();
  std::size_t end = std::min(text.find_first_of("\r\n", begin), text.size());
  d.span = {begin, static_cast<std::uint32_t>(end)};
  return d;
}

}  // namespace brink
