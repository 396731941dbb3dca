// The reachable states of a model with moves in rational arithmetic: guards, updates, probabilities
// and rewards evaluated exactly. Internal to analytic/exact; the counterpart of chain_builder.h and
// decision_builder.h, for models of some ten thousand states.
//
// Probabilities of a command must sum to exactly 1. Beside the rationals stands a skeleton, the
// same moves with weights that mean nothing, for the graph questions and products of analytic/.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "analytic/chain_builder.h"
#include "analytic/decision.h"
#include "analytic/exact/expression.h"

namespace brink::analytic::exact {

struct Move {
  std::uint32_t target = 0;
  Rational weight;
};

/// Choices of states: in a chain one for each state. A state without moves has one choice, which
/// repeats it (in a ctmc at rate 1, which earns nothing).
struct Moves {
  std::vector<std::uint32_t> first{0};  ///< choices of state s: first[s] .. first[s + 1] - 1
  std::vector<std::vector<Move>> rows;  ///< of each choice, by target
  bool continuous = false;              ///< weights are rates

  std::uint32_t size() const { return static_cast<std::uint32_t>(first.size() - 1); }
  Chain chain() const;              ///< the skeleton of a chain, or the graph of all choices
  DecisionProcess process() const;  ///< the skeleton of a decision process
};

struct States {
  ModelPtr model;
  Moves moves;
  std::vector<std::vector<std::int64_t>> valuations;
  std::vector<bool> deadlock;
  std::uint32_t initial_count = 0;
  /// Labels of the moves in each row with their weights (decision processes: one of weight 1), for
  /// rewards of moves; none in a deadlock.
  std::vector<std::vector<std::pair<ActionId, Rational>>> jumps;

  std::uint32_t size() const { return moves.size(); }
};

Result<States, BuildFailure> explore(const ModelPtr& model, const BuildLimits& limits);

struct Rewards {
  std::vector<Rational> of_states;   ///< without moves (I=t)
  std::vector<Rational> of_choices;  ///< of each row: per step, or per time unit in a ctmc
};
/// Fails with a sentence when a reward has no exact value.
Result<Rewards, std::string> rewards(const States& states, std::uint32_t structure);

}  // namespace brink::analytic::exact
