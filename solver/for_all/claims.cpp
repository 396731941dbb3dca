#include "solver/for_all/claims.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>

#include "models/base/check.h"
#include "solver/for_all/cover.h"
#include "solver/for_all/lasso.h"
#include "solver/for_all/obligations.h"
#include "solver/for_all/rank.h"
#include "solver/for_all/script.h"
#include "solver/for_all/trap.h"
#include "solver/symbolic/budget.h"
#include "solver/symbolic/spacer.h"

namespace brink::solver {
namespace {

using Kind = Pattern::Kind;

constexpr double query_seconds = 10;
constexpr std::size_t small_states = 20'000;
constexpr std::size_t longest_cycle = 12;
constexpr int most_rounds = 40;

struct Prover {
  const Question& question;
  Pattern pattern;
  bool negated;  ///< the negation of the pattern is to be proved
  const Limits& limits;
  std::vector<std::string>& notes;
  CounterBuilder builder;
  CounterSystem& system;
  Facts facts;
  Budget budget{limits};
  ProofResult out{};

  Prover(const Question& q, const Pattern& p, bool n, const Limits& l, std::vector<std::string>& w)
      : question(q),
        pattern(p),
        negated(n),
        limits(l),
        notes(w),
        builder(q),
        system(builder.system()),
        facts(facts_of(system)) {
    system.cycles = find_cycles(system);
  }

  /// For a cover as it is; after that, progress of a counter is tried.
  double direct_seconds() const { return std::min(5.0, budget.left() / 3); }

  /// q or its negation as the proof needs it.
  Dnf q(bool positive) { return builder.formula(pattern.q, positive); }
  Dnf p() { return pattern.p.valid() ? builder.formula(pattern.p, true) : dnf_true(); }
  z3::expr q_term(const SmtRun& run, bool positive) const {
    const z3::expr e = run.formula(*question.properties, pattern.q);
    return positive ? e : !e;
  }
  z3::expr p_term(SmtRun& run) const {
    return pattern.p.valid() ? run.formula(*question.properties, pattern.p)
                             : run.context.bool_val(true);
  }

  /// No reachable move is erroneous, and nothing in `bad` is reachable.
  bool invariant(const Dnf& bad) {
    const Question range = ranged();
    bool reached = false;
    // The script of this step alone is about ranges; the claim's own script has it all again.
    const auto proof = prove_unreachable(range, form_of(range), system, bad, facts,
                                         budget.slice(budget.left()), notes, reached);
    return proof.has_value();
  }

  Question ranged() const {
    Question range = question;
    range.asked = Asked::range;
    range.root = {};
    range.text = "range";
    return range;
  }

  std::unique_ptr<SmtRun> encode() const {
    auto made = SmtRun::make(question, Theory::integers);
    if (!made) throw GaveUp{made.error()};
    return std::move(*made);
  }

  std::string claim() const { return question.text + (negated ? " is false for all values" : ""); }

  /// The script's answer decides.
  bool publish(const std::string& script) {
    const Checked checked = check_script(script, query_seconds, notes);
    if (checked != Checked::proved) {
      notes.push_back(checked == Checked::undecided
                          ? "a proof was found, but its check did not end"
                          : "a proof was found that does not pass its check and does not count");
      return false;
    }
    out.proved = true;
    out.script = script;
    return true;
  }

  void invariant_claim(bool positive) {
    const bool range = pattern.kind == Kind::invariant && question.asked == Asked::range;
    const Dnf bad = range ? Dnf{} : q(!positive);
    if (!invariant(bad)) return;
    const auto run = encode();
    ScriptWriter script(*run, question, system, claim());
    write_invariant(script, question, system, facts.known);
    const z3::expr inv = script.within && to_z3(facts.known, script.terms);
    script.query("goal", script.legal && inv &&
                             (range ? run->encoding->any_leaves_range() : !q_term(*run, positive)));
    publish(script.text);
    notes.push_back("invariant: " +
                    print(facts.known, [&](std::uint32_t s) { return system.name(s); }));
  }

  Formula with_dnf(const Formula& formula, const Dnf& dnf) const {
    Formula both;
    both.parts = {formula, formula_of(dnf)};
    return both;
  }

  void stopped(const CoverResult& result) {
    std::string state;
    for (std::size_t s = 0; s < result.state.size(); ++s)
      state += fmt::format("{}{}={}", s == 0 ? "" : ", ",
                           system.name(static_cast<std::uint32_t>(s)), result.state[s]);
    notes.push_back(fmt::format("no proof by schemas: {} ({})", result.why, state));
  }

  void describe_cover(const CounterSystem& system, const Cover& cover) {
    notes.push_back(fmt::format("{} path schemas lead to the goal", cover.schemas.size()));
    constexpr std::size_t shown = 6;
    for (std::size_t i = 0; i < std::min(shown, cover.schemas.size()); ++i)
      notes.push_back(
          "schema " + print(system, cover.schemas[i].blocks) + " from " +
          print(cover.schemas[i].from, [&](std::uint32_t s) { return system.name(s); }));
  }

  /// From all initial states to `goal`, for all legal values.
  void reach_claim(const Dnf& goal, bool positive) {
    if (!invariant({})) return;
    Cover cover{{}, goal, goal.size()};
    const CoverResult result =
        extend_cover(system, formula_of(system.initial), cover, budget.slice(direct_seconds()));
    if (result.end == CoverEnd::stuck) out.suspect = result.state;
    if (result.end == CoverEnd::open) {
      stopped(result);
      // Reachable from every reachable state is more than asked for, but may be easier.
      progress(goal, dnf_true(), positive);
    }
    if (result.end != CoverEnd::covered) return;
    const auto run = encode();
    ScriptWriter script(*run, question, system, claim());
    write_invariant(script, question, system, facts.known);
    write_goals(script, cover, q_term(*run, positive));
    write_cover(script, system, run->encoding->initial(), cover, run->context.bool_val(true));
    describe_cover(system, cover);
    publish(script.text);
  }

  /// The cubes of the goal are what the property says.
  void write_goals(ScriptWriter& script, const Cover& cover, const z3::expr& goal) {
    z3::expr_vector cubes(script.run.context);
    for (std::size_t i = 0; i < cover.goals; ++i) cubes.push_back(script.terms.of(cover.good[i]));
    script.query("goal cubes lie in the goal",
                 script.legal && script.within && any_of(cubes) && !goal);
  }

  void recover_claim(bool positive) {
    if (!invariant({})) return;
    const Dnf goal = q(positive), where = p();
    Cover cover{{}, goal, goal.size()};
    bool induction = false;
    for (int round = 0; round < most_rounds && !budget.over(); ++round) {
      const CoverResult result =
          extend_cover(system, with_dnf(facts.known, where), cover,
                       budget.slice(induction ? budget.left() : direct_seconds()));
      if (result.end == CoverEnd::open) {
        stopped(result);
        if (induction || progress(goal, where, positive)) return;
        induction = true;  // and once more directly, with the time that is left
        continue;
      }
      if (result.end == CoverEnd::covered) break;
      if (!exclude(result.state, goal)) {
        out.suspect = result.state;
        return;
      }
    }
    if (budget.over()) return;
    const auto run = encode();
    ScriptWriter script(*run, question, system, claim());
    write_invariant(script, question, system, facts.known);
    write_goals(script, cover, q_term(*run, positive));
    write_cover(script, system, to_z3(facts.known, script.terms) && p_term(*run), cover,
                run->context.bool_val(true));
    describe_cover(system, cover);
    publish(script.text);
  }

  /// Counters whose rise or fall may lead to the goal: those it speaks of, then the others.
  std::vector<Linear> directions(const Dnf& goal) const {
    std::vector<Linear> out;
    const auto add = [&](const Linear& t) {
      if (std::find(out.begin(), out.end(), t) == out.end()) out.push_back(t);
    };
    for (const Cube& cube : goal)
      for (const Linear& atom : cube.atoms())
        for (const auto& [s, factor] : atom.factors)
          if (system.is_variable(s) && !system.symbols[s].boolean)
            add((factor > 0 ? 1 : -1) * Linear::symbol(s));
    for (std::uint32_t v = 0; v < system.variables; ++v)
      if (!system.symbols[v].boolean)
        for (const int sign : {1, -1}) add(sign * Linear::symbol(v));
    return out;
  }

  /// From every state of the invariant (where p holds) either the goal is reached, or a state
  /// (where p holds) in which some counter is closer to its end: by induction over that counter,
  /// which has a range, the goal is reached. `before` is the counter's value at the start.
  bool progress(const Dnf& goal, const Dnf& where, bool positive) {
    CounterSystem with = system;
    const auto symbol = static_cast<std::uint32_t>(with.symbols.size());
    with.symbols.push_back({Symbol::Kind::quotient, "before", false});
    for (const Linear& direction : directions(goal)) {
      if (budget.over()) return false;
      const std::int64_t sign = direction.factors.front().second;
      const Linear gain = combine(1, direction, -sign, Linear::symbol(symbol));
      Cube same, better;
      same.add_equal(gain, Linear::number(0));
      better.add(gain - Linear::number(1));
      Cover cover{{}, goal, 0};
      for (const Cube& cube : conjunction(where, {better})) cover.good.push_back(cube);
      cover.goals = cover.good.size();
      const Formula region = with_dnf(facts.known, conjunction(where, {same}));
      if (extend_cover(with, region, cover, budget.slice(std::min(4.0, budget.left() / 2))).end !=
          CoverEnd::covered)
        continue;
      const auto run = encode();
      ScriptWriter script(*run, question, with, claim());
      const z3::expr here = pattern.kind == Kind::recover || pattern.kind == Kind::lost
                                ? p_term(*run)
                                : run->context.bool_val(true);
      write_invariant(script, question, with, facts.known);
      script.comment("by induction: the goal, or progress of a counter that has a range: " +
                     print_sum(direction, [&](std::uint32_t s) { return with.name(s); }));
      write_goals(script, cover, q_term(*run, positive) || (here && script.terms.of(better)));
      write_cover(script, with, to_z3(facts.known, script.terms) && here && script.terms.of(same),
                  cover, run->context.bool_val(true));
      describe_cover(with, cover);
      notes.push_back("by induction over " +
                      print_sum(direction, [&](std::uint32_t s) { return with.name(s); }));
      return publish(script.text);
    }
    return false;
  }

  /// A state that is stuck must be unreachable: proves that of the trap around it, or of itself.
  bool exclude(const Values& state, const Dnf& goal) {
    Cube point;
    for (std::uint32_t s = 0; s < system.symbols.size(); ++s)
      point.add_equal(Linear::symbol(s), Linear::number(state[s]));
    std::vector<Cube> tries;
    if (const auto trap = find_trap(system, facts.known, goal, state, budget.slice(3)))
      tries.push_back(*trap);
    tries.push_back(point);
    for (const Cube& cube : tries)
      for (const Numbers numbers : {Numbers::reals, Numbers::integers}) {
        if (budget.over()) return false;
        SpacerAnswer answer =
            ask_spacer(system, system.initial, {cube}, facts.known, numbers, 0, budget.slice(2));
        if (answer.kind == SpacerAnswer::Kind::proved) {
          facts.known = std::move(answer.invariant);
          return true;
        }
      }
    return false;
  }

  /// From all initial states into traps in which q never holds (and where p holds).
  void lost_claim(bool positive) {
    if (!invariant({})) return;
    const Dnf goal = q(positive), where = p();  // the goal that is lost
    std::vector<Cube> traps;
    Cover cover;
    for (int round = 0; round < most_rounds && !budget.over(); ++round) {
      const CoverResult result =
          extend_cover(system, formula_of(system.initial), cover, budget.slice(budget.left()));
      if (result.end == CoverEnd::covered) break;
      if (result.end == CoverEnd::open) return stopped(result);
      // Stuck: no trap known for these constants yet. Where do runs from here get lost?
      const SmallGraph graph = explore(system, {result.state}, small_states);
      if (!graph.complete) return;
      const std::vector<bool> lost = doomed(graph, goal);
      std::optional<Cube> trap;
      for (std::size_t s = 0; s < graph.states.size() && !trap && !budget.over(); ++s)
        if (lost[s] && contains(where, graph.states[s]))
          trap = find_trap(system, facts.known, goal, graph.states[s], budget.slice(5));
      if (!trap) {
        out.suspect = result.state;
        return;
      }
      traps.push_back(*trap);
      for (const Cube& cube : conjunction({*trap}, where)) cover.good.push_back(cube);
      // Schemas keep leading where they led; the new goals are counted as goals, too.
      rotate_goals(cover, traps, where);
    }
    if (budget.over() || traps.empty()) return;
    const auto run = encode();
    ScriptWriter script(*run, question, system, claim());
    write_invariant(script, question, system, facts.known);
    const z3::expr inv = to_z3(facts.known, script.terms);
    z3::expr_vector any(run->context);
    for (const Cube& trap : traps) {
      write_trap(script, system, inv, trap, q_term(*run, positive));
      any.push_back(script.terms.of(trap));
    }
    write_goals(script, cover, any_of(any) && p_term(*run));
    write_cover(script, system, run->encoding->initial(), cover, run->context.bool_val(true));
    for (const Cube& trap : traps)
      notes.push_back("trap: " + print(trap, [&](std::uint32_t s) { return system.name(s); }));
    describe_cover(system, cover);
    publish(script.text);
  }

  /// Goals first, schemas' cubes after: the order that write_goals counts on.
  static void rotate_goals(Cover& cover, const std::vector<Cube>& traps, const Dnf& where) {
    cover.good.clear();
    for (const Cube& trap : traps)
      for (const Cube& cube : conjunction({trap}, where)) cover.good.push_back(cube);
    cover.goals = cover.good.size();
    for (const Schema& schema : cover.schemas) cover.good.push_back(schema.from);
  }

  /// From all initial states into a cycle of commands that stays where q holds for ever.
  void persistent_claim(bool positive) {
    if (!invariant({})) return;
    const Dnf inside = q(positive);
    CounterSystem within = system;
    if (pattern.initially) within = restricted(system, inside);
    std::vector<Lasso> lassos = find_lassos(system, inside, builder.deadlock(true));
    Cover cover;
    const Dnf where = p();
    std::vector<std::size_t> of_goal;
    for (std::size_t i = 0; i < lassos.size(); ++i)
      for (const Cube& cube : conjunction(lassos[i].from, where)) {
        cover.good.push_back(cube);
        of_goal.push_back(i);
      }
    cover.goals = cover.good.size();
    const CoverResult result =
        extend_cover(within, formula_of(system.initial), cover, budget.slice(budget.left()));
    if (result.end == CoverEnd::stuck) out.suspect = result.state;
    if (result.end == CoverEnd::open) return stopped(result);
    if (result.end != CoverEnd::covered) return;
    const auto run = encode();
    ScriptWriter script(*run, question, system, claim());
    write_invariant(script, question, system, facts.known);
    const z3::expr stays = q_term(*run, positive);
    for (std::size_t g = 0; g < of_goal.size(); ++g)
      write_lasso(script, system, cover.good[g], lassos[of_goal[g]], stays && p_term(*run), stays);
    write_cover(script, within, run->encoding->initial(), cover,
                pattern.initially ? stays : run->context.bool_val(true));
    describe_cover(within, cover);
    publish(script.text);
  }

  void inevitable_claim(bool positive) {
    const Dnf outside = q(!positive);
    if (!invariant(conjunction(outside, builder.deadlock(true)))) return;
    const auto ranking = find_ranking(system, facts.known, outside, budget.slice(budget.left()));
    if (!ranking) return;
    const auto run = encode();
    ScriptWriter script(*run, question, system, claim());
    write_invariant(script, question, system, facts.known);
    write_ranking(script, system, to_z3(facts.known, script.terms), q_term(*run, positive),
                  *ranking);
    for (const auto& component : *ranking) {
      Linear sum;
      for (std::uint32_t v = 0; v < system.variables; ++v)
        sum = combine(1, sum, component[v], Linear::symbol(v));
      notes.push_back("outside the goal every move lowers " +
                      print_sum(sum, [&](std::uint32_t s) { return system.name(s); }));
    }
    publish(script.text);
  }
};

}  // namespace

ProofResult prove_claim(const Question& question, const Pattern& pattern, bool negated,
                        const Limits& limits, std::vector<std::string>& notes) {
  Prover prover(question, pattern, negated, limits, notes);
  const bool positive = !negated;
  switch (pattern.kind) {
    case Kind::invariant:
      if (positive || question.asked == Asked::range) {
        if (positive) prover.invariant_claim(true);
      } else {
        prover.reach_claim(prover.q(false), false);
      }
      break;
    case Kind::reach:
      if (positive)
        prover.reach_claim(prover.q(true), true);
      else
        prover.invariant_claim(false);
      break;
    case Kind::recover:
      if (positive)
        prover.recover_claim(true);
      else
        prover.lost_claim(true);
      break;
    case Kind::lost:
      if (positive)
        prover.lost_claim(false);
      else
        prover.recover_claim(false);
      break;
    case Kind::inevitable:
      if (positive)
        prover.inevitable_claim(true);
      else
        prover.persistent_claim(false);
      break;
    case Kind::persistent:
      if (positive)
        prover.persistent_claim(true);
      else
        prover.inevitable_claim(false);
      break;
    case Kind::unsupported:
      break;
  }
  return std::move(prover.out);
}

}  // namespace brink::solver
