#include "models/language/lower.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "models/base/check.h"
#include "models/language/exact.h"
#include "models/language/parse_impl.h"

namespace brink {

using syntax::Node;
using syntax::NodeId;
using syntax::NodeKind;

Diagnostic* Reporter::add(Severity severity, std::string code, Span span, std::string message,
                          std::string help) {
  if (severity == Severity::error) failed_ = true;
  if (quiet_ || (severity == Severity::error && errors_ >= kMaxDiagnostics)) return nullptr;
  if (!seen_.emplace(code, span.begin, span.end).second) return nullptr;
  if (severity == Severity::warning && warnings_ >= kMaxDiagnostics) return nullptr;
  ++(severity == Severity::error ? errors_ : warnings_);
  Diagnostic d;
  d.code = std::move(code);
  d.severity = severity;
  d.message = shortened(std::move(message));
  d.source = source_;
  d.span = span;
  d.help = shortened(std::move(help));
  if (!note_.empty()) d.notes.push_back(note_);
  diagnostics_.push_back(std::move(d));
  return &diagnostics_.back();
}

bool Reporter::first_time(std::string_view subject) {
  return quiet_ || subjects_.emplace(subject).second;
}

Diagnostic* Reporter::error(std::string code, Span span, std::string message, std::string help) {
  return add(Severity::error, std::move(code), span, std::move(message), std::move(help));
}

Diagnostic* Reporter::warning(std::string code, Span span, std::string message, std::string help) {
  return add(Severity::warning, std::move(code), span, std::move(message), std::move(help));
}

namespace {
Diagnostics only(const Diagnostics& all, Severity severity) {
  Diagnostics result;
  std::ranges::copy_if(all, std::back_inserter(result),
                       [&](const Diagnostic& d) { return d.severity == severity; });
  return result;
}
}  // namespace

Diagnostics Reporter::errors() const { return only(diagnostics_, Severity::error); }
Diagnostics Reporter::warnings() const { return only(diagnostics_, Severity::warning); }

void Scope::declare(const syntax::Identifier& name, Symbol symbol, Reporter& reporter) {
  const auto [it, fresh] = symbols_.emplace(name.text, symbol);
  if (fresh) {
    names_.push_back(name.text);
    return;
  }
  if (Diagnostic* d = reporter.error("E0202", name.span,
                                     fmt::format("the name `{}` is already taken", name.text))) {
    const std::uint32_t line = reporter.source()->position(it->second.span.begin).line;
    d->notes.push_back(fmt::format("it is declared in line {}", line));
  }
}

void Scope::declare_silently(std::string name, Symbol symbol) {
  if (symbols_.emplace(name, symbol).second) names_.push_back(std::move(name));
}

const Symbol* Scope::find(std::string_view name) const {
  const auto it = symbols_.find(std::string(name));
  return it == symbols_.end() ? nullptr : &it->second;
}

void report_unknown(Reporter& reporter, std::string_view name, Span span, const Scope& scope) {
  if (!reporter.first_time(name)) return reporter.fail_silently();
  const std::string near = nearest_name(name, scope.names());
  reporter.error("E0201", span, fmt::format("the name `{}` is not declared", name),
                 near.empty() ? std::string{} : fmt::format("a name like it is `{}`", near));
}

std::string suggest(std::string_view what, std::string_view name,
                    const std::vector<std::string>& candidates) {
  const std::string near = nearest_name(name, candidates);
  return near.empty() ? near : fmt::format("{} with a similar name is `{}`", what, near);
}

namespace {

std::string_view article(Type type) {
  switch (type) {
    case Type::boolean:
      return "a bool";
    case Type::integer:
      return "an int";
    case Type::real:
      return "a double";
  }
  return {};
}

/// Reports the operand that does not fit, or the whole where two do not fit together.
void report_types(Reporter& reporter, Op op, const Node& node, std::span<const Operand> operands) {
  const OpInfo& info = op_info(op);
  const auto blame = [&](const Operand& operand, std::string_view wanted, std::string help = {}) {
    reporter.error(
        "E0301", operand.span,
        fmt::format("`{}` needs {}, this is {}", info.text, wanted, article(operand.type)),
        std::move(help));
  };
  const auto first = [&](auto predicate) { return std::ranges::find_if(operands, predicate); };
  const auto is_bool = [](const Operand& o) { return o.type == Type::boolean; };
  switch (info.typing) {
    case OpTyping::logic:
      return blame(*first(std::not_fn(is_bool)), "bools");
    case OpTyping::order:
    case OpTyping::arithmetic:
    case OpTyping::real_arithmetic:
    case OpTyping::rounding:
      return blame(*first(is_bool), "numbers",
                   info.text == "+" ? "use `&` or `|` between conditions" : "");
    case OpTyping::integer:
      return blame(*first([](const Operand& o) { return o.type != Type::integer; }), "ints",
                   "use floor, ceil or round to make it an int");
    case OpTyping::equality:
      reporter.error("E0301", node.span,
                     fmt::format("{} and {} cannot be compared", article(operands[0].type),
                                 article(operands[1].type)));
      return;
    case OpTyping::choice:
      if (!is_bool(operands[0])) return blame(operands[0], "a bool before `?`");
      reporter.error("E0301", node.span,
                     fmt::format("the branches of `?:` are {} and {}", article(operands[1].type),
                                 article(operands[2].type)));
      return;
  }
}

bool many_operands(Op op) { return op == Op::min || op == Op::max; }

}  // namespace

std::optional<Type> check_application(Reporter& reporter, Op op, const Node& node,
                                      std::span<const Operand> operands) {
  const OpInfo& info = op_info(op);
  const std::size_t arity = info.arity;
  const bool right = many_operands(op) ? !operands.empty() : operands.size() == arity;
  if (!right) {
    reporter.error("E0302", node.span,
                   fmt::format("`{}` takes {} argument{}, {} given", info.text, arity,
                               arity == 1 ? "" : "s", operands.size()));
    return std::nullopt;
  }
  std::vector<Type> types;
  for (const Operand& operand : operands) types.push_back(operand.type);
  Type result = types[0];
  bool fits = true;
  if (many_operands(op)) {
    for (const Type type : types) {
      const Type pair[] = {result, type};
      fits = fits && result_type(op, pair, result);
    }
  } else {
    fits = result_type(op, types, result);
  }
  if (fits) return result;
  report_types(reporter, op, node, operands);
  return std::nullopt;
}

ExprId build_application(ExprPool& pool, Op op, std::span<const ExprId> operands) {
  if (many_operands(op)) {
    ExprId result = operands[0];
    for (const ExprId operand : operands.subspan(1)) result = pool.apply(op, result, operand);
    return result;
  }
  const auto at = [&](std::size_t i) { return i < operands.size() ? operands[i] : ExprId{}; };
  return pool.apply(op, at(0), at(1), at(2));
}

ExprId lower_literal(ExprPool& pool, const syntax::Tree& tree, const Node& node) {
  const std::string_view text = tree.text(node);
  switch (node.kind) {
    case NodeKind::boolean:
      return pool.boolean(text == "true");
    case NodeKind::integer: {
      std::int64_t value = 0;
      std::from_chars(text.begin(), text.end(), value);
      return pool.integer(value);
    }
    case NodeKind::real: {
      double value = 0;
      std::from_chars(text.begin(), text.end(), value);
      return pool.real({value, exact::parse(text)});
    }
    default:
      BRINK_CHECK(false);
      return {};
  }
}

ExprId Lowering::operator()(const syntax::Expression& expression) const {
  if (!expression.valid()) return {};
  const NodeId first = expression.first;
  std::vector<ExprId> image(expression.root - first + 1);
  std::vector<ExprId> operands;
  std::vector<Operand> typed;
  for (NodeId id = first; id <= expression.root; ++id) {
    const Node& node = tree->nodes[id];
    ExprId& out = image[id - first];
    if (node.kind <= NodeKind::real) {
      out = lower_literal(*pool, *tree, node);
    } else if (node.kind == NodeKind::name) {
      out = lookup(tree->text(node), node.name_span);
    } else {
      BRINK_CHECK(node.kind == NodeKind::apply);
      operands.clear();
      typed.clear();
      bool good = true;
      for (std::uint32_t i = 0; i < node.child_count; ++i) {
        const NodeId child = tree->child(node, i);
        const ExprId operand = image[child - first];
        good = good && operand.valid();
        if (!good) break;
        operands.push_back(operand);
        typed.push_back({pool->type(operand), tree->nodes[child].span});
      }
      if (!good) continue;  // what is wrong below has been reported
      Op op = node.op;
      if (rename && node.text != kNone) {
        if (const auto renamed = function_named(rename(tree->text(node)))) op = *renamed;
      }
      if (check_application(*reporter, op, node, typed)) {
        out = build_application(*pool, op, operands);
      }
    }
  }
  return image.back();
}

std::vector<Symbol> definitions_used(const syntax::Tree& tree, const syntax::Expression& expression,
                                     const Scope& scope) {
  std::vector<Symbol> result;
  if (!expression.valid()) return result;
  for (NodeId id = expression.first; id <= expression.root; ++id) {
    const Node& node = tree.nodes[id];
    if (node.kind != NodeKind::name) continue;
    const Symbol* symbol = scope.find(tree.text(node));
    if (symbol != nullptr && symbol->kind != SymbolKind::variable) result.push_back(*symbol);
  }
  return result;
}

std::vector<std::uint32_t> dependency_order(const std::vector<std::vector<std::uint32_t>>& needs,
                                            std::vector<std::uint32_t>& cycle) {
  enum class Mark : std::uint8_t { fresh, open, done, broken };
  std::vector<Mark> mark(needs.size(), Mark::fresh);
  std::vector<std::uint32_t> order;
  struct Frame {
    std::uint32_t node;
    std::size_t next = 0;
    bool broken = false;
  };
  std::vector<Frame> stack;
  for (std::uint32_t start = 0; start < needs.size(); ++start) {
    if (mark[start] != Mark::fresh) continue;
    stack.push_back({start});
    mark[start] = Mark::open;
    while (!stack.empty()) {
      Frame& top = stack.back();
      if (top.next == needs[top.node].size()) {
        mark[top.node] = top.broken ? Mark::broken : Mark::done;
        if (!top.broken) order.push_back(top.node);
        const bool broken = top.broken;
        stack.pop_back();
        if (broken && !stack.empty()) stack.back().broken = true;
        continue;
      }
      const std::uint32_t next = needs[top.node][top.next++];
      if (mark[next] == Mark::fresh) {
        mark[next] = Mark::open;
        stack.push_back({next});
      } else if (mark[next] == Mark::open) {
        top.broken = true;
        if (!cycle.empty()) continue;
        auto from = std::ranges::find(stack, next, &Frame::node);
        for (; from != stack.end(); ++from) cycle.push_back(from->node);
      } else if (mark[next] == Mark::broken) {
        top.broken = true;
      }
    }
  }
  return order;
}

ExprId require_type(Reporter& reporter, ExprPool& pool, ExprId id, Type wanted, Span span,
                    std::string_view what, std::string_view code) {
  if (!id.valid()) return id;
  const Type type = pool.type(id);
  if (type == wanted) return id;
  if (wanted == Type::real && type == Type::integer) return pool.apply(Op::real, id);
  const bool rounding = wanted == Type::integer && type == Type::real;
  reporter.error(std::string(code), span,
                 fmt::format("{} must be {}, this is {}", what, article(wanted), article(type)),
                 rounding ? "`/` always gives a double; use floor, ceil or round" : "");
  return {};
}

}  // namespace brink
