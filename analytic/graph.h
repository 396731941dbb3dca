// The graph questions that come before any arithmetic: strong components, what can reach what, and
// which states reach a target surely or never. Used by every Markov solver of analytic/.
#pragma once

#include <cstdint>
#include <vector>

#include "analytic/chain.h"

namespace brink::analytic {

/// A set of states, one flag each.
using StateSet = std::vector<bool>;

/// Strong components in reverse topological order: component 0 leads nowhere else, and an edge
/// between components goes from the higher number to the lower.
struct Components {
  std::vector<std::uint32_t> of;                    ///< component of each state
  std::vector<std::vector<std::uint32_t>> members;  ///< states of each component, ascending
  std::vector<bool> bottom;                         ///< no edge leaves it
};

/// Tarjan's algorithm with an explicit stack (SIAM J. Comput. 1972).
Components strong_components(const Chain& chain);

/// Greatest common divisor of the lengths of the cycles of one component (1 = aperiodic). A
/// component without a cycle, a single absorbing state, has period 1.
std::uint32_t period(const Chain& chain, const Components& components, std::uint32_t component);

/// States from which `target` can be reached along states of `through` (the target's own states
/// need not be in `through`).
StateSet can_reach(const Chain& chain, const StateSet& through, const StateSet& target);

/// Probability 0 and probability 1 of `through` U `target`, by reachability alone (valid for
/// chains, not for decision processes).
struct Sure {
  StateSet never;
  StateSet surely;
};
Sure qualitative(const Chain& chain, const StateSet& through, const StateSet& target);

}  // namespace brink::analytic
