// From a model to its Markov chain: all reachable states with probabilities or rates, and the
// rewards as vectors over them. The bridge between models/ and the solvers of analytic/.
//
// The numbers are those of PRISM's semantics as the evaluator gives them: in a dtmc overlapping
// guards share the probability evenly, in a ctmc rates add up; a deadlocked state stays where it
// is, earning its state reward and no transition reward.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "analytic/chain.h"
#include "models/base/big_array.h"
#include "models/semantics/evaluator.h"
#include "models/semantics/layout.h"

namespace brink::analytic {

struct BuildLimits {
  std::uint64_t states = 0;  ///< 0: none
  std::uint64_t bytes = 0;
  double seconds = 0;
  /// Where the limit of states or bytes ends the search, what has been found so far is the model:
  /// see ModelStates::explored.
  bool partial = false;
  const std::atomic<bool>* stop = nullptr;
};

/// Why there is no chain.
struct BuildFailure {
  enum class Kind {
    unsupported,  ///< not a Markov chain: a decision process, or constants without a value
    model_error,  ///< an erroneous move in a reachable state
    limit         ///< undecided
  } kind = Kind::unsupported;
  std::string message;
  std::optional<SemanticError> error;  ///< of a model error
  std::vector<std::int64_t> state;     ///< where it happens (empty: in the initial states)
};

/// The reachable states of a model; states 0 .. initial_count-1 are the initial ones.
class ModelStates {
 public:
  const ModelPtr& model() const { return model_; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(deadlock_.size()); }
  std::uint32_t initial_count() const { return initial_; }
  bool deadlock(std::uint32_t state) const { return deadlock_[state]; }
  /// States below this number have their rows; the others were found and never expanded, because of
  /// a limit: they are absorbing rows about which nothing is known.
  std::uint32_t explored() const { return explored_; }
  bool complete() const { return explored_ == size(); }
  /// The limit that was reached, for people.
  const std::string& unexplored_reason() const { return unexplored_reason_; }
  void valuation(std::uint32_t state, std::vector<std::int64_t>& out) const;

  /// Reward of being in each state: per step (discrete) or per time unit (continuous).
  Result<std::vector<double>, SemanticError> state_rewards(std::uint32_t structure) const;

 protected:
  friend class StateExplorer;
  explicit ModelStates(ModelPtr model) : model_(std::move(model)), layout_(*model_) {}

  ModelPtr model_;
  StateLayout layout_;
  BigArray<std::uint64_t> words_;
  std::vector<bool> deadlock_;
  std::uint32_t initial_ = 0;
  std::uint32_t explored_ = 0;
  std::string unexplored_reason_;
};

/// A chain whose states carry valuations.
class ModelChain : public ModelStates {
 public:
  const Chain& chain() const { return chain_; }
  std::uint64_t transitions() const { return chain_.entry_count(); }
  std::uint64_t bytes() const;

  bool has_jump_rewards(std::uint32_t structure) const;
  /// Expected reward of the next jump: per step, or per time unit (rate times reward).
  Result<std::vector<double>, SemanticError> jump_rewards(std::uint32_t structure) const;

 private:
  friend Result<ModelChain, BuildFailure> build_chain(const ModelPtr& model,
                                                      const BuildLimits& limits);
  explicit ModelChain(ModelPtr model) : ModelStates(std::move(model)) {}

  Chain chain_;
};

/// Explores the model. Decision processes are refused: see decision_builder.h.
Result<ModelChain, BuildFailure> build_chain(const ModelPtr& model, const BuildLimits& limits = {});

}  // namespace brink::analytic
