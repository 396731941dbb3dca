// system...endsystem: terms over modules. As in PRISM, only hiding and renaming have a real
// precedence:
// || takes operands of |||, and ||| takes operands of |[a]|.
#include <algorithm>

#include "models/language/parse_impl.h"

namespace brink {

using syntax::SystemDef;
using syntax::SystemKind;
using syntax::SystemNode;

syntax::SystemDef Parser::system() {
  SystemDef def;
  def.span = span_at();
  advance();
  if (at(Token::quote) && peek(2) == Token::quote && peek(3) != Token::or_ &&
      peek(3) != Token::divide && peek(3) != Token::lbrace && peek(3) != Token::kw_endsystem) {
    advance();
    def.name = identifier("a system");
    if (failed_) return def;
    advance();
  }
  system_full(def);
  if (!failed_) expect(Token::kw_endsystem, "after the composition");
  def.span = cover(def.span, last_span());
  return def;
}

std::uint32_t Parser::system_chain(SystemDef& def, SystemKind kind, std::uint32_t first,
                                   std::vector<std::uint32_t> rest, std::uint32_t begin) {
  SystemNode node;
  node.kind = kind;
  node.operands.push_back(first);
  node.operands.insert(node.operands.end(), rest.begin(), rest.end());
  node.span = {begin, last_span().end};
  def.nodes.push_back(std::move(node));
  return static_cast<std::uint32_t>(def.nodes.size() - 1);
}

std::uint32_t Parser::system_full(SystemDef& def) {
  const Span begin = span_at();
  if (!enter(begin)) return 0;
  const std::uint32_t first = system_interleaved(def);
  std::vector<std::uint32_t> rest;
  while (!failed_ && at(Token::or_) && peek(1) == Token::or_ && peek(2) != Token::or_) {
    advance();
    advance();
    rest.push_back(system_over(def));
  }
  leave();
  if (failed_ || rest.empty()) return first;
  return system_chain(def, SystemKind::full, first, std::move(rest), begin.begin);
}

std::uint32_t Parser::system_interleaved(SystemDef& def) {
  const Span begin = span_at();
  const std::uint32_t first = system_over(def);
  std::vector<std::uint32_t> rest;
  while (!failed_ && at(Token::or_) && peek(1) == Token::or_ && peek(2) == Token::or_) {
    advance();
    advance();
    advance();
    rest.push_back(system_full(def));
  }
  if (failed_ || rest.empty()) return first;
  return system_chain(def, SystemKind::interleaved, first, std::move(rest), begin.begin);
}

std::uint32_t Parser::system_over(SystemDef& def) {
  const Span begin = span_at();
  const std::uint32_t left = system_postfix(def);
  if (failed_ || !at(Token::or_) || peek(1) != Token::lbracket) return left;
  advance();
  advance();
  SystemNode node;
  node.kind = SystemKind::over;
  do {
    node.actions.push_back(identifier("an action"));
  } while (!failed_ && accept(Token::comma));
  if (failed_ || !expect(Token::rbracket, "after the actions")) return left;
  if (!expect(Token::or_, "after the actions")) return left;
  const std::uint32_t right = system_postfix(def);
  if (failed_) return left;
  node.operands = {left, right};
  node.span = cover(begin, last_span());
  def.nodes.push_back(std::move(node));
  return static_cast<std::uint32_t>(def.nodes.size() - 1);
}

std::uint32_t Parser::system_postfix(SystemDef& def) {
  const Span begin = span_at();
  std::uint32_t operand = system_atom(def);
  while (!failed_ && (at(Token::lbrace) || at(Token::divide))) {
    SystemNode node;
    node.operands = {operand};
    if (accept(Token::divide)) {
      node.kind = SystemKind::hide;
      if (!expect(Token::lbrace, "before the hidden actions")) return operand;
      do {
        node.actions.push_back(identifier("an action"));
      } while (!failed_ && accept(Token::comma));
    } else {
      node.kind = SystemKind::rename;
      advance();
      do {
        syntax::RenameDef rename;
        rename.from = identifier("an action");
        if (failed_ || !expect(Token::rename, "between old and new action")) return operand;
        rename.to = identifier("an action");
        node.renames.push_back(std::move(rename));
      } while (!failed_ && accept(Token::comma));
    }
    if (failed_ || !expect(Token::rbrace, "or `,` after an action")) return operand;
    node.span = cover(begin, last_span());
    def.nodes.push_back(std::move(node));
    operand = static_cast<std::uint32_t>(def.nodes.size() - 1);
  }
  return operand;
}

std::uint32_t Parser::system_atom(SystemDef& def) {
  if (accept(Token::lparen)) {
    const std::uint32_t inner = system_full(def);
    if (!failed_) expect(Token::rparen, "after the composition");
    return inner;
  }
  SystemNode node;
  node.span = span_at();
  if (accept(Token::quote)) {
    node.kind = SystemKind::reference;
    node.name = identifier("a system");
    if (failed_ || !expect(Token::quote, "after the name of the system")) return 0;
  } else {
    node.name = identifier("a module");
  }
  node.span = cover(node.span, last_span());
  def.nodes.push_back(std::move(node));
  return static_cast<std::uint32_t>(def.nodes.size() - 1);
}

}  // namespace brink
