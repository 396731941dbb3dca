#include "analytic/chain_builder.h"

#include <fmt/core.h>

#include <chrono>

#include "analytic/packed_set.h"
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

/// One run of the search; leaves its finds in `out`.
class ChainExplorer {
 public:
  ChainExplorer(const ModelPtr& model, const BuildLimits& limits)
      : limits_(limits),
        out_(model),
        states_(out_.layout_.words()),
        builder_(model->type == ModelType::ctmc ? ChainKind::continuous : ChainKind::discrete) {}

  Result<ModelChain, BuildFailure> run() {
    const Model& model = *out_.model_;
    std::vector<std::uint64_t> words(out_.layout_.words());
    if (const auto error = for_each_initial_state(model, [&](std::span<const std::int64_t> s) {
          out_.layout_.pack(s, words);
          states_.insert(words.data());
          return true;
        }))
      return fail(model_error(*error, model, {}));
    out_.initial_ = states_.size();
    if (out_.initial_ == 0)
      return fail(
          BuildFailure{BuildFailure::Kind::model_error, "there is no initial state", {}, {}});
    Evaluator evaluator(out_.model_);
    Valuation state(model.variables.size());
    for (std::uint32_t s = 0; s < states_.size(); ++s) {
      if (s % states_between_checks == 0)
        if (std::string why = limit(); !why.empty())
          return fail(BuildFailure{BuildFailure::Kind::limit, std::move(why), {}, {}});
      out_.layout_.unpack({states_[s], out_.layout_.words()}, state);
      if (const auto error = evaluator.successors(state, expansion_))
        return fail(model_error(*error, model, state));
      add_row(words);
    }
    auto chain = std::move(builder_).finish();
    if (!chain) return fail(BuildFailure{BuildFailure::Kind::model_error, chain.error(), {}, {}});
    out_.chain_ = std::move(*chain);
    out_.words_ = std::move(states_).release();
    return std::move(out_);
  }

 private:
  void add_row(std::vector<std::uint64_t>& words) {
    for (std::size_t b = 0; b < expansion_.branch_count(); ++b) {
      out_.layout_.pack(expansion_.target(b), words);
      builder_.add(states_.insert(words.data()).number,
                   expansion_.weights[b] * expansion_.choice_weight);
    }
    out_.deadlock_.push_back(expansion_.branch_count() == 0);
    entries_ += expansion_.branch_count();
    builder_.end_row();
  }

  std::string limit() const {
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

  const BuildLimits& limits_;
  ModelChain out_;
  PackedSet states_;
  ChainBuilder builder_;
  Expansion expansion_;
  std::uint64_t entries_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

Result<ModelChain, BuildFailure> build_chain(const ModelPtr& model, const BuildLimits& limits) {
  if (model->type == ModelType::mdp)
    return fail(BuildFailure{
        BuildFailure::Kind::unsupported,
        "the model is a decision process (mdp): which command comes next is not a matter of "
        "chance; read it as a chain with --as ctmc or --as dtmc",
        {},
        {}});
  if (!model->parameters.empty())
    return fail(BuildFailure{BuildFailure::Kind::unsupported,
                             "constants without a value: a chain needs numbers",
                             {},
                             {}});
  return ChainExplorer(model, limits).run();
}

std::uint64_t ModelChain::bytes() const {
  return words_.capacity() * 8 + chain_.entry_count() * sizeof(Entry) + size() * 9ull;
}

void ModelChain::valuation(std::uint32_t state, Valuation& out) const {
  out.resize(model_->variables.size());
  layout_.unpack({words_.data() + state * layout_.words(), layout_.words()}, out);
}

Result<std::vector<double>, SemanticError> ModelChain::state_rewards(
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
