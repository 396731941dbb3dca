#include "solver/for_all/cover.h"

#include <fmt/core.h>

#include <algorithm>

#include "models/base/check.h"
#include "solver/for_all/script.h"
#include "solver/symbolic/smt_watch.h"

namespace brink::solver {
namespace {

constexpr std::size_t max_schemas = 300;
constexpr std::size_t small_states = 20'000;
constexpr std::size_t blocks_to_goal = 6;  ///< for paths that lead to the goal itself
constexpr std::int64_t larger_by = 5;

/// A state of the region outside the cover, with small constants; `larger`: not the smallest, so
/// that what must be repeated shows.
std::optional<Values> uncovered(z3::solver& solver, const CounterSystem& system, const Terms& terms,
                                bool larger, bool& decided) {
  const z3::check_result answer = solver.check();
  decided = answer != z3::unknown;
  if (answer != z3::sat) return std::nullopt;
  const auto read = [&] {
    const z3::model model = solver.get_model();
    Values out;
    for (std::uint32_t s = 0; s < system.symbols.size(); ++s)
      out.push_back(terms.value_in(model, s));
    return out;
  };
  Values best = read();
  z3::expr size = solver.ctx().int_val(0);
  const auto size_of = [&](const Values& values) {
    std::int64_t sum = 0;
    for (std::uint32_t s = 0; s < system.symbols.size(); ++s)
      if (system.symbols[s].kind == Symbol::Kind::parameter) sum += std::abs(values[s]);
    return sum;
  };
  for (std::uint32_t s = 0; s < system.symbols.size(); ++s)
    if (system.symbols[s].kind == Symbol::Kind::parameter) {
      const z3::expr value = terms.value(Linear::symbol(s));
      size = size + z3::ite(value >= 0, value, -value);
    }
  std::int64_t low = 0, high = size_of(best);
  const auto shrink = [&] {
    while (low < high) {
      const std::int64_t middle = low + (high - low) / 2;
      solver.push();
      solver.add(size <= static_cast<int>(std::min<std::int64_t>(middle, INT32_MAX)));
      const z3::check_result smaller = solver.check();
      if (smaller == z3::sat) {
        best = read();
        high = size_of(best);
      }
      solver.pop();
      if (smaller == z3::unsat) low = middle + 1;
      if (smaller == z3::unknown) break;
    }
  };
  shrink();
  if (!larger) return best;
  low = high + larger_by;
  solver.push();
  solver.add(size >= static_cast<int>(std::min<std::int64_t>(low, INT32_MAX)));
  if (solver.check() == z3::sat) {
    best = read();
    high = size_of(best);
    shrink();
  }
  solver.pop();
  return best;
}

Dnf point(const CounterSystem& system, const Values& values) {
  Cube cube;
  for (std::uint32_t s = 0; s < system.symbols.size(); ++s)
    cube.add_equal(Linear::symbol(s), Linear::number(values[s]));
  return {cube};
}

/// Drops inequalities that follow from the others, legality and ranges: cubes stay small enough to
/// build further ones on.
void reduce(z3::solver& solver, const Terms& terms, Cube& cube) {
  std::vector<Linear> atoms = cube.atoms();
  for (std::size_t i = 0; i < atoms.size();) {
    solver.push();
    for (std::size_t j = 0; j < atoms.size(); ++j)
      solver.add(j == i ? !terms.atom(atoms[j]) : terms.atom(atoms[j]));
    const bool follows = solver.check() == z3::unsat;
    solver.pop();
    if (follows)
      atoms.erase(atoms.begin() + static_cast<std::ptrdiff_t>(i));
    else
      ++i;
  }
  Cube out;
  for (const Linear& atom : atoms) out.add(atom);
  cube = out;
}

}  // namespace

CoverResult extend_cover(const CounterSystem& system, const Formula& region, Cover& cover,
                         const Limits& limits, std::size_t most_blocks) {
  CoverResult out;
  z3::context context;
  const SmtWatch watch(context, limits);
  try {
    const Terms terms(context, system.symbols, Numbers::integers);
    z3::solver solver(context);
    solver.set("timeout", 5000u);
    solver.add(terms.of(system.legal) && terms.of(system.ranges) && to_z3(region, terms));
    for (const Cube& cube : cover.good) solver.add(!terms.of(cube));
    z3::solver solver_for_cubes(context);
    solver_for_cubes.set("timeout", 100u);
    solver_for_cubes.add(terms.of(system.legal) && terms.of(system.ranges));
    while (!watch.expired() && cover.schemas.size() < max_schemas) {
      bool decided = true;
      // Every other path starts from a larger instance and leads to the goal itself: from the
      // smallest ones, step by step, an endless family of cubes may come.
      const bool larger = cover.schemas.size() >= 3 && cover.schemas.size() % 2 == 1;
      const auto state = uncovered(solver, system, terms, larger, decided);
      if (!state) {
        out.end = decided && !watch.expired() ? CoverEnd::covered : CoverEnd::open;
        return out;
      }
      out.state = *state;
      const SmallGraph graph = explore(system, {*state}, small_states);
      if (graph.complete && doomed(graph, cover.good)[0]) {
        out.end = CoverEnd::stuck;
        return out;
      }
      std::size_t searched = 0;
      const auto run = find_run(context, watch, system, point(system, *state), cover.good,
                                most_blocks, searched);
      if (!run) {
        out.why = fmt::format("no path of up to {} blocks was found", searched);
        return out;
      }
      const auto goal = std::find_if(cover.good.begin(), cover.good.end(),
                                     [&](const Cube& cube) { return contains(cube, run->end); });
      BRINK_CHECK(goal != cover.good.end(), "a run that does not end in its goal");
      auto schema = generalise(system, *run, *goal);
      if (schema) reduce(solver_for_cubes, terms, schema->from);
      if (!schema) {
        out.why = "a path cannot be generalised: " + print(system, run->blocks);
        return out;
      }
      solver.add(!terms.of(schema->from));
      cover.good.push_back(schema->from);
      cover.schemas.push_back(std::move(*schema));
    }
    out.why =
        watch.expired() ? "out of time" : fmt::format("{} schemas do not suffice", max_schemas);
  } catch (const z3::exception&) {
    out.end = CoverEnd::open;
    out.why = "Z3 gave up";
  } catch (const GaveUp& reason) {
    out.end = CoverEnd::open;
    out.why = reason.why;
  }
  return out;
}

void write_cover(ScriptWriter& script, const CounterSystem& system, const z3::expr& region,
                 const Cover& cover, const z3::expr& stay) {
  z3::expr left = script.legal && script.within && region;
  for (const Cube& cube : cover.good) left = left && !script.terms.of(cube);
  script.query("cover: every state of the region is in the goal or in a schema's cube", left);
  const auto goals = static_cast<std::ptrdiff_t>(cover.goals);
  for (std::size_t i = 0; i < cover.schemas.size(); ++i)
    write_schema(
        script, system, cover.schemas[i],
        Dnf(cover.good.begin(), cover.good.begin() + goals + static_cast<std::ptrdiff_t>(i)), stay,
        i + 1);
}

}  // namespace brink::solver
