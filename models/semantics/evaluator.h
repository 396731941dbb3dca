// The one executable semantics of a model: successors, rewards and initial states.
//
// Explicit search, simulation of a model, Markov building and the replay of traces all use it; the
// SMT encoding is tested against it. Order is fixed: synchronisations in the model's order, within
// one the commands of the last participant vary fastest, updates as written. Used by: solver,
// analytic, conformance.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "models/base/result.h"
#include "models/language/model.h"
#include "models/semantics/error.h"

namespace brink {

/// One enabled move: a combination of commands with its probability distribution (dtmc, mdp) or
/// rates (ctmc).
struct Choice {
  ActionId action = kUnlabelled;                       ///< as seen from outside
  std::uint32_t first_command = 0, command_count = 0;  ///< into Expansion::commands
  std::uint32_t first_branch = 0, branch_count = 0;    ///< into Expansion's branches
};

/// What one state can do. Reused from state to state, so that nothing is allocated.
struct Expansion {
  std::vector<Choice> choices;
  std::vector<std::uint32_t> commands;  ///< indices into Model::commands
  /// Probabilities or rates, products over the participants. Weights equal to 0 are left out.
  /// In a dtmc with k choices each of them is taken with probability 1/k: see choice_weight.
  std::vector<double> weights;
  std::vector<std::int64_t> targets;  ///< branch b: targets[b * variables .. (b + 1) * variables)
  /// Which update of each participating command a branch took, mixed radix, first participant
  /// slowest.
  std::vector<std::uint32_t> updates;
  std::size_t variables = 0;
  /// dtmc: 1 / number of choices (PRISM's uniform choice between overlapping guards); otherwise 1.
  double choice_weight = 1;

  bool deadlock() const { return choices.empty(); }
  std::size_t branch_count() const { return weights.size(); }
  std::span<const std::int64_t> target(std::size_t branch) const {
    return {targets.data() + branch * variables, variables};
  }
  std::span<const std::uint32_t> commands_of(const Choice& choice) const {
    return {commands.data() + choice.first_command, choice.command_count};
  }
  void clear();
};

/// Branches of one state beyond this are a fault (a product of many synchronised commands).
inline constexpr std::size_t kMaxBranches = std::size_t{1} << 24;

/// Probabilities of a command may miss 1 by this much, relative to their number (PRISM's 1e-5).
inline constexpr double kProbabilityTolerance = 1e-5;

/// Not thread-safe (it owns a register frame); copy one per thread, copies are cheap.
class Evaluator {
 public:
  /// BRINK_CHECK: the model has no parameters.
  explicit Evaluator(ModelPtr model);
  ~Evaluator();
  Evaluator(const Evaluator&);
  Evaluator& operator=(const Evaluator&);
  Evaluator(Evaluator&&) noexcept;
  Evaluator& operator=(Evaluator&&) noexcept;

  const Model& model() const;

  /// Expands one state. A fault in a command that is not enabled is none; evaluation stops at the
  /// first fault. Nothing when all went well.
  std::optional<SemanticError> successors(std::span<const std::int64_t> valuation, Expansion& out);

  /// Is the command's guard true? Used by conformance (named decisions) and by traces.
  Result<bool, SemanticError> enabled(std::uint32_t command,
                                      std::span<const std::int64_t> valuation);

  /// Label `label` of the model.
  Result<bool, SemanticError> label(std::uint32_t label, std::span<const std::int64_t> valuation);

  /// Sum of the matching state items (a reward in discrete time, a reward rate in a ctmc).
  Result<double, SemanticError> state_reward(std::uint32_t structure,
                                             std::span<const std::int64_t> valuation);

  /// Sum of the matching transition items for moves with this outside label, earned in the source
  /// state.
  Result<double, SemanticError> transition_reward(std::uint32_t structure, ActionId action,
                                                  std::span<const std::int64_t> valuation);

  /// Does the structure have items of that kind at all?
  bool has_state_rewards(std::uint32_t structure) const;
  bool has_transition_rewards(std::uint32_t structure) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Calls `found` for every initial state in lexicographic order of the valuation: the one the
/// declarations give, or all that satisfy init...endinit (enumerated variable by variable, cutting
/// branches as soon as a conjunct is false). `found` returns false to stop. Errors: faults of the
/// expression, or an initial value out of range.
std::optional<SemanticError> for_each_initial_state(
    const Model& model, const std::function<bool(std::span<const std::int64_t>)>& found);

/// All of them, at most `limit` (flat, one valuation after the other).
Result<std::vector<std::vector<std::int64_t>>, SemanticError> initial_states(
    const Model& model, std::size_t limit = std::size_t{1} << 24);

}  // namespace brink
