// The evaluator's answers for listed models (models/language/listed.h). Not part of the public
// interface: the evaluator asks.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "models/language/listed.h"
#include "models/semantics/evaluator.h"

namespace brink {

/// What a state can do; nothing when the list does not have it (a trace that was tampered with).
void listed_successors(const Model& model, std::span<const std::int64_t> valuation, Expansion& out);

/// The reward of a state, or, with an action, of its first choice with that action.
double listed_reward(const ListedStates& listed, std::uint32_t structure,
                     std::optional<ActionId> action, std::span<const std::int64_t> valuation);

void for_each_listed_initial(const ListedStates& listed,
                             const std::function<bool(std::span<const std::int64_t>)>& found);

}  // namespace brink
