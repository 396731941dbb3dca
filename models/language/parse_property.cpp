// The property language: P, S, R, A, E with their path formulas, time bounds, filters and
// coalitions.
#include <fmt/format.h>

#include <algorithm>

#include "models/language/parse_impl.h"

namespace brink {

using syntax::Node;
using syntax::NodeId;
using syntax::NodeKind;
using syntax::Optimum;
using syntax::Relation;

namespace {

struct OperatorWord {
  Token token;
  NodeKind kind;
  Optimum optimum;
};

constexpr OperatorWord kOperators[] = {
    {Token::kw_P, NodeKind::probability, Optimum::none},
    {Token::kw_Pmin, NodeKind::probability, Optimum::min},
    {Token::kw_Pmax, NodeKind::probability, Optimum::max},
    {Token::kw_R, NodeKind::reward, Optimum::none},
    {Token::kw_Rmin, NodeKind::reward, Optimum::min},
    {Token::kw_Rmax, NodeKind::reward, Optimum::max},
    {Token::kw_S, NodeKind::steady, Optimum::none},
};

constexpr Token kGameWords[] = {Token::kw_Pminmin, Token::kw_Pminmax, Token::kw_Pmaxmin,
                                Token::kw_Pmaxmax, Token::kw_Rminmin, Token::kw_Rminmax,
                                Token::kw_Rmaxmin, Token::kw_Rmaxmax, Token::kw_minmin,
                                Token::kw_minmax,  Token::kw_maxmin,  Token::kw_maxmax};

const OperatorWord* operator_word(Token token) {
  const auto found = std::ranges::find(kOperators, token, &OperatorWord::token);
  return found == std::end(kOperators) ? nullptr : found;
}

bool is_game_word(Token token) {
  return std::ranges::find(kGameWords, token) != std::end(kGameWords);
}

std::optional<Relation> relation_of(Token token) {
  switch (token) {
    case Token::lt:
      return Relation::lt;
    case Token::le:
      return Relation::le;
    case Token::gt:
      return Relation::gt;
    case Token::ge:
      return Relation::ge;
    default:
      return std::nullopt;
  }
}

}  // namespace

bool Parser::starts_property_operator() const {
  switch (peek()) {
    case Token::kw_A:
    case Token::kw_E:
    case Token::kw_filter:
    case Token::quote:
    case Token::dlt:
    case Token::dlbracket:
      return true;
    default:
      return operator_word(peek()) != nullptr || is_game_word(peek());
  }
}

NodeId Parser::property_operator(Context context) {
  if (is_game_word(peek())) {
    error("E0110", span_at(),
          fmt::format("`{}` is for stochastic games, which are not supported", text_at()));
    return kNone;
  }
  switch (peek()) {
    case Token::kw_A:
      return quantified(NodeKind::forall, context);
    case Token::kw_E:
      return quantified(NodeKind::exists, context);
    case Token::kw_filter:
      return filter(context);
    case Token::quote:
      return label_reference();
    case Token::dlt:
    case Token::dlbracket:
      return strategy(context);
    default:
      return probability_like(context);
  }
}

NodeId Parser::quantified(NodeKind kind, Context) {
  Node node{.kind = kind, .span = span_at(), .name_span = span_at()};
  if (!enter(node.span)) return kNone;
  advance();
  if (!expect(Token::lbracket, "after the quantifier")) return kNone;
  const NodeId path = any({.property = true, .path = true});
  leave();
  if (failed_ || !expect(Token::rbracket, "at the end of the path formula")) return kNone;
  node.span = cover(node.span, last_span());
  return add(node, {path});
}

/// What follows P, S or R: `min` `max`, then `=?` or a bound.
bool Parser::relation(Node& node, NodeId& bound) {
  if (node.kind != NodeKind::steady && (at(Token::kw_min) || at(Token::kw_max))) {
    node.optimum = at(Token::kw_min) ? Optimum::min : Optimum::max;
    advance();
  }
  if (is_game_word(peek()) || at(Token::kw_min) || at(Token::kw_max)) {
    error("E0110", span_at(), "two optima are for stochastic games, which are not supported");
    return false;
  }
  if (accept(Token::eq)) {
    node.relation = Relation::query;
    return expect(Token::question, "after `=`");
  }
  const auto relation = relation_of(peek());
  if (!relation) {
    unexpected("`=?` or a bound such as `>=0.5`");
    return false;
  }
  node.relation = *relation;
  advance();
  bound = any({});
  return !failed_;
}

bool Parser::reward_index(Node& node, NodeId& index, NodeId& ratio) {
  const auto one = [&](std::uint32_t& name, NodeId& number) {
    if (!expect(Token::lbrace, "before the reward structure")) return false;
    if (accept(Token::quote)) {
      const syntax::Identifier id = identifier("a reward structure");
      name = intern(id.text);
      if (failed_ || !expect(Token::quote, "after the name of the reward structure")) return false;
    } else {
      number = any({});
    }
    return !failed_ && expect(Token::rbrace, "after the reward structure");
  };
  if (!at(Token::lbrace)) return true;
  if (!one(node.text, index)) return false;
  return !accept(Token::divide) || one(node.text2, ratio);
}

NodeId Parser::probability_like(Context context) {
  const OperatorWord& word = *operator_word(peek());
  Node node{.kind = word.kind, .optimum = word.optimum, .span = span_at(), .name_span = span_at()};
  if (!enter(node.span)) return kNone;
  advance();
  if (at(Token::lparen)) {
    error("E0110", span_at(), "modifiers such as `R(cvar)` are not supported");
    return kNone;
  }
  NodeId bound = kNone;
  NodeId index = kNone;
  NodeId ratio = kNone;
  if (node.kind == NodeKind::reward && !reward_index(node, index, ratio)) return kNone;
  if (!relation(node, bound)) return kNone;
  if (!expect(Token::lbracket, "before what is measured")) return kNone;
  NodeId operand = kNone;
  if (node.kind == NodeKind::reward) {
    operand = reward_contents(context);
  } else {
    operand = any({.property = true, .path = node.kind == NodeKind::probability || context.path});
  }
  leave();
  if (failed_) return kNone;
  const auto finish = [&]() {
    node.span = cover(node.name_span, last_span());
    return add(node, {operand, bound, index, ratio});
  };
  if (!at(Token::lbrace)) {
    if (!expect(Token::rbracket, "at the end of the operator")) return kNone;
    return finish();
  }
  return old_filter(finish(), node.relation != Relation::query);
}

/// {states}{min}{max} before the closing bracket: the older way to write a filter.
NodeId Parser::old_filter(NodeId inner, bool boolean) {
  Node node{
      .kind = NodeKind::filter, .old_style = true, .span = span_of(inner), .name_span = span_at()};
  advance();
  const NodeId states = any({.property = true, .path = false});
  if (failed_ || !expect(Token::rbrace, "after the filter")) return kNone;
  bool lowest = false;
  bool highest = false;
  while (accept(Token::lbrace)) {
    if (at(Token::kw_min)) {
      lowest = true;
    } else if (at(Token::kw_max)) {
      highest = true;
    } else {
      unexpected("`min` or `max`");
      return kNone;
    }
    advance();
    if (!expect(Token::rbrace, "after `min` or `max`")) return kNone;
  }
  if (!expect(Token::rbracket, "at the end of the operator")) return kNone;
  std::string_view kind = "state";
  if (boolean) {
    kind = "forall";
  } else if (lowest || highest) {
    kind = lowest && highest ? "range" : (lowest ? "min" : "max");
  }
  node.text = intern(kind);
  node.span = cover(node.span, last_span());
  tree_.nodes[inner].span = node.span;
  return add(node, {inner, states});
}

NodeId Parser::reward_contents(Context) {
  Node node{.span = span_at(), .name_span = span_at()};
  const auto measured = [&](NodeKind kind, NodeId time) {
    node.kind = kind;
    node.span = cover(node.span, last_span());
    return add(node, {time});
  };
  const bool alone = peek(1) == Token::rbracket || peek(1) == Token::lbrace;
  if (at(Token::kw_S) && alone) {
    advance();
    return measured(NodeKind::long_run, kNone);
  }
  if (accept(Token::kw_C)) {
    if (!accept(Token::le)) return measured(NodeKind::cumulative, kNone);
    const NodeId time = any({});
    return failed_ ? kNone : measured(NodeKind::cumulative, time);
  }
  if (accept(Token::kw_I)) {
    if (!expect(Token::eq, "after `I`")) return kNone;
    const NodeId time = any({});
    return failed_ ? kNone : measured(NodeKind::instantaneous, time);
  }
  return any({.property = true, .path = true});
}

/// `F<=t (b)`: an identifier before a parenthesis is the whole bound, unless it names a function.
NodeId Parser::bound_value() {
  if (at(Token::identifier) && peek(1) == Token::lparen && !function_named(text_at())) {
    const Node node{.kind = NodeKind::name,
                    .text = intern(text_at()),
                    .span = span_at(),
                    .name_span = span_at()};
    advance();
    return add(node);
  }
  return any({});
}

/// T=? [ path ], Tmin=?, Tmax=?: `T` is no reserved word, but `T=?` is nothing else.
bool Parser::at_elapsed_time() const {
  const std::string_view text = text_at();
  return at(Token::identifier) && (text == "T" || text == "Tmin" || text == "Tmax") &&
         peek(1) == Token::eq && peek(2) == Token::question && peek(3) == Token::lbracket;
}

NodeId Parser::elapsed_time() {
  Node node{.kind = NodeKind::reward, .elapsed = true, .span = span_at(), .name_span = span_at()};
  if (text_at() == "Tmin") node.optimum = Optimum::min;
  if (text_at() == "Tmax") node.optimum = Optimum::max;
  if (!enter(node.span)) return kNone;
  for (int i = 0; i < 4; ++i) advance();
  const NodeId operand = any({.property = true, .path = true});
  leave();
  if (failed_ || !expect(Token::rbracket, "at the end of the operator")) return kNone;
  node.span = cover(node.span, last_span());
  return add(node, {operand, kNone, kNone, kNone});
}

/// ^{rew{"name"}<=t} after a temporal operator.
bool Parser::reward_bound(Node& node, NodeId& lower, NodeId& upper) {
  if (!expect(Token::lbrace, "after `^`")) return false;
  if (!at(Token::identifier) || text_at() != "rew") {
    unexpected("`rew`");
    return false;
  }
  advance();
  node.reward_bound = true;
  if (accept(Token::lbrace)) {
    if (!expect(Token::quote, "before the name of a reward structure")) return false;
    const syntax::Identifier name = identifier("a reward structure");
    node.text = intern(name.text);
    if (failed_ || !expect(Token::quote, "after the name of a reward structure")) return false;
    if (!expect(Token::rbrace, "after the reward structure")) return false;
  }
  const auto relation = relation_of(peek());
  if (!relation) {
    unexpected("a bound such as `<=10`");
    return false;
  }
  advance();
  const bool above = *relation == Relation::gt || *relation == Relation::ge;
  (above ? lower : upper) = any({});
  (above ? node.lower_strict : node.upper_strict) =
      *relation == Relation::gt || *relation == Relation::lt;
  return !failed_ && expect(Token::rbrace, "after the bound");
}

bool Parser::time_bound(Node& node, NodeId& lower, NodeId& upper) {
  if (accept(Token::power)) return reward_bound(node, lower, upper);
  if (const auto relation = relation_of(peek())) {
    advance();
    const bool above = *relation == Relation::gt || *relation == Relation::ge;
    (above ? lower : upper) = bound_value();
    (above ? node.lower_strict : node.upper_strict) =
        *relation == Relation::gt || *relation == Relation::lt;
  } else if (accept(Token::lbracket)) {
    lower = any({});
    if (failed_ || !expect(Token::comma, "between the time bounds")) return false;
    upper = any({});
    if (!failed_) expect(Token::rbracket, "after the time bounds");
  } else if (accept(Token::eq)) {
    node.equal_bound = true;
    lower = upper = any({});
  }
  return !failed_;
}

NodeId Parser::label_reference() {
  Node node{.kind = NodeKind::label, .span = span_at(), .name_span = span_at()};
  advance();
  if (at(Token::kw_init)) {
    node.text = intern("init");
    node.name_span = span_at();
    advance();
  } else {
    const syntax::Identifier name = identifier("a label");
    if (failed_) return kNone;
    node.text = intern(name.text);
    node.name_span = name.span;
  }
  if (!expect(Token::quote, "after the name of a label")) return kNone;
  node.span = cover(node.span, last_span());
  return add(node);
}

NodeId Parser::filter(Context context) {
  Node node{.kind = NodeKind::filter, .span = span_at(), .name_span = span_at()};
  if (!enter(node.span)) return kNone;
  advance();
  if (!expect(Token::lparen, "after `filter`")) return kNone;
  node.name_span = span_at();
  const bool named = at(Token::identifier) || at(Token::kw_min) || at(Token::kw_max) ||
                     at(Token::plus) || at(Token::and_) || at(Token::or_);
  if (!named) {
    unexpected("the kind of the filter");
    return kNone;
  }
  node.text = intern(text_at());
  advance();
  if (!expect(Token::comma, "after the kind of the filter")) return kNone;
  const Context inner{.property = true, .path = context.path};
  const NodeId operand = any(inner);
  NodeId states = kNone;
  if (!failed_ && accept(Token::comma)) states = any(inner);
  leave();
  if (failed_ || !expect(Token::rparen, "at the end of the filter")) return kNone;
  node.span = cover(node.span, last_span());
  return add(node, {operand, states});
}

NodeId Parser::strategy(Context context) {
  Node node{.kind = NodeKind::strategy, .span = span_at(), .name_span = span_at()};
  if (!enter(node.span)) return kNone;
  const bool angle = at(Token::dlt);
  const Token close = angle ? Token::dgt : Token::drbracket;
  advance();
  const Span inside = span_at();
  while (at(Token::identifier) || at(Token::integer) || at(Token::comma) || at(Token::times)) {
    advance();
  }
  const Span players{inside.begin, span_at().begin};
  if (!expect(close, "after the players")) return kNone;
  node.text = intern(
      fmt::format("{}{}{}", angle ? "<<" : "[[", source_->slice(players), angle ? ">>" : "]]"));
  node.name_span = cover(node.span, last_span());
  std::vector<NodeId> operands;
  if (accept(Token::lparen)) {
    do {
      operands.push_back(any(context));
    } while (!failed_ && accept(Token::comma));
    if (!failed_) expect(Token::rparen, "after the objectives");
    node.old_style = true;  // written with parentheses
  } else if (operator_word(peek()) != nullptr) {
    operands.push_back(probability_like(context));
  } else {
    unexpected("P or R after the players");
  }
  leave();
  if (failed_) return kNone;
  node.span = cover(node.span, last_span());
  return add(node, operands);
}

}  // namespace brink
