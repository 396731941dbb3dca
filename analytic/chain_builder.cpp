#include "analytic/chain_builder.h"

#include <fmt/core.h>

#include "analytic/state_explorer.h"
#include "models/base/check.h"

namespace brink::analytic {

using Valuation = std::vector<std::int64_t>;

namespace {

constexpr std::uint32_t states_between_checks = 4096;

BuildFailure model_error(const SemanticError& error, const Model& model, Valuation state) {
  return {BuildFailure::Kind::model_error, to_diagnostic(error, model).message, error,
          std::move(state)};
}

}  // namespace

std::optional<BuildFailure> StateExplorer::run(const Row& row) {
  const Model& model = *out_.model_;
  const std::size_t width = out_.layout_.words();
  std::vector<std::uint64_t> words(width);
  if (const auto error = for_each_initial_state(model, [&](std::span<const std::int64_t> s) {
        out_.layout_.pack(s, words);
        states_.insert(words.data());
        return true;
      }))
    return model_error(*error, model, {});
  out_.initial_ = states_.size();
  if (out_.initial_ == 0)
    return BuildFailure{BuildFailure::Kind::model_error, "there is no initial state", {}, {}};
  Evaluator evaluator(out_.model_);
  Valuation state(model.variables.size());
  std::vector<std::uint32_t> targets;
  for (std::uint32_t s = 0; s < states_.size(); ++s) {
    if (s % states_between_checks == 0)
      if (std::string why = limit(); !why.empty())
        return BuildFailure{BuildFailure::Kind::limit, std::move(why), {}, {}};
    out_.layout_.unpack({states_[s], width}, state);
    if (const auto error = evaluator.successors(state, expansion_))
      return model_error(*error, model, state);
    targets.clear();
    for (std::size_t b = 0; b < expansion_.branch_count(); ++b) {
      out_.layout_.pack(expansion_.target(b), words);
      targets.push_back(states_.insert(words.data()).number);
    }
    entries_ += targets.size();
    out_.deadlock_.push_back(targets.empty());
    row(expansion_, targets);
  }
  out_.words_ = std::move(states_).release();
  return std::nullopt;
}

std::string StateExplorer::limit() const {
  if (limits_.stop != nullptr && limits_.stop->load(std::memory_order_relaxed))
    return "interrupted";
  if (limits_.states != 0 && states_.size() > limits_.states)
    return fmt::format("limit of {} states reached", limits_.states);
  if (limits_.bytes != 0 && states_.bytes() + entries_ * sizeof(Entry) > limits_.bytes)
    return fmt::format("memory limit of {} bytes reached", limits_.bytes);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  if (limits_.seconds != 0 && seconds > limits_.seconds)
    return fmt::format("time limit of {} s reached", limits_.seconds);
  return states_.size() > 0xf0000000u ? "more states than 32-bit numbers" : "";
}

std::optional<BuildFailure> refuse_parameters(const Model& model) {
  if (model.parameters.empty()) return std::nullopt;
  return BuildFailure{
      BuildFailure::Kind::unsupported, "constants without a value: a chain needs numbers", {}, {}};
}

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
  const auto row = [&](const Expansion& expansion, std::span<const std::uint32_t> targets) {
    for (std::size_t b = 0; b < targets.size(); ++b)
      builder.add(targets[b], expansion.weights[b] * expansion.choice_weight);
    builder.end_row();
  };
  if (auto failure = StateExplorer(out, limits).run(row)) return fail(std::move(*failure));
  auto chain = std::move(builder).finish();
  if (!chain) return fail(BuildFailure{BuildFailure::Kind::model_error, chain.error(), {}, {}});
  out.chain_ = std::move(*chain);
  return out;
}

std::uint64_t ModelChain::bytes() const {
  return words_.capacity() * 8 + chain_.entry_count() * sizeof(Entry) + size() * 9ull;
}

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
  Valuation state;
  Expansion expansion;
  for (std::uint32_t s = 0; s < size(); ++s) {
    valuation(s, state);
    const auto error = evaluator.successors(state, expansion);
    BRINK_CHECK(!error, "the state was expanded before");
    for (const Choice& choice : expansion.choices) {
      double weight = 0;
      for (std::uint32_t b = choice.first_branch; b < choice.first_branch + choice.branch_count;
           ++b)
        weight += expansion.weights[b];
      if (weight == 0) continue;
      const auto reward = evaluator.transition_reward(structure, choice.action, state);
      if (!reward) return fail(reward.error());
      out[s] += weight * expansion.choice_weight * *reward;
    }
  }
  return out;
}

}  // namespace brink::analytic
