// BatchExpander: the successors of many packed states at once, in the evaluator's order.
//
// What the evaluator says of one state, this says of a batch of kLanes: the same successors in the
// same order, the same first error. It is the evaluator's fast half, not a second semantics: lanes
// in which anything may go wrong are given to the evaluator, and so is every model that columns do
// not suit. Used by: the explicit search, and with the moves' weights the builders of chains.
#pragma once

#include <memory>
#include <optional>

#include "models/semantics/column_kernels.h"
#include "models/semantics/evaluator.h"
#include "models/semantics/layout.h"

namespace brink {

class BatchExpander {
 public:
  struct Options {
    bool columns = true;   ///< without them the evaluator does it all (for tests and comparisons)
    bool weights = false;  ///< weights(), moves() and action() are wanted
  };

  /// BRINK_CHECK: the model has no parameters.
  BatchExpander(ModelPtr model, Options options);
  ~BatchExpander();
  BatchExpander(BatchExpander&&) noexcept;
  BatchExpander& operator=(BatchExpander&&) noexcept;

  /// Expands `count` <= kLanes states that lie one after the other, layout words each. It may stop
  /// before the end: at an error, or because the states have very many successors (then at least
  /// one is done). The results are valid until the next call.
  void expand(const std::uint64_t* states, std::size_t count);

  /// How many states have been expanded, from the first one on.
  std::size_t expanded() const;
  /// Successors of state i: begins()[i] .. begins()[i + 1), numbers of packed states.
  const std::uint32_t* begins() const;
  const std::uint64_t* successors() const;
  /// Probability or rate of each successor, as the evaluator's Expansion::weights.
  const double* weights() const;
  /// Number of the choice that each successor belongs to: the same for neighbours of one choice,
  /// different between choices of one state.
  const std::uint32_t* moves() const;
  /// The outside label of a choice.
  ActionId action(std::uint32_t move) const;
  /// What is wrong with state expanded(), if anything.
  const std::optional<SemanticError>& error() const;

  /// States that the evaluator had to expand so far.
  std::uint64_t scalar_states() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace brink
