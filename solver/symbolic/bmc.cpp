#include "solver/symbolic/bmc.h"

#include <fmt/core.h>
#include <z3++.h>

#include <algorithm>

#include "models/base/check.h"
#include "solver/gate.h"
#include "solver/symbolic/recovery.h"
#include "solver/symbolic/smt_run.h"
#include "solver/symbolic/unrolling.h"

namespace brink::solver {
namespace {

/// Steps of the induction are tried up to this length: longer ones rarely help and cost most.
constexpr std::uint32_t max_induction = 16;
/// One step of an induction may take this long before the next length is tried.
constexpr unsigned step_milliseconds = 3000;

struct Search {
  SmtRun& run;
  const SmtWatch& watch;
  const Question& question;
  const Form form;
  CheckResult& result;
  Verdict when_found;  ///< what a run to the target shows
  z3::expr target;     ///< over the template state
  const Limits& limits;

  Verdict when_excluded() const {
    return when_found == Verdict::violated ? Verdict::holds : Verdict::violated;
  }

  bool found(Unrolling& unrolling, Verdict verdict) {
    auto trace = trace_of_run(unrolling.run(), question);
    result.bound = unrolling.depth();
    if (!trace) {
      result.verdict = Verdict::disagreement;
      result.notes.push_back("the evaluator does not confirm a run found by Z3");
      return true;
    }
    result.verdict = verdict;
    result.trace = std::move(trace);
    result.length = result.trace->length();
    return true;
  }

  /// Names the erroneous move after the trace by the evaluator's own words.
  void name_fault() {
    if (!result.trace) return;
    Evaluator evaluator(question.model);
    Expansion expansion;
    const auto error = evaluator.successors(result.trace->state(result.trace->length()), expansion);
    if (!error) {
      result.verdict = Verdict::disagreement;
      result.notes.push_back("the evaluator does not confirm an error found by Z3");
      return;
    }
    result.error = to_diagnostic(*error, *question.model);
    result.trace->fault = result.error->message;
  }

  /// One depth of the search from the initial states; true when it is decided.
  bool look(Unrolling& unrolling, const z3::expr& fault) {
    const z3::expr either = target || fault;
    if (unrolling.ask(either) == z3::sat) {
      if (form.shape != Shape::range && unrolling.ask(fault) == z3::sat) {
        found(unrolling, Verdict::model_error);
        name_fault();
        return true;
      }
      if (unrolling.ask(target) == z3::sat) {
        found(unrolling, when_found);
        if (form.shape == Shape::range) name_fault();
        return true;
      }
    }
    if (watch.expired()) return true;
    unrolling.solver().add(!unrolling.last(either));
    return false;
  }

  void exclude(std::string how) {
    result.verdict = when_excluded();
    result.notes.push_back(std::move(how));
  }
};

/// One context for induction steps, with a watch of its own.
struct Prover {
  Prover(const Question& question, const Form& form, const Limits& limits)
      : made(SmtRun::with_sums(question, Theory::integers)) {
    if (!made) return;
    watch = std::make_unique<SmtWatch>((*made)->context, limits);
    target = (*made)->target(question, form);
    fault = (*made)->encoding->any_leaves_range();
  }

  /// k steps without the target are never followed by it?
  bool step(const z3::expr& goal, std::uint32_t k) const {
    SmtRun& run = **made;
    Unrolling steps(run.context, *run.encoding, Unrolling::Start::anywhere,
                    Unrolling::States::distinct);
    steps.solver().set("timeout", step_milliseconds);
    for (std::uint32_t i = 0; i < k; ++i) {
      steps.solver().add(!steps.last(goal));
      steps.extend();
    }
    return steps.ask(goal) == z3::unsat;
  }

  Result<std::unique_ptr<SmtRun>, std::string> made;
  std::unique_ptr<SmtWatch> watch;  // after `made`: it must end first
  std::optional<z3::expr> target, fault;
};

/// Tries k-induction; a proof counts when a fresh encoding in a fresh context repeats it.
bool prove(Search& s, const Prover& prover, std::uint32_t k) {
  if (!prover.made || !prover.step(*prover.target, k)) return false;
  const Prover again(s.question, s.form, s.limits);
  if (!again.step(*again.target, k)) return false;
  std::string with;
  for (const std::string& equation : (*again.made)->kept) with += ", with " + equation;
  s.exclude((k == 0 ? "true of every state within range" : fmt::format("{}-inductive", k)) + with +
            ", proved twice");
  // Moves that leave the range were left out of the step: that none happens is a second claim.
  if (s.form.shape != Shape::range && !prover.step(*prover.target || *prover.fault, k))
    s.result.assumptions.push_back(no_erroneous_moves);
  return true;
}

void search(Search& s, std::uint32_t max_depth, bool induct) {
  Unrolling base(s.run.context, *s.run.encoding, Unrolling::Start::initial, Unrolling::States::any);
  Diameter diameter(s.run);
  std::optional<Prover> prover;
  if (induct) prover.emplace(s.question, s.form, s.limits);
  const z3::expr fault = s.run.encoding->any_leaves_range();
  for (std::uint32_t k = 0;; ++k) {
    if (s.look(base, fault)) return;
    if (s.watch.expired()) return;
    s.result.bound = k;
    if (induct && k <= max_induction && prove(s, *prover, k)) return;
    if (s.watch.expired()) return;
    if (k == max_depth) break;
    base.extend();
    if (diameter.reached(k))
      return s.exclude(fmt::format("no run visits more than {} different states", k + 1));
    if (s.watch.expired()) return;
  }
  s.result.notes.push_back(fmt::format("nothing found in {} steps or less", max_depth));
}

CheckResult symbolic_check(Session& session, const Question& question, const Limits& limits,
                           bool induct) {
  const std::string name = induct ? "induction" : "bmc";
  const std::string reason = induct ? induction_supports(question) : bmc_supports(question);
  if (!reason.empty()) {
    CheckResult result;
    result.engine = name;
    result.verdict = Verdict::unsupported;
    result.notes.push_back(reason);
    return result;
  }
  const Form form = form_of(question);
  const std::uint32_t depth = limits.depth != 0 ? limits.depth : kDefaultDepth;
  (void)session;
  const auto engine = [&](SmtRun& run, const SmtWatch& watch, CheckResult& result) {
    if (form.shape == Shape::recoverable)
      return search_doomed(run, watch, question, form, depth, result);
    const Verdict when_found = form.shape == Shape::possible ? Verdict::holds : Verdict::violated;
    Search s{run, watch, question, form, result, when_found, run.target(question, form), limits};
    search(s, depth, induct);
    if (result.trace && form.shape != Shape::range && result.verdict != Verdict::model_error)
      result.notes.push_back(
          fmt::format("erroneous moves after more than {} steps are not excluded", *result.bound));
  };
  return with_smt(name, question, limits, engine);
}

std::string common_supports(const Question& question) {
  if (!question.model->parameters.empty()) return "constants without a value";
  const Form form = form_of(question);
  if (form.shape == Shape::unsupported) return form.reason;
  if (form.shape == Shape::ctl)
    return "only A [ G p ], E [ F p ], A [ G (E [ F p ]) ] and range are searched symbolically";
  if (form.shape == Shape::possible && question.model->init)
    return "E [ F p ] from several initial states";
  return "";
}

}  // namespace

std::string bmc_supports(const Question& question) { return common_supports(question); }

std::string induction_supports(const Question& question) {
  if (form_of(question).shape == Shape::recoverable)
    return "A [ G (E [ F p ]) ] is not an invariant: use bmc or explicit";
  return common_supports(question);
}

CheckResult bmc_check(Session& session, const Question& question, const Limits& limits) {
  return symbolic_check(session, question, limits, false);
}

CheckResult induction_check(Session& session, const Question& question, const Limits& limits) {
  return symbolic_check(session, question, limits, true);
}

}  // namespace brink::solver
