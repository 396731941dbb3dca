// Rankings: every run that stays outside a goal comes to an end.
//
// A lexicographic ranking of linear functions with constant factors: each command that can be taken
// outside the goal (and stays outside) lowers some component and raises none before it. Factors are
// found by Z3 from examples of what commands do, and tried against the commands themselves until no
// counterexample is left (CEGIS); commands that strictly fall are put aside, the rest needs the
// next component (as for vector addition systems; Ben-Amram & Genaim, JACM 2014). Components are
// bounded below because every counter has a range. Excluded: a run that ends early in a deadlock,
// which repeats itself for ever outside the goal, is an obligation of its own.
#pragma once

#include "solver/result.h"
#include "solver/symbolic/counters.h"
#include "solver/symbolic/formula.h"

namespace z3 {
class context;
class expr;
class solver;
}  // namespace z3

namespace brink::solver {

struct ScriptWriter;

/// Factors for each variable; the first component counts most.
using Ranking = std::vector<std::vector<std::int64_t>>;

/// For moves from `outside` to `outside`, within legal constants, ranges and `known`.
std::optional<Ranking> find_ranking(const CounterSystem& system, const Formula& known,
                                    const Dnf& outside, const Limits& limits);

/// Obligations: each move outside the goal lowers the ranking, and none is missing.
void write_ranking(ScriptWriter& script, const CounterSystem& system, const z3::expr& invariant,
                   const z3::expr& goal, const Ranking& ranking);

}  // namespace brink::solver
