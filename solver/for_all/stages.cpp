#include "solver/for_all/stages.h"

#include <algorithm>

#include "solver/for_all/script.h"

namespace brink::solver {
namespace {

constexpr std::size_t blocks_of_progress = 6;
constexpr std::size_t most_regions = 8;

bool mentions(const Linear& atom, const Linear& direction) {
  return atom.factor(direction.factors.front().first) != 0;
}

bool over_variables(const CounterSystem& system, const Linear& atom) {
  return std::any_of(atom.factors.begin(), atom.factors.end(),
                     [&](const auto& f) { return system.is_variable(f.first); });
}

}  // namespace

StagedSystem::StagedSystem(const CounterSystem& plain)
    : system(plain), before(static_cast<std::uint32_t>(plain.symbols.size())) {
  system.symbols.push_back({Symbol::Kind::quotient, "before", false});
}

Dnf StagedSystem::same(const Linear& direction) const {
  Cube cube;
  cube.add_equal(combine(1, direction, -direction.factors.front().second, Linear::symbol(before)),
                 Linear::number(0));
  return {cube};
}

Dnf StagedSystem::better(const Linear& direction) const {
  Cube cube;
  cube.add(combine(1, direction, -direction.factors.front().second, Linear::symbol(before)) -
           Linear::number(1));
  return {cube};
}

std::optional<Stage> find_stage(const StagedSystem& staged, const Formula& known, const Dnf& from,
                                const Dnf& goal, const std::optional<Linear>& direction,
                                const Limits& limits) {
  Stage out{from, goal, direction, {{}, goal, 0}};
  Dnf start = from;
  if (direction) {
    const Dnf closer = conjunction(from, staged.better(*direction));
    out.cover.good.insert(out.cover.good.end(), closer.begin(), closer.end());
    start = conjunction(from, staged.same(*direction));
  }
  out.cover.goals = out.cover.good.size();
  Formula region;
  region.parts = {known, formula_of(start)};
  const CoverResult result =
      extend_cover(staged.system, region, out.cover, limits, blocks_of_progress);
  return result.end == CoverEnd::covered ? std::optional(std::move(out)) : std::nullopt;
}

std::vector<Linear> directions(const CounterSystem& system, const Dnf& goal) {
  std::vector<Linear> out;
  const auto add = [&](const Linear& t) {
    if (std::find(out.begin(), out.end(), t) == out.end()) out.push_back(t);
  };
  for (const Cube& cube : goal)
    for (const Linear& atom : cube.atoms())
      for (const auto& [s, factor] : atom.factors)
        if (system.is_variable(s) && !system.symbols[s].boolean)
          add((factor > 0 ? 1 : -1) * Linear::symbol(s));
  for (std::uint32_t v = 0; v < system.variables; ++v)
    if (!system.symbols[v].boolean)
      for (const int sign : {1, -1}) add(sign * Linear::symbol(v));
  return out;
}

std::vector<Cube> regions(const CounterSystem& system, const Dnf& goal, const Linear& direction) {
  std::vector<Cube> out;
  const auto add = [&](const Cube& cube) {
    if (cube.possible() && !cube.atoms().empty() && out.size() < most_regions &&
        std::find(out.begin(), out.end(), cube) == out.end())
      out.push_back(cube);
  };
  for (const Cube& cube : goal) {
    Cube rest;
    for (const Linear& atom : cube.atoms())
      if (!mentions(atom, direction) && over_variables(system, atom)) rest.add(atom);
    add(rest);
  }
  for (const CounterCommand& command : system.commands) {
    const Linear gain = after(command, direction) - direction;
    if (gain.is_number() && gain.constant <= 0) continue;
    Cube whole;
    for (const Linear& atom : command.guard.atoms()) {
      if (mentions(atom, direction) || !over_variables(system, atom)) continue;
      whole.add(atom);
      Cube one;
      one.add(atom);
      add(one);
    }
    add(whole);
  }
  return out;
}

void write_goals(ScriptWriter& script, const Cover& cover, const z3::expr& goal) {
  z3::expr_vector cubes(script.run.context);
  for (std::size_t i = 0; i < cover.goals; ++i) cubes.push_back(script.terms.of(cover.good[i]));
  script.query("goal cubes lie in the goal",
               script.legal && script.within && any_of(cubes) && !goal);
}

void write_stage(ScriptWriter& script, const StagedSystem& staged, const z3::expr& known,
                 const z3::expr& from, const z3::expr& goal, const Stage& stage) {
  z3::expr reached = goal, start = known && from;
  if (stage.direction) {
    script.comment(
        "by induction: the goal, or progress of a counter that has a range: " +
        print_sum(*stage.direction, [&](std::uint32_t s) { return staged.system.name(s); }));
    reached = reached || (from && script.terms.of(staged.better(*stage.direction)));
    start = start && script.terms.of(staged.same(*stage.direction));
  }
  write_goals(script, stage.cover, reached);
  write_cover(script, staged.system, start, stage.cover, script.run.context.bool_val(true));
}

}  // namespace brink::solver
