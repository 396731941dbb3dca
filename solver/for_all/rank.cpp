#include "solver/for_all/rank.h"

#include <fmt/core.h>

#include <algorithm>

#include "solver/for_all/script.h"
#include "solver/symbolic/smt_watch.h"

namespace brink::solver {
namespace {

constexpr int largest_factor = 8;
constexpr std::size_t most_components = 12;

using Effect = std::vector<std::int64_t>;  ///< change of each variable

struct Search {
  const CounterSystem& system;
  z3::context& context;
  const SmtWatch& watch;
  Terms terms;
  z3::solver states;  ///< legal, ranges, known, outside
  z3::expr outside;
  std::vector<std::vector<Effect>> examples;

  Search(const CounterSystem& s, z3::context& c, const SmtWatch& w, const Formula& known,
         const Dnf& where)
      : system(s),
        context(c),
        watch(w),
        terms(c, s.symbols, Numbers::integers),
        states(c),
        outside(terms.of(where)),
        examples(s.commands.size()) {
    states.set("timeout", 3000u);
    states.add(terms.of(system.legal) && terms.of(system.ranges) && to_z3(known, terms) && outside);
  }

  z3::expr change(const CounterCommand& command, std::uint32_t v) const {
    const z3::expr one = context.int_val(1), zero = context.int_val(0);
    const auto number = [&](const z3::expr& e) { return e.is_bool() ? z3::ite(e, one, zero) : e; };
    return number(terms.next(command, v)) - number(terms.symbol(v));
  }

  /// A move of the command outside the goal with this property; its effect.
  std::optional<Effect> example(std::size_t j, const z3::expr& condition, bool& decided) {
    const CounterCommand& command = system.commands[j];
    z3::expr_vector here(context), there(context);
    for (std::uint32_t v = 0; v < system.variables; ++v) {
      here.push_back(terms.symbol(v));
      there.push_back(terms.next(command, v));
    }
    z3::expr next = outside;
    states.push();
    states.add(terms.of(command.inside) && next.substitute(here, there) && condition);
    const z3::check_result answer = states.check();
    decided = decided && answer != z3::unknown;
    std::optional<Effect> out;
    if (answer == z3::sat) {
      const z3::model model = states.get_model();
      out.emplace();
      for (std::uint32_t v = 0; v < system.variables; ++v) {
        std::int64_t value = 0;
        if (!model.eval(change(command, v), true).is_numeral_i64(value))
          throw GaveUp{"an effect of more than 64 bits"};
        out->push_back(value);
      }
    }
    states.pop();
    return out;
  }

  z3::expr weighted(std::size_t j, const std::vector<std::int64_t>& factors) const {
    z3::expr sum = context.int_val(0);
    for (std::uint32_t v = 0; v < system.variables; ++v)
      if (factors[v] != 0) sum = sum + context.int_val(factors[v]) * change(system.commands[j], v);
    return sum;
  }

  /// Factors under which no example rises and some command falls in all its examples.
  std::optional<std::vector<std::int64_t>> propose(const std::vector<std::size_t>& left,
                                                   std::vector<bool>& falls) const {
    z3::solver solver(context);
    solver.set("timeout", 3000u);
    std::vector<z3::expr> factor;
    for (std::uint32_t v = 0; v < system.variables; ++v) {
      factor.push_back(context.int_const(fmt::format("factor@{}", v).c_str()));
      solver.add(factor[v] >= -largest_factor && factor[v] <= largest_factor);
    }
    z3::expr_vector any(context);
    z3::expr count = context.int_val(0);
    std::vector<z3::expr> strict;
    for (const std::size_t j : left) {
      strict.push_back(context.bool_const(fmt::format("falls@{}", j).c_str()));
      any.push_back(strict.back());
      for (const Effect& effect : examples[j]) {
        z3::expr sum = context.int_val(0);
        for (std::uint32_t v = 0; v < system.variables; ++v)
          if (effect[v] != 0) sum = sum + context.int_val(effect[v]) * factor[v];
        solver.add(sum <= 0 && z3::implies(strict.back(), sum <= -1));
      }
    }
    solver.add(any_of(any));
    if (solver.check() != z3::sat) return std::nullopt;
    const z3::model model = solver.get_model();
    std::vector<std::int64_t> out;
    for (const z3::expr& f : factor) out.push_back(model.eval(f, true).get_numeral_int64());
    falls.clear();
    for (const z3::expr& s : strict) falls.push_back(model.eval(s, true).is_true());
    return out;
  }
};

}  // namespace

std::optional<Ranking> find_ranking(const CounterSystem& system, const Formula& known,
                                    const Dnf& outside, const Limits& limits) {
  z3::context context;
  const SmtWatch watch(context, limits);
  try {
    Search s(system, context, watch, known, outside);
    std::vector<std::size_t> left;
    bool decided = true;
    for (std::size_t j = 0; j < system.commands.size(); ++j)
      if (auto effect = s.example(j, context.bool_val(true), decided)) {
        s.examples[j].push_back(std::move(*effect));
        left.push_back(j);
      }
    Ranking ranking;
    while (!left.empty()) {
      if (!decided || watch.expired() || ranking.size() > most_components) return std::nullopt;
      std::vector<bool> falls;
      const auto factors = s.propose(left, falls);
      if (!factors) return std::nullopt;
      bool good = true;
      for (std::size_t i = 0; i < left.size(); ++i) {
        const z3::expr sum = s.weighted(left[i], *factors);
        const int most = falls[i] ? -1 : 0;
        if (auto effect = s.example(left[i], sum > most, decided)) {
          s.examples[left[i]].push_back(std::move(*effect));
          good = false;
        }
      }
      if (!good) continue;
      ranking.push_back(*factors);
      std::vector<std::size_t> rest;
      for (std::size_t i = 0; i < left.size(); ++i)
        if (!falls[i]) rest.push_back(left[i]);
      left = std::move(rest);
    }
    return decided ? std::optional(ranking) : std::nullopt;
  } catch (const z3::exception&) {
    return std::nullopt;
  } catch (const GaveUp&) {
    return std::nullopt;
  }
}

void write_ranking(ScriptWriter& script, const CounterSystem& system, const z3::expr& invariant,
                   const z3::expr& goal, const Ranking& ranking) {
  const Encoding& encoding = *script.run.encoding;
  z3::context& context = script.run.context;
  const z3::expr here = script.legal && script.within && invariant && !goal;
  const z3::expr_vector& before = encoding.template_state();
  const z3::expr one = context.int_val(1), zero = context.int_val(0);
  const auto number = [&](const z3::expr& e) { return e.is_bool() ? z3::ite(e, one, zero) : e; };
  for (std::size_t c = 0; c < ranking.size(); ++c) {
    Linear sum;
    for (std::uint32_t v = 0; v < system.variables; ++v)
      sum = combine(1, sum, ranking[c][v], Linear::symbol(v));
    script.comment(fmt::format("ranking, component {}: {}", c + 1,
                               print_sum(sum, [&](std::uint32_t s) { return system.name(s); })));
  }
  for (std::size_t m = 0; m < encoding.moves().size(); ++m) {
    const z3::expr_vector after = encoding.target(m);
    z3::expr falls = context.bool_val(false), equal = context.bool_val(true);
    for (const auto& component : ranking) {
      z3::expr change = zero;
      for (std::uint32_t v = 0; v < system.variables; ++v) {
        const auto i = static_cast<int>(v);
        if (component[v] != 0)
          change = change + context.int_val(component[v]) * (number(after[i]) - number(before[i]));
      }
      falls = falls || (equal && change < 0);
      equal = equal && change == 0;
    }
    script.query(
        "ranking falls under " + name_of_commands(*system.model, encoding.moves()[m].commands),
        here && encoding.guard(m) && !encoding.at(goal, after) && !falls);
  }
  script.query("no deadlock outside the goal", here && !encoding.any_enabled());
}

}  // namespace brink::solver
