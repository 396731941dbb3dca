// Compilation by an explicit stack of tasks: expressions may be nested without limit (chains).
#include "models/semantics/compiler.h"

#include <algorithm>

#include "models/base/check.h"

namespace brink {
namespace {

/// Subexpressions with more nodes than this become subroutines when they occur more than once.
constexpr std::uint32_t kSmall = 16;
constexpr std::uint32_t kHuge = 1'000'000'000;
constexpr std::uint32_t kNoRegister = UINT32_MAX;

struct Row {
  Op op;
  Instr integer, real;
};

/// Which instruction an operator is, by the type of its operands (bools count as ints).
constexpr Row kRows[] = {
    {Op::not_, Instr::not_, Instr::not_},     {Op::iff, Instr::eq_i, Instr::eq_r},
    {Op::eq, Instr::eq_i, Instr::eq_r},       {Op::ne, Instr::ne_i, Instr::ne_r},
    {Op::lt, Instr::lt_i, Instr::lt_r},       {Op::le, Instr::le_i, Instr::le_r},
    {Op::gt, Instr::gt_i, Instr::gt_r},       {Op::ge, Instr::ge_i, Instr::ge_r},
    {Op::add, Instr::add_i, Instr::add_r},    {Op::sub, Instr::sub_i, Instr::sub_r},
    {Op::mul, Instr::mul_i, Instr::mul_r},    {Op::div, Instr::div_r, Instr::div_r},
    {Op::pow, Instr::pow_i, Instr::pow_r},    {Op::neg, Instr::neg_i, Instr::neg_r},
    {Op::min, Instr::min_i, Instr::min_r},    {Op::max, Instr::max_i, Instr::max_r},
    {Op::floor, Instr::move, Instr::floor_r}, {Op::ceil, Instr::move, Instr::ceil_r},
    {Op::round, Instr::move, Instr::round_r}, {Op::mod, Instr::mod_i, Instr::mod_i},
    {Op::log, Instr::log_r, Instr::log_r},    {Op::real, Instr::real_i, Instr::move},
};

bool is_branch(Op op) { return op == Op::and_ || op == Op::or_ || op == Op::implies; }

bool is_jump(Instr instr) {
  return instr == Instr::jump || instr == Instr::jump_if_false || instr == Instr::jump_if_true;
}

}  // namespace

Instr instruction_for(Op op, Type operand) {
  const auto row = std::ranges::find(kRows, op, &Row::op);
  BRINK_CHECK(row != std::end(kRows));
  return operand == Type::real ? row->real : row->integer;
}

void Compiler::gather(ExprId root) {
  std::vector<std::uint32_t> todo{root.index};
  std::vector<std::uint32_t> ids;
  facts_[root.index];
  while (!todo.empty()) {
    const std::uint32_t id = todo.back();
    todo.pop_back();
    ids.push_back(id);
    for (const ExprId arg : pool_[ExprId{id}].operands()) {
      const auto [it, fresh] = facts_.try_emplace(arg.index);
      ++it->second.uses;
      if (fresh) todo.push_back(arg.index);
    }
  }
  std::ranges::sort(ids);
  for (const std::uint32_t id : ids) {
    std::uint32_t size = 1;
    for (const ExprId arg : pool_[ExprId{id}].operands()) {
      size = std::min(kHuge, size + facts_[arg.index].size);
    }
    facts_[id].size = size;
  }
}

bool Compiler::shared(ExprId id) const {
  const Facts& facts = facts_.at(id.index);
  return facts.uses > 1 && facts.size > kSmall && id.index != body_;
}

std::uint32_t Compiler::constant(std::int64_t bits) {
  const auto [it, fresh] =
      program_.constants_.try_emplace(bits, static_cast<std::uint32_t>(program_.frame_.size()));
  if (fresh) program_.frame_.push_back(bits);
  return it->second;
}

std::uint32_t Compiler::temporary() {
  if (temporaries_ == program_.temporaries_.size()) {
    program_.temporaries_.push_back(static_cast<std::uint32_t>(program_.frame_.size()));
    program_.frame_.push_back(0);
  }
  return program_.temporaries_[temporaries_++];
}

std::uint32_t Compiler::push(Instr instr, std::uint32_t dst, std::uint32_t a, std::uint32_t b) {
  program_.code_.push_back({instr, dst, a, b});
  return here() - 1;
}

void Compiler::patch(std::uint32_t place) {
  program_.code_[place].b = here() - place - 1;
  last_target_ = here();
}

void Compiler::place(ExprId id, std::uint32_t reg) {
  if (known_.emplace(id.index, reg).second) log_.push_back(id.index);
}

void Compiler::forget(std::uint32_t mark) {
  for (; log_.size() > mark; log_.pop_back()) known_.erase(log_.back());
}

std::uint32_t Compiler::register_of(ExprId id) {
  const ExprNode& node = pool_[id];
  switch (node.kind) {
    case ExprKind::variable:
      return static_cast<std::uint32_t>(node.value);
    case ExprKind::boolean:
    case ExprKind::integer:
      return constant(node.value);
    case ExprKind::real:
      return constant(std::bit_cast<std::int64_t>(pool_.real_constant(id).value));
    case ExprKind::parameter:
      BRINK_CHECK(false, "a parameter cannot be evaluated");
      break;
    case ExprKind::apply:
      break;
  }
  return known_.at(id.index);
}

void Compiler::visit(ExprId id) {
  const ExprNode& node = pool_[id];
  if (node.kind != ExprKind::apply || known_.contains(id.index)) return;
  if (shared(id)) return call(id);
  if (is_branch(node.op)) {
    stack_.push_back({.step = Step::branch_middle, .id = id});
  } else if (node.op == Op::ite) {
    stack_.push_back({.step = Step::ite_then, .id = id});
  } else {
    stack_.push_back({.step = Step::emit, .id = id});
    for (std::size_t i = node.operands().size(); i-- > 0;) {
      stack_.push_back({.step = Step::visit, .id = node.args[i]});
    }
    return;
  }
  stack_.push_back({.step = Step::visit, .id = node.args[0]});
}

void Compiler::emit(ExprId id) {
  if (known_.contains(id.index)) return;
  const ExprNode& node = pool_[id];
  const Instr instr = instruction_for(node.op, pool_.type(node.args[0]));
  const std::uint32_t a = register_of(node.args[0]);
  const std::uint32_t b = node.operands().size() > 1 ? register_of(node.args[1]) : 0;
  const std::uint32_t dst = temporary();
  push(instr, dst, a, b);
  place(id, dst);
}

void Compiler::call(ExprId id) {
  Subroutine& sub = subroutines_[id.index];
  if (sub.calls.empty()) {
    sub.flag = temporary();
    sub.back = temporary();
    sub.result = temporary();
    pending_.push_back(id.index);
  }
  sub.calls.push_back(push(Instr::call, sub.back, sub.flag, 0));
  last_target_ = here();
  place(id, sub.result);
}

/// Copies a value, or lets the instruction that has just computed it write to `dst` at once.
void Compiler::move(std::uint32_t dst, std::uint32_t from) {
  if (last_target_ != here()) {
    Instruction& last = program_.code_.back();
    if (last.dst == from && last.instr < Instr::jump) {  // only temporaries are written to
      last.dst = dst;
      return;
    }
  }
  push(Instr::move, dst, from, 0);
}

void Compiler::branch_middle(ExprId id) {
  const ExprNode& node = pool_[id];
  const ExprId left = node.args[0];
  const std::uint32_t from = register_of(left);
  const ExprNode& left_node = pool_[left];
  // A chain a & b & c keeps one register, so that its jumps can be joined.
  const bool chain = left_node.kind == ExprKind::apply && left_node.op == node.op &&
                     node.op != Op::implies && facts_.at(left.index).uses == 1 && !log_.empty() &&
                     log_.back() == left.index;
  std::uint32_t dst = from;
  if (chain) {
    forget(mark() - 1);
  } else {
    dst = temporary();
    push(node.op == Op::implies ? Instr::not_ : Instr::move, dst, from, 0);
  }
  const Instr jump = node.op == Op::and_ ? Instr::jump_if_false : Instr::jump_if_true;
  const std::uint32_t place = push(jump, kNoRegister, dst, 0);
  stack_.push_back(
      {.step = Step::branch_end, .id = id, .patch = place, .dst = dst, .mark = mark()});
  stack_.push_back({.step = Step::visit, .id = node.args[1]});
}

void Compiler::branch_end(const Task& task) {
  move(task.dst, register_of(pool_[task.id].args[1]));
  patch(task.patch);
  forget(task.mark);
  place(task.id, task.dst);
}

void Compiler::ite_then(ExprId id) {
  const ExprNode& node = pool_[id];
  const std::uint32_t place = push(Instr::jump_if_false, kNoRegister, register_of(node.args[0]), 0);
  const std::uint32_t dst = temporary();
  stack_.push_back({.step = Step::ite_else, .id = id, .patch = place, .dst = dst, .mark = mark()});
  stack_.push_back({.step = Step::visit, .id = node.args[1]});
}

void Compiler::ite_else(const Task& task) {
  const ExprNode& node = pool_[task.id];
  move(task.dst, register_of(node.args[1]));
  const std::uint32_t place = push(Instr::jump, kNoRegister, 0, 0);
  patch(task.patch);
  forget(task.mark);
  stack_.push_back(
      {.step = Step::ite_end, .id = task.id, .patch = place, .dst = task.dst, .mark = task.mark});
  stack_.push_back({.step = Step::visit, .id = node.args[2]});
}

void Compiler::run(const Task& task) {
  switch (task.step) {
    case Step::visit:
      return visit(task.id);
    case Step::emit:
      return emit(task.id);
    case Step::branch_middle:
      return branch_middle(task.id);
    case Step::branch_end:
      return branch_end(task);
    case Step::ite_then:
      return ite_then(task.id);
    case Step::ite_else:
      return ite_else(task);
    case Step::ite_end:
      move(task.dst, register_of(pool_[task.id].args[2]));
      patch(task.patch);
      forget(task.mark);
      return place(task.id, task.dst);
  }
}

void Compiler::body(ExprId root) {
  body_ = root.index;
  known_.clear();
  log_.clear();
  stack_.push_back({.step = Step::visit, .id = root});
  while (!stack_.empty()) {
    const Task task = stack_.back();
    stack_.pop_back();
    run(task);
  }
}

void Compiler::subroutine(std::uint32_t id) {
  const std::uint32_t begin = here();
  subroutines_[id].begin = begin;
  last_target_ = begin;
  body(ExprId{id});
  const Subroutine& sub = subroutines_[id];
  push(Instr::move, sub.result, register_of(ExprId{id}), 0);
  push(Instr::ret, kNoRegister, sub.back, 0);
  thread_jumps(begin);
}

/// Jumps that lead to jumps go where those lead.
void Compiler::thread_jumps(std::uint32_t begin) {
  auto& code = program_.code_;
  for (std::uint32_t i = here(); i-- > begin;) {
    if (!is_jump(code[i].instr)) continue;
    std::uint32_t target = i + code[i].b + 1;
    while (target < here() && is_jump(code[target].instr)) {
      const Instruction& next = code[target];
      if (next.instr == Instr::jump) {
        target += next.b + 1;
      } else if (code[i].instr == Instr::jump || next.a != code[i].a) {
        break;
      } else {
        target += next.instr == code[i].instr ? next.b + 1 : 1;
      }
    }
    code[i].b = target - i - 1;
  }
}

CodeRange Compiler::compile(ExprId id) {
  gather(id);
  CodeRange range{.begin = here(), .end = 0, .result = 0, .type = pool_.type(id)};
  body(id);
  range.result = register_of(id);
  thread_jumps(range.begin);
  range.end = here();
  if (pending_.empty()) return range;
  // Subroutines lie behind the end of the range; a pad keeps the first of them apart from that end.
  push(Instr::clear, temporary(), 0, 0);
  std::vector<Instruction> prologue;
  while (!pending_.empty()) {
    const std::uint32_t next = pending_.back();
    pending_.pop_back();
    subroutine(next);
    prologue.push_back({Instr::clear, subroutines_[next].flag, 0, 0});
  }
  for (const auto& [_, sub] : subroutines_) {
    // The distance may be backwards; it wraps around in 32 bits.
    for (const std::uint32_t place : sub.calls) program_.code_[place].b = sub.begin - place - 1;
  }
  auto& code = program_.code_;
  code.insert(code.begin() + range.begin, prologue.begin(), prologue.end());
  range.end += static_cast<std::uint32_t>(prologue.size());
  return range;
}

}  // namespace brink
