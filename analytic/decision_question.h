// What a P or R operator of a decision process boils down to, and its solution: for strategy.h,
// which wants to know who attains it. Internal to analytic/.
#pragma once

#include <string>

#include "analytic/decision_builder.h"
#include "analytic/decision_values.h"
#include "analytic/property_values.h"

namespace brink::analytic {

/// Reach `target` along `through` (all states in a reward), with the best probability or cost.
struct DecisionQuestion {
  Goal goal = Goal::maximise;
  StateSet through, target;
  std::vector<double> cost;  ///< of each choice; empty: a probability
  Solution values;
  bool complemented = false;  ///< the property's value is 1 minus this (G, W, R)
};

/// The question of a property that is P or R itself, without time bounds and without LTL; otherwise
/// why there is none, in a sentence.
Result<DecisionQuestion, std::string> question_of(const ModelDecisions& decisions,
                                                  const PropertySet& set, const Property& property,
                                                  const SolveOptions& options);

}  // namespace brink::analytic
