// Deterministic automata of linear temporal logic, for products with chains and decision processes:
// what gives a formula a probability.
//
//   auto automaton = Deterministic::make(pool, f);
//   auto [state, marks] = automaton->step(automaton->initial(), letter);
//
// The formula is taken apart at its outer & and |, and each part gets the smallest kind of
// automaton that fits: the good prefixes of a co-safe (bad ones of a safe) part, the tableau of the
// part or of its negation where that is deterministic already, history trees otherwise. Acceptance
// stays a formula over marks: a run accepts when some clause holds, that is, no mark of `finite`
// and each mark of `infinite` is met infinitely often. States are found as they are asked for.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/automata/formula.h"
#include "models/base/result.h"

namespace brink::automata {

struct Clause {
  std::uint64_t finite = 0, infinite = 0;
  friend auto operator<=>(const Clause&, const Clause&) = default;
};

class Deterministic {
 public:
  /// Fails, with a sentence, when the formula is too large. The pool must outlive the automaton.
  static Result<Deterministic, std::string> make(FormulaPool& pool, Formula f);
  Deterministic(Deterministic&&) noexcept;
  Deterministic& operator=(Deterministic&&) noexcept;
  ~Deterministic();

  struct Move {
    std::uint32_t state = 0;
    std::uint64_t marks = 0;
  };
  std::uint32_t initial() const;
  /// A letter is a bit set of the atoms that hold.
  Move step(std::uint32_t state, std::uint64_t letter);

  /// Some clause must hold; none: nothing is accepted.
  const std::vector<Clause>& acceptance() const;
  std::uint32_t size() const;  ///< states found so far
  /// Not empty once a state has grown too large; answers are worthless from then on.
  std::string problem() const;

 private:
  struct Impl;
  explicit Deterministic(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Does a run that meets exactly these marks infinitely often accept?
bool accepting(const std::vector<Clause>& acceptance, std::uint64_t marks);

}  // namespace brink::automata
