// Counter systems in Z3, and formulas of Z3 back as linear inequalities. Internal.
//
// Two readings of a symbol: integer, and real. The real one is a relaxation: every run over the
// integers is one over the reals, because atoms are tightened (linear.h) before they are relaxed.
#pragma once

#include <z3++.h>

#include "solver/symbolic/counters.h"
#include "solver/symbolic/formula.h"
#include "solver/symbolic/smt_terms.h"

namespace brink::solver {

/// One Z3 constant for each symbol of a system; booleans are Bool.
class Terms {
 public:
  Terms(z3::context& context, const std::vector<Symbol>& symbols, Numbers numbers,
        const std::string& suffix = "");

  z3::expr symbol(std::uint32_t index) const { return constants_[static_cast<int>(index)]; }
  const z3::expr_vector& constants() const { return constants_; }
  z3::sort sort(std::uint32_t index) const;

  z3::expr value(const Linear& term) const;  ///< as a number; booleans count 0 or 1
  z3::expr atom(const Linear& atom) const;
  z3::expr of(const Cube& cube) const;
  z3::expr of(const Dnf& dnf) const;
  /// The next value of a variable under a command.
  z3::expr next(const CounterCommand& command, std::uint32_t variable) const;

  std::int64_t value_in(const z3::model& model, std::uint32_t symbol) const;

 private:
  z3::expr number(std::int64_t value) const;

  z3::context& context_;
  const std::vector<Symbol>& symbols_;
  Numbers numbers_;
  z3::expr_vector constants_;
};

/// Reads a Z3 formula over the constants of `terms`, taking strict inequalities as integers do.
/// Throws GaveUp on anything that is not linear.
Formula formula_of(const z3::expr& e, const Terms& terms, std::size_t symbols);

z3::expr to_z3(const Formula& formula, const Terms& terms);

}  // namespace brink::solver
