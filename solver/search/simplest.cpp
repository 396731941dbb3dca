#include "solver/search/simplest.h"

#include <algorithm>
#include <map>

#include "models/base/check.h"
#include "solver/budget.h"

namespace brink::solver {
namespace {

constexpr double no_limit_seconds = 1e9;
constexpr std::uint64_t most_choices = 2'000'000;  ///< of one search for a hitting set

using Set = std::vector<bool>;  ///< of commands

/// The moves of all states with the kinds of step they are.
struct Moves {
  std::vector<std::vector<std::uint32_t>> kinds;  ///< commands of each
  std::vector<std::uint64_t> begin{0};
  std::vector<std::uint32_t> kind, to;

  /// False: no time.
  bool list(const StateGraph& graph, const Budget& budget) {
    std::map<std::vector<std::uint32_t>, std::uint32_t> number;
    Evaluator evaluator(graph.model());
    Expansion expansion;
    Valuation state;
    std::vector<std::uint64_t> words;
    for (std::uint32_t s = 0; s < graph.size(); ++s) {
      if (s % 4096 == 0 && budget.over()) return false;
      graph.valuation(s, state);
      BRINK_CHECK(!evaluator.successors(state, expansion), "a complete graph has no errors");
      for (const Choice& choice : expansion.choices) {
        const auto commands = expansion.commands_of(choice);
        const auto [at, fresh] = number.try_emplace({commands.begin(), commands.end()},
                                                    static_cast<std::uint32_t>(kinds.size()));
        if (fresh) kinds.push_back(at->first);
        for (std::uint32_t b = choice.first_branch; b < choice.first_branch + choice.branch_count;
             ++b) {
          kind.push_back(at->second);
          to.push_back(graph.number_of(expansion.target(b), words));
        }
      }
      begin.push_back(to.size());
    }
    return true;
  }

  std::vector<bool> allowed(const Set& commands) const {
    std::vector<bool> out;
    for (const auto& kind : kinds)
      out.push_back(std::all_of(kind.begin(), kind.end(), [&](auto c) { return commands[c]; }));
    return out;
  }
};

struct Searcher {
  const StateGraph& graph;
  const StateSet& target;
  const Moves& moves;
  std::vector<std::uint32_t> parent{};
  std::vector<std::uint32_t> queue{};

  /// Breadth first with these commands alone; the nearest target, or kNoState.
  std::uint32_t reach(const Set& commands) {
    const std::vector<bool> allowed = moves.allowed(commands);
    parent.assign(graph.size(), kNoState);
    queue.clear();
    for (std::uint32_t s = 0; s < graph.initial_count(); ++s) {
      parent[s] = s;
      queue.push_back(s);
      if (target[s] != 0) return s;
    }
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const std::uint32_t s = queue[head];
      for (std::uint64_t m = moves.begin[s]; m < moves.begin[s + std::uint64_t{1}]; ++m) {
        const std::uint32_t next = moves.to[m];
        if (!allowed[moves.kind[m]] || parent[next] != kNoState) continue;
        parent[next] = s;
        if (target[next] != 0) return next;
        queue.push_back(next);
      }
    }
    return kNoState;
  }
};

/// A smallest set that has a member of each, by branching on the members of the first that is not
/// hit. Nothing: too many choices.
struct Hitting {
  const std::vector<std::vector<std::uint32_t>>& sets;
  Set chosen, best;
  std::size_t size = 0, best_size;
  std::uint64_t choices = 0;

  Hitting(const std::vector<std::vector<std::uint32_t>>& all, std::size_t commands)
      : sets(all), chosen(commands, false), best(commands, true), best_size(commands + 1) {}

  bool hit(const std::vector<std::uint32_t>& set) const {
    return std::any_of(set.begin(), set.end(), [&](std::uint32_t c) { return chosen[c]; });
  }

  /// Sets that are not hit and share no member need one choice each.
  std::size_t at_least() const {
    Set used(chosen.size(), false);
    std::size_t count = 0;
    for (const auto& set : sets) {
      if (hit(set) || std::any_of(set.begin(), set.end(), [&](auto c) { return used[c]; }))
        continue;
      ++count;
      for (const std::uint32_t c : set) used[c] = true;
    }
    return count;
  }

  void branch() {
    if (++choices > most_choices || size + at_least() >= best_size) return;
    const std::vector<std::uint32_t>* open = nullptr;
    for (const auto& set : sets)
      if (!hit(set) && (open == nullptr || set.size() < open->size())) open = &set;
    if (open == nullptr) {
      best = chosen;
      best_size = size;
      return;
    }
    for (const std::uint32_t c : *open) {
      chosen[c] = true;
      ++size;
      branch();
      --size;
      chosen[c] = false;
    }
  }
};

/// What remains sufficient when commands are left out one by one.
Set without_needless(Searcher& searcher, Set commands, const Budget& budget) {
  for (std::size_t c = 0; c < commands.size() && !budget.over(); ++c) {
    if (!commands[c]) continue;
    commands[c] = false;
    commands[c] = searcher.reach(commands) == kNoState;
  }
  return commands;
}

}  // namespace

std::optional<SimplestRun> simplest_run(const StateGraph& graph, const StateSet& target,
                                        const Limits& limits) {
  BRINK_CHECK(graph.complete());
  const Budget budget{limits, no_limit_seconds};
  Moves moves;
  if (graph.transitions() > most_moves || !moves.list(graph, budget)) return std::nullopt;
  const std::size_t count = graph.model()->commands.size();
  Searcher searcher{graph, target, moves};
  Set best(count, true);
  if (searcher.reach(best) == kNoState) return std::nullopt;
  best = without_needless(searcher, std::move(best), budget);
  SimplestRun out;
  std::vector<std::vector<std::uint32_t>> complements;
  while (!budget.over()) {
    Hitting hitting(complements, count);
    hitting.branch();
    if (hitting.choices > most_choices) break;
    const auto used = static_cast<std::size_t>(std::count(best.begin(), best.end(), true));
    Set candidate = hitting.best_size <= count ? hitting.best : Set(count, false);
    if (hitting.best_size >= used) {  // nothing smaller hits them all
      out.fewest = true;
      break;
    }
    if (searcher.reach(candidate) != kNoState) {
      best = std::move(candidate);
      out.fewest = true;
      break;
    }
    std::vector<std::uint32_t> complement;
    for (std::uint32_t c = 0; c < count && !budget.over(); ++c) {
      if (candidate[c]) continue;
      candidate[c] = true;
      if (searcher.reach(candidate) == kNoState) continue;
      candidate[c] = false;
      complement.push_back(c);
    }
    complements.push_back(std::move(complement));
  }
  std::uint32_t at = searcher.reach(best);
  BRINK_CHECK(at != kNoState);
  for (; searcher.parent[at] != at; at = searcher.parent[at]) out.path.push_back(at);
  out.path.push_back(at);
  std::reverse(out.path.begin(), out.path.end());
  for (std::uint32_t c = 0; c < count; ++c)
    if (best[c]) out.commands.push_back(c);
  return out;
}

Trace trace_of(const StateGraph& graph, const SimplestRun& run, std::string property) {
  Trace trace = graph.trace_of(run.path, std::move(property));
  Evaluator evaluator(graph.model());
  Expansion expansion;
  const auto meant = [&](std::uint32_t c) {
    return std::find(run.commands.begin(), run.commands.end(), c) != run.commands.end();
  };
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    BRINK_CHECK(!evaluator.successors(trace.state(i), expansion));
    bool found = false;
    for (const Choice& choice : expansion.choices) {
      const auto commands = expansion.commands_of(choice);
      if (found || !std::all_of(commands.begin(), commands.end(), meant)) continue;
      for (std::uint32_t b = choice.first_branch;
           !found && b < choice.first_branch + choice.branch_count; ++b) {
        const auto target = expansion.target(b);
        found = std::equal(target.begin(), target.end(), trace.steps[i].after.begin());
        if (found)
          trace.steps[i] = {
              {commands.begin(), commands.end()}, expansion.updates[b], trace.steps[i].after};
      }
    }
    BRINK_CHECK(found, "a step by other commands");
  }
  return trace;
}

}  // namespace brink::solver
