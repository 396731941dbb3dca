#include "models/language/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace brink {

std::optional<Position> Diagnostic::begin() const {
  if (!source) return std::nullopt;
  return source->position(span.begin);
}

std::optional<Position> Diagnostic::end() const {
  if (!source) return std::nullopt;
  return source->position(std::max(span.begin, span.end));
}

namespace {

constexpr std::size_t kWindow = 100;  // columns of a source line that are shown

struct Style {
  std::string_view error, warning, frame, bold, reset;
};
constexpr Style kPlain{"", "", "", "", ""};
constexpr Style kColour{"\x1b[1;31m", "\x1b[1;33m", "\x1b[1;34m", "\x1b[1m", "\x1b[0m"};

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

/// The line made safe for a terminal: control characters become blanks.
std::string visible(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return out;
}

std::size_t width(std::string_view text) {
  return text.size() - static_cast<std::size_t>(std::ranges::count_if(text, continues_character));
}

/// The part of the line that is shown, and where the carets stand in it.
struct Excerpt {
  std::string text;
  std::size_t offset = 0;  // columns before the first caret
  std::size_t carets = 1;
};

Excerpt excerpt(const SourceText& source, Span span) {
  const Position at = source.position(span.begin);
  const std::string_view line = source.line(at.line);
  std::size_t from = std::min<std::size_t>(at.column - 1, line.size());
  std::size_t to = std::min<std::size_t>(from + (span.end > span.begin ? span.end - span.begin : 1),
                                         std::max(line.size(), from + 1));
  std::size_t cut = 0;
  std::string_view shown = line;
  std::string before, after;
  if (line.size() > kWindow) {
    cut = from > kWindow / 2 ? from - kWindow / 2 : 0;
    while (cut > 0 && cut < line.size() && continues_character(line[cut])) --cut;
    std::size_t stop = std::min(line.size(), cut + kWindow);
    while (stop < line.size() && continues_character(line[stop])) ++stop;
    shown = line.substr(cut, stop - cut);
    if (cut > 0) before = "...";
    if (stop < line.size()) after = "...";
    to = std::min(to, stop + (from >= stop ? 1 : 0));
  }
  Excerpt result;
  result.text = before + visible(shown) + after;
  result.offset = before.size() + width(line.substr(cut, from - cut));
  result.carets = std::max<std::size_t>(
      1, to > from && from < line.size() ? width(line.substr(from, to - from)) : 1);
  return result;
}

}  // namespace

std::string render(const Diagnostic& d, bool color) {
  const Style& s = color ? kColour : kPlain;
  const bool error = d.severity == Severity::error;
  std::string out =
      fmt::format("{}{}[{}]{}{}: {}{}\n", error ? s.error : s.warning, error ? "error" : "warning",
                  d.code, s.reset, s.bold, visible(d.message), s.reset);
  std::string margin = " ";
  if (d.source) {
    const Position at = d.source->position(d.span.begin);
    const std::string number = std::to_string(at.line);
    margin = std::string(number.size(), ' ');
    const Excerpt e = excerpt(*d.source, d.span);
    out += fmt::format("{}{}-->{} {}:{}:{}\n", margin, s.frame, s.reset, d.source->name(), at.line,
                       at.column);
    out += fmt::format("{}{} |{}\n", margin, s.frame, s.reset);
    out += fmt::format("{}{} |{} {}\n", s.frame, number, s.reset, e.text);
    out +=
        fmt::format("{}{} |{} {}{}{}{}{}{}\n", margin, s.frame, s.reset, std::string(e.offset, ' '),
                    error ? s.error : s.warning, std::string(e.carets, '^'),
                    d.label.empty() ? "" : " ", visible(d.label), s.reset);
  }
  for (const std::string& note : d.notes) {
    out += fmt::format("{}{} = {}{}note:{} {}\n", margin, s.frame, s.reset, s.bold, s.reset,
                       visible(note));
  }
  if (!d.help.empty()) {
    out += fmt::format("{}{} = {}{}help:{} {}\n", margin, s.frame, s.reset, s.bold, s.reset,
                       visible(d.help));
  }
  return out;
}

std::string shortened(std::string text) {
  constexpr std::size_t kHead = 300, kTail = 100;
  if (text.size() <= kHead + kTail + 3) return text;
  std::size_t head = kHead, tail = text.size() - kTail;
  while (head > 0 && continues_character(text[head])) --head;
  while (tail < text.size() && continues_character(text[tail])) ++tail;
  return text.substr(0, head) + "..." + text.substr(tail);
}

std::string render(const Diagnostics& diagnostics, bool color) {
  std::string out;
  for (const Diagnostic& d : diagnostics) out += render(d, color);
  return out;
}

bool has_errors(const Diagnostics& diagnostics) {
  return std::ranges::any_of(diagnostics,
                             [](const Diagnostic& d) { return d.severity == Severity::error; });
}

namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

constexpr std::size_t kFar = 3;  // names this far apart are not alike

/// Edit distance where a swap of neighbours counts once (optimal string alignment), up to kFar.
/// Only cells within kFar of the diagonal can stay below it: the work is linear in the length.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty() && a.front() == b.front()) a.remove_prefix(1), b.remove_prefix(1);
  while (!a.empty() && !b.empty() && a.back() == b.back()) a.remove_suffix(1), b.remove_suffix(1);
  const std::size_t n = b.size() + 1;
  std::vector<std::size_t> before(n, kFar), previous(n, kFar), current(n, kFar);
  for (std::size_t j = 0; j < std::min(n, kFar); ++j) previous[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    const std::size_t from = i > kFar ? i - kFar : 0;
    const std::size_t to = std::min(n, i + kFar);
    std::size_t least = kFar;
    for (std::size_t j = from; j < to; ++j) {
      std::size_t& cell = current[j];
      if (j == 0) {
        cell = i;
      } else {
        const std::size_t change = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
        cell = std::min({previous[j] + 1, current[j - 1] + 1, change});
        if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
          cell = std::min(cell, before[j - 2] + 1);
        }
      }
      least = std::min(least, cell);
    }
    if (least >= kFar) return kFar;
    std::swap(before, previous);
    std::swap(previous, current);
    std::ranges::fill(current, kFar);
  }
  return std::min(previous[n - 1], kFar);
}

}  // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
  if (name.size() > 200) return {};
  const std::string wanted = lower(name);
  std::size_t best = kFar;
  std::string result;
  for (const std::string& candidate : candidates) {
    if (candidate == name) continue;
    const std::size_t longer = std::max(candidate.size(), name.size());
    if (longer - std::min(candidate.size(), name.size()) >= kFar) continue;
    const std::size_t distance = edit_distance(wanted, lower(candidate));
    if (distance < best && distance < name.size()) {
      best = distance;
      result = candidate;
    }
  }
  return result;
}

}  // namespace brink
