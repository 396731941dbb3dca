#include "analytic/state_explorer.h"

#include <fmt/core.h>

namespace brink::analytic {
namespace {

using Valuation = std::vector<std::int64_t>;

BuildFailure model_error(const SemanticError& error, const Model& model, Valuation state) {
  return {BuildFailure::Kind::model_error, to_diagnostic(error, model).message, error,
          std::move(state)};
}

}  // namespace

std::optional<BuildFailure> StateExplorer::enter_initial_states() {
  const Model& model = *out_.model_;
  std::vector<std::uint64_t> words(out_.layout_.words());
  if (const auto error = for_each_initial_state(model, [&](std::span<const std::int64_t> s) {
        out_.layout_.pack(s, words);
        states_.insert(words.data(), states_.hash(words.data()));
        return true;
      }))
    return model_error(*error, model, {});
  out_.initial_ = states_.size();
  if (out_.initial_ == 0)
    return BuildFailure{BuildFailure::Kind::model_error, "there is no initial state", {}, {}};
  return std::nullopt;
}

std::optional<BuildFailure> StateExplorer::run(const Row& row) {
  if (auto failure = enter_initial_states()) return failure;
  BatchExpander expander(out_.model_, {.weights = true});
  std::vector<std::uint32_t> targets;
  for (std::uint32_t first = 0; first < states_.size();) {
    if (std::string why = limit(); !why.empty()) {
      const bool time_left = limits_.seconds == 0 || seconds() < limits_.seconds;
      const bool stopped = limits_.stop != nullptr && limits_.stop->load(std::memory_order_relaxed);
      if (!limits_.partial || stopped || !time_left || first == 0)
        return BuildFailure{BuildFailure::Kind::limit, std::move(why), {}, {}};
      out_.unexplored_reason_ = std::move(why);
      break;
    }
    expander.expand(states_.data() + std::uint64_t{first} * states_.width(),
                    std::min<std::size_t>(kLanes, states_.size() - first));
    const std::size_t done = expander.expanded();
    const std::uint32_t* const begins = expander.begins();
    const std::uint32_t total = done == 0 ? 0 : begins[done];
    targets.resize(total);
    states_.make_room(total);
    states_.begin();
    states_.enter(0, expander.successors(), nullptr, 0, total, targets.data());
    states_.commit([](std::uint32_t) { return true; });
    states_.settle(0);
    for (std::uint32_t& target : targets) target = states_.settled(0, target);
    for (std::size_t i = 0; i < done; ++i) {
      const std::size_t count = begins[i + 1] - begins[i];
      out_.deadlock_.push_back(count == 0);
      row({.targets = {targets.data() + begins[i], count},
           .weights = {expander.weights() + begins[i], count},
           .moves = {expander.moves() + begins[i], count},
           .expander = expander});
    }
    first += static_cast<std::uint32_t>(done);
    entries_ += total;
    if (expander.error()) {
      Valuation state(out_.model_->variables.size());
      out_.layout_.unpack(states_[first], state);
      return model_error(*expander.error(), *out_.model_, std::move(state));
    }
  }
  out_.explored_ = static_cast<std::uint32_t>(out_.deadlock_.size());
  out_.deadlock_.resize(states_.size(), false);
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
  if (limits_.seconds != 0 && seconds() > limits_.seconds)
    return fmt::format("time limit of {} s reached", limits_.seconds);
  return states_.size() > 0xf0000000u ? "more states than 32-bit numbers" : "";
}

std::optional<BuildFailure> refuse_parameters(const Model& model) {
  if (model.parameters.empty()) return std::nullopt;
  return BuildFailure{
      BuildFailure::Kind::unsupported, "constants without a value: a chain needs numbers", {}, {}};
}

}  // namespace brink::analytic
