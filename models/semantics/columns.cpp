// Compilation of column programs, and their registers.
//
// Nodes are hash-consed, so each is computed once for all expressions of segment 0, and once more
// at most in each other segment. Code is first written with as many columns as it has values; then
// each segment's columns are assigned to registers by their last use, so that a batch works in
// few kilobytes. What a later segment uses keeps its register.
#include "models/semantics/columns.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "models/base/check.h"
#include "models/semantics/compiler.h"

namespace brink {
namespace {

/// More code than this is not faster in columns than state by state.
constexpr std::size_t kMostInstructions = 20000;
/// Virtual columns of reals carry this bit until registers are assigned.
constexpr std::uint32_t kRealBit = std::uint32_t{1} << 31;

std::optional<ColumnOp> plain(Instr instr) {
  switch (instr) {
    case Instr::not_:
      return ColumnOp::not_;
    case Instr::eq_i:
      return ColumnOp::eq;
    case Instr::ne_i:
      return ColumnOp::ne;
    case Instr::lt_i:
      return ColumnOp::lt;
    case Instr::le_i:
      return ColumnOp::le;
    case Instr::gt_i:
      return ColumnOp::gt;
    case Instr::ge_i:
      return ColumnOp::ge;
    case Instr::add_i:
      return ColumnOp::add;
    case Instr::sub_i:
      return ColumnOp::sub;
    case Instr::mul_i:
      return ColumnOp::mul;
    case Instr::neg_i:
      return ColumnOp::neg;
    case Instr::min_i:
      return ColumnOp::min;
    case Instr::max_i:
      return ColumnOp::max;
    default:
      return std::nullopt;
  }
}

bool fits_narrow(const Bounds& b) {
  using Narrow = std::numeric_limits<std::int32_t>;
  return b.within(Narrow::min(), Narrow::max());
}

bool has_column_result(ColumnOp op) {
  return op != ColumnOp::mask && op != ColumnOp::field_set && op != ColumnOp::field_add &&
         op != ColumnOp::field_real;
}

}  // namespace

ColumnCode::ColumnCode(const Model& model, const StateLayout& layout, const ExprPool& pool)
    : pool_(pool),
      layout_(layout.fields().begin(), layout.fields().end()),
      words_(layout.words()),
      marks_(pool.size(), 0),
      known_(pool.size()) {
  for (const StateLayout::Field& field : layout_) {
    variable_bounds_.push_back({.low = field.low, .high = field.high});
  }
  BRINK_CHECK(model.variables.size() == layout_.size());
  virtual_ints_ = static_cast<std::uint32_t>(layout_.size());
  bounds_.reserve(pool.size());
  for (std::uint32_t i = 0; i < pool.size(); ++i)
    bounds_.push_back(bounds_of_node(pool, ExprId{i}, bounds_, variable_bounds_));
}

std::uint32_t ColumnCode::begin_segment() {
  for (const ExprId id : local_) known_[id.index] = {};
  local_.clear();
  segments_.emplace_back();
  return static_cast<std::uint32_t>(segments_.size() - 1);
}

std::uint32_t ColumnCode::fresh(bool real) {
  return real ? kRealBit | virtual_reals_++ : virtual_ints_++;
}

std::uint32_t ColumnCode::emit(ColumnInstr instr, bool real) {
  if (has_column_result(instr.op)) instr.dst = fresh(real);
  ++instructions_;
  segments_.back().code.push_back(instr);
  return instr.dst;
}

void ColumnCode::need(const Bounds& bounds) { wide_ = wide_ || !fits_narrow(bounds); }

std::uint32_t ColumnCode::integer(std::int64_t value) {
  need({.low = value, .high = value});
  const auto [it, added] = integers_.try_emplace(value, 0);
  if (added) it->second = fresh(false);
  return it->second;
}

std::uint32_t ColumnCode::real(double value) {
  const auto [it, added] = reals_.try_emplace(std::bit_cast<std::int64_t>(value), 0);
  if (added) it->second = fresh(true);
  return it->second;
}

std::uint32_t ColumnCode::both(std::uint32_t a, std::uint32_t b) {
  return emit({.op = ColumnOp::and_, .a = a, .b = b});
}

std::uint32_t ColumnCode::either(std::uint32_t a, std::uint32_t b) {
  if (a == kNoColumn || b == kNoColumn || a == b) return a == kNoColumn ? b : a;
  return emit({.op = ColumnOp::or_, .a = a, .b = b});
}

std::uint32_t ColumnCode::negated(std::uint32_t a) { return emit({.op = ColumnOp::not_, .a = a}); }

std::uint32_t ColumnCode::outside(std::uint32_t a, std::int64_t low, std::int64_t high) {
  need({.low = low, .high = high});
  return emit({.op = ColumnOp::outside, .a = a, .low = low, .high = high});
}

std::uint32_t ColumnCode::compute(Instr instr, std::uint32_t a, std::uint32_t b) {
  return emit({.op = ColumnOp::generic, .instr = instr, .a = a, .b = b}, writes_real(instr));
}

std::uint32_t ColumnCode::keep_mask(std::uint32_t a) {
  emit({.op = ColumnOp::mask, .dst = mask_count_, .a = a});
  return mask_count_++;
}

std::uint32_t ColumnCode::add_field(std::uint32_t into, std::uint32_t a, std::int64_t low,
                                    std::uint8_t shift) {
  const bool first = into == kNoColumn;
  if (first) into = field_count_++;
  emit({.op = first ? ColumnOp::field_set : ColumnOp::field_add,
        .shift = shift,
        .dst = into,
        .a = a,
        .low = low});
  return into;
}

std::uint32_t ColumnCode::keep_real(std::uint32_t a) {
  emit({.op = ColumnOp::field_real, .dst = field_count_, .a = a});
  return field_count_++;
}

ColumnCode::Value ColumnCode::value_of(ExprId id) const { return known_[id.index]; }

ColumnCode::Value ColumnCode::expr(ExprId root) {
  if (known_[root.index].reg != kNoColumn) return known_[root.index];
  for (const ExprId id : nodes_of(pool_, root, marks_)) {
    if (known_[id.index].reg != kNoColumn) continue;
    if (instructions_ > kMostInstructions) return {};
    const bool leaf = pool_[id].kind != ExprKind::apply;
    known_[id.index] = leaf ? constant_or_variable(id) : apply(id);
    if (!leaf && segments_.size() > 1) local_.push_back(id);
    if (pool_.type(id) != Type::real) need(bounds_[id.index]);
  }
  return known_[root.index];
}

ColumnCode::Value ColumnCode::constant_or_variable(ExprId id) {
  const ExprNode& node = pool_[id];
  switch (node.kind) {
    case ExprKind::variable: {
      const auto variable = static_cast<std::uint32_t>(node.value);
      used_variables_.push_back(variable);
      return {.reg = variable};
    }
    case ExprKind::real:
      return {.reg = real(pool_.real_constant(id).value)};
    default:
      BRINK_CHECK(node.kind != ExprKind::parameter, "a parameter cannot be evaluated");
      return {.reg = integer(node.value)};
  }
}

/// The right side counts, and may fault, only in the lanes where the left one leaves it open.
ColumnCode::Value ColumnCode::logic(Op op, const Value& a, const Value& b) {
  const ColumnOp column = op == Op::and_  ? ColumnOp::and_
                          : op == Op::or_ ? ColumnOp::or_
                                          : ColumnOp::implies;
  Value out{.reg = emit({.op = column, .a = a.reg, .b = b.reg}), .fault = a.fault};
  if (b.fault == kNoColumn) return out;
  const std::uint32_t open = op == Op::or_ ? negated(a.reg) : a.reg;
  out.fault = either(a.fault, both(open, b.fault));
  return out;
}

ColumnCode::Value ColumnCode::select(const ExprNode& node) {
  const Value c = value_of(node.args[0]), a = value_of(node.args[1]), b = value_of(node.args[2]);
  const bool real = node.type == Type::real;
  const ColumnOp op = real ? ColumnOp::select_real : ColumnOp::select;
  Value out{.reg = emit({.op = op, .a = c.reg, .b = a.reg, .c = b.reg}, real), .fault = c.fault};
  if (a.fault != kNoColumn) out.fault = either(out.fault, both(c.reg, a.fault));
  if (b.fault != kNoColumn) out.fault = either(out.fault, both(negated(c.reg), b.fault));
  return out;
}

ColumnCode::Value ColumnCode::apply(ExprId id) {
  const ExprNode& node = pool_[id];
  if (node.op == Op::ite) return select(node);
  const Value a = value_of(node.args[0]);
  if (node.op == Op::and_ || node.op == Op::or_ || node.op == Op::implies)
    return logic(node.op, a, value_of(node.args[1]));
  const Instr instr = instruction_for(node.op, pool_.type(node.args[0]));
  if (instr == Instr::move) return a;
  const bool two = node.operands().size() > 1;
  const Value b = two ? value_of(node.args[1]) : Value{};
  Value out{.reg = kNoColumn, .fault = either(a.fault, b.fault)};
  const bool may_fault = bounds_[id.index].may_fault;
  const auto op = plain(instr);
  if (op && !may_fault) {
    out.reg = emit({.op = *op, .a = a.reg, .b = b.reg});
    return out;
  }
  ColumnInstr in{.op = ColumnOp::generic, .instr = instr, .a = a.reg, .b = b.reg};
  if (may_fault) in.c = fresh(false);
  out.reg = emit(in, writes_real(instr));
  out.fault = either(out.fault, in.c);
  return out;
}

// ---- registers

namespace {

/// Where a column is written and read last, by segment and place.
struct Life {
  std::uint32_t segment = UINT32_MAX;
  std::uint32_t last = 0;
  bool pinned = false;
  std::uint32_t reg = kNoColumn;
};

/// The registers of one file.
struct File {
  std::vector<std::uint32_t> free;
  std::uint32_t top = 0, most = 0;

  std::uint32_t take() {
    if (free.empty()) {
      most = std::max(most, top + 1);
      return top++;
    }
    const std::uint32_t reg = free.back();
    free.pop_back();
    return reg;
  }
};

struct Registers {
  std::vector<Life> lives[2];  // ints, reals
  File files[2];

  Life& life(std::uint32_t column) {
    const bool real = (column & kRealBit) != 0;
    return lives[real ? 1 : 0][column & ~kRealBit];
  }
  File& file(std::uint32_t column) { return files[(column & kRealBit) != 0 ? 1 : 0]; }

  void write(std::uint32_t column, std::uint32_t segment, std::uint32_t place) {
    Life& l = life(column);
    l.segment = segment;
    l.last = place;
  }
  void read(std::uint32_t column, std::uint32_t segment, std::uint32_t place) {
    if (column == kNoColumn) return;
    Life& l = life(column);
    l.pinned = l.pinned || l.segment != segment;
    l.last = place;
  }
  void pin(std::uint32_t column) {
    Life& l = life(column);
    l.pinned = true;
    if (l.reg == kNoColumn) l.reg = file(column).take();
  }
  void assign(std::uint32_t& column) {
    if (column == kNoColumn) return;
    Life& l = life(column);
    if (l.reg == kNoColumn) l.reg = file(column).take();
    column = l.reg;
  }
  /// Gives the register back when this was the last use.
  void done(std::uint32_t column, std::uint32_t place) {
    if (column == kNoColumn) return;
    Life& l = life(column);
    if (l.pinned || l.last != place || l.reg == kNoColumn) return;
    file(column).free.push_back(l.reg);
    l.last = UINT32_MAX;  // once
  }
};

bool writes_fault(const ColumnInstr& in) { return in.op == ColumnOp::generic && in.c != kNoColumn; }

}  // namespace

void ColumnCode::allocate() {
  Registers registers;
  registers.lives[0].resize(virtual_ints_);
  registers.lives[1].resize(virtual_reals_);
  // Variables have the first registers, constants are there before the code runs.
  for (std::uint32_t v = 0; v < layout_.size(); ++v) registers.pin(v);
  for (const auto* constants : {&integers_, &reals_})
    for (const auto& [value, column] : *constants) registers.pin(column);
  for (std::uint32_t s = 0; s < segments_.size(); ++s)
    for (std::uint32_t i = 0; i < segments_[s].code.size(); ++i) {
      const ColumnInstr& in = segments_[s].code[i];
      registers.read(in.a, s, i);
      registers.read(in.b, s, i);
      if (writes_fault(in))
        registers.write(in.c, s, i);
      else
        registers.read(in.c, s, i);
      if (has_column_result(in.op)) registers.write(in.dst, s, i);
    }
  std::uint32_t top[2] = {0, 0};
  for (std::uint32_t s = 0; s < segments_.size(); ++s) {
    for (std::uint32_t f = 0; f < 2; ++f) {
      if (s == 1) top[f] = registers.files[f].most;
      if (s == 0) continue;
      registers.files[f].free.clear();
      registers.files[f].top = top[f];
    }
    for (std::uint32_t i = 0; i < segments_[s].code.size(); ++i) {
      ColumnInstr& in = segments_[s].code[i];
      const ColumnInstr before = in;
      if (has_column_result(in.op)) registers.assign(in.dst);
      registers.assign(in.c);
      registers.assign(in.a);
      registers.assign(in.b);
      registers.done(before.a, i);
      registers.done(before.b, i);
      registers.done(before.c, i);
      if (has_column_result(in.op)) registers.done(before.dst, i);
    }
  }
  const auto room = [](const File& file) { return std::size_t{file.most} * kLanes; };
  if (wide_)
    wide_ints_.assign(room(registers.files[0]), 0);
  else
    narrow_.assign(room(registers.files[0]), 0);
  real_columns_.assign(room(registers.files[1]), 0);
  for (const auto& [value, column] : integers_) {
    const std::size_t at = registers.life(column).reg * kLanes;
    for (std::size_t i = at; i < at + kLanes; ++i) {
      if (wide_)
        wide_ints_[i] = value;
      else
        narrow_[i] = static_cast<std::int32_t>(value);
    }
  }
  for (const auto& [value, column] : reals_)
    std::fill_n(real_columns_.begin() + registers.life(column).reg * kLanes, kLanes, value);
}

bool ColumnCode::finish() {
  if (instructions_ > kMostInstructions) return false;
  std::ranges::sort(used_variables_);
  const auto repeated = std::ranges::unique(used_variables_);
  used_variables_.erase(repeated.begin(), repeated.end());
  for (const std::uint32_t v : used_variables_) need(variable_bounds_[v]);
  allocate();
  masks_.resize(mask_count_);
  fields_.assign(field_count_ * kLanes, 0);
  return true;
}

void ColumnCode::load(const std::uint64_t* states, std::size_t count) {
  BRINK_CHECK(count <= kLanes);
  count_ = count;
  for (const std::uint32_t v : used_variables_) {
    const StateLayout::Field& f = layout_[v];
    const std::uint64_t mask = f.bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << f.bits) - 1;
    const std::size_t at = std::size_t{v} * kLanes;
    if (wide_)
      unpack_column(states + f.word, words_, count, f.shift, mask, f.low, wide_ints_.data() + at);
    else
      unpack_column(states + f.word, words_, count, f.shift, mask, f.low, narrow_.data() + at);
  }
}

void ColumnCode::run(std::uint32_t segment) {
  const std::vector<ColumnInstr>& code = segments_[segment].code;
  if (wide_)
    run_columns(code.data(), code.size(),
                ColumnFrame<std::int64_t>{wide_ints_.data(), real_columns_.data(), masks_.data(),
                                          fields_.data()});
  else
    run_columns(code.data(), code.size(),
                ColumnFrame<std::int32_t>{narrow_.data(), real_columns_.data(), masks_.data(),
                                          fields_.data()});
  if (count_ == kLanes) return;
  for (const ColumnInstr& in : code) {
    if (in.op != ColumnOp::mask) continue;
    for (std::size_t w = 0; w < kLanes / 64; ++w) {
      const std::size_t first = w * 64;
      if (count_ <= first)
        masks_[in.dst][w] = 0;
      else if (count_ < first + 64)
        masks_[in.dst][w] &= (std::uint64_t{1} << (count_ - first)) - 1;
    }
  }
}

}  // namespace brink
