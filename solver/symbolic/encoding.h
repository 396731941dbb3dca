// Encoding: a model's expressions, ranges and moves as Z3 terms over one state.
//
// Two theories. `bits`: bit-vectors as wide as the largest value any needed expression can take
// (interval analysis), so that no operation wraps; a variable is a constant of just the bits its
// range needs. `integers`: Int and Real, when a real number occurs or a value needs more than 62
// bits. Terms are built once over a template state and substituted for each step of an unrolling.
//
// What cannot be encoded faithfully is refused with a reason rather than approximated: divisors
// that are not constants (division by zero is a fault), powers with variable exponents, logarithms.
// Real arithmetic is exact here and double in the evaluator: `exact_reals` tells, and a verdict
// that rests on it says so. Used by: bmc, induction, and the tests that hold it to the evaluator.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/base/result.h"
#include "models/language/property.h"
#include "solver/symbolic/linear.h"

namespace z3 {
class context;
class expr;
class model;
template <typename T>
class ast_vector_tpl;
using expr_vector = ast_vector_tpl<expr>;
}  // namespace z3

namespace brink::solver {

/// One combination of commands and updates that moves the model.
struct EncodedMove {
  std::vector<std::uint32_t> commands;
  std::uint32_t updates = 0;  ///< as Expansion::updates
};

enum class Theory {
  fitting,   ///< bits where possible: fast to search
  integers,  ///< Int and Real always: sums of wide counters are proved by arithmetic, not by cases
};

class Encoding {
 public:
  /// Encodes the model together with the given expressions of `pool` (the model's pool or one that
  /// extends it). Error: what cannot be encoded, for people. The context must outlive it.
  static Result<std::unique_ptr<Encoding>, std::string> make(z3::context& context,
                                                             const Model& model,
                                                             const ExprPool& pool,
                                                             const std::vector<ExprId>& expressions,
                                                             Theory theory = Theory::fitting);
  ~Encoding();
  Encoding(const Encoding&) = delete;
  Encoding& operator=(const Encoding&) = delete;

  bool exact_reals() const;
  bool uses_bits() const;

  /// Fresh constants for one state, named by the variables and `step`.
  z3::expr_vector state(std::uint32_t step) const;
  /// The template state all terms below are over.
  const z3::expr_vector& template_state() const;
  /// A term over the template, at `state`.
  z3::expr at(const z3::expr& term, const z3::expr_vector& state) const;

  z3::expr expression(ExprId id) const;  ///< one of those given to make, over the template
  z3::expr in_range() const;
  z3::expr initial() const;
  /// `sum` = 0 over the template, in a theory wide enough for it. BRINK_CHECK: over variables only.
  z3::expr is_zero(const Linear& sum) const;
  /// True in all reachable states, by a proof from outside (smt_run.h); true when there is none.
  z3::expr known() const;
  bool safe() const;
  /// `safe`: with it, no move leaves a range; leaves_range is then false.
  void set_known(const z3::expr& invariant, bool safe);
  /// The model's symbolic constants, in its order: the same in every state.
  const z3::expr_vector& parameters() const;
  /// What makes values of the symbolic constants legal: 32-bit ints, no empty range, initial values
  /// within theirs.
  z3::expr legal() const;

  const std::vector<EncodedMove>& moves() const;
  z3::expr guard(std::size_t move) const;          ///< enabled, with positive weight
  z3::expr_vector target(std::size_t move) const;  ///< the state after it, over the template
  z3::expr leaves_range(std::size_t move) const;   ///< enabled, but some value is out of range
  z3::expr any_enabled() const;
  z3::expr any_leaves_range() const;

  /// The numbers a solver's model gives to a state.
  std::vector<std::int64_t> values(const z3::model& model, const z3::expr_vector& state) const;
  /// "state is exactly these values".
  z3::expr equals(const z3::expr_vector& state, const std::vector<std::int64_t>& values) const;

 private:
  struct Impl;
  explicit Encoding(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace brink::solver
