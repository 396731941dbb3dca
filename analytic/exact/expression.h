// Expressions evaluated in rational arithmetic: 0.1 is 1/10, and 1/3 = 0.333 is false. Internal to
// analytic/exact.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "analytic/exact/rational.h"
#include "models/language/expr.h"

namespace brink::analytic::exact {

class Expressions {
 public:
  explicit Expressions(const ExprPool& pool) : pool_(pool) {}

  /// The value in a state, booleans as 0 and 1; nothing when there is no rational one (logarithms,
  /// roots, divisions by 0). Only the branch of ?: that is taken, and the operands of & | => that
  /// decide, need values.
  std::optional<Rational> operator()(ExprId id, std::span<const std::int64_t> valuation);

 private:
  /// The nodes below one expression, operands first, with the places of their operands.
  struct Code {
    struct Step {
      ExprNode node;
      std::uint32_t a = 0, b = 0, c = 0;
      std::optional<Rational> constant;
    };
    std::vector<Step> steps;
  };
  const Code& code(ExprId id);

  const ExprPool& pool_;
  std::map<ExprId, Code> codes_;
  std::vector<std::optional<Rational>> values_;
};

/// `op` on rationals; nothing when the result is none.
std::optional<Rational> apply(Op op, const std::optional<Rational>& a,
                              const std::optional<Rational>& b, const std::optional<Rational>& c);

}  // namespace brink::analytic::exact
