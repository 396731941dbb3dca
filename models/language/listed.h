// A model given by the list of its states and moves instead of by commands, as PRISM's explicit
// files do. Model::listed holds it; such a model has no synchronisations, and its commands are mere
// names for moves, one per action.
//
// The evaluator answers from this list (successors, rewards, initial states), so everything that
// builds on the evaluator takes listed models: explicit search, Markov chains, traces. What reads
// commands (bmc, induction, exports of text) cannot and must refuse them.
// Used by: explicit_import.h makes it; models/semantics reads it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace brink {

struct ListedStates {
  std::size_t width = 0;               ///< variables a state
  std::size_t key = 0;                 ///< the first `key` of them tell the states apart
  std::vector<std::int64_t> values;    ///< state s: values[s * width .. (s + 1) * width)
  std::vector<std::uint32_t> initial;  ///< in lexicographic order of their values

  // State s has the choices first_choice[s] .. first_choice[s + 1], choice c the branches
  // first_branch[c] .. first_branch[c + 1], by increasing target, each target once.
  std::vector<std::uint64_t> first_choice{0};
  std::vector<std::uint64_t> first_branch{0};
  std::vector<std::uint32_t> actions;  ///< of choices: index into Model::actions and ::commands
  std::vector<std::uint32_t> targets;  ///< of branches: state numbers
  std::vector<double> weights;         ///< of branches: probabilities, or rates in a ctmc

  /// Of one reward structure; an empty list: it has no such items. The reward of a choice is the
  /// mean over its branches, weighted by their probability or rate.
  struct Rewards {
    std::vector<double> states, choices;
  };
  std::vector<Rewards> rewards;

  std::uint32_t size() const { return static_cast<std::uint32_t>(first_choice.size() - 1); }
  std::span<const std::int64_t> state(std::uint32_t s) const {
    return {values.data() + s * width, width};
  }

  /// Builds the table that `find` looks into. Two states with the same key: the later one's number.
  std::optional<std::uint32_t> index();
  /// The state with this valuation; nothing when there is none.
  std::optional<std::uint32_t> find(std::span<const std::int64_t> valuation) const;
  /// The branch of choice `c` that leads to `target`.
  std::optional<std::uint64_t> branch_to(std::uint64_t c, std::uint32_t target) const;

 private:
  std::size_t slot_of(std::span<const std::int64_t> valuation) const;

  std::vector<std::uint32_t> slots_;  ///< open addressing: state + 1, 0 is empty
};

}  // namespace brink
