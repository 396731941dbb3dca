// Coverage: what of a model its reachable states use. A command that can never move, a guard that
// keeps nothing out, a range nobody fills or a premise that is never true are usually mistakes in
// the model, and verdicts hide them. Used by: check -v.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/language/property.h"
#include "solver/search/state_graph.h"

namespace brink::solver {

struct CommandCoverage {
  std::uint64_t guard_true = 0;  ///< states in which the guard is true
  std::uint64_t fired = 0;       ///< states in which it takes part in a move
};

struct VariableCoverage {
  std::int64_t low = 0, high = 0;  ///< the values that occur lie between these, both occur
};

struct Coverage {
  std::uint64_t states = 0;
  std::vector<CommandCoverage> commands;        ///< by command
  std::vector<VariableCoverage> variables;      ///< by variable
  std::vector<std::uint64_t> states_of_module;  ///< different values of its own variables
};

/// BRINK_CHECK: the graph is complete. Looks at every state with the evaluator. Nothing when
/// `limits` ended it.
std::optional<Coverage> coverage_of(const StateGraph& graph, const Limits& limits);

/// The premise of A [ G (p => q) ] where it is true in no reachable state: then the property says
/// nothing. The graph is complete; p is without temporal operators.
std::optional<std::string> vacuous_premise(const StateGraph& graph, const PropertySet& set,
                                           PropId root);

}  // namespace brink::solver
