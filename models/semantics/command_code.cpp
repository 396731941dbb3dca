// Compilation of commands for batches.
//
// x' = x + c is one addition to the packed word, x' = c a mask and a constant, and several of them
// still are; anything else computes a column that is added to the word with the field cleared. An
// addition cannot spill into the neighbouring field, because lanes in which a variable leaves its
// range are marked bad and never get that far. The check for that is left out where the bounds
// under the guard prove it needless.
#include "models/semantics/command_code.h"

#include <cmath>
#include <limits>
#include <optional>

#include "models/semantics/evaluator.h"

namespace brink {
namespace {

/// `variable + constant`, or nothing.
struct Shifted {
  std::uint32_t variable = 0;
  std::int64_t by = 0;
};

std::optional<Shifted> shifted(const ExprPool& pool, ExprId id) {
  const ExprNode& node = pool[id];
  if (node.kind == ExprKind::variable) return Shifted{static_cast<std::uint32_t>(node.value), 0};
  if (node.kind != ExprKind::apply || (node.op != Op::add && node.op != Op::sub)) return {};
  const ExprNode* a = &pool[node.args[0]];
  const ExprNode* b = &pool[node.args[1]];
  if (node.op == Op::add && a->kind == ExprKind::integer) std::swap(a, b);
  if (a->kind != ExprKind::variable || b->kind != ExprKind::integer) return {};
  constexpr std::int64_t kFar = std::int64_t{1} << 40;  // so that nothing below overflows
  if (b->value < -kFar || b->value > kFar) return {};
  return Shifted{static_cast<std::uint32_t>(a->value), node.op == Op::add ? b->value : -b->value};
}

/// Narrows the bounds of variables by the conjuncts `variable op constant` of a guard.
void refine(const ExprPool& pool, ExprId guard, std::vector<Bounds>& variables) {
  std::vector<ExprId> todo{guard};
  while (!todo.empty()) {
    const ExprNode& node = pool[todo.back()];
    todo.pop_back();
    if (node.kind != ExprKind::apply) continue;
    if (node.op == Op::and_) {
      todo.insert(todo.end(), {node.args[0], node.args[1]});
      continue;
    }
    if (node.operands().size() != 2) continue;
    const ExprNode* a = &pool[node.args[0]];
    const ExprNode* b = &pool[node.args[1]];
    Op op = node.op;
    if (a->kind == ExprKind::integer) {
      std::swap(a, b);
      op = op == Op::lt   ? Op::gt
           : op == Op::gt ? Op::lt
           : op == Op::le ? Op::ge
           : op == Op::ge ? Op::le
                          : op;
    }
    if (a->kind != ExprKind::variable || b->kind != ExprKind::integer) continue;
    Bounds& v = variables[static_cast<std::size_t>(a->value)];
    const std::int64_t k = b->value;
    if (op == Op::le || op == Op::eq) v.high = std::min(v.high, k);
    if (op == Op::ge || op == Op::eq) v.low = std::max(v.low, k);
    if (op == Op::lt && k > std::numeric_limits<std::int64_t>::min())
      v.high = std::min(v.high, k - 1);
    if (op == Op::gt && k < std::numeric_limits<std::int64_t>::max())
      v.low = std::max(v.low, k + 1);
  }
}

class CommandCompiler {
 public:
  CommandCompiler(const Model& model, const StateLayout& layout, ColumnCode& code, bool weights)
      : model_(model), pool_(model.pool), layout_(layout), code_(code), weights_(weights) {
    for (const StateLayout::Field& f : layout.fields())
      ranges_.push_back({.low = f.low, .high = f.high});
    marks_.assign(pool_.size(), 0);
    scratch_.resize(pool_.size());
  }

  void updates(const Command& command, ColumnCommand& out) {
    out_ = &out;
    bad_ = sum_ = kNoColumn;
    variables_ = ranges_;
    refine(pool_, command.guard.id, variables_);
    out.segment = code_.begin_segment();
    bool constant = true;
    double total = 0;
    for (const Update& update : command.updates) {
      constant = constant && pool_.is_constant(update.weight.id);
      if (constant) total += pool_.number(update.weight.id);
    }
    const bool check = model_.type != ModelType::ctmc &&
                       !(constant && std::abs(total - 1) <= kProbabilityTolerance);
    if (check && constant) out.always_bad = true;
    for (const Update& update : command.updates) one(update, check && !constant);
    if (check && !constant) sums_to_one();
    if (bad_ != kNoColumn) out.bad = code_.keep_mask(bad_);
  }

 private:
  void bad(std::uint32_t column, std::uint32_t where = kNoColumn) {
    if (column == kNoColumn) return;
    bad_ = code_.either(bad_, where == kNoColumn ? column : code_.both(column, where));
  }

  void one(const Update& update, bool adds_up) {
    ColumnUpdate made{
        .words = std::vector<WordChange>(layout_.words()), .fields = {}, .weight = {}};
    const ExprId weight = update.weight.id;
    std::uint32_t taken = kNoColumn;
    if (pool_.is_constant(weight) && !adds_up) {
      const double value = pool_.number(weight);
      if (!(value >= 0) || std::isinf(value)) out_->always_bad = true;
      if (value == 0) return;
      made.weight.constant = value;
    } else {
      taken = weigh(weight, adds_up);
      if (weights_) made.weight.column = code_.keep_real(code_.expr(weight).reg);
    }
    for (const Assignment& assignment : update.assignments) assign(assignment, taken, made);
    if (taken != kNoColumn) made.taken = code_.keep_mask(taken);
    out_->updates.push_back(std::move(made));
  }

  /// Code for a weight that is not constant; the column where it is not 0, none when that is
  /// everywhere.
  std::uint32_t weigh(ExprId weight, bool adds_up) {
    const ColumnCode::Value value = code_.expr(weight);
    bad(value.fault);
    const Bounds& bounds = code_.bounds(weight);
    if (bounds.wild || bounds.real_low < 0) {
      const double most = std::numeric_limits<double>::max();
      bad(code_.negated(code_.compute(Instr::ge_r, value.reg, code_.real(0))));
      bad(code_.compute(Instr::gt_r, value.reg, code_.real(most)));
    }
    if (adds_up)
      sum_ = sum_ == kNoColumn ? value.reg : code_.compute(Instr::add_r, sum_, value.reg);
    if (!bounds.wild && bounds.real_low > 0) return kNoColumn;
    return code_.compute(Instr::ne_r, value.reg, code_.real(0));
  }

  void sums_to_one() {
    if (sum_ == kNoColumn) return;
    const std::uint32_t off = code_.compute(Instr::sub_r, sum_, code_.real(1));
    const double tolerance = kProbabilityTolerance;
    bad(code_.negated(code_.compute(Instr::le_r, off, code_.real(tolerance))));
    bad(code_.negated(code_.compute(Instr::ge_r, off, code_.real(-tolerance))));
  }

  void assign(const Assignment& assignment, std::uint32_t taken, ColumnUpdate& made) {
    const ExprId value = assignment.value.id;
    const StateLayout::Field& field = layout_.fields()[assignment.variable];
    WordChange& word = made.words[field.word];
    const std::uint64_t mask =
        (field.bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << field.bits) - 1)
        << field.shift;
    if (const auto s = shifted(pool_, value); s && s->variable == assignment.variable) {
      word.add += static_cast<std::uint64_t>(s->by) << field.shift;
      const Bounds& now = variables_[s->variable];
      if (!now.within(field.low - s->by, field.high - s->by))
        bad(code_.outside(code_.expr(own(value)).reg, field.low - s->by, field.high - s->by),
            taken);
      return;
    }
    word.keep &= ~mask;
    if (pool_.is_constant(value)) {
      const std::int64_t k = pool_.integer_value(value);
      if (k < field.low || k > field.high) out_->always_bad = true;
      word.set |=
          ((static_cast<std::uint64_t>(k) - static_cast<std::uint64_t>(field.low)) << field.shift) &
          mask;
      return;
    }
    const ColumnCode::Value column = code_.expr(value);
    bad(column.fault, taken);
    if (!bounds_here(value).within(field.low, field.high))
      bad(code_.outside(column.reg, field.low, field.high), taken);
    std::uint32_t into = kNoColumn;
    for (const auto& [w, f] : made.fields)
      if (w == field.word) into = f;
    const std::uint32_t added = code_.add_field(into, column.reg, field.low, field.shift);
    if (into == kNoColumn) made.fields.emplace_back(field.word, added);
  }

  /// The variable in `variable + constant`.
  ExprId own(ExprId value) const {
    const ExprNode& node = pool_[value];
    if (node.kind == ExprKind::variable) return value;
    return pool_[node.args[0]].kind == ExprKind::variable ? node.args[0] : node.args[1];
  }

  /// Bounds under the guard.
  Bounds bounds_here(ExprId value) {
    for (const ExprId id : nodes_of(pool_, value, marks_))
      scratch_[id.index] = bounds_of_node(pool_, id, scratch_, variables_);
    return scratch_[value.index];
  }

  const Model& model_;
  const ExprPool& pool_;
  const StateLayout& layout_;
  ColumnCode& code_;
  const bool weights_;
  ColumnCommand* out_ = nullptr;
  std::uint32_t bad_ = kNoColumn, sum_ = kNoColumn;
  std::vector<Bounds> ranges_, variables_, scratch_;
  std::vector<std::uint8_t> marks_;
};

}  // namespace

CommandCode::CommandCode(const Model& model, const StateLayout& layout, bool weights)
    : code(model, layout, model.pool) {
  std::uint32_t fault = kNoColumn;
  for (const Command& command : model.commands) {
    const ColumnCode::Value guard = code.expr(command.guard.id);
    fault = code.either(fault, guard.fault);
    commands.push_back({.guard = code.keep_mask(guard.reg)});
  }
  if (fault != kNoColumn) guard_fault = code.keep_mask(fault);
  CommandCompiler compiler(model, layout, code, weights);
  for (std::size_t c = 0; c < commands.size(); ++c)
    compiler.updates(model.commands[c], commands[c]);
  usable = code.finish();
}

}  // namespace brink
