// The strategy behind Pmin, Pmax, Rmin or Rmax of a decision process: which command to take in
// which state, in the model's own words. For `brink check --strategy FILE`.
//
// Strategies are of P of F, U, G, W, R and of R of F, without time bounds: these need no memory.
// The rest is refused by name. A strategy is believed only after the chain that it leaves was
// solved and has the value of the decision process.
#pragma once

#include <string>
#include <vector>

#include "analytic/decision_builder.h"
#include "analytic/property_values.h"

namespace brink::analytic {

struct Strategy {
  /// The choice taken in each state that is met from the initial ones before the question is
  /// settled; `none` elsewhere.
  std::vector<std::uint32_t> choice;
  static constexpr std::uint32_t none = 0xffffffffu;
  double low = 0, high = 0;  ///< values of the chain it leaves, over the initial states
  double error_bound = 0;

  std::uint32_t states() const;  ///< with a choice
};

struct NoStrategy {
  bool disagrees = false;  ///< the chain has another value: a bug; otherwise refused or undecided
  std::string message;
};

/// The property must be P or R itself. Its value is that of evaluate_property.
Result<Strategy, NoStrategy> best_strategy(const ModelDecisions& decisions, const PropertySet& set,
                                           const Property& property,
                                           const SolveOptions& options = {});

/// One line for each state: "x=0, y=1: module m, command 2 [b]".
std::string strategy_text(const ModelDecisions& decisions, const Strategy& strategy,
                          const Property& property);

}  // namespace brink::analytic
