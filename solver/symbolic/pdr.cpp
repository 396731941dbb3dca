#include "solver/symbolic/pdr.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>

#include "models/base/check.h"
#include "solver/budget.h"
#include "solver/for_all/conjecture.h"
#include "solver/for_all/obligations.h"
#include "solver/gate.h"
#include "solver/symbolic/accelerated.h"
#include "solver/symbolic/counter_terms.h"
#include "solver/symbolic/smt_run.h"
#include "solver/symbolic/spacer.h"

namespace brink::solver {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

constexpr double query_seconds = 10;  // of one obligation

/// Time left, and the slice of it for one attempt.
enum class Attempt { proved, open, reached };

/// Cube by cube: each proved one becomes a fact.
Attempt one_by_one(const CounterSystem& system, const Dnf& bad, Facts& facts, Numbers numbers,
                   unsigned seed, double seconds, const Budget& budget) {
  bool all = true;
  for (const Cube& cube : bad) {
    if (budget.over()) return Attempt::open;
    if (possible(system, {cube}, facts.known).empty()) continue;
    SpacerAnswer answer = ask_spacer(system, system.initial, {cube}, facts.known, numbers, seed,
                                     budget.slice(seconds));
    if (answer.kind == SpacerAnswer::Kind::reachable && numbers == Numbers::integers)
      return Attempt::reached;
    if (answer.kind == SpacerAnswer::Kind::proved)
      facts.known = std::move(answer.invariant);
    else
      all = false;
  }
  return all ? Attempt::proved : Attempt::open;
}

Attempt attempt(const CounterSystem& system, const Dnf& bad, Facts& facts, Numbers numbers,
                unsigned seed, double seconds, const Budget& budget) {
  SpacerAnswer answer =
      ask_spacer(system, system.initial, bad, facts.known, numbers, seed, budget.slice(seconds));
  if (answer.kind == SpacerAnswer::Kind::proved) {
    facts.known = std::move(answer.invariant);
    return Attempt::proved;
  }
  if (answer.kind == SpacerAnswer::Kind::reachable) {
    if (numbers == Numbers::integers) return Attempt::reached;
    if (bad.size() == 1) return Attempt::open;
  }
  if (bad.size() == 1) return Attempt::open;
  return one_by_one(system, bad, facts, numbers, seed, seconds, budget);
}

/// Adds what small instances suggest to the facts.
void conjecture(const Question& question, const CounterSystem& system, const Dnf& target,
                Facts& facts, const Budget& budget, std::vector<std::string>& notes) {
  const Dnf bad = possible(system, target, facts.known);
  const auto found =
      conjecture_invariant(question, system, bad, facts.known, budget.slice(budget.left() / 2));
  if (!found) return;
  facts.known = found->invariant;
  if (found->excludes) notes.push_back("invariant conjectured from small instances");
}

}  // namespace

Facts facts_of(const CounterSystem& system) {
  Facts out;
  out.sums = conserved_sums(system);
  out.known = formula_of_sums(out.sums);
  return out;
}

Dnf possible(const CounterSystem& system, const Dnf& cubes, const Formula& known) {
  z3::context context;
  const Terms terms(context, system.symbols, Numbers::integers);
  z3::solver solver(context);
  solver.set("timeout", 500u);
  solver.add(terms.of(system.legal) && terms.of(system.ranges) && to_z3(known, terms));
  Dnf out;
  for (const Cube& cube : cubes) {
    solver.push();
    solver.add(terms.of(cube));
    if (solver.check() != z3::unsat) out.push_back(cube);
    solver.pop();
  }
  return out;
}

std::optional<InvariantProof> prove_unreachable(const Question& question, const Form& form,
                                                const CounterSystem& system, const Dnf& target,
                                                Facts& facts, const Limits& limits,
                                                std::vector<std::string>& notes, bool& reached,
                                                bool provisional) {
  const Budget budget{limits};
  struct Way {
    Numbers numbers;
    unsigned seed;
  };
  constexpr Way ways[] = {
      {Numbers::reals, 0}, {Numbers::integers, 0}, {Numbers::integers, 7}, {Numbers::reals, 3}};
  double seconds = 1;
  bool conjectured = false;
  for (int round = 0; round < 8 && !budget.over(); ++round, seconds *= 2) {
    for (const Way& way : ways) {
      // Once the first short slice has not been enough.
      if (!conjectured && (round > 0 || &way != &ways[0])) {
        conjectured = true;
        conjecture(question, system, disjunction(system.faults, target), facts, budget, notes);
      }
      const Dnf bad = possible(system, disjunction(system.faults, target), facts.known);
      const bool reals = way.numbers == Numbers::reals;
      const Attempt done =
          bad.empty() ? Attempt::proved
                      : attempt(system, bad, facts, way.numbers, way.seed, seconds, budget);
      if (done == Attempt::reached) {
        reached = true;
        return std::nullopt;
      }
      if (budget.over() && done != Attempt::proved) break;
      if (done != Attempt::proved) continue;
      auto script = invariant_script(question, form, system, facts.known);
      if (!script) throw GaveUp{script.error()};
      std::vector<std::string> remarks;
      const double seconds_to_check = std::clamp(budget.left(), 0.2, query_seconds);
      const Checked checked = !provisional ? check_script(*script, seconds_to_check, remarks)
                              : answer_by_z3(*script, seconds_to_check).all_unsat()
                                  ? Checked::proved
                                  : Checked::undecided;
      if (checked == Checked::proved) {
        if (!bad.empty())
          notes.push_back(
              fmt::format("invariant found by Spacer over {}", reals ? "reals" : "integers"));
        return InvariantProof{facts.known, std::move(*script), std::move(remarks)};
      }
      notes.push_back("an invariant found by Spacer does not pass its check and does not count");
      notes.insert(notes.end(), remarks.begin(), remarks.end());
      facts = facts_of(system);
      if (bad.empty()) return std::nullopt;
    }
  }
  return std::nullopt;
}

std::string pdr_supports(const Question& question) {
  const Form form = form_of(question);
  if (form.shape == Shape::unsupported) return form.reason;
  if (form.shape == Shape::ctl || form.shape == Shape::recoverable)
    return "only A [ G p ], E [ F p ] and range are invariants; see --for-all and explicit";
  if (form.shape == Shape::possible && question.model->init)
    return "E [ F p ] from several initial states";
  if (!question.model->parameters.empty()) return "constants without a value";
  return "";
}

CheckResult pdr_check(Session& session, const Question& question, const Limits& limits) {
  const auto start = Clock::now();
  CheckResult result;
  result.engine = "pdr";
  if (std::string reason = pdr_supports(question); !reason.empty()) {
    result.verdict = Verdict::unsupported;
    result.notes.push_back(std::move(reason));
    return result;
  }
  const Form form = form_of(question);
  try {
    CounterBuilder builder(question);
    const Dnf target = builder.target(form);
    CounterSystem& system = builder.system();
    for (const std::string& name : cone_of_influence(system, {target}))
      result.notes.push_back(name + " has no influence on the property");
    Facts facts = facts_of(system);
    for (std::string& line : describe(system, facts.sums)) result.notes.push_back(std::move(line));
    bool reached = false;
    const auto proof =
        prove_unreachable(question, form, system, target, facts, limits, result.notes, reached);
    if (proof) {
      result.verdict = form.shape == Shape::possible ? Verdict::violated : Verdict::holds;
      result.certificate = proof->script;
      result.notes.insert(result.notes.end(), proof->remarks.begin(), proof->remarks.end());
    } else if (reached) {
      Limits rest = limits;
      if (limits.seconds != 0) rest.seconds = std::max(0.1, limits.seconds - since(start));
      CheckResult found = abmc_check(session, question, rest);
      if (found.trace || found.verdict == Verdict::disagreement) {
        found.engine = "pdr";
        found.notes.insert(found.notes.begin(), result.notes.begin(), result.notes.end());
        result = std::move(found);
      } else {
        result.notes.push_back("Spacer says that it can be reached, but no trace was found");
      }
    } else {
      result.notes.push_back("no invariant found within the limits");
    }
  } catch (const GaveUp& reason) {
    result.verdict = Verdict::unsupported;
    result.notes.push_back("not supported by this engine: " + reason.why);
  } catch (const z3::exception& error) {
    result.verdict = Verdict::unknown;
    result.notes.push_back(fmt::format("Z3 gave up: {}", error.msg()));
  }
  result.seconds = since(start);
  return result;
}

}  // namespace brink::solver
