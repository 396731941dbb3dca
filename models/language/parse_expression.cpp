// Expressions by precedence climbing, in PRISM's order (see ops.def). Two things differ from most
// languages: `!` binds looser than comparison (`!x=1` is `!(x=1)`), and unary minus tighter than
// `^`
// (`-2^2` is 4).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "models/language/parse_impl.h"

namespace brink {

using syntax::Expression;
using syntax::Node;
using syntax::NodeId;
using syntax::NodeKind;

namespace {

/// The operator of ops.def that is written between its operands as this token is spelled.
std::optional<Op> infix_operator(Token token) {
  static const auto table = [] {
    std::array<std::optional<Op>, static_cast<std::size_t>(Token::end) + 1> rows;
    for (std::size_t t = 0; t < rows.size(); ++t) {
      for (int i = 0; i <= static_cast<int>(Op::real); ++i) {
        const OpInfo& info = op_info(static_cast<Op>(i));
        const bool infix = info.style == OpStyle::infix || info.style == OpStyle::infix_right;
        if (infix && token_name(static_cast<Token>(t)) == info.text) rows[t] = static_cast<Op>(i);
      }
    }
    return rows;
  }();
  return table[static_cast<std::size_t>(token)];
}

std::optional<NodeKind> temporal_prefix(Token token) {
  switch (token) {
    case Token::kw_X:
      return NodeKind::next;
    case Token::kw_F:
      return NodeKind::finally;
    case Token::kw_G:
      return NodeKind::globally;
    default:
      return std::nullopt;
  }
}

std::optional<NodeKind> temporal_infix(Token token) {
  switch (token) {
    case Token::kw_U:
      return NodeKind::until;
    case Token::kw_W:
      return NodeKind::weak_until;
    case Token::kw_R:
      return NodeKind::release;
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<Op> function_named(std::string_view name) {
  if (name == "pow") return Op::pow;
  for (int i = 0; i < static_cast<int>(Op::real); ++i) {
    const auto op = static_cast<Op>(i);
    if (op_info(op).style == OpStyle::call && op_info(op).text == name) return op;
  }
  return std::nullopt;
}

NodeId Parser::add(Node node, const std::vector<NodeId>& children) {
  node.first_child = static_cast<std::uint32_t>(tree_.children.size());
  node.child_count = static_cast<std::uint32_t>(children.size());
  tree_.children.insert(tree_.children.end(), children.begin(), children.end());
  tree_.nodes.push_back(node);
  return static_cast<NodeId>(tree_.nodes.size() - 1);
}

std::uint32_t Parser::intern(std::string_view text) {
  tree_.texts.emplace_back(text);
  return static_cast<std::uint32_t>(tree_.texts.size() - 1);
}

Expression Parser::expression(Context context) {
  const auto first = static_cast<NodeId>(tree_.nodes.size());
  const NodeId root = any(context);
  if (failed_) return {};
  return {first, root};
}

NodeId Parser::any(Context context) {
  const NodeId left = temporal_unary(context);
  if (failed_) return kNone;
  const auto kind = temporal_infix(peek());
  if (!kind || !context.path) return left;
  Node node{.kind = *kind, .name_span = span_at()};
  advance();
  NodeId lower = kNone;
  NodeId upper = kNone;
  if (!time_bound(node, lower, upper)) return kNone;
  const NodeId right = temporal_unary(context);
  if (failed_) return kNone;
  node.span = cover(span_of(left), span_of(right));
  return add(node, {left, right, lower, upper});
}

NodeId Parser::temporal_unary(Context context) {
  const auto kind = temporal_prefix(peek());
  if (!kind || !context.path) return choice(context);
  const Span begin = span_at();
  if (!enter(begin)) return kNone;
  advance();
  Node node{.kind = *kind, .name_span = begin};
  NodeId lower = kNone;
  NodeId upper = kNone;
  if (!time_bound(node, lower, upper)) return kNone;
  const NodeId right = temporal_unary(context);
  leave();
  if (failed_) return kNone;
  node.span = cover(begin, span_of(right));
  return add(node, {kNone, right, lower, upper});
}

// c ? a : d ? b : e. A chain of choices is a list here, not a nest.
NodeId Parser::choice(Context context) {
  std::vector<NodeId> parts;
  std::vector<Span> marks;
  parts.push_back(binary(2, context));
  while (!failed_ && at(Token::question)) {
    marks.push_back(span_at());
    advance();
    parts.push_back(binary(2, context));
    if (failed_ || !expect(Token::colon, "of the choice `?:`")) return kNone;
    parts.push_back(binary(2, context));
  }
  if (failed_) return kNone;
  NodeId result = parts.back();
  for (std::size_t i = parts.size() - 1; i >= 2; i -= 2) {
    Node node{.kind = NodeKind::apply, .op = Op::ite, .name_span = marks[i / 2 - 1]};
    node.span = cover(span_of(parts[i - 2]), span_of(result));
    result = add(node, {parts[i - 2], parts[i - 1], result});
  }
  return result;
}

NodeId Parser::fold_right(std::vector<NodeId>& operands, std::vector<Span>& operators, Op op) {
  NodeId result = operands.back();
  for (std::size_t i = operands.size() - 1; i-- > 0;) {
    Node node{.kind = NodeKind::apply, .op = op, .name_span = operators[i]};
    node.span = cover(span_of(operands[i]), span_of(result));
    result = add(node, {operands[i], result});
  }
  return result;
}

NodeId Parser::right_operand(int precedence, Context context) {
  if (++pending_ > kMaxPending) {
    too_deep(span_at(), fmt::format("more than {} operators wait for operands", kMaxPending));
    return kNone;
  }
  const NodeId result = binary(precedence, context);
  --pending_;
  return result;
}

NodeId Parser::binary(int precedence, Context context) {
  NodeId left = prefix(precedence, context);
  while (!failed_) {
    const auto op = infix_operator(peek());
    if (!op || op_info(*op).precedence < precedence) return left;
    const int level = op_info(*op).precedence;
    if (op_info(*op).style == OpStyle::infix_right) {
      std::vector<NodeId> operands{left};
      std::vector<Span> operators;
      while (!failed_ && infix_operator(peek()) == op) {
        operators.push_back(span_at());
        advance();
        operands.push_back(right_operand(level + 1, context));
      }
      if (failed_) return kNone;
      left = fold_right(operands, operators, *op);
      continue;
    }
    Node node{.kind = NodeKind::apply, .op = *op, .name_span = span_at()};
    advance();
    const NodeId right = right_operand(level + 1, context);
    if (failed_) return kNone;
    node.span = cover(span_of(left), span_of(right));
    left = add(node, {left, right});
  }
  return kNone;
}

NodeId Parser::prefix(int precedence, Context context) {
  const bool negation = at(Token::not_);
  if (!negation && !at(Token::minus)) return basic(context);
  const Op op = negation ? Op::not_ : Op::neg;
  const int level = op_info(op).precedence;
  const Span begin = span_at();
  if (level < precedence) {
    error("E0101", begin, "`!` binds looser than the operator before it",
          "put the negation in parentheses");
    return kNone;
  }
  if (!enter(begin)) return kNone;
  advance();
  // The operand of `!` is a comparison or another `!`; that of `-` is an atom or another `-`.
  const NodeId operand = negation ? right_operand(level, context) : prefix(level, context);
  leave();
  if (failed_) return kNone;
  Node node{.kind = NodeKind::apply, .op = op, .name_span = begin};
  node.span = cover(begin, span_of(operand));
  return add(node, {operand});
}

NodeId Parser::basic(Context context) {
  switch (peek()) {
    case Token::integer:
    case Token::real:
    case Token::kw_true:
    case Token::kw_false:
      return literal();
    case Token::lparen:
      return parenthesised(context);
    case Token::identifier:
    case Token::kw_min:
    case Token::kw_max:
    case Token::kw_func:
      return name_or_call(context);
    case Token::primed:
      error("E0101", span_at(), "a primed variable can only be assigned to",
            fmt::format("the old value is `{}`", text_at().substr(0, text_at().size() - 1)));
      return kNone;
    default:
      break;
  }
  if (starts_property_operator()) {
    if (context.property) return property_operator(context);
    error("E0115", span_at(),
          fmt::format("`{}` belongs to properties and cannot be used here", text_at()),
          is_keyword(peek())
              ? fmt::format("if it is meant as a name: `{}` is a reserved word", text_at())
              : std::string{});
    return kNone;
  }
  if (temporal_prefix(peek()) && context.path) {
    error("E0109", span_at(), fmt::format("`{}` needs parentheses here", text_at()),
          fmt::format("write `({} ...)`", text_at()));
    return kNone;
  }
  if (temporal_prefix(peek()) && context.property) {
    error("E0109", span_at(),
          fmt::format("`{}` is only allowed in a path formula, inside P, R, A or E", text_at()),
          fmt::format("write `A [ {0} ... ]`, `E [ {0} ... ]` or `P=? [ {0} ... ]`", text_at()));
    return kNone;
  }
  if (is_keyword(peek()) && !failed_) {
    error("E0103", span_at(), fmt::format("`{}` is a reserved word and no expression", text_at()));
    return kNone;
  }
  unexpected("an expression");
  return kNone;
}

NodeId Parser::literal() {
  Node node{.span = span_at(), .name_span = span_at()};
  const std::string_view text = text_at();
  node.text = intern(text);
  if (at(Token::integer)) {
    node.kind = NodeKind::integer;
    std::int64_t value = 0;
    if (std::from_chars(text.begin(), text.end(), value).ec != std::errc{}) {
      error("E0104", node.span, "the integer does not fit into 64 bits",
            "write it as a double: add `.0`");
    }
  } else if (at(Token::real)) {
    node.kind = NodeKind::real;
    double value = 0;
    const auto [end, code] = std::from_chars(text.begin(), text.end(), value);
    if (code == std::errc::result_out_of_range && text.find('-') == text.npos) {
      error("E0104", node.span, "the number is too large for a double");
    }
  } else {
    node.kind = NodeKind::boolean;
  }
  advance();
  return failed_ ? kNone : add(node);
}

NodeId Parser::parenthesised(Context context) {
  const Span open = span_at();
  if (!enter(open)) return kNone;
  advance();
  const NodeId inner = any(context);
  leave();
  if (failed_) return kNone;
  if (!accept(Token::rparen)) {
    unexpected("`)`");
    errors_.back().notes.push_back(
        fmt::format("the parenthesis was opened in line {}", source_->position(open.begin).line));
    return kNone;
  }
  tree_.nodes[inner].span = cover(open, last_span());
  return inner;
}

NodeId Parser::name_or_call(Context context) {
  const Span name = span_at();
  const std::string_view text = text_at();
  if (accept(Token::kw_func)) {
    if (!expect(Token::lparen, "after `func`")) return kNone;
    const Span inner = span_at();
    const std::string_view function = text_at();
    if (!accept(Token::identifier) && !accept(Token::kw_min) && !accept(Token::kw_max)) {
      unexpected("the name of a function");
      return kNone;
    }
    if (!expect(Token::comma, "after the function's name")) return kNone;
    return call(name, function, inner, true, context);
  }
  if (context.property && at_elapsed_time()) return elapsed_time();
  const bool extremum = at(Token::kw_min) || at(Token::kw_max);
  advance();
  if (accept(Token::lparen)) return call(name, text, name, false, context);
  if (extremum) {
    unexpected(fmt::format("`(` after the function `{}`", text));
    return kNone;
  }
  return add({.kind = NodeKind::name, .text = intern(text), .span = name, .name_span = name});
}

NodeId Parser::call(Span begin, std::string_view function, Span name, bool old_style,
                    Context context) {
  Node node{.kind = NodeKind::apply, .old_style = old_style, .span = begin, .name_span = name};
  if (function == "multi" && context.property) {
    node.kind = NodeKind::multi;
  } else if (const auto op = function_named(function)) {
    node.op = *op;
    node.text = intern(function);
  } else {
    std::vector<std::string> names;
    for (int i = 0; i < static_cast<int>(Op::real); ++i) {
      const OpInfo& info = op_info(static_cast<Op>(i));
      if (info.style == OpStyle::call) names.emplace_back(info.text);
    }
    names.emplace_back("pow");
    const std::string near = nearest_name(function, names);
    error(
        "E0208", name, fmt::format("there is no function `{}`", function),
        near.empty() ? std::string{} : fmt::format("a function with a similar name is `{}`", near));
    return kNone;
  }
  return arguments(node, context, {});
}

/// The arguments and the closing parenthesis of a call.
NodeId Parser::arguments(Node node, Context context, std::vector<NodeId> children) {
  if (!enter(node.span)) return kNone;
  do {
    children.push_back(any(context));
  } while (!failed_ && accept(Token::comma));
  leave();
  if (failed_ || !expect(Token::rparen, "or `,` after an argument")) return kNone;
  node.span = cover(node.span, last_span());
  return add(node, children);
}

}  // namespace brink
