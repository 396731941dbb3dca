#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "models/language/parse_impl.h"

namespace brink {

std::string_view syntax::Tree::text(const Node& node) const {
  return node.text == kNone ? std::string_view{} : std::string_view(texts[node.text]);
}

Parser::Parser(SourcePtr source, syntax::Tree& tree, Span range)
    : source_(std::move(source)), tree_(tree) {
  Lexed lexed = lex(source_->text(), range);
  tokens_ = std::move(lexed.tokens);
  comments_ = std::move(lexed.comments);
}

Token Parser::peek(std::size_t ahead) const {
  return tokens_[std::min(at_ + ahead, tokens_.size() - 1)].token;
}

Span Parser::span_at(std::size_t ahead) const {
  return tokens_[std::min(at_ + ahead, tokens_.size() - 1)].span;
}

std::string_view Parser::text_at(std::size_t ahead) const { return source_->slice(span_at(ahead)); }

Span Parser::last_span() const { return tokens_[at_ == 0 ? 0 : at_ - 1].span; }

void Parser::advance() {
  if (at_ + 1 < tokens_.size()) ++at_;
}

bool Parser::accept(Token token) {
  if (!at(token)) return false;
  advance();
  return true;
}

bool Parser::expect(Token token, std::string_view where) {
  if (accept(token)) return true;
  unexpected(fmt::format("`{}` {}", token_name(token), where));
  return false;
}

Diagnostic& Parser::error(std::string code, Span span, std::string message, std::string help) {
  failed_ = true;
  errors_.push_back({.code = std::move(code),
                     .severity = Severity::error,
                     .message = shortened(std::move(message)),
                     .source = source_,
                     .span = span,
                     .label = {},
                     .notes = {},
                     .help = shortened(std::move(help))});
  return errors_.back();
}

Diagnostic& Parser::warning(std::string code, Span span, std::string message, std::string help) {
  warnings_.push_back({.code = std::move(code),
                       .severity = Severity::warning,
                       .message = std::move(message),
                       .source = source_,
                       .span = span,
                       .label = {},
                       .notes = {},
                       .help = std::move(help)});
  return warnings_.back();
}

/// Reports the token at hand, which is not what the grammar wants.
void Parser::unexpected(std::string_view expected) {
  if (failed_) return;
  if (gave_up_ && at(Token::end)) {
    failed_ = true;
    return;
  }
  const Token token = peek();
  const Span span = span_at();
  switch (token) {
    case Token::garbage:
      error("E0102", span, "unknown character");
      return;
    case Token::preprocessor:
      error("E0110", span, "preprocessor directives `#...#` are not supported",
            "expand the file with PRISM's preprocessor first");
      return;
    case Token::drbracket:
      error("E0108", span, "`]]` is one token of the language", "write `] ]`");
      return;
    case Token::dlbracket:
      error("E0108", span, "`[[` is one token of the language", "write `[ [`");
      return;
    case Token::rename:
      error("E0108", span, "`<-` is one token of the language", "write `< -`");
      return;
    default:
      break;
  }
  std::string found(token_name(token));
  if (token == Token::identifier || token == Token::primed || token == Token::integer ||
      token == Token::real) {
    found = fmt::format("`{}`", text_at());
  } else if (token != Token::end) {
    found = fmt::format("`{}`", found);
  }
  error("E0101", span, fmt::format("expected {}, found {}", expected, found));
}

syntax::Identifier Parser::identifier(std::string_view what) {
  if (at(Token::identifier)) {
    syntax::Identifier name{std::string(text_at()), span_at()};
    advance();
    return name;
  }
  const auto reported = [&](const Diagnostic& d) {
    return d.code == "E0103" && source_->slice(d.span) == text_at();
  };
  if (is_keyword(peek()) && std::ranges::any_of(errors_, reported)) {
    failed_ = true;  // every use of the word is the same mistake
    return {{}, span_at()};
  }
  if (is_keyword(peek()) && !failed_) {
    error("E0103", span_at(),
          fmt::format("`{}` is a reserved word, so it cannot name {}", text_at(), what),
          fmt::format("rename it, for instance to `{}_`", text_at()));
  } else {
    unexpected(fmt::format("the name of {}", what));
  }
  return {{}, span_at()};
}

/// Counts nesting; the caller pairs it with leave().
bool Parser::enter(Span span) {
  ++depth_;
  if (depth_ <= kMaxNesting) return true;
  too_deep(span, fmt::format("nested more than {} levels deep", kMaxNesting));
  return false;
}

void Parser::too_deep(Span span, std::string message) {
  if (failed_) return;
  error("E0106", span, std::move(message), "give parts of it a name with `formula`");
  // What follows is the rest of the same construct; reading on would report it again.
  at_ = tokens_.size() - 1;
  gave_up_ = true;
}

void Parser::skip_to(std::initializer_list<Token> stops) {
  while (!at(Token::end) && std::ranges::find(stops, peek()) == stops.end()) advance();
}

namespace {

Diagnostics too_large(const SourcePtr& source) {
  Diagnostic d;
  d.code = "E0107";
  d.message = fmt::format("the text is longer than {} bytes", kMaxSourceBytes);
  d.source = source;
  return {d};
}

}  // namespace

Result<ModuleFile, Diagnostics> parse_model(SourcePtr source) {
  if (source->text().size() > kMaxSourceBytes) return fail(too_large(source));
  syntax::Tree tree;
  Parser parser(source, tree, {0, static_cast<std::uint32_t>(source->text().size())});
  ModuleFile file = parser.model();
  if (!parser.errors().empty()) return fail(std::move(parser.errors()));
  file.tree = std::move(tree);
  file.warnings = std::move(parser.warnings());
  return file;
}

namespace {

Result<PropertyFile, Diagnostics> parse_property_text(SourcePtr source, bool single) {
  if (source->text().size() > kMaxSourceBytes) return fail(too_large(source));
  syntax::Tree tree;
  Parser parser(source, tree, {0, static_cast<std::uint32_t>(source->text().size())});
  PropertyFile file = parser.properties(single);
  if (!parser.errors().empty()) return fail(std::move(parser.errors()));
  file.tree = std::move(tree);
  file.warnings = std::move(parser.warnings());
  return file;
}

}  // namespace

Result<PropertyFile, Diagnostics> parse_properties(SourcePtr source) {
  return parse_property_text(std::move(source), false);
}

Result<PropertyFile, Diagnostics> parse_property(std::string text, std::string name) {
  return parse_property_text(make_source(std::move(name), std::move(text)), true);
}

Result<SourcePtr, Diagnostics> read_source(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  if (in) text << in.rdbuf();
  // A directory opens, and reads as if it were empty.
  std::error_code error;
  const bool folder = std::filesystem::is_directory(path, error);
  // An empty file leaves failbit on the output only; an unreadable one sets badbit or fails to
  // open.
  if (folder || !in.is_open() || in.bad() ||
      (text.str().empty() && in.peek() != std::ifstream::traits_type::eof())) {
    Diagnostic d;
    d.code = "E0001";
    d.message = fmt::format("cannot read `{}`{}", path, folder ? ": it is a folder" : "");
    return fail(Diagnostics{d});
  }
  return make_source(path, std::move(text).str());
}

}  // namespace brink
