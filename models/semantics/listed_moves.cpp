#include "models/semantics/listed_moves.h"

namespace brink {

void listed_successors(const Model& model, std::span<const std::int64_t> valuation,
                       Expansion& out) {
  out.clear();
  out.variables = valuation.size();
  const ListedStates& listed = *model.listed;
  const auto state = listed.find(valuation);
  if (!state) return;
  for (std::uint64_t c = listed.first_choice[*state]; c < listed.first_choice[*state + 1]; ++c) {
    Choice choice;
    choice.action = listed.actions[c];
    choice.first_command = static_cast<std::uint32_t>(out.commands.size());
    choice.command_count = 1;
    choice.first_branch = static_cast<std::uint32_t>(out.weights.size());
    out.commands.push_back(listed.actions[c]);
    for (std::uint64_t b = listed.first_branch[c]; b < listed.first_branch[c + 1]; ++b) {
      const auto target = listed.state(listed.targets[b]);
      out.targets.insert(out.targets.end(), target.begin(), target.end());
      out.updates.push_back(static_cast<std::uint32_t>(b - listed.first_branch[c]));
      out.weights.push_back(listed.weights[b]);
      ++choice.branch_count;
    }
    out.choices.push_back(choice);
  }
}

double listed_reward(const ListedStates& listed, std::uint32_t structure,
                     std::optional<ActionId> action, std::span<const std::int64_t> valuation) {
  const ListedStates::Rewards& rewards = listed.rewards[structure];
  const auto state = listed.find(valuation);
  if (!state) return 0;
  if (!action) return rewards.states.empty() ? 0 : rewards.states[*state];
  if (rewards.choices.empty()) return 0;
  for (std::uint64_t c = listed.first_choice[*state]; c < listed.first_choice[*state + 1]; ++c) {
    if (listed.actions[c] == *action) return rewards.choices[c];
  }
  return 0;
}

void for_each_listed_initial(const ListedStates& listed,
                             const std::function<bool(std::span<const std::int64_t>)>& found) {
  for (const std::uint32_t s : listed.initial) {
    if (!found(listed.state(s))) return;
  }
}

}  // namespace brink
