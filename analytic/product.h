// Products of a chain or decision process with an automaton that watches it: how probabilities of
// linear temporal logic, and rewards until a co-safe formula, become questions of reachability.
//
// A state of the product is a state of the model with the state the automaton is in *before* it
// reads that state's letter, so all moves of a product state show the same marks. Only what is
// reached from the wanted states is made. States without moves repeat themselves for ever. Internal
// to path_automata.h.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "analytic/decision.h"
#include "analytic/graph.h"
#include "analytic/numeric.h"
#include "models/base/result.h"

namespace brink::analytic {

/// The automaton as the product sees it: from a state and a letter to a state and marks.
struct Watcher {
  std::uint32_t initial = 0;
  std::function<std::pair<std::uint32_t, std::uint64_t>(std::uint32_t, std::uint64_t)> step;
};

/// Bit i of letters[s]: does atom i hold in state s?
using Letters = std::vector<std::uint64_t>;

struct ProductStates {
  std::vector<std::uint32_t> model;  ///< state of the model of each product state
  std::vector<std::uint64_t> marks;  ///< shown when leaving it
  std::vector<std::uint32_t> start;  ///< of each model state; `none` where it was not wanted
  static constexpr std::uint32_t none = 0xffffffffu;

  /// Values of the model's states from those of their starts; 0 where they were not wanted.
  Solution at_starts(Solution solution) const;
};

struct ChainProduct : ProductStates {
  Chain chain;
};

struct DecisionProduct : ProductStates {
  DecisionProcess process;
  std::vector<std::uint32_t> choice;  ///< the model's, of each product choice
};

/// Fails when options say stop, or when the product outgrows options.bytes.
Result<ChainProduct, std::string> product(const Chain& chain, const Letters& letters,
                                          const Watcher& watcher, const StateSet& wanted,
                                          const SolveOptions& options);
Result<DecisionProduct, std::string> product(const DecisionProcess& process, const Letters& letters,
                                             const Watcher& watcher, const StateSet& wanted,
                                             const SolveOptions& options);

}  // namespace brink::analytic
