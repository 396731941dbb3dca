// Rewards of an explicit model. PRISM's transition rewards belong to single transitions; what an
// engine earns for a choice is their mean, weighted by probability or rate, which is the same in
// every expectation.
#include <fmt/format.h>

#include <cmath>
#include <map>

#include "models/language/explicit_builder.h"

namespace brink {

bool ExplicitBuilder::rewards() {
  for (const ExplicitFiles::Rewards& files : files_.rewards) {
    ListedStates::Rewards out;
    RewardStructure structure;
    if (files.states && !reward_lines(files.states, false, out, structure.name)) return false;
    if (files.transitions && !reward_lines(files.transitions, true, out, structure.name)) {
      return false;
    }
    const bool taken = !structure.name.empty() && model_->find_reward(structure.name).has_value();
    if (taken) structure.name.clear();
    model_->rewards.push_back(std::move(structure));
    listed_->rewards.push_back(std::move(out));
  }
  return true;
}

bool ExplicitBuilder::reward_lines(const SourcePtr& source, bool on_transitions,
                                   ListedStates::Rewards& out, std::string& name) {
  ExplicitLines lines(source);
  std::vector<double>& list = on_transitions ? out.choices : out.states;
  list.assign(on_transitions ? listed_->actions.size() : size_, 0);
  if (!lines.next()) return lines.error("E0803", "the file is empty"), keep(lines);
  std::uint64_t expected = 0;
  for (int i = 0; lines.more(); ++i) {
    const auto value = lines.number("a count");
    if (!value) break;
    if (i == 0 && *value != size_) {
      lines.error("E0804", fmt::format("rewards for {} states, the model has {}", *value, size_),
                  {}, true);
    }
    expected = *value;
  }
  std::uint64_t count = 0;
  for (; lines.next(); ++count) {
    if (!reward_line(lines, on_transitions, list)) break;
  }
  if (!keep(lines)) return false;
  if (on_transitions) take_means(list);
  if (name.empty()) name = lines.structure();
  if (count == expected) return true;
  return refuse(explicit_error(
      source, 0, "E0804", fmt::format("{} rewards are announced, {} follow", expected, count)));
}

bool ExplicitBuilder::reward_line(ExplicitLines& lines, bool on_transitions,
                                  std::vector<double>& out) {
  std::uint32_t state = 0, target = 0;
  std::uint64_t choice = 0;
  if (!state_number(lines, "the number of a state", state)) return false;
  if (on_transitions && choices_) {
    const auto number = lines.number("the number of a choice");
    if (!number) return false;
    choice = *number;
  }
  if (on_transitions && !state_number(lines, "the number of the next state", target)) return false;
  const auto value = lines.real("a reward");
  if (!value) return false;
  if (!std::isfinite(*value)) {
    return lines.error("E0803", "a reward is a finite number", {}, true);
  }
  if (!lines.end_of_line()) return false;
  if (!on_transitions) {
    out[state] = *value;
    return true;
  }
  const ListedStates& listed = *listed_;
  const std::uint64_t first = listed.first_choice[state];
  const std::uint64_t count = listed.first_choice[state + 1] - first;
  if (count == 0 && state == target) return true;  // the loop of a deadlock is not there
  const auto branch = choice < count ? listed.branch_to(first + choice, target) : std::nullopt;
  if (!branch) {
    return lines.error("E0804", "there is no such transition", {}, true);
  }
  out[first + choice] += *value * listed.weights[*branch];
  return true;
}

/// Sums over the branches of a choice become means.
void ExplicitBuilder::take_means(std::vector<double>& choices) const {
  for (std::size_t c = 0; c < choices.size(); ++c) {
    double sum = 0;
    for (std::uint64_t b = listed_->first_branch[c]; b < listed_->first_branch[c + 1]; ++b) {
      sum += listed_->weights[b];
    }
    if (choices[c] != 0) choices[c] /= sum;
  }
}

/// The evaluator is asked for the reward of an action in a state. Choices of one state that share
/// an action but not their rewards are told apart: the later ones get an action `a#2`.
void ExplicitBuilder::separate_actions() {
  ListedStates& listed = *listed_;
  bool any = false;
  for (const ListedStates::Rewards& r : listed.rewards) any = any || !r.choices.empty();
  if (!any || !choices_) return;
  std::map<std::uint32_t, std::vector<std::uint64_t>> kinds;
  for (std::uint32_t s = 0; s < listed.size(); ++s) {
    const std::uint64_t first = listed.first_choice[s], end = listed.first_choice[s + 1];
    if (end - first < 2) continue;
    kinds.clear();
    for (std::uint64_t c = first; c < end; ++c) {
      std::vector<std::uint64_t>& known = kinds[listed.actions[c]];
      std::size_t k = 0;
      for (; k < known.size(); ++k) {
        bool same = true;
        for (const ListedStates::Rewards& r : listed.rewards) {
          same = same && (r.choices.empty() || r.choices[known[k]] == r.choices[c]);
        }
        if (same) break;
      }
      if (k == known.size()) known.push_back(c);
      if (k > 0) {
        listed.actions[c] = action(fmt::format("{}#{}", model_->actions[listed.actions[c]], k + 1));
      }
    }
  }
}

}  // namespace brink
