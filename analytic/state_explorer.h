// StateExplorer: the search for the reachable states of a model, shared by chains and decision
// processes. Internal to chain_builder and decision_builder.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <span>

#include "analytic/chain_builder.h"
#include "analytic/packed_set.h"

namespace brink::analytic {

/// Fills a ModelStates; the rows go to the caller.
class StateExplorer {
 public:
  /// One expanded state: its moves and the numbers of their targets, one for each branch.
  using Row = std::function<void(const Expansion&, std::span<const std::uint32_t> targets)>;

  StateExplorer(ModelStates& out, const BuildLimits& limits)
      : limits_(limits), out_(out), states_(out.layout_.words()) {}

  /// Expands all states in the order of their numbers; why it ended early, or nothing.
  std::optional<BuildFailure> run(const Row& row);

 private:
  std::string limit() const;

  const BuildLimits& limits_;
  ModelStates& out_;
  PackedSet states_;
  Expansion expansion_;
  std::uint64_t entries_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Constants without a value leave no numbers to work with.
std::optional<BuildFailure> refuse_parameters(const Model& model);

}  // namespace brink::analytic
