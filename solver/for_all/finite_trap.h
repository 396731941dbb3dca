// Finite traps: a doomed state's future by enumeration, for all values of the constants.
//
// The idea: where memory is short a policy plays with few pages, whatever the size of memory; only
// one counter (the pages that fill it) grows with the constants, and what it is asked is whether
// there are any. Drop that counter and the constants: every inequality that mentions one of them is
// taken as true, so there are more moves, never fewer (existential abstraction; Clarke, Grumberg &
// Long, TOPLAS 1994). If what can follow from the doomed state is then finite and free of the goal,
// no run from any state that looks like it reaches the goal, for any values. What a conjunction of
// inequalities (trap.h) cannot say, the control of a policy in a few thousand states, is a list
// here. Excluded: a dropped symbol in the new value of a kept one (refused). The list is made once
// more by the evaluator of the model, for given constants, and must come out the same or smaller.
// Tried and dropped: the list as an SMT-LIB formula, too large for either solver.
#pragma once

#include <functional>

#include "solver/for_all/small.h"
#include "solver/question.h"
#include "solver/result.h"

namespace brink::solver {

struct FiniteTrap {
  std::vector<std::uint32_t> kept;  ///< variables
  std::vector<Values> states;       ///< their values; the first is the seed
  std::string dropped;              ///< names, for people
  /// The states that look like the seed.
  Cube like_seed() const;
};

/// The first one that is accepted; one counter is dropped, then two, then none. `seed`: values of
/// all variables of a doomed state (of any instance).
std::optional<FiniteTrap> find_finite_trap(const CounterSystem& system, const Dnf& goal,
                                           const Values& seed, const Limits& limits,
                                           const std::function<bool(const FiniteTrap&)>& accept);

/// Follows the instance's own moves from a state that looks like the seed: does it stay in the
/// trap? Nothing when it has too many states.
std::optional<bool> stays_in(const FiniteTrap& trap, const Question& instance, const Values& state);

}  // namespace brink::solver
