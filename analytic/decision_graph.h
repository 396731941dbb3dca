// Graph questions about decision processes that come before any arithmetic: who reaches a target
// surely or never, under some or all strategies, and where a strategy can stay for ever.
// (Forejt, Kwiatkowska, Norman & Parker, SFM 2011, sec. 4; de Alfaro 1997 for end components.)
// Used by decision_values.h.
#pragma once

#include "analytic/decision.h"
#include "analytic/graph.h"

namespace brink::analytic {

enum class Goal { minimise, maximise };

/// States where the best strategy for `goal` has probability 0, or 1, of `through` U `target`.
struct SureDecisions {
  StateSet never;
  StateSet surely;
};
SureDecisions qualitative(const DecisionProcess& process, Goal goal, const StateSet& through,
                          const StateSet& target);

/// The graph of the choices of `allowed` (weights have no meaning).
Chain graph_of(const DecisionProcess& process, const std::vector<bool>& allowed);

/// States from which some strategy reaches `target` along `through` with positive probability.
StateSet can_reach(const DecisionProcess& process, const StateSet& through, const StateSet& target);

/// Maximal end components: sets of states with choices that stay inside and connect them.
struct EndComponents {
  std::vector<std::uint32_t> of;  ///< component of each state; `none` outside all of them
  std::vector<bool> inside;       ///< of each choice: is it part of its state's component?
  std::uint32_t count = 0;
  static constexpr std::uint32_t none = 0xffffffffu;
};

/// The end components that use only the choices of `allowed` (a flag for each choice).
EndComponents end_components(const DecisionProcess& process, std::vector<bool> allowed);

}  // namespace brink::analytic
