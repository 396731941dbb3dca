#include "solver/for_all/small.h"

#include <algorithm>
#include <map>

#include "solver/for_all/schema.h"

namespace brink::solver {
namespace {

std::int64_t value_of(const Linear& t, const Values& values) {
  std::int64_t sum = t.constant;
  for (const auto& [s, factor] : t.factors) sum += factor * values[s];
  return sum;
}

}  // namespace

bool contains(const Dnf& dnf, const Values& values) {
  return std::any_of(dnf.begin(), dnf.end(),
                     [&](const Cube& cube) { return contains(cube, values); });
}

Values successor(const CounterCommand& command, const Values& state) {
  Values next = state;
  for (std::uint32_t v = 0; v < command.next.size(); ++v)
    if (command.next[v]) next[v] = value_of(*command.next[v], state);
  return next;
}

SmallGraph explore(const CounterSystem& system, const std::vector<Values>& from,
                   std::size_t limit) {
  SmallGraph graph;
  std::map<Values, std::uint32_t> number;
  const auto add = [&](Values values) {
    const auto [at, fresh] =
        number.try_emplace(std::move(values), static_cast<std::uint32_t>(graph.states.size()));
    if (fresh) graph.states.push_back(at->first);
    return at->second;
  };
  for (const Values& start : from) add(start);
  for (std::size_t head = 0; head < graph.states.size(); ++head) {
    if (graph.states.size() > limit) return graph;
    std::vector<std::uint32_t> targets;
    for (const CounterCommand& command : system.commands) {
      const Values state = graph.states[head];
      if (!contains(command.inside, state)) continue;
      targets.push_back(add(successor(command, state)));
    }
    graph.successors.push_back(std::move(targets));
  }
  graph.complete = true;
  return graph;
}

std::vector<bool> doomed(const SmallGraph& graph, const Dnf& goal) {
  std::vector<std::vector<std::uint32_t>> before(graph.states.size());
  std::vector<std::uint32_t> queue;
  std::vector<bool> out(graph.states.size(), true);
  for (std::uint32_t s = 0; s < graph.states.size(); ++s) {
    for (const std::uint32_t t : graph.successors[s]) before[t].push_back(s);
    if (!contains(goal, graph.states[s])) continue;
    out[s] = false;
    queue.push_back(s);
  }
  for (std::size_t head = 0; head < queue.size(); ++head)
    for (const std::uint32_t s : before[queue[head]])
      if (out[s]) {
        out[s] = false;
        queue.push_back(s);
      }
  return out;
}

}  // namespace brink::solver
