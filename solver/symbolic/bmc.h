// Bounded model checking and k-induction with Z3.
//
// bmc: looks for a run of length 0, 1, 2, ... that ends in a bad state, so the first one found is a
// shortest one; HOLDS only when no run of the next length exists whose states all differ (the
// recurrence diameter is exhausted). induction adds: k steps inside p, from any state within range,
// are always followed by p (Sheeran, Singh & Stalmarck, FMCAD 2000, with different states); such a
// proof is repeated by a fresh solver before it counts.
//
// A [ G (E [ F p ]) ] is refuted by a doomed state: at each depth the solver proposes a reachable
// state outside Good, the formula of states known to reach p; the evaluator searches from it. A
// path to p is generalised to its weakest precondition, which joins Good (exact for guarded
// commands); a search that ends without p proves the state doomed: what it visited is a closed set
// without p. When Good covers all values within range, the property holds everywhere.
//
// Erroneous moves are looked for at every depth. Divergence known and not tried again: disjunctions
// over unbounded integers (no end at depth 30), ite chains.
#pragma once

#include "solver/question.h"
#include "solver/session.h"

namespace brink::solver {

/// Empty when the engine can answer, else why not.
std::string bmc_supports(const Question& question);
std::string induction_supports(const Question& question);

CheckResult bmc_check(Session& session, const Question& question, const Limits& limits);
CheckResult induction_check(Session& session, const Question& question, const Limits& limits);

/// Depth to which bounded engines look when no limit is given.
inline constexpr std::uint32_t kDefaultDepth = 64;

}  // namespace brink::solver
