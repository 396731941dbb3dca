// What the printers share: text is emitted from a stack of pieces, never by recursion. Not part of
// the public interface.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/language/expr.h"
#include "models/language/printer.h"

namespace brink {

/// A piece of text, or a node to be expanded. `level` is how tightly its surroundings bind: what
/// binds looser is put in parentheses.
struct Piece {
  std::string text;
  std::uint32_t id = UINT32_MAX;
  int level = 0;
};

// Levels, loosest first: binary temporal operators, unary ones, then operators by precedence.
inline constexpr int kAnything = 0;
inline constexpr int kTemporal = 1;
inline constexpr int kTightest = 100;

inline int level_of(Op op) {
  const int precedence = op_info(op).precedence;
  return precedence == 0 ? kTightest : precedence + 1;
}

/// The level that operand `i` of `op` must have at least.
int operand_level(Op op, std::size_t i);

/// `op` over operands with these ids: "a + b", "min(a, b)", "c ? a : b".
std::vector<Piece> application(Op op, const std::vector<std::uint32_t>& operands);

/// `pieces` in parentheses.
std::vector<Piece> parenthesise(std::vector<Piece> pieces);

/// Appends `text`; `<` and `-` are kept apart, since `<-` is one symbol.
inline void join(std::string& out, std::string_view text) {
  if (out.ends_with('<') && text.starts_with('-')) out += ' ';
  out += text;
}

/// Expands from the root on; `expand(id)` gives a node's pieces, `level(id)` how tightly it binds.
template <typename Expand, typename Level>
std::string emit(std::uint32_t root, int level_wanted, Expand expand, Level level) {
  std::string out;
  std::vector<Piece> stack{{{}, root, level_wanted}};
  while (!stack.empty()) {
    Piece piece = std::move(stack.back());
    stack.pop_back();
    if (piece.id == UINT32_MAX) {
      join(out, piece.text);
    } else {
      std::vector<Piece> pieces = expand(piece.id);
      if (level(piece.id) < piece.level) pieces = parenthesise(std::move(pieces));
      for (auto it = pieces.rbegin(); it != pieces.rend(); ++it) stack.push_back(std::move(*it));
    }
    if (out.size() > kMaxPrintedBytes) return out + "...";
  }
  return out;
}

}  // namespace brink
