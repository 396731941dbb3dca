#include "solver/for_all/claims.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <functional>

#include "models/base/check.h"
#include "solver/budget.h"
#include "solver/for_all/instance.h"
#include "solver/for_all/lasso.h"
#include "solver/for_all/obligations.h"
#include "solver/for_all/rank.h"
#include "solver/for_all/script.h"
#include "solver/for_all/stages.h"
#include "solver/for_all/step_formula.h"
#include "solver/for_all/trap.h"
#include "solver/symbolic/accelerated.h"
#include "solver/symbolic/smt_watch.h"
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
  double direct_seconds() const { return std::min(4.0, budget.left() / 4); }

  /// q or its negation as the proof needs it.
  Dnf q(bool positive) { return step_formula(builder, *question.properties, pattern.q, positive); }
  Dnf p() {
    return pattern.p.valid() ? step_formula(builder, *question.properties, pattern.p, true)
                             : dnf_true();
  }
  z3::expr q_term(const SmtRun& run, bool positive) const {
    const z3::expr e = step_term(run, *question.properties, pattern.q);
    return positive ? e : !e;
  }
  z3::expr p_term(SmtRun& run) const {
    return pattern.p.valid() ? step_term(run, *question.properties, pattern.p)
                             : run.context.bool_val(true);
  }

  /// No reachable move is erroneous, and nothing in `bad` is reachable.
  bool invariant(const Dnf& bad) {
    const Question range = ranged();
    bool reached = false;
    // The script of this step alone is about ranges; the claim's own script has it all again.
    const auto proof = prove_unreachable(range, form_of(range), system, bad, facts,
                                         budget.slice(budget.left()), notes, reached, true);
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
    const Checked checked =
        check_script(script, std::clamp(budget.left(), 0.2, query_seconds), notes);
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
      const Aim aim = aim_at_q(goal, positive);
      if (!progress(aim, Start::everywhere)) two_stages(aim, Start::initially);
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
        const Aim aim = aim_at_q(goal, positive);
        if (induction || progress(aim, Start::where_p) || two_stages(aim, Start::where_p)) return;
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

  /// From all initial states to a move that leaves a range.
  void error_claim() {
    Cover cover{{}, system.faults, system.faults.size()};
    const CoverResult result =
        extend_cover(system, formula_of(system.initial), cover, budget.slice(budget.left()));
    if (result.end == CoverEnd::stuck) out.suspect = result.state;
    if (result.end == CoverEnd::open) return stopped(result);
    if (result.end != CoverEnd::covered) return;
    const auto run = encode();
    ScriptWriter script(*run, question, system, "a reachable move is erroneous, for all values");
    write_goals(script, cover, run->encoding->any_leaves_range());
    write_cover(script, system, run->encoding->initial(), cover, run->context.bool_val(true));
    describe_cover(system, cover);
    publish(script.text);
  }

  /// From all initial states into a cube; ranges are not looked at.
  std::optional<Reached> into(const Cube& cube) {
    Cover cover{{}, {cube}, 1};
    const CoverResult result =
        extend_cover(system, formula_of(system.initial), cover, budget.slice(budget.left()));
    if (result.end != CoverEnd::covered) return std::nullopt;
    const auto run = encode();
    ScriptWriter script(*run, question, system,
                        "a state of the trap is reached for all values, in " + question.text);
    write_goals(script, cover, script.terms.of(cube));
    write_cover(script, system, run->encoding->initial(), cover, run->context.bool_val(true));
    describe_cover(system, cover);
    if (!publish(script.text)) return std::nullopt;
    z3::context context;
    const Limits rest = budget.slice(budget.left());
    const SmtWatch watch(context, rest);
    std::size_t searched = 0;
    const auto found = find_run(context, watch, system, system.initial, {cube}, 8, searched);
    if (!found) return std::nullopt;
    const auto first = found->start.begin() + static_cast<std::ptrdiff_t>(system.variables);
    Reached reached{out.script,
                    {first, first + static_cast<std::ptrdiff_t>(question.model->parameters.size())},
                    {}};
    const auto instance = instance_of(question, reached.values);
    if (!instance) return std::nullopt;
    auto trace = expand(instance->question, system, *found);
    if (!trace) return std::nullopt;
    reached.trace = std::move(*trace);
    return reached;
  }

  /// Where the stages of a claim begin, and what they lead to.
  enum class Start { initially, everywhere, where_p };
  struct Aim {
    Dnf goal;
    /// Writes further obligations of the claim; the goal in the model's own terms, in which the
    /// cubes above lie.
    std::function<z3::expr(ScriptWriter&)> finish;
  };

  Dnf start_of(Start start) {
    return start == Start::initially    ? system.initial
           : start == Start::everywhere ? dnf_true()
                                        : p();
  }
  z3::expr start_term(SmtRun& run, Start start) const {
    return start == Start::initially    ? run.encoding->initial()
           : start == Start::everywhere ? run.context.bool_val(true)
                                        : p_term(run);
  }
  Aim aim_at_q(const Dnf& goal, bool positive) const {
    return {goal, [this, positive](ScriptWriter& script) { return q_term(script.run, positive); }};
  }

  double stage_seconds() const { return std::min(3.0, budget.left() / 4); }

  void describe_stage(const StagedSystem& staged, const Stage& stage) {
    describe_cover(staged.system, stage.cover);
    if (stage.direction)
      notes.push_back("by induction over " + print_sum(*stage.direction, [&](std::uint32_t s) {
                        return staged.system.name(s);
                      }));
  }

  /// By progress of one counter.
  bool progress(const Aim& aim, Start start) {
    const StagedSystem staged(system);
    const Dnf from = start_of(start);
    for (const Linear& direction : directions(system, aim.goal)) {
      if (budget.over()) return false;
      const auto stage =
          find_stage(staged, facts.known, from, aim.goal, direction, budget.slice(stage_seconds()));
      if (!stage) continue;
      const auto run = encode();
      ScriptWriter script(*run, question, staged.system, claim());
      write_invariant(script, question, staged.system, facts.known);
      const z3::expr reached = aim.finish(script);
      write_stage(script, staged, to_z3(facts.known, script.terms), start_term(*run, start),
                  reached, *stage);
      describe_stage(staged, *stage);
      return publish(script.text);
    }
    return false;
  }

  /// Into a region first, then inside it to the goal by progress.
  bool two_stages(const Aim& aim, Start start) {
    const StagedSystem staged(system);
    for (const Linear& direction : directions(system, aim.goal))
      for (const Cube& region : regions(system, aim.goal, direction)) {
        if (budget.over()) return false;
        const auto second = find_stage(staged, facts.known, {region}, aim.goal, direction,
                                       budget.slice(stage_seconds()));
        if (!second) continue;
        const auto first = into_region(staged, aim, region, start);
        if (!first) continue;
        const auto run = encode();
        ScriptWriter script(*run, question, staged.system, claim());
        write_invariant(script, question, staged.system, facts.known);
        const z3::expr known = to_z3(facts.known, script.terms);
        const z3::expr inside = script.terms.of(region), reached = aim.finish(script);
        write_stage(script, staged, known, start_term(*run, start), reached || inside, *first);
        write_stage(script, staged, known, inside, reached, *second);
        notes.push_back("in two stages, by way of " +
                        print(region, [&](std::uint32_t s) { return system.name(s); }));
        describe_stage(staged, *first);
        describe_stage(staged, *second);
        return publish(script.text);
      }
    return false;
  }

  std::optional<Stage> into_region(const StagedSystem& staged, const Aim& aim, const Cube& region,
                                   Start start) {
    const Dnf from = start_of(start), nearer = disjunction(aim.goal, {region});
    std::vector<std::optional<Linear>> ways{std::nullopt};
    if (start != Start::initially)  // there, progress would have to come back to the start
      for (const Linear& way : directions(system, {region})) ways.emplace_back(way);
    for (const auto& way : ways) {
      if (budget.over()) break;
      auto stage =
          find_stage(staged, facts.known, from, nearer, way, budget.slice(stage_seconds()));
      if (stage) return stage;
    }
    return std::nullopt;
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
      if (result.end == CoverEnd::open) {
        stopped(result);
        return into_traps(traps, where, positive);
      }
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

  /// The same in stages, into the traps that are known.
  void into_traps(const std::vector<Cube>& traps, const Dnf& where, bool positive) {
    Dnf goal;
    for (const Cube& trap : traps) goal = disjunction(goal, conjunction({trap}, where));
    if (goal.empty()) return;
    const Aim aim{goal, [&](ScriptWriter& script) {
                    const z3::expr inv = to_z3(facts.known, script.terms);
                    z3::expr_vector any(script.run.context);
                    for (const Cube& trap : traps) {
                      write_trap(script, system, inv, trap, q_term(script.run, positive));
                      any.push_back(script.terms.of(trap));
                    }
                    return any_of(any) && p_term(script.run);
                  }};
    if (!progress(aim, Start::everywhere)) two_stages(aim, Start::initially);
  }

  /// Goals first, schemas' cubes after: the order that write_goals counts on.
  static void rotate_goals(Cover& cover, const std::vector<Cube>& traps, const Dnf& where) {
    cover.good.clear();
    for (const Cube& trap : traps)
      for (const Cube& cube : conjunction({trap}, where)) cover.good.push_back(cube);
    cover.goals = cover.good.size();
    for (const Schema& schema : cover.schemas) cover.good.push_back(schema.from);
  }

  /// The same in stages, where no path of a few blocks leads into the cycles that are known.
  void into_lassos(const Cover& cover, const std::vector<Lasso>& lassos,
                   const std::vector<std::size_t>& of_goal, bool positive) {
    const Dnf goal(cover.good.begin(),
                   cover.good.begin() + static_cast<std::ptrdiff_t>(cover.goals));
    const Aim aim{goal, [&](ScriptWriter& script) {
                    const z3::expr stays = q_term(script.run, positive);
                    z3::expr_vector any(script.run.context);
                    for (std::size_t g = 0; g < goal.size(); ++g) {
                      write_lasso(script, system, goal[g], lassos[of_goal[g]], stays, stays);
                      any.push_back(script.terms.of(goal[g]));
                    }
                    return any_of(any);
                  }};
    if (!progress(aim, Start::everywhere)) two_stages(aim, Start::initially);
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
    for (int round = 0; round < most_rounds; ++round) {
      cover.good.clear();
      of_goal.clear();
      for (std::size_t i = 0; i < lassos.size(); ++i)
        for (const Cube& cube : conjunction(lassos[i].from, where)) {
          cover.good.push_back(cube);
          of_goal.push_back(i);
        }
      cover.goals = cover.good.size();
      for (const Schema& schema : cover.schemas) cover.good.push_back(schema.from);
      const CoverResult result =
          extend_cover(within, formula_of(system.initial), cover, budget.slice(budget.left()));
      if (result.end == CoverEnd::covered) break;
      if (result.end == CoverEnd::open) {
        stopped(result);
        if (!pattern.initially) into_lassos(cover, lassos, of_goal, positive);
        return;
      }
      auto longer = lasso_near(within, system, inside, where, result.state);
      if (!longer || budget.over()) {
        out.suspect = result.state;
        return;
      }
      lassos.push_back(std::move(*longer));
    }
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

std::optional<Reached> prove_reached(const Question& question, const Pattern& pattern,
                                     const Cube& into, const Limits& limits,
                                     std::vector<std::string>& notes) {
  Prover prover(question, pattern, false, limits, notes);
  return prover.into(into);
}

ProofResult prove_error(const Question& question, const Pattern& pattern, const Limits& limits,
                        std::vector<std::string>& notes) {
  Prover prover(question, pattern, false, limits, notes);
  prover.error_claim();
  return std::move(prover.out);
}

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
