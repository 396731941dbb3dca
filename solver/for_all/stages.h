// Stages: "from every state here the goal can be reached", directly by path schemas, or by progress
// of a counter.
//
// Progress: from every state of `from`, the goal or a state of `from` in which the counter is at
// least one closer to its end can be reached; the counter has a range, so by induction the goal is
// reached. Two stages in a row (into a region, and inside it by progress to the goal) prove what
// one induction does not: there may be no single counter that improves from everywhere. Nothing is
// circular: the first stage leads into the second, never back. Used by: claims E [ F p ] and
// A [ G (p => E [ F q ]) ].
#pragma once

#include "solver/budget.h"
#include "solver/for_all/cover.h"

namespace brink::solver {

struct Stage {
  Dnf from, goal;
  std::optional<Linear> direction;  ///< grows; nothing: directly
  Cover cover;
};

/// A system with one more symbol: the value of a stage's counter at its start.
struct StagedSystem {
  CounterSystem system;
  std::uint32_t before = 0;

  explicit StagedSystem(const CounterSystem& plain);
  /// The counter is where it was; it has grown.
  Dnf same(const Linear& direction) const;
  Dnf better(const Linear& direction) const;
};

/// From every state of `from` where `known` holds to `goal`.
std::optional<Stage> find_stage(const StagedSystem& staged, const Formula& known, const Dnf& from,
                                const Dnf& goal, const std::optional<Linear>& direction,
                                const Limits& limits);

/// Counters whose rise or fall may lead to the goal: those it speaks of, then the others.
std::vector<Linear> directions(const CounterSystem& system, const Dnf& goal);

/// Regions inside of which the counter may be able to grow until the goal is reached: the goal's
/// conditions on other counters, and the guards of commands that make it grow.
std::vector<Cube> regions(const CounterSystem& system, const Dnf& goal, const Linear& direction);

/// Obligations. `from` and `goal` say the same as the stage's cubes, in the model's own terms.
void write_stage(ScriptWriter& script, const StagedSystem& staged, const z3::expr& known,
                 const z3::expr& from, const z3::expr& goal, const Stage& stage);

/// The obligation that the cubes counted as goals lie in the goal.
void write_goals(ScriptWriter& script, const Cover& cover, const z3::expr& goal);

}  // namespace brink::solver
