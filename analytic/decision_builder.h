// From a model to its decision process: all reachable states, one row for each enabled command (or
// combination of synchronised commands), and the rewards as one number for each choice. Used by
// `check` for mdp models; the counterpart of chain_builder.h with the same limits and failures.
#pragma once

#include "analytic/chain_builder.h"
#include "analytic/decision.h"

namespace brink::analytic {

/// A decision process whose states carry valuations.
class ModelDecisions : public ModelStates {
 public:
  const DecisionProcess& process() const { return process_; }
  std::uint64_t transitions() const { return process_.entry_count(); }
  std::uint64_t bytes() const {
    return words_.bytes() + process_.bytes() + actions_.capacity() * sizeof(ActionId) + size() / 8;
  }

  /// Reward of taking each choice: that of the state plus that of the action. The wait of a
  /// deadlocked state earns the state's.
  Result<std::vector<double>, SemanticError> choice_rewards(std::uint32_t structure) const;

 private:
  friend Result<ModelDecisions, BuildFailure> build_decisions(const ModelPtr& model,
                                                              const BuildLimits& limits);
  explicit ModelDecisions(ModelPtr model) : ModelStates(std::move(model)) {}

  DecisionProcess process_;
  std::vector<ActionId> actions_;  ///< of each choice
};

/// Explores an mdp. Chains are refused (kind unsupported): they have no choices.
Result<ModelDecisions, BuildFailure> build_decisions(const ModelPtr& model,
                                                     const BuildLimits& limits = {});

}  // namespace brink::analytic
