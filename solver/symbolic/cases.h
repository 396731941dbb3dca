// Cases: expressions taken apart into conjunctions of linear inequalities.
//
// A number becomes a list of cases "when this cube holds, the value is this linear term"; a truth
// becomes a disjunction of cubes. min, max, ?: and boolean operators split; floor, ceil, round and
// mod by a constant become a named quotient when they depend on constants of the model only
// (`q` with 8 q <= N <= 8 q + 7), else one case for each value of the quotient while those are few.
// Real numbers are kept exact as a linear term over a common denominator. Products of two symbols,
// logarithms and powers are given up with a reason. What is excluded: nothing is approximated, so
// a truth and its negation are exact complements over the integers.
#pragma once

#include <map>

#include "models/language/model.h"
#include "solver/symbolic/linear.h"

namespace brink::solver {

struct Symbol {
  enum class Kind { variable, parameter, quotient } kind = Kind::variable;
  std::string name;
  bool boolean = false;
};

/// `value / denominator` where `when` holds.
struct Case {
  Cube when;
  Linear value;
  std::int64_t denominator = 1;
};

/// Variables of the model come first, then its parameters, then quotients as they turn up.
class Cases {
 public:
  explicit Cases(const Model& model);

  /// All throw GaveUp.
  Dnf truth(const ExprPool& pool, ExprId id, bool positive = true);
  std::vector<Case> number(const ExprPool& pool, ExprId id);

  const std::vector<Symbol>& symbols() const { return symbols_; }
  std::size_t variables() const { return variables_; }
  /// What defines the quotients.
  const Cube& definitions() const { return definitions_; }

  /// Numeric bounds of a variable or parameter, where there are any; set by whoever knows them.
  void set_bounds(std::uint32_t symbol, std::int64_t low, std::int64_t high);

 private:
  struct Depth;
  Dnf comparison(const ExprPool& pool, const ExprNode& node, bool positive);
  Dnf compare_cases(const Case& a, const Case& b, Op op) const;
  std::vector<Case> apply(const ExprPool& pool, const ExprNode& node);
  std::vector<Case> extreme(const ExprPool& pool, const ExprNode& node);
  std::vector<Case> floor_of(const Case& value);
  std::vector<Case> quotients(const Cube& when, const Linear& value, std::int64_t divisor);
  std::optional<std::pair<std::int64_t, std::int64_t>> interval(const Linear& value) const;
  bool state_free(const Linear& value) const;

  const Model& model_;
  std::size_t variables_;
  std::vector<Symbol> symbols_;
  std::vector<std::optional<std::pair<std::int64_t, std::int64_t>>> bounds_;
  std::map<std::pair<Linear, std::int64_t>, std::uint32_t> known_quotients_;
  Cube definitions_;
  int depth_ = 0;
};

}  // namespace brink::solver
