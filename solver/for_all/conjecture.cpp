#include "solver/for_all/conjecture.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "solver/budget.h"
#include "solver/for_all/legal.h"
#include "solver/for_all/suggest.h"
#include "solver/symbolic/counter_terms.h"
#include "solver/symbolic/smt_watch.h"

namespace brink::solver {
namespace {

constexpr unsigned query_milliseconds = 2000;

/// The candidates in a solver: "in this part, this atom" is one literal.
struct Houdini {
  const CounterSystem& system;
  const Suggestions& all;
  z3::context& context;
  const SmtWatch& watch;
  Terms terms;
  z3::solver solver;
  std::vector<bool> alive;
  std::vector<z3::expr> literal;
  std::vector<std::vector<std::size_t>> of_part;

  Houdini(const CounterSystem& s, const Suggestions& a, z3::context& c, const SmtWatch& w,
          const Formula& known)
      : system(s),
        all(a),
        context(c),
        watch(w),
        terms(c, s.symbols, Numbers::reals),
        solver(c),
        alive(a.atoms.size(), true),
        of_part(a.parts.size()) {
    solver.set("timeout", query_milliseconds);
    solver.add(terms.of(system.legal) && terms.of(system.ranges) && to_z3(known, terms));
    for (std::size_t i = 0; i < alive.size(); ++i) {
      literal.push_back(context.bool_const(fmt::format("candidate@{}", i).c_str()));
      solver.add(z3::implies(literal[i], terms.atom(all.atoms[i].atom)));
      of_part[all.atoms[i].part].push_back(i);
    }
  }

  z3::expr_vector assumed(std::size_t part) const {
    z3::expr_vector out(context);
    for (const std::size_t i : of_part[part])
      if (alive[i]) out.push_back(literal[i]);
    return out;
  }

  /// The candidates of `part` that can be false, those of the part `from` assumed (kNoPart: none),
  /// dropped until none can; `atom` gives a candidate over the state before. False: no time.
  template <typename Atom>
  bool drop(std::size_t part, std::size_t from, Atom atom, bool& changed) {
    for (;;) {
      if (watch.expired()) return false;
      std::vector<std::pair<std::size_t, z3::expr>> claims;
      z3::expr_vector broken(context);
      for (const std::size_t i : of_part[part]) {
        if (!alive[i]) continue;
        claims.emplace_back(i, terms.atom(atom(all.atoms[i].atom)));
        broken.push_back(!claims.back().second);
      }
      if (claims.empty()) return true;
      solver.push();
      solver.add(any_of(broken));
      z3::expr_vector assume = from == kNoPart ? z3::expr_vector(context) : assumed(from);
      const z3::check_result answer = solver.check(assume);
      bool dropped = false;
      if (answer == z3::sat) {
        const z3::model model = solver.get_model();
        for (const auto& [i, claim] : claims)
          if (!model.eval(claim, true).is_true()) {
            alive[i] = false;
            dropped = true;
          }
      }
      solver.pop();
      if (answer == z3::unsat) return true;
      if (answer == z3::unknown || !dropped) return false;
      changed = true;
    }
  }

  /// The command taken in a part: where it can be, and to which part it leads.
  struct Move {
    const CounterCommand* command;
    std::size_t from, to;
  };
  std::vector<Move> moves() const {
    std::vector<Move> out;
    for (const CounterCommand& command : system.commands)
      for (std::size_t p = 0; p < all.parts.size(); ++p) {
        Cube here = command.inside;
        if (!here.add(all.cube_of(p))) continue;
        out.push_back({&command, p, all.part_after(command, p)});
      }
    return out;
  }

  void enter(const Move& move) {
    solver.push();
    solver.add(terms.of(all.cube_of(move.from)));
    solver.add(terms.of(move.command->inside));
  }

  bool weaken(const std::vector<Move>& moves) {
    bool changed = false;
    for (std::size_t p = 0; p < all.parts.size(); ++p) {
      solver.push();
      solver.add(terms.of(system.initial) && terms.of(all.cube_of(p)));
      const bool done = drop(
          p, kNoPart, [](const Linear& atom) { return atom; }, changed);
      solver.pop();
      if (!done) return false;
    }
    for (changed = true; changed;) {
      changed = false;
      for (const Move& move : moves) {
        if (move.to == kNoPart) continue;
        enter(move);
        const bool done = drop(
            move.to, move.from, [&](const Linear& atom) { return after(*move.command, atom); },
            changed);
        solver.pop();
        if (!done) return false;
      }
    }
    return true;
  }

  /// What of `assume` refutes what has been added; nothing when it is not refuted.
  std::optional<std::vector<std::size_t>> core(z3::expr_vector assume) {
    if (solver.check(assume) != z3::unsat) return std::nullopt;
    const z3::expr_vector found = solver.unsat_core();
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < literal.size(); ++i)
      for (unsigned k = 0; k < found.size(); ++k)
        if (z3::eq(found[static_cast<int>(k)], literal[i])) out.push_back(i);
    return out;
  }

  /// The candidates that exclude `bad`, and those that keep them; nothing when they do not.
  std::optional<std::set<std::size_t>> needed(const Dnf& bad, const std::vector<Move>& moves) {
    std::set<std::size_t> chosen;
    std::vector<std::size_t> queue;
    const auto take = [&](const std::vector<std::size_t>& more) {
      for (const std::size_t i : more)
        if (chosen.insert(i).second) queue.push_back(i);
    };
    for (std::size_t p = 0; p < all.parts.size(); ++p)
      for (const Cube& cube : bad) {
        solver.push();
        solver.add(terms.of(all.cube_of(p)) && terms.of(cube));
        const auto why = core(assumed(p));
        solver.pop();
        if (!why) return std::nullopt;
        take(*why);
      }
    for (const Move& move : moves) {
      if (move.to != kNoPart) continue;  // no command leads out of all parts
      enter(move);
      const auto why = core(assumed(move.from));
      solver.pop();
      if (!why) return std::nullopt;
      take(*why);
    }
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const Suggestion& wanted = all.atoms[queue[head]];
      for (const Move& move : moves) {
        if (move.to != wanted.part) continue;
        enter(move);
        solver.add(!terms.atom(after(*move.command, wanted.atom)));
        const auto why = core(assumed(move.from));
        solver.pop();
        if (!why) return std::nullopt;
        take(*why);
      }
    }
    return chosen;
  }

  Formula formula(const std::set<std::size_t>& chosen) const {
    // An atom that holds in every part needs no condition.
    std::map<Linear, std::size_t> parts_of;
    for (const std::size_t i : chosen) ++parts_of[all.atoms[i].atom];
    Formula out;
    std::map<std::size_t, Formula> in_part;
    std::set<Linear> everywhere;
    for (const std::size_t i : chosen) {
      const Suggestion& s = all.atoms[i];
      const Formula atom{Formula::Kind::atom, s.atom, {}};
      if (parts_of[s.atom] == all.parts.size()) {
        if (everywhere.insert(s.atom).second) out.parts.push_back(atom);
      } else {
        in_part[s.part].parts.push_back(atom);
      }
    }
    Formula some{Formula::Kind::any, {}, {}};
    for (std::size_t p = 0; p < all.parts.size(); ++p)
      some.parts.push_back(formula_of(all.cube_of(p)));
    if (!all.control.empty()) out.parts.push_back(std::move(some));
    for (const auto& [part, atoms] : in_part) {
      Formula either{Formula::Kind::any, {}, {}};
      const Cube here = all.cube_of(part);
      for (const Linear& atom : here.atoms())
        either.parts.push_back({Formula::Kind::atom, negation(atom), {}});
      either.parts.push_back(atoms);
      out.parts.push_back(std::move(either));
    }
    return out;
  }
};

}  // namespace

std::optional<Conjecture> conjecture_invariant(const Question& question,
                                               const CounterSystem& system, const Dnf& bad,
                                               const Formula& known, const Limits& limits) {
  const Budget budget{limits};
  const Suggestions suggestions = suggest(system, small_states(question, system, limits));
  if (suggestions.atoms.empty() || budget.over()) return std::nullopt;
  z3::context context;
  const Limits rest = budget.slice(budget.left());
  const SmtWatch watch(context, rest);
  try {
    Houdini h(system, suggestions, context, watch, known);
    const auto moves = h.moves();
    if (!h.weaken(moves)) return std::nullopt;
    Conjecture out;
    const auto chosen = h.needed(bad, moves);
    out.excludes = chosen.has_value();
    std::set<std::size_t> alive;
    for (std::size_t i = 0; i < h.alive.size(); ++i)
      if (h.alive[i]) alive.insert(i);
    out.invariant.parts = {known, h.formula(chosen ? *chosen : alive)};
    return out;
  } catch (const z3::exception&) {
    return std::nullopt;
  }
}

}  // namespace brink::solver
