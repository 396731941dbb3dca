// The deterministic automaton of good prefixes of a co-safe formula: which finite beginnings of a
// word already satisfy it. Used for rewards until a co-safe formula holds, and as a part of
// deterministic.h.
//
// States are what is left to satisfy after the letters read so far: formulas are progressed
// (Bacchus & Kabanza, Ann. Math. AI 1998) and kept as minimal disjunctive normal forms, which are
// unique, since progressed formulas are positive combinations of subformulas. States are found as
// they are asked for. With FormulaPool(count_steps) a prefix counts as good when every X of a way
// to satisfy the formula has been read (PRISM's reading).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "models/automata/formula.h"

namespace brink::automata {

class GoodPrefixes {
 public:
  /// BRINK_CHECK: f is co-safe. The pool must outlive this.
  GoodPrefixes(FormulaPool& pool, Formula f);

  std::uint32_t initial() const { return initial_; }
  std::uint32_t step(std::uint32_t state, std::uint64_t letter);
  bool good(std::uint32_t state) const;  ///< satisfied whatever follows
  bool bad(std::uint32_t state) const;   ///< cannot be satisfied any more
  std::uint32_t size() const { return static_cast<std::uint32_t>(states_.size()); }

  /// Not empty once a state has grown too large; answers are worthless from then on.
  const std::string& problem() const { return problem_; }

 private:
  using Duties = std::vector<Formula>;  ///< sorted: all of them
  using Choices = std::vector<Duties>;  ///< sorted: one of them

  std::uint32_t number(Choices choices);
  Choices choices_of(Formula f) const;
  Choices product(const Choices& a, const Choices& b);
  void minimise(Choices& choices);
  Choices progress(Formula f, std::uint64_t letter);

  FormulaPool& pool_;
  std::uint32_t initial_ = 0;
  std::map<Choices, std::uint32_t> index_;
  std::vector<Choices> states_;
  std::string problem_;
};

}  // namespace brink::automata
