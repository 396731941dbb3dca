// Smaller automata for the same language: what leads nowhere goes, states that do the same are one.
//
// Order: (1) strong components whose edges miss an acceptance set accept nothing, and states from
// which only such components are reached are removed; marks outside accepting components mean
// nothing and are cleared; (2) states with the same edges up to the same relation are joined
// (coarsest bisimulation by refinement of a partition), and labels that differ in one literal are
// merged; (3) acceptance sets that contain another one, or everything, are dropped.
#include <algorithm>
#include <map>
#include <set>

#include "models/automata/buchi.h"

namespace brink::automata {
namespace {

constexpr std::uint32_t none = 0xffffffffu;

/// Tarjan's algorithm without recursion; components are numbered from the bottom up.
struct Components {
  std::vector<std::uint32_t> of;
  std::uint32_t count = 0;

  explicit Components(const Automaton& automaton) : of(automaton.size(), none) {
    std::vector<std::uint32_t> number(automaton.size(), none), low(automaton.size()), open;
    std::vector<std::pair<std::uint32_t, std::size_t>> frames;
    std::uint32_t counter = 0;
    const auto enter = [&](std::uint32_t q) {
      number[q] = low[q] = counter++;
      open.push_back(q);
      frames.emplace_back(q, 0);
    };
    for (std::uint32_t root = 0; root < automaton.size(); ++root) {
      if (number[root] != none) continue;
      enter(root);
      while (!frames.empty()) {
        const std::uint32_t q = frames.back().first;
        if (frames.back().second < automaton.edges[q].size()) {
          const std::uint32_t to = automaton.edges[q][frames.back().second++].target;
          if (number[to] == none)
            enter(to);
          else if (of[to] == none)
            low[q] = std::min(low[q], number[to]);
          continue;
        }
        frames.pop_back();
        if (!frames.empty()) low[frames.back().first] = std::min(low[frames.back().first], low[q]);
        if (low[q] != number[q]) continue;
        for (std::uint32_t member = none; member != q;) {
          member = open.back();
          open.pop_back();
          of[member] = count;
        }
        ++count;
      }
    }
  }
};

void sort_edges(std::vector<Edge>& edges) {
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
}

/// The automaton of the states with a class, one state for each class.
Automaton quotient(const Automaton& automaton, const std::vector<std::uint32_t>& class_of) {
  std::map<std::uint32_t, std::uint32_t> number;  // classes in the order of their first state
  for (const std::uint32_t c : class_of)
    if (c != none) number.emplace(c, static_cast<std::uint32_t>(number.size()));
  Automaton out;
  out.acceptance_sets = automaton.acceptance_sets;
  out.edges.resize(number.size());
  for (std::uint32_t q = 0; q < automaton.size(); ++q) {
    if (class_of[q] == none) continue;
    auto& edges = out.edges[number[class_of[q]]];
    if (!edges.empty()) continue;
    for (Edge edge : automaton.edges[q]) {
      if (class_of[edge.target] == none) continue;
      edge.target = number[class_of[edge.target]];
      edges.push_back(edge);
    }
    sort_edges(edges);
  }
  out.initial = number[class_of[automaton.initial]];
  return out;
}

Automaton live_part(Automaton automaton) {
  const Components components(automaton);
  std::vector<std::uint64_t> seen(components.count, 0);
  std::vector<bool> cyclic(components.count, false);
  for (std::uint32_t q = 0; q < automaton.size(); ++q)
    for (const Edge& edge : automaton.edges[q])
      if (components.of[edge.target] == components.of[q]) {
        seen[components.of[q]] |= edge.sets;
        cyclic[components.of[q]] = true;
      }
  const auto accepts = [&](std::uint32_t c) {
    return cyclic[c] && seen[c] == automaton.all_sets();
  };
  // Components are numbered from the bottom up: one pass in that order finds who can still accept.
  std::vector<std::vector<std::uint32_t>> members(components.count);
  for (std::uint32_t q = 0; q < automaton.size(); ++q) members[components.of[q]].push_back(q);
  std::vector<bool> live(components.count);
  for (std::uint32_t c = 0; c < components.count; ++c) {
    live[c] = accepts(c);
    for (const std::uint32_t q : members[c])
      for (const Edge& edge : automaton.edges[q])
        live[c] = live[c] || live[components.of[edge.target]];
  }
  std::vector<std::uint32_t> keep(automaton.size(), none);
  for (std::uint32_t q = 0; q < automaton.size(); ++q) {
    if (live[components.of[q]] || q == automaton.initial) keep[q] = q;
    for (Edge& edge : automaton.edges[q])
      if (components.of[edge.target] != components.of[q] || !accepts(components.of[q]))
        edge.sets = 0;
    std::erase_if(automaton.edges[q],
                  [&](const Edge& edge) { return !live[components.of[edge.target]]; });
  }
  return quotient(automaton, keep);
}

/// Labels that differ in one literal of opposite sign become one; what another edge covers goes.
bool merge_labels(std::vector<Edge>& edges) {
  bool changed = false;
  for (std::size_t i = 0; i < edges.size(); ++i)
    for (std::size_t j = 0; j < edges.size(); ++j) {
      if (i == j || edges[i].target != edges[j].target) continue;
      const bool more = (edges[j].sets & ~edges[i].sets) == 0;
      const std::uint64_t yes = edges[i].label.yes ^ edges[j].label.yes;
      const std::uint64_t no = edges[i].label.no ^ edges[j].label.no;
      const bool complementary = yes == no && yes != 0 && (yes & (yes - 1)) == 0;
      if (complementary && edges[i].sets == edges[j].sets) {
        edges[i].label.yes &= ~yes;
        edges[i].label.no &= ~no;
      } else if (!more || !edges[i].label.covers(edges[j].label)) {
        continue;
      }
      edges.erase(edges.begin() + static_cast<std::ptrdiff_t>(j));
      if (j < i) --i;
      j = 0;
      changed = true;
    }
  std::sort(edges.begin(), edges.end());
  return changed;
}

Automaton joined(Automaton automaton) {
  for (bool merged = true; merged;) {
    merged = false;
    for (auto& edges : automaton.edges) merged = merge_labels(edges) || merged;
    std::vector<std::uint32_t> class_of(automaton.size(), 0);
    for (std::size_t classes = 1;;) {
      std::map<std::pair<std::uint32_t, std::set<Edge>>, std::uint32_t> number;
      std::vector<std::uint32_t> next(automaton.size());
      for (std::uint32_t q = 0; q < automaton.size(); ++q) {
        std::set<Edge> signature;
        for (Edge edge : automaton.edges[q]) {
          edge.target = class_of[edge.target];
          signature.insert(edge);
        }
        next[q] = number
                      .emplace(std::pair{class_of[q], std::move(signature)},
                               static_cast<std::uint32_t>(number.size()))
                      .first->second;
      }
      class_of = std::move(next);
      if (number.size() == classes) break;
      classes = number.size();
    }
    const std::uint32_t before = automaton.size();
    automaton = quotient(automaton, class_of);
    merged = merged || automaton.size() != before;
  }
  return automaton;
}

void drop_sets(Automaton& automaton) {
  // Only edges within components count; the others hold no marks.
  const Components components(automaton);
  const auto contains = [&](std::uint32_t big, std::uint32_t small) {
    for (std::uint32_t q = 0; q < automaton.size(); ++q)
      for (const Edge& edge : automaton.edges[q]) {
        const bool cycle = components.of[edge.target] == components.of[q];
        const bool in_small = small == none || (edge.sets >> small & 1) != 0;
        if (cycle && in_small && (edge.sets >> big & 1) == 0) return false;
      }
    return true;
  };
  std::vector<std::uint32_t> kept;
  std::vector<bool> dropped(automaton.acceptance_sets, false);
  for (std::uint32_t i = 0; i < automaton.acceptance_sets; ++i) {
    dropped[i] = contains(i, none);
    for (std::uint32_t j = 0; j < automaton.acceptance_sets && !dropped[i]; ++j)
      dropped[i] = j != i && !dropped[j] && contains(i, j);
    if (!dropped[i]) kept.push_back(i);
  }
  for (auto& edges : automaton.edges) {
    for (Edge& edge : edges) {
      std::uint64_t sets = 0;
      for (std::size_t k = 0; k < kept.size(); ++k)
        sets |= (edge.sets >> kept[k] & std::uint64_t{1}) << k;
      edge.sets = sets;
    }
    sort_edges(edges);
  }
  automaton.acceptance_sets = static_cast<std::uint32_t>(kept.size());
}

}  // namespace

Automaton reduced(Automaton automaton) {
  automaton = joined(live_part(std::move(automaton)));
  drop_sets(automaton);
  return joined(std::move(automaton));
}

}  // namespace brink::automata
