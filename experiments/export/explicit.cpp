// PRISM's explicit files: .sta (states), .tra (transitions), .lab (labels) and, for each reward
// structure that has such items, .srew and .trew. Formats as PRISM 4.8 writes and reads them.
//
// Rows are sorted by source, choice and target, equal targets of one choice summed up, deadlocks
// given the self-loop that PRISM adds (the label "deadlock" stays). In a dtmc, overlapping choices
// are taken with equal probability. PRISM's transition rewards of Markov chains belong to pairs of
// states: the mean over the moves between them, weighted by their probability or rate.
#include <fmt/format.h>

#include <iterator>
#include <map>

#include "experiments/export/states.h"

namespace brink::exports {
namespace {

/// One row's target: how likely, and the reward of each structure earned on the way (times the
/// weight).
struct Cell {
  double weight = 0;
  std::vector<double> rewards;
};
using Row = std::map<std::uint32_t, Cell>;

struct Reward {
  std::string states, moves;  ///< lines
  std::uint64_t state_count = 0, move_count = 0;
};

class Writer {
 public:
  explicit Writer(const Job& job, const States& states)
      : model_(*job.model),
        states_(states),
        evaluator_(job.model),
        rewards_(model_.rewards.size()) {}

  Outcome run();

 private:
  void state(std::uint32_t s, const Expansion& expansion, std::span<const std::uint32_t> targets);
  void add(Row& row, const Expansion& expansion, const Choice& choice, double scale,
           std::span<const std::uint32_t> targets, std::span<const std::int64_t> values);
  void write_row(std::uint32_t s, const std::string& choice, const Row& row,
                 const std::string& action);
  void write_labels(std::uint32_t s, bool deadlock);
  std::vector<File> files() const;

  const Model& model_;
  const States& states_;
  Evaluator evaluator_;
  std::string sta_, tra_, lab_;
  std::vector<Reward> rewards_;
  std::uint64_t choices_ = 0, transitions_ = 0;
  Diagnostics errors_;
};

void Writer::add(Row& row, const Expansion& expansion, const Choice& choice, double scale,
                 std::span<const std::uint32_t> targets, std::span<const std::int64_t> values) {
  std::vector<double> earned;
  for (std::uint32_t r = 0; r < rewards_.size(); ++r) {
    const auto reward = evaluator_.transition_reward(r, choice.action, values);
    if (!reward && errors_.empty()) errors_.push_back(to_diagnostic(reward.error(), model_));
    earned.push_back(reward ? *reward : 0);
  }
  for (std::uint32_t b = choice.first_branch; b < choice.first_branch + choice.branch_count; ++b) {
    Cell& cell = row[targets[b]];
    const double weight = expansion.weights[b] * scale;
    cell.weight += weight;
    cell.rewards.resize(rewards_.size());
    for (std::size_t r = 0; r < rewards_.size(); ++r) cell.rewards[r] += weight * earned[r];
  }
}

void Writer::write_row(std::uint32_t s, const std::string& choice, const Row& row,
                       const std::string& action) {
  for (const auto& [target, cell] : row) {
    fmt::format_to(std::back_inserter(tra_), "{} {}{} {}{}\n", s, choice, target, cell.weight,
                   action.empty() ? "" : " " + action);
    ++transitions_;
    for (std::size_t r = 0; r < cell.rewards.size(); ++r) {
      if (cell.rewards[r] == 0) continue;
      fmt::format_to(std::back_inserter(rewards_[r].moves), "{} {}{} {}\n", s, choice, target,
                     cell.rewards[r] / cell.weight);
      ++rewards_[r].move_count;
    }
  }
}

void Writer::write_labels(std::uint32_t s, bool deadlock) {
  std::string line;
  if (states_.initial(s)) line += " 0";
  if (deadlock) line += " 1";
  for (std::uint32_t i = 0; i < model_.labels.size(); ++i) {
    const auto value = evaluator_.label(i, states_.values(s));
    if (!value && errors_.empty()) errors_.push_back(to_diagnostic(value.error(), model_));
    if (value && *value) line += fmt::format(" {}", i + 2);
  }
  if (!line.empty()) lab_ += fmt::format("{}:{}\n", s, line);
}

void Writer::state(std::uint32_t s, const Expansion& expansion,
                   std::span<const std::uint32_t> targets) {
  const auto values = states_.values(s);
  for (std::size_t v = 0; v < values.size(); ++v) {
    sta_ += v > 0 ? "," : fmt::format("{}:(", s);
    sta_ += value_text(model_.variables[v], values[v]);
  }
  sta_ += values.empty() ? fmt::format("{}:()\n", s) : ")\n";
  write_labels(s, expansion.deadlock());
  for (std::uint32_t r = 0; r < rewards_.size(); ++r) {
    const auto reward = evaluator_.state_reward(r, values);
    if (!reward && errors_.empty()) errors_.push_back(to_diagnostic(reward.error(), model_));
    if (!reward || *reward == 0) continue;
    fmt::format_to(std::back_inserter(rewards_[r].states), "{} {}\n", s, *reward);
    ++rewards_[r].state_count;
  }
  const bool mdp = model_.type == ModelType::mdp;
  if (expansion.deadlock()) {
    ++choices_;
    write_row(s, mdp ? "0 " : "", Row{{s, Cell{1, {}}}}, "");
    return;
  }
  Row all;
  for (std::size_t c = 0; c < expansion.choices.size(); ++c) {
    const Choice& choice = expansion.choices[c];
    if (!mdp) {
      add(all, expansion, choice, expansion.choice_weight, targets, values);
      continue;
    }
    Row row;
    add(row, expansion, choice, 1, targets, values);
    write_row(s, fmt::format("{} ", c), row, model_.actions[choice.action]);
    ++choices_;
  }
  if (!mdp) write_row(s, "", all, "");
}

std::vector<File> Writer::files() const {
  const bool mdp = model_.type == ModelType::mdp;
  const std::string size = std::to_string(states_.size());
  const std::string with_choices = mdp ? fmt::format("{} {}", size, choices_) : size;
  std::string names = "(";
  for (std::size_t v = 0; v < model_.variables.size(); ++v) {
    names += (v > 0 ? "," : "") + model_.variables[v].name;
  }
  std::string labels = "0=\"init\" 1=\"deadlock\"";
  for (std::size_t i = 0; i < model_.labels.size(); ++i) {
    labels += fmt::format(" {}=\"{}\"", i + 2, model_.labels[i].name);
  }
  std::vector<File> out;
  out.push_back({".tra", fmt::format("{} {}\n", with_choices, transitions_) + tra_});
  out.push_back({".sta", names + ")\n" + sta_});
  out.push_back({".lab", labels + "\n" + lab_});
  for (std::uint32_t r = 0; r < rewards_.size(); ++r) {
    const std::string number = rewards_.size() > 1 ? std::to_string(r + 1) : "";
    const std::string head = fmt::format("# Reward structure: \"{}\"\n", model_.rewards[r].name);
    if (evaluator_.has_state_rewards(r)) {
      out.push_back({number + ".srew", fmt::format("{}# State rewards\n{} {}\n", head, size,
                                                   rewards_[r].state_count) +
                                           rewards_[r].states});
    }
    if (evaluator_.has_transition_rewards(r)) {
      out.push_back({number + ".trew", fmt::format("{}# Transition rewards\n{} {}\n", head,
                                                   with_choices, rewards_[r].move_count) +
                                           rewards_[r].moves});
    }
  }
  return out;
}

Outcome Writer::run() {
  states_.each(evaluator_,
               [&](std::uint32_t s, const Expansion& expansion,
                   std::span<const std::uint32_t> targets) { state(s, expansion, targets); });
  if (!errors_.empty()) return fail(errors_);
  return Exported{files(), {}};
}

}  // namespace

Outcome write_explicit(const Job& job) {
  const auto states = States::explore(job, 0);
  if (!states) return fail(states.error());
  return Writer(job, *states).run();
}

}  // namespace brink::exports
