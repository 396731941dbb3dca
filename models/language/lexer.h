// Text -> tokens. PRISM's tokens, whose longest match is sometimes a surprise: `]]`, `<-` and `x'`
// are one token each. Comments are kept aside for RESULT and `//@` lines. Used by: the parsers.
#pragma once

#include <string_view>
#include <vector>

#include "models/language/source.h"

namespace brink {

enum class Token : std::uint8_t {
#define BRINK_KEYWORD(id, text) id,
#define BRINK_SYMBOL(id, text) id,
#include "models/language/tokens.def"
#undef BRINK_KEYWORD
#undef BRINK_SYMBOL
  identifier,
  primed,  ///< x'
  integer,
  real,
  preprocessor,  ///< #...#
  garbage,       ///< a run of bytes that start no token
  end,
};

/// "`module`", "an identifier": for messages.
std::string_view token_name(Token token);

/// A reserved word (as opposed to a symbol or a class of tokens).
bool is_keyword(Token token);

struct LexedToken {
  Token token = Token::end;
  Span span;
};

struct Lexed {
  std::vector<LexedToken> tokens;  ///< the last one is `end`
  std::vector<Span> comments;      ///< without the line end
};

/// Lexes the part `range` of the text.
Lexed lex(std::string_view text, Span range);

}  // namespace brink
