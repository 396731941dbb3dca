#include "experiments/export/terms.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/base/check.h"
#include "solver/symbolic/encode_terms.h"

namespace brink::exports {
namespace {

std::string fill(std::string_view text, const std::vector<std::string>& args) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '$') {
      out += args[static_cast<std::size_t>(text[++i] - '0')];
    } else {
      out += text[i];
    }
  }
  return out;
}

/// Roundings of ints say nothing.
bool is_rounding(Op op) { return op == Op::floor || op == Op::ceil || op == Op::round; }

}  // namespace

Names::Names(const Model& model, std::span<const std::string_view> reserved, bool any_case)
    : any_case_(any_case) {
  for (const std::string_view word : reserved) taken_[key(word)] = true;
  for (const Variable& variable : model.variables) names_.push_back(fresh(variable.name));
}

std::string Names::key(std::string_view name) const {
  std::string out(name);
  if (any_case_) {
    for (char& c : out) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
  }
  return out;
}

std::string Names::fresh(std::string wish) {
  if (wish.starts_with("_")) wish = "v" + wish;
  while (taken_.contains(key(wish))) wish += "_";
  taken_[key(wish)] = true;
  return wish;
}

Terms::Terms(const Machine& machine, const Syntax& syntax, const Names& names)
    : machine_(machine), syntax_(syntax), names_(names) {
  for (const OpText& row : syntax.ops) text_[row.op] = row.text;
}

std::string Terms::problem(ExprId id) const {
  const ExprPool& pool = machine_.pool;
  const std::vector<bool> needed = solver::nodes_below(pool, {id});
  for (std::uint32_t i = 0; i <= id.index; ++i) {
    const ExprNode& node = pool[ExprId{i}];
    if (!needed[i]) continue;
    if (node.type == Type::real) {
      return fmt::format("{} has no real numbers", syntax_.format);
    }
    const bool known = node.kind != ExprKind::apply || is_rounding(node.op) || node.op == Op::pow ||
                       text_.contains(node.op);
    if (!known) return fmt::format("{} has no {}", syntax_.format, op_info(node.op).text);
  }
  const auto needs = solver::analyse_terms(*machine_.model, pool, {id});
  if (!needs) return fmt::format("{} cannot say {}", syntax_.format, needs.error());
  if (needs->width == 0 || needs->width > syntax_.bits) {
    return fmt::format("a value may need more than the {} bits of {}", syntax_.bits,
                       syntax_.format);
  }
  return {};
}

Result<void, Diagnostics> Terms::check(const std::vector<ExprUse>& further) const {
  std::vector<ExprUse> uses = further;
  for (const Move& move : machine_.moves) {
    for (const std::uint32_t c : move.commands) uses.push_back(machine_.model->commands[c].guard);
    for (const Branch& branch : move.branches) {
      for (const Assignment& a : branch.assignments) uses.push_back(a.value);
    }
  }
  Diagnostics errors;
  std::map<std::uint32_t, bool> seen;
  for (const ExprUse& use : uses) {
    if (!seen.emplace(use.id.index, true).second) continue;
    std::string why = problem(use.id);
    if (why.empty() && write(use.id).size() > kMaxTermBytes) {
      why = fmt::format("an expression of more than {} bytes", kMaxTermBytes);
    }
    if (why.empty()) continue;
    Diagnostics more = refuse(*machine_.model, use.span, std::move(why));
    if (errors.size() < kMaxDiagnostics) errors.push_back(std::move(more.front()));
  }
  if (!errors.empty()) return fail(std::move(errors));
  return {};
}

std::string Terms::write(std::int64_t value) const {
  if (value >= 0) return std::to_string(value);
  const std::string digits = std::to_string(value).substr(1);
  return fmt::format(fmt::runtime(syntax_.negative), digits);
}

std::string Terms::write(ExprId root) const {
  const ExprPool& pool = machine_.pool;
  const std::vector<bool> needed = solver::nodes_below(pool, {root});
  for (std::uint32_t i = 0; i <= root.index; ++i) {
    if (!needed[i] || known_.contains(i)) continue;
    const ExprNode& node = pool[ExprId{i}];
    std::vector<std::string> args;
    for (const ExprId arg : node.operands()) args.push_back(known_.at(arg.index));
    std::string text;
    if (node.kind == ExprKind::boolean) {
      text = node.value != 0 ? "true" : "false";
    } else if (node.kind == ExprKind::integer) {
      text = write(node.value);
    } else if (node.kind == ExprKind::variable) {
      text = names_[static_cast<std::uint32_t>(node.value)];
    } else if (node.kind == ExprKind::apply && is_rounding(node.op)) {
      text = args[0];
    } else if (node.kind == ExprKind::apply && node.op == Op::pow) {
      text = "1";
      for (std::int64_t k = pool.integer_value(node.args[1]); k > 0 && text.size() <= kMaxTermBytes;
           --k) {
        text = text == "1" ? args[0] : fill(text_.at(Op::mul), {text, args[0]});
      }
    } else {
      BRINK_CHECK(node.kind == ExprKind::apply && text_.contains(node.op));
      text = fill(text_.at(node.op), args);
    }
    if (text.size() > kMaxTermBytes) text.resize(kMaxTermBytes + 1);  // check() refuses it
    known_[i] = std::move(text);
  }
  return known_.at(root.index);
}

}  // namespace brink::exports
