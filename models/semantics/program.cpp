// The register machine: an interpreter loop over flat code.
//
// Control flow: `&`, `|`, `=>` and `?:` are jumps forward, so what PRISM does not evaluate is not
// evaluated (x!=0 & mod(y,x)=1 is safe). A large subexpression that occurs more than once becomes a
// subroutine run on first use (`call`: dst = register of the return address, a = its done flag, b =
// distance to its code; `ret`), so a formula built of formulas costs what it has nodes, not what
// its expansion has. Each subroutine has its own return register: expressions are acyclic, so none
// is entered twice at once.
#include "models/semantics/program.h"

#include <algorithm>
#include <cmath>

#include "models/base/check.h"
#include "models/language/arithmetic.h"
#include "models/semantics/compiler.h"

namespace brink {
namespace {

SemanticFault fault_of(arithmetic::Fault fault) {
  switch (fault) {
    case arithmetic::Fault::none:
      return SemanticFault::none;
    case arithmetic::Fault::overflow:
      return SemanticFault::overflow;
    case arithmetic::Fault::division_by_zero:
      return SemanticFault::division_by_zero;
    case arithmetic::Fault::negative_exponent:
      return SemanticFault::negative_exponent;
    case arithmetic::Fault::not_a_number:
      return SemanticFault::not_a_number;
  }
  return SemanticFault::none;
}

}  // namespace

SemanticFault Program::run(const CodeRange& range, std::span<std::int64_t> frame) const {
  std::int64_t* const f = frame.data();
  const Instruction* const code = code_.data();
  const Instruction* pc = code + range.begin;
  const Instruction* const end = code + range.end;
#define A f[pc->a]
#define B f[pc->b]
#define R f[pc->dst]
#define AR std::bit_cast<double>(A)
#define BR std::bit_cast<double>(B)
#define SET_REAL(value) R = std::bit_cast<std::int64_t>(static_cast<double>(value))
#define TRY(call)                                                               \
  if (const auto fault = (call); fault != arithmetic::Fault::none) [[unlikely]] \
  return fault_of(fault)
  while (pc != end) {
    switch (pc->instr) {
#define BRINK_INSTR(id, ...) \
  case Instr::id: {          \
    __VA_ARGS__;             \
    break;                   \
  }
#include "models/semantics/instructions.def"
#undef BRINK_INSTR
      case Instr::jump:
        pc += pc->b;
        break;
      case Instr::jump_if_false:
        if (A == 0) pc += pc->b;
        break;
      case Instr::jump_if_true:
        if (A != 0) pc += pc->b;
        break;
      case Instr::clear:
        R = 0;
        break;
      case Instr::call:
        if (A == 0) {
          A = 1;
          R = pc - code;
          pc += static_cast<std::int32_t>(pc->b);  // backwards, too
        }
        break;
      case Instr::ret:
        pc = code + A;
        break;
    }
    ++pc;
  }
#undef A
#undef B
#undef R
#undef AR
#undef BR
#undef SET_REAL
#undef TRY
  return SemanticFault::none;
}

Program::Program(std::uint32_t variable_count)
    : variables_(variable_count), frame_(variable_count, 0) {}

CodeRange Program::add(const ExprPool& pool, ExprId id) {
  return Compiler(*this, pool).compile(id);
}

ExprEvaluator::ExprEvaluator(std::uint32_t variable_count) : program_(variable_count) {}

std::size_t ExprEvaluator::add(const ExprPool& pool, ExprId id) {
  ranges_.push_back(program_.add(pool, id));
  frame_ = program_.make_frame();
  return ranges_.size() - 1;
}

SemanticFault ExprEvaluator::run(std::size_t expr, std::span<const std::int64_t> valuation) {
  BRINK_CHECK(valuation.size() == program_.variable_count());
  std::ranges::copy(valuation, frame_.begin());
  return program_.run(ranges_[expr], frame_);
}

Result<bool, SemanticError> ExprEvaluator::boolean(std::size_t expr,
                                                   std::span<const std::int64_t> valuation) {
  BRINK_CHECK(ranges_[expr].type == Type::boolean);
  if (const auto fault = run(expr, valuation); fault != SemanticFault::none) {
    return fail(SemanticError{.fault = fault});
  }
  return frame_[ranges_[expr].result] != 0;
}

Result<std::int64_t, SemanticError> ExprEvaluator::integer(
    std::size_t expr, std::span<const std::int64_t> valuation) {
  BRINK_CHECK(ranges_[expr].type == Type::integer);
  if (const auto fault = run(expr, valuation); fault != SemanticFault::none) {
    return fail(SemanticError{.fault = fault});
  }
  return frame_[ranges_[expr].result];
}

Result<double, SemanticError> ExprEvaluator::number(std::size_t expr,
                                                    std::span<const std::int64_t> valuation) {
  if (const auto fault = run(expr, valuation); fault != SemanticFault::none) {
    return fail(SemanticError{.fault = fault});
  }
  const std::int64_t bits = frame_[ranges_[expr].result];
  return ranges_[expr].type == Type::real ? Program::as_double(bits) : static_cast<double>(bits);
}

Result<double, SemanticError> evaluate(const ExprPool& pool, ExprId id,
                                       std::span<const std::int64_t> valuation) {
  ExprEvaluator evaluator(static_cast<std::uint32_t>(valuation.size()));
  const std::size_t expr = evaluator.add(pool, id);
  return evaluator.number(expr, valuation);
}

}  // namespace brink
