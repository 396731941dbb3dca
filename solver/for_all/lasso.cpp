#include "solver/for_all/lasso.h"

#include <algorithm>

#include "solver/for_all/script.h"

namespace brink::solver {
namespace {

constexpr std::size_t commands_for_triples = 16;
constexpr std::size_t most_lassos = 100;

/// States inside from which the commands can be taken in order, ending inside.
Dnf takes(const CounterSystem& system, const std::vector<std::size_t>& commands,
          const Dnf& inside) {
  Dnf at = inside;
  for (auto c = commands.rbegin(); c != commands.rend(); ++c) {
    const CounterCommand& command = system.commands[*c];
    Dnf before;
    for (const Cube& cube : at) {
      Cube one = command.inside;
      if (one.add(after(command, cube))) before = disjunction(std::move(before), {one});
    }
    at = conjunction(before, inside);
    if (at.empty()) break;
  }
  return at;
}

/// What the commands make of each variable together.
bool is_identity(const CounterSystem& system, const std::vector<std::size_t>& commands) {
  for (std::uint32_t v = 0; v < system.variables; ++v) {
    Linear value = Linear::symbol(v);
    for (auto c = commands.rbegin(); c != commands.rend(); ++c)
      value = after(system.commands[*c], value);
    if (!(value == Linear::symbol(v))) return false;
  }
  return true;
}

}  // namespace

std::vector<Lasso> find_lassos(const CounterSystem& system, const Dnf& inside,
                               const Dnf& deadlock) {
  std::vector<Lasso> out;
  if (Dnf from = conjunction(inside, deadlock); !from.empty()) out.push_back({{}, std::move(from)});
  const auto keep = [&](const std::vector<std::size_t>& commands) {
    if (out.size() >= most_lassos || !is_identity(system, commands)) return;
    if (Dnf from = takes(system, commands, inside); !from.empty())
      out.push_back({commands, std::move(from)});
  };
  const std::size_t count = system.commands.size();
  for (std::size_t i = 0; i < count; ++i) {
    keep({i});
    for (std::size_t j = 0; j < count; ++j) {
      keep({i, j});
      if (count > commands_for_triples) continue;
      for (std::size_t k = 0; k < count; ++k) keep({i, j, k});
    }
  }
  return out;
}

namespace {

constexpr std::size_t lasso_states = 4000;
constexpr std::size_t lasso_starts = 60;

/// A shortest way from a state back to itself over states inside; the states after it, itself last.
std::vector<std::uint32_t> way_back(const SmallGraph& graph, const std::vector<bool>& inside,
                                    std::uint32_t start) {
  std::vector<std::uint32_t> parent(graph.states.size(), UINT32_MAX), queue{start};
  for (std::size_t head = 0; head < queue.size(); ++head)
    for (const std::uint32_t next : graph.successors[queue[head]]) {
      if (next == start) {
        std::vector<std::uint32_t> way{start};
        for (std::uint32_t s = queue[head]; s != start; s = parent[s]) way.insert(way.begin(), s);
        return way;
      }
      if (!inside[next] || parent[next] != UINT32_MAX) continue;
      parent[next] = queue[head];
      queue.push_back(next);
    }
  return {};
}

/// Where this very cycle can be taken: the cube that contains `state`, and "it sets what is there".
std::optional<Lasso> lasso_of(const CounterSystem& system, const Dnf& inside,
                              const std::vector<std::size_t>& commands, const Values& state) {
  for (Cube cube : takes(system, commands, inside)) {
    if (!contains(cube, state)) continue;
    for (std::uint32_t v = 0; v < system.variables; ++v) {
      Linear value = Linear::symbol(v);
      for (auto c = commands.rbegin(); c != commands.rend(); ++c)
        value = after(system.commands[*c], value);
      if (!(value == Linear::symbol(v))) cube.add_equal(value, Linear::symbol(v));
    }
    if (contains(cube, state)) return Lasso{commands, {cube}};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Lasso> lasso_near(const CounterSystem& within, const CounterSystem& system,
                                const Dnf& inside, const Dnf& where, const Values& state) {
  const SmallGraph graph = explore(within, {state}, lasso_states);
  if (!graph.complete) return std::nullopt;
  std::vector<bool> stays;
  for (const Values& s : graph.states) stays.push_back(contains(inside, s));
  std::vector<std::uint32_t> best;
  std::size_t tried = 0;
  for (std::uint32_t s = 0; s < graph.states.size() && tried < lasso_starts; ++s) {
    if (!stays[s] || !contains(where, graph.states[s])) continue;
    const auto way = way_back(graph, stays, s);
    if (way.empty()) continue;
    ++tried;
    if (best.empty() || way.size() < best.size()) best = way;
  }
  if (best.empty()) return std::nullopt;
  std::vector<std::size_t> commands;
  Values at = graph.states[best.back()];
  for (const std::uint32_t next : best) {
    for (std::size_t j = 0; j < system.commands.size(); ++j)
      if (contains(system.commands[j].inside, at) &&
          successor(system.commands[j], at) == graph.states[next]) {
        commands.push_back(j);
        break;
      }
    at = graph.states[next];
  }
  if (commands.size() != best.size()) return std::nullopt;
  return lasso_of(system, inside, commands, at);
}

CounterSystem restricted(const CounterSystem& system, const Dnf& inside) {
  CounterSystem out = system;
  out.commands.clear();
  for (const CounterCommand& command : system.commands)
    for (const Cube& here : inside)
      for (const Cube& there : inside) {
        CounterCommand part = command;
        if (part.inside.add(here) && part.inside.add(after(command, there)))
          out.commands.push_back(std::move(part));
      }
  out.cycles = find_cycles(out);
  return out;
}

void write_lasso(ScriptWriter& script, const CounterSystem& system, const Cube& cube,
                 const Lasso& lasso, const z3::expr& goal, const z3::expr& stays) {
  const Encoding& encoding = *script.run.encoding;
  const z3::expr here = script.legal && script.within && script.terms.of(cube);
  z3::expr round = !encoding.any_enabled();
  if (!lasso.commands.empty()) {
    CounterCommand cycle;
    cycle.parts = lasso.commands;
    round = path_term(script, system, cycle, encoding.template_state(), encoding.template_state(),
                      stays);
  }
  script.query(lasso.commands.empty() ? "a deadlock repeats itself" : "a cycle of moves comes back",
               here && !(goal && round));
}

}  // namespace brink::solver
