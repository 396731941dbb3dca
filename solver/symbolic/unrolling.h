// Unrolling: the states of a run of growing length as Z3 constants, with the moves between them.
//
// One selector Boolean for each move and step: a chosen selector implies the move's guard and its
// effect, and one of them is chosen (measured on page_frames: incremental, selectors stay usable at
// depth 40, where disjunctions over integers do not end). Several may be chosen only if they lead
// to the same state. States of a run are pairwise different when asked for: when no such run
// of some length exists, every reachable state has been seen (the recurrence diameter). The search
// for counterexamples does without: there the constraints cost much and exclude nothing. Internal
// to bmc and induction.
#pragma once

#include <z3++.h>

#include <vector>

#include "solver/symbolic/encoding.h"

namespace brink::solver {

struct SmtRun;

class Unrolling {
 public:
  enum class Start { initial, anywhere };  ///< anywhere: any state within range
  enum class States { any, distinct };     ///< distinct: the states of a run are pairwise different
  Unrolling(z3::context& context, const Encoding& encoding, Start start, States states);

  std::uint32_t depth() const { return static_cast<std::uint32_t>(states_.size() - 1); }
  const z3::expr_vector& state(std::uint32_t step) const { return states_[step]; }
  z3::solver& solver() { return solver_; }

  /// Adds one step.
  void extend();
  /// A term over the template state, at the last state.
  z3::expr last(const z3::expr& term) const { return encoding_.at(term, states_.back()); }
  /// Is there such a run whose last state satisfies `term`? The solver's model then gives it.
  z3::check_result ask(const z3::expr& term);
  /// Is there any such run at all?
  z3::check_result any();
  /// The states of the run in the solver's model.
  std::vector<std::vector<std::int64_t>> run() const;

 private:
  void add_ranges();

  z3::context& context_;
  const Encoding& encoding_;
  States kind_;
  bool uses_known_ = true;
  mutable z3::solver solver_;
  std::vector<z3::expr_vector> states_;
  std::uint64_t questions_ = 0;
};

/// The recurrence diameter, looked for in a solver of its own, in small slices of time: given up
/// for good when one of them, or all together, do not suffice.
class Diameter {
 public:
  explicit Diameter(SmtRun& run);
  /// No run from an initial state visits k+2 different states? (All have been seen at depth k.)
  bool reached(std::uint32_t k);

 private:
  Unrolling unrolling_;
  double seconds_ = 0;
  bool given_up_ = false;
};

}  // namespace brink::solver
