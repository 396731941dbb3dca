#include "models/language/lexer.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace brink {
namespace {

struct Spelling {
  Token token;
  std::string_view text;
  bool keyword;
};

constexpr Spelling kSpellings[] = {
#define BRINK_KEYWORD(id, text) {Token::id, text, true},
#define BRINK_SYMBOL(id, text) {Token::id, text, false},
#include "models/language/tokens.def"
#undef BRINK_KEYWORD
#undef BRINK_SYMBOL
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

const std::unordered_map<std::string_view, Token>& keywords() {
  static const auto table = [] {
    std::unordered_map<std::string_view, Token> map;
    for (const Spelling& s : kSpellings) {
      if (s.keyword) map.emplace(s.text, s.token);
    }
    return map;
  }();
  return table;
}

/// The longest symbol at the beginning of `text`; null when there is none.
const Spelling* symbol(std::string_view text) {
  const Spelling* best = nullptr;
  for (const Spelling& s : kSpellings) {
    if (s.keyword || !text.starts_with(s.text)) continue;
    if (best == nullptr || s.text.size() > best->text.size()) best = &s;
  }
  return best;
}

/// Symbols by their first byte, so that the table is not walked for every token.
bool starts_symbol(char c) {
  static const auto table = [] {
    std::array<bool, 256> set{};
    for (const Spelling& s : kSpellings) {
      if (!s.keyword) set[static_cast<unsigned char>(s.text[0])] = true;
    }
    return set;
  }();
  return table[static_cast<unsigned char>(c)];
}

class Lexer {
 public:
  Lexer(std::string_view text, Span range) : text_(text), at_(range.begin), end_(range.end) {}

  Lexed run() {
    while (at_ < end_) step();
    out_.tokens.push_back({Token::end, {end_, end_}});
    return std::move(out_);
  }

 private:
  char peek(std::uint32_t ahead = 0) const {
    return at_ + ahead < end_ ? text_[at_ + ahead] : '\0';
  }

  void push(Token token, std::uint32_t length) {
    out_.tokens.push_back({token, {at_, at_ + length}});
    at_ += length;
  }

  std::uint32_t digits(std::uint32_t from) const {
    while (is_digit(peek(from))) ++from;
    return from;
  }

  void step() {
    const char c = peek();
    if (is_blank(c)) {
      ++at_;
    } else if (c == '/' && peek(1) == '/') {
      comment();
    } else if (is_letter(c)) {
      word();
    } else if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
      number();
    } else if (c == '#' && text_.substr(at_ + 1, end_ - at_ - 1).find('#') != text_.npos) {
      const auto close = text_.find('#', at_ + 1);
      push(Token::preprocessor, static_cast<std::uint32_t>(close + 1 - at_));
    } else if (const Spelling* s = symbol(text_.substr(at_, std::min(end_ - at_, 3U)))) {
      push(s->token, static_cast<std::uint32_t>(s->text.size()));
    } else {
      garbage();
    }
  }

  void comment() {
    const auto newline = text_.substr(at_, end_ - at_).find('\n');
    std::uint32_t stop = newline == text_.npos ? end_ : at_ + static_cast<std::uint32_t>(newline);
    const std::uint32_t next = stop;
    while (stop > at_ && text_[stop - 1] == '\r') --stop;
    out_.comments.push_back({at_, stop});
    at_ = next;
  }

  void word() {
    std::uint32_t n = 1;
    while (is_letter(peek(n)) || is_digit(peek(n))) ++n;
    const auto found = keywords().find(text_.substr(at_, n));
    if (peek(n) == '\'') {
      push(Token::primed, n + 1);
    } else {
      push(found == keywords().end() ? Token::identifier : found->second, n);
    }
  }

  // An int is 0 or starts with 1..9. A real is digits, an optional point, digits, an optional
  // exponent: so 01 is a real, 1. is not a number, and 0..3 is 0 then `..`.
  void number() {
    const std::uint32_t whole = digits(0);
    std::uint32_t n = whole;
    if (peek(n) == '.' && is_digit(peek(n + 1))) n = digits(n + 1);
    if (peek(n) == 'e' || peek(n) == 'E') {
      const std::uint32_t sign = peek(n + 1) == '+' || peek(n + 1) == '-' ? 1 : 0;
      if (is_digit(peek(n + 1 + sign))) n = digits(n + 1 + sign);
    }
    const bool integer = n == whole && (peek() != '0' || whole == 1);
    push(integer ? Token::integer : Token::real, n);
  }

  void garbage() {
    std::uint32_t n = 1;
    while (at_ + n < end_ && !is_blank(peek(n)) && !is_letter(peek(n)) && !is_digit(peek(n)) &&
           !starts_symbol(peek(n))) {
      ++n;
    }
    push(Token::garbage, n);
  }

  std::string_view text_;
  std::uint32_t at_;
  std::uint32_t end_;
  Lexed out_;
};

}  // namespace

std::string_view token_name(Token token) {
  switch (token) {
    case Token::identifier:
      return "an identifier";
    case Token::primed:
      return "a primed variable";
    case Token::integer:
      return "an integer";
    case Token::real:
      return "a number";
    case Token::preprocessor:
      return "a preprocessor directive";
    case Token::garbage:
      return "an unknown character";
    case Token::end:
      return "the end of the text";
    default:
      return kSpellings[static_cast<std::size_t>(token)].text;
  }
}

bool is_keyword(Token token) { return token <= Token::kw_W; }

Lexed lex(std::string_view text, Span range) { return Lexer(text, range).run(); }

}  // namespace brink
