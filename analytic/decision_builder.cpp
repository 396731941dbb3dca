#include "analytic/decision_builder.h"

#include "analytic/state_explorer.h"

namespace brink::analytic {

Result<ModelDecisions, BuildFailure> build_decisions(const ModelPtr& model,
                                                     const BuildLimits& limits) {
  if (model->type != ModelType::mdp)
    return fail(BuildFailure{
        BuildFailure::Kind::unsupported, "the model is a chain, not a decision process", {}, {}});
  if (auto refused = refuse_parameters(*model)) return fail(std::move(*refused));
  ModelDecisions out(model);
  DecisionBuilder builder;
  const auto row = [&](const ExpandedState& state) {
    for (std::size_t b = 0; b < state.targets.size();) {
      const std::uint32_t move = state.moves[b];
      for (; b < state.targets.size() && state.moves[b] == move; ++b)
        builder.add(state.targets[b], state.weights[b]);
      builder.end_choice();
      out.actions_.push_back(state.expander.action(move));
    }
    if (!builder.end_state()) out.actions_.push_back(kUnlabelled);
  };
  if (auto failure = StateExplorer(out, limits).run(row)) return fail(std::move(*failure));
  for (std::uint32_t s = out.explored(); s < out.size(); ++s) {
    builder.end_state();
    out.actions_.push_back(kUnlabelled);
  }
  auto process = std::move(builder).finish();
  if (!process) return fail(BuildFailure{BuildFailure::Kind::model_error, process.error(), {}, {}});
  out.process_ = std::move(*process);
  return out;
}

Result<std::vector<double>, SemanticError> ModelDecisions::choice_rewards(
    std::uint32_t structure) const {
  const auto states = state_rewards(structure);
  if (!states) return fail(states.error());
  std::vector<double> out(process_.choice_count());
  Evaluator evaluator(model_);
  const bool actions = evaluator.has_transition_rewards(structure);
  std::vector<std::int64_t> state;
  for (std::uint32_t s = 0; s < size(); ++s) {
    if (actions) valuation(s, state);
    for (std::uint32_t c = process_.first_choice(s); c < process_.end_choice(s); ++c) {
      out[c] = (*states)[s];
      if (!actions || deadlock(s)) continue;
      const auto reward = evaluator.transition_reward(structure, actions_[c], state);
      if (!reward) return fail(reward.error());
      out[c] += *reward;
    }
  }
  return out;
}

}  // namespace brink::analytic
