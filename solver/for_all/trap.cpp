#include "solver/for_all/trap.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "solver/for_all/schema.h"
#include "solver/for_all/script.h"
#include "solver/symbolic/smt_watch.h"

namespace brink::solver {
namespace {

constexpr std::size_t max_template = 3000;
constexpr std::size_t few_variables = 8;  ///< up to this many, sums of three are tried

/// What the model compares a counter with, as terms over constants.
std::set<Linear> bounds_of(const CounterSystem& system, const std::vector<Linear>& atoms) {
  std::set<Linear> out{Linear::number(0)};
  for (const Linear& atom : atoms) {
    Linear rest = Linear::number(atom.constant);
    std::int64_t sign = 0;
    bool unit = true;
    for (const auto& [s, factor] : atom.factors) {
      if (!system.is_variable(s)) {
        rest = combine(1, rest, factor, Linear::symbol(s));
      } else {
        if (system.symbols[s].boolean || std::abs(factor) != 1) unit = false;
        if (sign != 0 && sign != factor) unit = false;
        sign = factor;
      }
    }
    if (!unit || sign == 0) continue;
    // sign * sum + rest >= 0: a bound of -rest (from below) or rest (from above).
    out.insert(sign > 0 ? -1 * rest : rest);
  }
  return out;
}

}  // namespace

std::vector<Linear> template_atoms(const CounterSystem& system, const Dnf& goal,
                                   const Values& values) {
  std::vector<Linear> own;
  const auto take = [&](const Cube& cube) {
    own.insert(own.end(), cube.atoms().begin(), cube.atoms().end());
  };
  for (const CounterCommand& command : system.commands) take(command.guard);
  for (const Cube& cube : goal) take(cube);
  take(system.ranges);
  for (const Cube& cube : system.legal) take(cube);
  std::set<Linear> bounds = bounds_of(system, own);
  std::set<Linear> atoms;
  const auto add = [&](const Linear& t) {
    if (t.is_number() || atoms.size() > max_template) return;
    Cube cube;
    if (!cube.add(t) || !contains(cube, values)) return;
    atoms.insert(cube.atoms().front());
  };
  for (const Linear& atom : own) {
    add(atom);
    add(negation(atom));
  }
  for (std::uint32_t v = 0; v < system.variables; ++v)
    if (system.symbols[v].boolean) {
      add(Linear::symbol(v) - Linear::number(1));
      add(-1 * Linear::symbol(v));
    }
  for (const Linear& a : bounds)
    for (const Linear& b : bounds) add(a - b);
  std::vector<std::uint32_t> counters;
  for (std::uint32_t v = 0; v < system.variables; ++v)
    if (!system.symbols[v].boolean) counters.push_back(v);
  const auto against = [&](const Linear& sum) {
    for (const Linear& b : bounds) {
      add(b - sum);
      add(sum - b);
    }
  };
  for (std::size_t i = 0; i < counters.size(); ++i) against(Linear::symbol(counters[i]));
  for (std::size_t i = 0; i < counters.size(); ++i)
    for (std::size_t j = i + 1; j < counters.size(); ++j) {
      const Linear x = Linear::symbol(counters[i]), y = Linear::symbol(counters[j]);
      against(x + y);
      add(x - y);
      add(y - x);
      if (counters.size() > few_variables) continue;
      for (std::size_t k = j + 1; k < counters.size(); ++k)
        against(x + y + Linear::symbol(counters[k]));
    }
  return {atoms.begin(), atoms.end()};
}

namespace {

/// One solver with a literal for each candidate, and the questions asked of it.
struct Houdini {
  const CounterSystem& system;
  z3::context& context;
  const SmtWatch& watch;
  Terms terms;
  z3::solver solver;
  std::vector<Linear> atoms;
  std::vector<bool> alive;
  std::vector<z3::expr> literal;

  Houdini(const CounterSystem& s, z3::context& c, const SmtWatch& w, const Formula& known,
          std::vector<Linear> candidates)
      : system(s),
        context(c),
        watch(w),
        terms(c, s.symbols, Numbers::integers),
        solver(c),
        atoms(std::move(candidates)),
        alive(atoms.size(), true) {
    solver.set("timeout", 3000u);
    solver.add(terms.of(system.legal) && terms.of(system.ranges) && to_z3(known, terms));
    for (std::size_t i = 0; i < atoms.size(); ++i) {
      literal.push_back(context.bool_const(fmt::format("atom@{}", i).c_str()));
      solver.add(z3::implies(literal[i], terms.atom(atoms[i])));
    }
  }

  z3::expr_vector assumed() const {
    z3::expr_vector out(context);
    for (std::size_t i = 0; i < atoms.size(); ++i)
      if (alive[i]) out.push_back(literal[i]);
    return out;
  }

  /// Drops what some command does not keep; false when the solver gives up.
  bool weaken() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const CounterCommand& command : system.commands) {
        for (;;) {
          if (watch.expired()) return false;
          z3::expr_vector broken(context);
          std::vector<std::pair<std::size_t, z3::expr>> next;
          for (std::size_t i = 0; i < atoms.size(); ++i) {
            if (!alive[i]) continue;
            const Linear then = after(command, atoms[i]);
            if (then == atoms[i]) continue;
            next.emplace_back(i, terms.atom(then));
            broken.push_back(!next.back().second);
          }
          if (next.empty()) break;
          solver.push();
          solver.add(terms.of(command.inside));
          solver.add(any_of(broken));
          z3::expr_vector assume = assumed();
          const z3::check_result answer = solver.check(assume);
          if (answer == z3::sat) {
            const z3::model model = solver.get_model();
            for (const auto& [i, e] : next)
              if (!model.eval(e, true).is_true()) alive[i] = false;
            changed = true;
          }
          solver.pop();
          if (answer == z3::unknown) return false;
          if (answer == z3::unsat) break;
        }
      }
    }
    return true;
  }

  /// The candidates needed to refute `formula`; nothing when it is not refuted.
  std::optional<std::vector<std::size_t>> needed(const z3::expr& formula) {
    solver.push();
    solver.add(formula);
    z3::expr_vector assume = assumed();
    const bool refuted = solver.check(assume) == z3::unsat;
    std::vector<std::size_t> out;
    if (refuted) {
      const z3::expr_vector core = solver.unsat_core();
      for (std::size_t i = 0; i < atoms.size(); ++i) {
        if (!alive[i]) continue;
        for (const z3::expr& e : core)
          if (z3::eq(e, literal[i])) out.push_back(i);
      }
    }
    solver.pop();
    return refuted ? std::optional(out) : std::nullopt;
  }
};

}  // namespace

std::optional<Cube> find_trap(const CounterSystem& system, const Formula& known, const Dnf& goal,
                              const Values& values, const Limits& limits) {
  z3::context context;
  const SmtWatch watch(context, limits);
  try {
    Houdini h(system, context, watch, known, template_atoms(system, goal, values));
    if (!h.weaken()) return std::nullopt;
    auto kept = h.needed(h.terms.of(goal));
    if (!kept) return std::nullopt;
    std::set<std::size_t> chosen(kept->begin(), kept->end());
    std::vector<std::size_t> queue(kept->begin(), kept->end());
    for (std::size_t head = 0; head < queue.size(); ++head)
      for (const CounterCommand& command : system.commands) {
        const Linear& atom = h.atoms[queue[head]];
        const Linear then = after(command, atom);
        if (then == atom) continue;
        const auto more = h.needed(h.terms.of(command.inside) && !h.terms.atom(then));
        if (!more) return std::nullopt;
        for (const std::size_t i : *more)
          if (chosen.insert(i).second) queue.push_back(i);
      }
    Cube trap;
    for (const std::size_t i : chosen) trap.add(h.atoms[i]);
    if (!contains(trap, values)) return std::nullopt;
    return trap;
  } catch (const z3::exception&) {
    return std::nullopt;
  } catch (const GaveUp&) {
    return std::nullopt;
  }
}

void write_trap(ScriptWriter& script, const CounterSystem& system, const z3::expr& invariant,
                const Cube& trap, const z3::expr& goal) {
  const Encoding& encoding = *script.run.encoding;
  const z3::expr inside = script.terms.of(trap);
  script.comment("trap: " + print(trap, [&](std::uint32_t s) { return system.name(s); }));
  const z3::expr here = script.legal && script.within && invariant && inside;
  for (std::size_t m = 0; m < encoding.moves().size(); ++m)
    script.query(
        "trap, closed under " + name_of_commands(*system.model, encoding.moves()[m].commands),
        here && encoding.guard(m) && !encoding.at(inside, encoding.target(m)));
  script.query("trap: the goal is not in it", here && goal);
}

}  // namespace brink::solver
