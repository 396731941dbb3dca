#include "solver/search/stuck.h"

#include <algorithm>
#include <deque>
#include <mutex>
#include <string_view>
#include <thread>
#include <unordered_set>

#include "solver/budget.h"
#include "solver/gate.h"

namespace brink::solver {
namespace {

constexpr std::uint64_t default_states = 1'000'000;
constexpr std::uint32_t states_between_looks = 4096;
constexpr double no_limit_seconds = 1e9;

/// Do all branches of all moves satisfy `keep`?
template <typename Keep>
bool all_branches(const Expansion& expansion, Keep keep) {
  for (const Choice& choice : expansion.choices)
    for (std::uint32_t b = choice.first_branch; b < choice.first_branch + choice.branch_count; ++b)
      if (!keep(expansion.target(b))) return false;
  return true;
}

struct Part {
  const StateGraph& graph;
  const StateSet& stuck;
  const Question& question;
  PropId goal;

  /// Of the states from `first` on, every `step`-th.
  StuckCheck check(std::uint32_t first, std::uint32_t step, const Budget& budget) const {
    StuckCheck out;
    Evaluator evaluator(graph.model());
    Expansion expansion;
    Valuation state;
    Valuation next;
    for (std::uint64_t s = first; s < stuck.size(); s += step) {
      if (stuck[s] == 0) continue;
      if (out.states++ % states_between_looks == 0 && budget.over()) return out;
      graph.valuation(static_cast<std::uint32_t>(s), state);
      const auto value = holds_at(*question.properties, goal, evaluator, state);
      out.end = StuckCheck::End::fault;
      if (!value || evaluator.successors(state, expansion)) return out;
      out.end = StuckCheck::End::refuted;
      if (*value) return out;
      // The stored edges are in the evaluator's order, and a target that follows itself once: no
      // need to look it up among all states.
      const auto edges = graph.successors(static_cast<std::uint32_t>(s));
      auto edge = edges.begin();
      next.clear();
      const bool stays = all_branches(expansion, [&](auto target) {
        if (std::ranges::equal(target, next)) return true;
        if (edge == edges.end() || stuck[*edge] == 0) return false;
        graph.valuation(*edge++, next);
        return std::ranges::equal(target, next);
      });
      if (!stays || (edge != edges.end() && !expansion.choices.empty())) return out;
      out.end = StuckCheck::End::limit;
    }
    out.end = StuckCheck::End::confirmed;
    return out;
  }
};

}  // namespace

StuckCheck check_stuck(const StateGraph& graph, const StateSet& stuck, const Question& question,
                       PropId goal, const Limits& limits) {
  const Part part{graph, stuck, question, goal};
  const Budget budget{limits, no_limit_seconds};
  const std::uint32_t threads = std::max(1u, limits.threads);
  std::vector<StuckCheck> parts(threads);
  std::vector<std::thread> others;
  for (std::uint32_t t = 1; t < threads; ++t)
    others.emplace_back([&, t] { parts[t] = part.check(t, threads, budget); });
  parts[0] = part.check(0, threads, budget);
  for (std::thread& other : others) other.join();
  StuckCheck out{StuckCheck::End::confirmed, 0};
  for (const StuckCheck& one : parts) {
    out.states += one.states;
    if (out.end == StuckCheck::End::confirmed) out.end = one.end;
  }
  return out;
}

StuckCheck check_behind(const Valuation& from, const Question& question, PropId goal,
                        const Limits& limits) {
  const Budget budget{limits, no_limit_seconds};
  const std::uint64_t most = limits.states != 0 ? limits.states : default_states;
  const StateLayout layout(*question.model);
  Evaluator evaluator(question.model);
  Expansion expansion;
  std::vector<std::uint64_t> words(layout.words());
  std::unordered_set<std::string> seen;
  std::deque<Valuation> open;
  const auto add = [&](std::span<const std::int64_t> state) {
    layout.pack(state, words);
    const std::string_view key(reinterpret_cast<const char*>(words.data()),
                               words.size() * sizeof(std::uint64_t));
    if (seen.emplace(key).second) open.emplace_back(state.begin(), state.end());
    return true;
  };
  add(from);
  StuckCheck out;
  for (; !open.empty(); open.pop_front()) {
    if (out.states++ % states_between_looks == 0 && budget.over()) return out;
    if (seen.size() > most) return out;
    const auto value = holds_at(*question.properties, goal, evaluator, open.front());
    out.end = StuckCheck::End::fault;
    if (!value || evaluator.successors(open.front(), expansion)) return out;
    out.end = StuckCheck::End::refuted;
    if (*value) return out;
    out.end = StuckCheck::End::limit;
    all_branches(expansion, add);
  }
  out.end = StuckCheck::End::confirmed;
  return out;
}

}  // namespace brink::solver
