// Property files: properties with names, constants and labels, and what stands in comments: RESULT
// lines (PRISM's own test convention) and `//@` annotations (what PRISM's language lacks).
#include <fmt/format.h>

#include <algorithm>

#include "models/base/text.h"
#include "models/language/parse_impl.h"

namespace brink {
namespace {

struct AnnotationWord {
  std::string_view word;
  AnnotationKind kind;
};

constexpr AnnotationWord kAnnotations[] = {
    {"assume", AnnotationKind::assume},
    {"fair", AnnotationKind::fair},
    {"strong-fair", AnnotationKind::strong_fair},
    {"population", AnnotationKind::population},
};

/// "N=2, p=1/2" -> pairs.
std::vector<std::pair<std::string, std::string>> assignments(std::string_view text) {
  std::vector<std::pair<std::string, std::string>> result;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view item = text.substr(0, comma);
    text.remove_prefix(std::min(comma + 1, text.size()));
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos) continue;
    result.emplace_back(trim(item.substr(0, equals)), trim(item.substr(equals + 1)));
  }
  return result;
}

/// The value: the first word, or a whole interval or list in brackets.
std::string_view first_value(std::string_view text) {
  text = trim(text);
  if (text.starts_with('[')) return text.substr(0, text.find(']') + (text.find(']') != text.npos));
  return text.substr(0, std::min(text.find_first_of(" \t"), text.size()));
}

std::optional<ExpectedResult> expectation(std::string_view comment, Span span) {
  std::string_view rest = comment.substr(2);
  const std::size_t mark = rest.find("RESULT");
  if (mark == std::string_view::npos || !trim(rest.substr(0, mark)).empty()) return std::nullopt;
  rest = trim(rest.substr(mark + 6));
  ExpectedResult result;
  result.span = span;
  if (rest.starts_with('(')) {
    const std::size_t close = rest.find("):");
    if (close == std::string_view::npos) return std::nullopt;
    result.constants = assignments(rest.substr(1, close - 1));
    rest.remove_prefix(close + 1);
  }
  if (!rest.starts_with(':')) return std::nullopt;
  result.value = first_value(rest.substr(1));
  if (result.value.empty()) return std::nullopt;
  return result;
}

}  // namespace

/// The comments in the lines right above `begin`, without a blank line between, as PRISM reads
/// them.
std::vector<ExpectedResult> Parser::results_before(std::uint32_t begin) const {
  std::vector<ExpectedResult> results;
  std::uint32_t line = source_->position(begin).line;
  auto after = std::ranges::upper_bound(comments_, begin, {}, &Span::begin);
  while (after != comments_.begin()) {
    const Span comment = *--after;
    const Position at = source_->position(comment.begin);
    if (at.line + 1 != line) break;
    // A comment behind something else in its line does not belong to the property.
    if (!trim(source_->line(at.line).substr(0, at.column - 1)).empty()) break;
    line = at.line;
    if (auto result = expectation(source_->slice(comment), comment)) {
      results.push_back(std::move(*result));
    }
  }
  std::ranges::reverse(results);
  return results;
}

void Parser::property_item(PropertyFile& file) {
  if (at(Token::kw_const) || at(Token::kw_rate) || at(Token::kw_prob)) {
    syntax::ConstantDef def = constant();
    if (!failed_) file.constants.push_back(std::move(def));
    return;
  }
  if (at(Token::kw_label)) {
    label_definition(file.labels);
    return;
  }
  PropertyDef def;
  const std::uint32_t begin = span_at().begin;
  if (at(Token::quote) && peek(2) == Token::quote && peek(3) == Token::colon) {
    advance();
    def.name = identifier("a property");
    if (failed_) return;
    advance();
    advance();
  }
  const auto first = static_cast<syntax::NodeId>(tree_.nodes.size());
  const std::uint32_t from = span_at().begin;
  const syntax::NodeId root = choice({.property = true, .path = false});
  if (failed_) return;
  def.value = {first, root};
  def.span = {from, last_span().end};
  def.text = trim(source_->slice(def.span));
  def.results = results_before(begin);
  file.properties.push_back(std::move(def));
  while (accept(Token::semicolon)) {
  }
}

void Parser::annotation(PropertyFile& file, Span comment) {
  const std::string_view text = source_->slice(comment);
  std::string_view rest = text.substr(3);
  const std::string_view body = trim(rest);
  const std::string_view word = body.substr(0, std::min(body.find_first_of(" \t"), body.size()));
  const auto known = std::ranges::find(kAnnotations, word, &AnnotationWord::word);
  const auto offset = [&](std::string_view part) {
    return comment.begin + static_cast<std::uint32_t>(part.data() - text.data());
  };
  if (known == std::end(kAnnotations)) {
    const std::string near = nearest_name(word, {"assume", "fair", "strong-fair", "population"});
    const Span at =
        word.empty() ? comment
                     : Span{offset(word), offset(word) + static_cast<std::uint32_t>(word.size())};
    error("E0114", at, fmt::format("there is no annotation `{}`", word),
          near.empty() ? "annotations are assume, fair, strong-fair and population"
                       : fmt::format("an annotation with a similar name is `{}`", near));
    return;
  }
  AnnotationDef def;
  def.kind = known->kind;
  def.span = comment;
  const std::string_view argument = trim(body.substr(word.size()));
  def.text = argument;
  const std::uint32_t begin = argument.empty() ? comment.end : offset(argument);
  Parser inner(source_, tree_, {begin, begin + static_cast<std::uint32_t>(argument.size())});
  if (def.kind == AnnotationKind::assume) {
    def.condition = inner.state_expression();
  } else {
    do {
      AnnotationDef::Name name;
      name.action = inner.accept(Token::lbracket);
      name.name = inner.identifier("a module, an action or a variable");
      if (!inner.failed_ && name.action) inner.expect(Token::rbracket, "after the action");
      def.names.push_back(std::move(name));
    } while (!inner.failed_ && inner.accept(Token::comma));
  }
  if (!inner.failed_ && !inner.at(Token::end)) inner.unexpected("the end of the annotation");
  if (inner.errors_.empty()) {
    file.annotations.push_back(std::move(def));
    return;
  }
  failed_ = true;
  errors_.push_back(std::move(inner.errors_.front()));
}

PropertyFile Parser::properties(bool single) {
  PropertyFile file;
  file.source = source_;
  for (const Span comment : comments_) {
    if (source_->slice(comment).starts_with("//@") && !full()) annotation(file, comment);
  }
  failed_ = false;
  if (single) {
    property_item(file);
    if (!failed_ && !at(Token::end)) unexpected("the end of the property");
    return file;
  }
  while (!at(Token::end) && !full()) {
    failed_ = false;
    depth_ = pending_ = 0;
    property_item(file);
    if (!failed_) continue;
    skip_to({Token::semicolon, Token::kw_const, Token::kw_label});
    while (accept(Token::semicolon)) {
    }
  }
  return file;
}

}  // namespace brink
