#include "solver/for_all/finite_trap.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <map>
#include <set>

#include "models/semantics/evaluator.h"
#include "solver/budget.h"
#include "solver/for_all/schema.h"

namespace brink::solver {
namespace {

constexpr std::size_t most_states = 120'000;
constexpr std::size_t most_followed = 400'000;

/// A command without what mentions a dropped symbol.
struct LooseCommand {
  std::vector<Linear> guard;
  std::vector<std::pair<std::size_t, Linear>> next;  ///< index into kept; over kept variables
};

std::int64_t value_of(const Linear& t, const Values& state, const std::vector<std::size_t>& place) {
  std::int64_t sum = t.constant;
  for (const auto& [s, factor] : t.factors) sum += factor * state[place[s]];
  return sum;
}

struct Abstraction {
  const CounterSystem& system;
  std::vector<bool> dropped;
  std::vector<std::uint32_t> kept;
  std::vector<std::size_t> place;  ///< of each kept symbol
  std::vector<LooseCommand> commands;
  std::vector<std::vector<Linear>> goal;

  bool loose(const Linear& t) const {
    return std::any_of(t.factors.begin(), t.factors.end(),
                       [&](const auto& f) { return dropped[f.first]; });
  }
  std::vector<Linear> tight(const Cube& cube) const {
    std::vector<Linear> out;
    for (const Linear& atom : cube.atoms())
      if (!loose(atom)) out.push_back(atom);
    return out;
  }

  /// False when a kept variable takes its value from a dropped symbol.
  bool make(const Dnf& target) {
    place.assign(system.symbols.size(), 0);
    for (std::uint32_t v = 0; v < system.variables; ++v)
      if (!dropped[v]) {
        place[v] = kept.size();
        kept.push_back(v);
      }
    for (const CounterCommand& command : system.commands) {
      LooseCommand out{tight(command.inside), {}};
      for (const std::uint32_t v : kept) {
        if (!command.next[v]) continue;
        if (loose(*command.next[v])) return false;
        out.next.emplace_back(place[v], *command.next[v]);
      }
      commands.push_back(std::move(out));
    }
    for (const Cube& cube : target) goal.push_back(tight(cube));
    return true;
  }

  bool satisfies(const std::vector<Linear>& atoms, const Values& state) const {
    return std::all_of(atoms.begin(), atoms.end(),
                       [&](const Linear& t) { return value_of(t, state, place) >= 0; });
  }

  /// All states that may follow; nothing when the goal may be among them or there are too many.
  std::optional<std::vector<Values>> follow(const Values& seed, const Budget& budget) const {
    std::set<Values> seen{seed};
    std::vector<Values> order{seed};
    for (std::size_t head = 0; head < order.size(); ++head) {
      const Values state = order[head];
      if (order.size() > most_states || (head % 1024 == 0 && budget.over())) return std::nullopt;
      for (const auto& cube : goal)
        if (satisfies(cube, state)) return std::nullopt;
      for (const LooseCommand& command : commands) {
        if (!satisfies(command.guard, state)) continue;
        Values next = state;
        for (const auto& [at, value] : command.next) next[at] = value_of(value, state, place);
        if (seen.insert(next).second) order.push_back(std::move(next));
      }
    }
    return order;
  }
};

/// Variables whose range depends on constants: those that may have to go.
std::vector<std::uint32_t> growing(const CounterSystem& system) {
  std::vector<std::uint32_t> out;
  for (std::uint32_t v = 0; v < system.variables; ++v)
    for (const Linear& atom : system.ranges.atoms())
      if (atom.factor(v) != 0 && atom.factors.size() > 1 && (out.empty() || out.back() != v))
        out.push_back(v);
  return out;
}

}  // namespace

Cube FiniteTrap::like_seed() const {
  Cube out;
  for (std::size_t i = 0; i < kept.size(); ++i)
    out.add_equal(Linear::symbol(kept[i]), Linear::number(states.front()[i]));
  return out;
}

std::optional<FiniteTrap> find_finite_trap(const CounterSystem& system, const Dnf& goal,
                                           const Values& seed, const Limits& limits,
                                           const std::function<bool(const FiniteTrap&)>& accept) {
  const Budget budget{limits};
  std::vector<std::vector<std::uint32_t>> choices;
  const std::vector<std::uint32_t> candidates = growing(system);
  for (const std::uint32_t v : candidates) choices.push_back({v});
  for (const std::uint32_t v : candidates)
    for (const std::uint32_t w : candidates)
      if (v < w) choices.push_back({v, w});
  choices.emplace_back();
  for (const auto& choice : choices) {
    if (budget.over()) return std::nullopt;
    Abstraction abstraction{system, std::vector<bool>(system.symbols.size(), false), {}, {}, {},
                            {}};
    for (std::uint32_t s = 0; s < system.symbols.size(); ++s)
      abstraction.dropped[s] = !system.is_variable(s);
    for (const std::uint32_t v : choice) abstraction.dropped[v] = true;
    if (!abstraction.make(goal)) continue;
    Values start;
    for (const std::uint32_t v : abstraction.kept) start.push_back(seed[v]);
    auto states = abstraction.follow(start, budget);
    if (!states) continue;
    FiniteTrap out{abstraction.kept, std::move(*states), ""};
    for (std::uint32_t s = 0; s < system.symbols.size(); ++s)
      if (abstraction.dropped[s] && system.symbols[s].kind != Symbol::Kind::quotient)
        out.dropped += (out.dropped.empty() ? "" : ", ") + system.name(s);
    if (accept(out)) return out;
  }
  return std::nullopt;
}

std::optional<bool> stays_in(const FiniteTrap& trap, const Question& instance,
                             const Values& state) {
  const std::set<Values> allowed(trap.states.begin(), trap.states.end());
  Evaluator evaluator(instance.model);
  std::set<Values> seen{state};
  std::deque<Values> queue{state};
  while (!queue.empty()) {
    if (seen.size() > most_followed) return std::nullopt;
    const Values at = queue.front();
    queue.pop_front();
    Values projected;
    for (const std::uint32_t v : trap.kept) projected.push_back(at[v]);
    if (!allowed.contains(projected)) return false;
    Expansion expansion;
    if (evaluator.successors(at, expansion)) return false;
    for (const Choice& choice : expansion.choices)
      for (std::uint32_t b = choice.first_branch; b < choice.first_branch + choice.branch_count;
           ++b) {
        const auto target = expansion.target(b);
        Values next(target.begin(), target.end());
        if (seen.insert(next).second) queue.push_back(std::move(next));
      }
  }
  return true;
}

}  // namespace brink::solver
