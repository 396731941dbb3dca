// Expressions compiled to flat register code: no recursion, no allocation, no virtual calls when
// run.
//
// A frame of 64-bit registers holds the variables first, then constants, then temporaries; doubles
// are kept by their bits. & | => and ?: skip what they need not evaluate, as PRISM does. Used by:
// the evaluator, label and atom evaluation of the engines.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "models/base/result.h"
#include "models/language/expr.h"
#include "models/semantics/error.h"

namespace brink {

enum class Instr : std::uint8_t {
#define BRINK_INSTR(id, ...) id,
#include "models/semantics/instructions.def"
#undef BRINK_INSTR
  jump,
  jump_if_false,
  jump_if_true,
  clear,
  call,
  ret,
};

/// dst, a, b are registers; for jumps b is the distance forward.
struct Instruction {
  Instr instr;
  std::uint32_t dst = 0, a = 0, b = 0;
};

/// Where the code of one expression lies and in which register its value ends up.
struct CodeRange {
  std::uint32_t begin = 0, end = 0;
  std::uint32_t result = 0;
  Type type = Type::boolean;
};

/// Several expressions over the same variables, compiled together.
class Program {
 public:
  explicit Program(std::uint32_t variable_count);

  /// Compiles one expression (BRINK_CHECK: free of parameters). Ranges stay valid when more is
  /// added.
  CodeRange add(const ExprPool& pool, ExprId id);

  std::uint32_t variable_count() const { return variables_; }
  std::size_t frame_size() const { return frame_.size(); }
  /// A frame with the constants in place; load the variables into its first registers.
  std::vector<std::int64_t> make_frame() const { return frame_; }

  /// Runs one range on a frame; the value is frame[range.result]. Faults other than none leave it
  /// undefined.
  SemanticFault run(const CodeRange& range, std::span<std::int64_t> frame) const;

  static double as_double(std::int64_t bits) { return std::bit_cast<double>(bits); }

 private:
  friend class Compiler;
  std::uint32_t variables_;
  std::vector<Instruction> code_;
  std::vector<std::int64_t> frame_;
  std::unordered_map<std::int64_t, std::uint32_t> constants_;  ///< bits -> register
  std::vector<std::uint32_t> temporaries_;                     ///< registers that any range may use
};

/// Evaluates a fixed list of expressions (labels, atoms) on valuations.
class ExprEvaluator {
 public:
  explicit ExprEvaluator(std::uint32_t variable_count);

  /// Returns the number of the expression, counted from 0.
  std::size_t add(const ExprPool& pool, ExprId id);

  /// All three: the expression must have the type asked for (number: int or double).
  Result<bool, SemanticError> boolean(std::size_t expr, std::span<const std::int64_t> valuation);
  Result<std::int64_t, SemanticError> integer(std::size_t expr,
                                              std::span<const std::int64_t> valuation);
  Result<double, SemanticError> number(std::size_t expr, std::span<const std::int64_t> valuation);

 private:
  SemanticFault run(std::size_t expr, std::span<const std::int64_t> valuation);

  Program program_;
  std::vector<CodeRange> ranges_;
  std::vector<std::int64_t> frame_;
};

/// One evaluation, compiled for the occasion; for tests and rare uses. Bool as 0/1.
Result<double, SemanticError> evaluate(const ExprPool& pool, ExprId id,
                                       std::span<const std::int64_t> valuation);

}  // namespace brink
