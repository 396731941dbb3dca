// Columns: expressions evaluated over a batch of states at once, one column of lanes for each
// value.
//
// A ColumnCode is compiled once for a model and run on batches of packed states. Ints and bools are
// columns of 32-bit lanes when bounds prove that everything fits, else of 64-bit lanes; reals are
// doubles. There are no jumps: both sides of & | => and ?: are evaluated, and next to a value that
// may fault a column of flags says in which lanes it did, or would have where PRISM's order of
// evaluation reaches it. Lanes beyond the batch hold anything. Used by: the batch expander, the
// column predicates of the solver.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "models/language/model.h"
#include "models/semantics/bounds.h"
#include "models/semantics/column_kernels.h"
#include "models/semantics/layout.h"

namespace brink {

class ColumnCode {
 public:
  /// A value and, unless it cannot fault, the bool column of its faults.
  struct Value {
    std::uint32_t reg = kNoColumn;
    std::uint32_t fault = kNoColumn;
  };

  /// Expressions come from `pool`, which must outlive the code, over the model's variables.
  ColumnCode(const Model& model, const StateLayout& layout, const ExprPool& pool);

  // Building. Code goes to the segment at hand; the first one, 0, is run for every batch, and its
  // values may be used by all others.
  std::uint32_t begin_segment();
  Value expr(ExprId id);
  const Bounds& bounds(ExprId id) const { return bounds_[id.index]; }
  std::uint32_t integer(std::int64_t value);
  std::uint32_t real(double value);
  std::uint32_t both(std::uint32_t a, std::uint32_t b);
  /// Disjunction; kNoColumn is false.
  std::uint32_t either(std::uint32_t a, std::uint32_t b);
  std::uint32_t negated(std::uint32_t a);
  /// The lanes where an int lies outside low..high.
  std::uint32_t outside(std::uint32_t a, std::int64_t low, std::int64_t high);
  std::uint32_t compute(Instr instr, std::uint32_t a, std::uint32_t b);
  /// Keeps a bool column as bits; the result is an index for mask().
  std::uint32_t keep_mask(std::uint32_t a);
  /// Adds (value - low) << shift into a column of packed words; a new one for `into` = kNoColumn.
  std::uint32_t add_field(std::uint32_t into, std::uint32_t a, std::int64_t low,
                          std::uint8_t shift);
  /// Keeps a real column by its bits; the result is an index for field().
  std::uint32_t keep_real(std::uint32_t a);
  /// Assigns registers; nothing may be added after it. False: too much code, not to be run.
  bool finish();

  // Running.
  void load(const std::uint64_t* states, std::size_t count);
  void run(std::uint32_t segment);
  /// Valid until the segment runs again. Lanes beyond the batch are 0.
  const LaneMask& mask(std::uint32_t index) const { return masks_[index]; }
  const std::uint64_t* field(std::uint32_t index) const {
    return fields_.data() + std::size_t{index} * kLanes;
  }
  bool wide() const { return wide_; }

 private:
  struct Segment {
    std::vector<ColumnInstr> code;
  };

  std::uint32_t fresh(bool real);
  std::uint32_t emit(ColumnInstr instr, bool real = false);
  void need(const Bounds& bounds);
  Value value_of(ExprId id) const;
  Value constant_or_variable(ExprId id);
  Value apply(ExprId id);
  Value logic(Op op, const Value& a, const Value& b);
  Value select(const ExprNode& node);
  void allocate();

  const ExprPool& pool_;
  std::vector<StateLayout::Field> layout_;
  std::size_t words_ = 0;
  std::vector<Bounds> variable_bounds_;
  std::vector<Bounds> bounds_;  ///< of all nodes of the pool
  std::vector<std::uint8_t> marks_;
  std::vector<Value> known_;   ///< by node
  std::vector<ExprId> local_;  ///< nodes known in the segment at hand only
  std::unordered_map<std::int64_t, std::uint32_t> integers_, reals_;  ///< reals by their bits
  std::vector<Segment> segments_{1};
  std::uint32_t virtual_ints_ = 0, virtual_reals_ = 0;
  std::uint32_t mask_count_ = 0, field_count_ = 0;
  std::size_t instructions_ = 0;
  bool wide_ = false;

  std::vector<std::uint32_t> used_variables_;
  std::size_t count_ = 0;  ///< of the batch
  std::vector<std::int32_t> narrow_;
  std::vector<std::int64_t> wide_ints_, real_columns_;
  std::vector<LaneMask> masks_;
  std::vector<std::uint64_t> fields_;
};

}  // namespace brink
