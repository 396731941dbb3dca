#include "analytic/path_automata.h"

#include <algorithm>

#include "analytic/absorption.h"
#include "analytic/decision_values.h"
#include "models/automata/buchi.h"

namespace brink::analytic {
namespace {

using automata::Clause;
using automata::Deterministic;

tl::unexpected<PathProblem> limit(std::string message) {
  return fail(PathProblem{false, std::move(message)});
}
tl::unexpected<PathProblem> refusal(std::string message) {
  return fail(PathProblem{true, std::move(message)});
}

}  // namespace

Watcher watch(Deterministic& automaton) {
  return {automaton.initial(), [&automaton](std::uint32_t state, std::uint64_t letter) {
            const auto move = automaton.step(state, letter);
            return std::pair{move.state, move.marks};
          }};
}

Watcher watch(automata::GoodPrefixes& prefixes) {
  return {prefixes.initial(), [&prefixes](std::uint32_t state, std::uint64_t letter) {
            const std::uint32_t next = prefixes.step(state, letter);
            return std::pair{next, std::uint64_t{prefixes.good(next)}};
          }};
}

StateSet marked(const std::vector<std::uint64_t>& marks) {
  StateSet out(marks.size());
  for (std::size_t p = 0; p < marks.size(); ++p) out[p] = marks[p] != 0;
  return out;
}

namespace {

StateSet accepting_bottoms(const ChainProduct& product, const std::vector<Clause>& acceptance) {
  const Components components = strong_components(product.chain);
  StateSet out(product.chain.size(), false);
  for (std::size_t c = 0; c < components.members.size(); ++c) {
    if (!components.bottom[c]) continue;
    std::uint64_t marks = 0;
    for (const std::uint32_t p : components.members[c]) marks |= product.marks[p];
    if (!accepting(acceptance, marks)) continue;
    for (const std::uint32_t p : components.members[c]) out[p] = true;
  }
  return out;
}

}  // namespace

StateSet accepting_ends(const DecisionProduct& product, const std::vector<Clause>& acceptance) {
  const DecisionProcess& process = product.process;
  StateSet out(process.size(), false);
  for (const Clause& clause : acceptance) {
    std::vector<bool> allowed(process.choice_count());
    for (std::uint32_t p = 0; p < process.size(); ++p)
      for (std::uint32_t c = process.first_choice(p); c < process.end_choice(p); ++c)
        allowed[c] = (product.marks[p] & clause.finite) == 0;
    const EndComponents ends = end_components(process, std::move(allowed));
    std::vector<std::uint64_t> marks(ends.count, 0);
    for (std::uint32_t p = 0; p < process.size(); ++p)
      if (ends.of[p] != EndComponents::none) marks[ends.of[p]] |= product.marks[p];
    for (std::uint32_t p = 0; p < process.size(); ++p)
      if (ends.of[p] != EndComponents::none &&
          (marks[ends.of[p]] & clause.infinite) == clause.infinite)
        out[p] = true;
  }
  return out;
}

namespace {

PathSolution largest(const DecisionProcess& process, automata::FormulaPool& pool,
                     automata::Formula f, const Letters& letters, const StateSet& wanted,
                     const SolveOptions& options) {
  auto automaton = Deterministic::make(pool, f);
  if (!automaton) return refusal(automaton.error());
  const auto made = product(process, letters, watch(*automaton), wanted, options);
  if (!made) return limit(made.error());
  if (const std::string why = automaton->problem(); !why.empty()) return refusal(why);
  const StateSet all(made->process.size(), true);
  return made->at_starts(until_within(made->process, Goal::maximise, all,
                                      accepting_ends(*made, automaton->acceptance()), {}, options));
}

const char* const kNotCosafe =
    "rewards until a path formula that no finite prefix decides (R takes F, U and X of them: "
    "co-safe LTL)";

}  // namespace

PathSolution formula_probability(const Chain& chain, automata::PathFormula& formula,
                                 const Letters& letters, const StateSet& wanted,
                                 const SolveOptions& options) {
  auto automaton = Deterministic::make(formula.pool, formula.root);
  if (!automaton) return refusal(automaton.error());
  const auto made = product(chain, letters, watch(*automaton), wanted, options);
  if (!made) return limit(made.error());
  if (const std::string why = automaton->problem(); !why.empty()) return refusal(why);
  return made->at_starts(
      reach_probability(made->chain, accepting_bottoms(*made, automaton->acceptance()), options));
}

PathSolution formula_probability(const DecisionProcess& process, Goal goal,
                                 automata::PathFormula& formula, const Letters& letters,
                                 const StateSet& wanted, const SolveOptions& options) {
  if (goal == Goal::maximise)
    return largest(process, formula.pool, formula.root, letters, wanted, options);
  auto out =
      largest(process, formula.pool, formula.pool.negation(formula.root), letters, wanted, options);
  if (!out) return out;
  return complement(std::move(*out));
}

PathSolution formula_reward(const Chain& chain, automata::PathFormula& formula,
                            const Letters& letters, const std::vector<double>& reward,
                            const StateSet& wanted, const SolveOptions& options) {
  if (!formula.pool.cosafe(formula.root)) return refusal(kNotCosafe);
  automata::GoodPrefixes prefixes(formula.pool, formula.root);
  const auto made = product(chain, letters, watch(prefixes), wanted, options);
  if (!made) return limit(made.error());
  if (!prefixes.problem().empty()) return refusal(prefixes.problem());
  std::vector<double> earned;
  for (const std::uint32_t s : made->model) earned.push_back(reward[s]);
  return made->at_starts(hitting_reward(made->chain, marked(made->marks), earned, options));
}

PathSolution formula_reward(const DecisionProcess& process, Goal goal,
                            automata::PathFormula& formula, const Letters& letters,
                            const std::vector<double>& cost, const StateSet& wanted,
                            const SolveOptions& options) {
  if (!formula.pool.cosafe(formula.root)) return refusal(kNotCosafe);
  automata::GoodPrefixes prefixes(formula.pool, formula.root);
  const auto made = product(process, letters, watch(prefixes), wanted, options);
  if (!made) return limit(made.error());
  if (!prefixes.problem().empty()) return refusal(prefixes.problem());
  std::vector<double> paid;
  for (const std::uint32_t c : made->choice) paid.push_back(cost[c]);
  return made->at_starts(hitting_reward(made->process, goal, marked(made->marks), paid, options));
}

Result<StateSet, PathProblem> some_path(const Chain& graph, automata::PathFormula& formula,
                                        const Letters& letters, const SolveOptions& options) {
  const auto automaton = automata::buchi(formula.pool, formula.root);
  if (!automaton) return refusal(automaton.error());
  // The full product, state s with automaton state q at s * |q| + q; graphs asked this are small.
  const std::uint64_t width = automaton->size();
  if (width * graph.size() > 0xf0000000u || stopped(options))
    return limit(stopped(options) ? "interrupted" : "a product of more states than 32-bit numbers");
  const auto at = [&](std::uint32_t s, std::uint32_t q) {
    return static_cast<std::uint32_t>(s * width + q);
  };
  const auto moves = [&](std::uint32_t s, std::uint32_t q, const auto& visit) {
    for (const automata::Edge& edge : automaton->edges[q]) {
      if (!edge.label.matches(letters[s])) continue;
      if (graph.row(s).empty()) visit(at(s, edge.target), edge.sets);
      for (const Entry& entry : graph.row(s)) visit(at(entry.column, edge.target), edge.sets);
    }
  };
  ChainBuilder builder(ChainKind::continuous);
  for (std::uint32_t s = 0; s < graph.size(); ++s)
    for (std::uint32_t q = 0; q < width; ++q) {
      moves(s, q, [&](std::uint32_t to, std::uint64_t) { builder.add(to, 1); });
      builder.end_row();
    }
  const Chain both = *std::move(builder).finish();
  const Components components = strong_components(both);
  std::vector<std::uint64_t> sets(components.members.size(), 0);
  StateSet cyclic(components.members.size(), false), target(both.size(), false);
  for (std::uint32_t s = 0; s < graph.size(); ++s)
    for (std::uint32_t q = 0; q < width; ++q)
      moves(s, q, [&](std::uint32_t to, std::uint64_t edge_sets) {
        const std::uint32_t own = components.of[at(s, q)];
        if (components.of[to] != own) return;
        cyclic[own] = true;
        sets[own] |= edge_sets;
      });
  for (std::uint32_t p = 0; p < both.size(); ++p) {
    const std::uint32_t own = components.of[p];
    target[p] = cyclic[own] && sets[own] == automaton->all_sets();
  }
  const StateSet reached = can_reach(both, StateSet(both.size(), true), target);
  StateSet out(graph.size());
  for (std::uint32_t s = 0; s < graph.size(); ++s) out[s] = reached[at(s, automaton->initial)];
  return out;
}

}  // namespace brink::analytic
