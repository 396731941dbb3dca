#include "analytic/chain_builder.h"

#include <algorithm>

#include "analytic/state_explorer.h"
#include "models/base/check.h"

namespace brink::analytic {

using Valuation = std::vector<std::int64_t>;

namespace {

/// dtmc: the choices of a state are equally likely.
double share_of_choice(std::span<const std::uint32_t> moves) {
  std::size_t choices = 0;
  for (std::size_t b = 0; b < moves.size(); ++b)
    if (b == 0 || moves[b] != moves[b - 1]) ++choices;
  return choices > 1 ? 1.0 / static_cast<double>(choices) : 1;
}

}  // namespace

Result<ModelChain, BuildFailure> build_chain(const ModelPtr& model, const BuildLimits& limits) {
  if (model->type == ModelType::mdp)
    return fail(BuildFailure{
        BuildFailure::Kind::unsupported,
        "the model is a decision process (mdp): which command comes next is not a matter of "
        "chance; read it as a chain with --as ctmc or --as dtmc",
        {},
        {}});
  if (auto refused = refuse_parameters(*model)) return fail(std::move(*refused));
  ModelChain out(model);
  ChainBuilder builder(model->type == ModelType::ctmc ? ChainKind::continuous
                                                      : ChainKind::discrete);
  const bool shares = model->type == ModelType::dtmc;
  const auto row = [&](const ExpandedState& state) {
    const double share = shares ? share_of_choice(state.moves) : 1;
    for (std::size_t b = 0; b < state.targets.size(); ++b)
      builder.add(state.targets[b], state.weights[b] * share);
    builder.end_row();
  };
  if (auto failure = StateExplorer(out, limits).run(row)) return fail(std::move(*failure));
  for (std::uint32_t s = out.explored(); s < out.size(); ++s) builder.end_row();
  auto chain = std::move(builder).finish();
  if (!chain) return fail(BuildFailure{BuildFailure::Kind::model_error, chain.error(), {}, {}});
  out.chain_ = std::move(*chain);
  return out;
}

std::uint64_t ModelChain::bytes() const { return words_.bytes() + chain_.bytes() + size() / 8; }

void ModelStates::valuation(std::uint32_t state, Valuation& out) const {
  out.resize(model_->variables.size());
  layout_.unpack({words_.data() + state * layout_.words(), layout_.words()}, out);
}

Result<std::vector<double>, SemanticError> ModelStates::state_rewards(
    std::uint32_t structure) const {
  std::vector<double> out(size(), 0);
  Evaluator evaluator(model_);
  if (!evaluator.has_state_rewards(structure)) return out;
  Valuation state;
  for (std::uint32_t s = 0; s < size(); ++s) {
    valuation(s, state);
    const auto reward = evaluator.state_reward(structure, state);
    if (!reward) return fail(reward.error());
    out[s] = *reward;
  }
  return out;
}

bool ModelChain::has_jump_rewards(std::uint32_t structure) const {
  return Evaluator(model_).has_transition_rewards(structure);
}

Result<std::vector<double>, SemanticError> ModelChain::jump_rewards(std::uint32_t structure) const {
  std::vector<double> out(size(), 0);
  Evaluator evaluator(model_);
  if (!evaluator.has_transition_rewards(structure)) return out;
  BatchExpander expander(model_, {.weights = true});
  Valuation state;
  for (std::uint32_t first = 0; first < explored_; first += expander.expanded()) {
    expander.expand(words_.data() + first * std::uint64_t{layout_.words()},
                    std::min<std::size_t>(kLanes, explored_ - first));
    BRINK_CHECK(!expander.error(), "the states were expanded before");
    for (std::uint32_t i = 0; i < expander.expanded(); ++i) {
      const std::uint32_t begin = expander.begins()[i], end = expander.begins()[i + 1];
      const std::span<const std::uint32_t> moves{expander.moves() + begin, end - begin};
      const double share = model_->type == ModelType::dtmc ? share_of_choice(moves) : 1;
      valuation(first + i, state);
      for (std::uint32_t b = begin; b < end;) {
        const std::uint32_t move = expander.moves()[b];
        double weight = 0;
        for (; b < end && expander.moves()[b] == move; ++b) weight += expander.weights()[b];
        const auto reward = evaluator.transition_reward(structure, expander.action(move), state);
        if (!reward) return fail(reward.error());
        out[first + i] += weight * share * *reward;
      }
    }
  }
  return out;
}

}  // namespace brink::analytic
