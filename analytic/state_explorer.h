// StateExplorer: the search for the reachable states of a model, shared by chains and decision
// processes. Internal to chain_builder and decision_builder.
//
// States are expanded by the batch, with the weights of their moves, and entered into the same
// table that the explicit search uses, a chunk at a time; numbers are those of a search state by
// state. Dropped: the evaluator and a set of its own, which built a third as fast.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <span>

#include "analytic/chain_builder.h"
#include "models/semantics/batch.h"
#include "models/semantics/state_table.h"

namespace brink::analytic {

/// One expanded state, branch by branch.
struct ExpandedState {
  std::span<const std::uint32_t> targets;  ///< numbers of states
  std::span<const double> weights;
  std::span<const std::uint32_t> moves;  ///< differ between neighbouring choices
  const BatchExpander& expander;         ///< for the action of a move
};

/// Fills a ModelStates; the rows go to the caller.
class StateExplorer {
 public:
  using Row = std::function<void(const ExpandedState&)>;

  StateExplorer(ModelStates& out, const BuildLimits& limits)
      : limits_(limits),
        out_(out),
        states_(out.layout_.words(), 1, std::min(out.layout_.bits(), 64u)) {}

  /// Expands all states in the order of their numbers; why it ended early, or nothing. Where limits
  /// may leave states unexplored, those get no row.
  std::optional<BuildFailure> run(const Row& row);

 private:
  std::optional<BuildFailure> enter_initial_states();
  std::string limit() const;
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

  const BuildLimits& limits_;
  ModelStates& out_;
  StateTable states_;
  std::uint64_t entries_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Constants without a value leave no numbers to work with.
std::optional<BuildFailure> refuse_parameters(const Model& model);

}  // namespace brink::analytic
