// The engine abmc: accelerated search as an answer to a question (accelerated.h has the method).
#include <fmt/core.h>
#include <z3++.h>

#include <algorithm>
#include <chrono>

#include "solver/for_all/instance.h"
#include "solver/gate.h"
#include "solver/symbolic/accelerated.h"
#include "solver/symbolic/bmc.h"
#include "solver/symbolic/smt_watch.h"
#include "solver/symbolic/state_equation.h"

namespace brink::solver {
namespace {

constexpr std::size_t default_blocks = 10;
constexpr double confirm_seconds = 1;
constexpr std::uint64_t confirm_depth = 40;

/// An error of the model in the trace's last state makes the result one.
void name_fault(CheckResult& result, const Question& question) {
  Evaluator evaluator(question.model);
  Expansion expansion;
  const auto error = evaluator.successors(result.trace->state(result.trace->length()), expansion);
  if (!error) return;
  result.verdict = Verdict::model_error;
  result.error = to_diagnostic(*error, *question.model);
  result.trace->fault = result.error->message;
}

/// Does bmc know a shorter one, or show that there is none?
void confirm(Session& session, const Question& question, const Limits& limits,
             CheckResult& result) {
  if (*result.length > confirm_depth || !bmc_supports(question).empty() ||
      result.verdict == Verdict::model_error)
    return;
  if (*result.length == 0) return;
  Limits small = limits;
  small.seconds = limits.seconds == 0 ? confirm_seconds : std::min(limits.seconds, confirm_seconds);
  small.depth = static_cast<std::uint32_t>(*result.length);
  const CheckResult second = bmc_check(session, question, small);
  if (second.trace && second.verdict == result.verdict && *second.length <= *result.length) {
    if (*second.length < *result.length) {
      result.trace = second.trace;
      result.length = second.length;
      result.notes.push_back("a shorter trace was found by bmc");
    }
    result.notes.push_back("no trace is shorter (bmc)");
  }
}

}  // namespace

std::string abmc_supports(const Question& question) {
  const Form form = form_of(question);
  if (form.shape == Shape::unsupported) return form.reason;
  if (form.shape == Shape::ctl || form.shape == Shape::recoverable)
    return "only A [ G p ], E [ F p ] and range are searched in blocks";
  if (form.shape == Shape::possible && question.model->init)
    return "E [ F p ] from several initial states";
  if (!question.model->parameters.empty()) return "constants without a value";
  return "";
}

CheckResult abmc_check(Session& session, const Question& question, const Limits& limits) {
  const auto start = std::chrono::steady_clock::now();
  CheckResult result;
  result.engine = "abmc";
  if (std::string reason = abmc_supports(question); !reason.empty()) {
    result.verdict = Verdict::unsupported;
    result.notes.push_back(std::move(reason));
    return result;
  }
  const Form form = form_of(question);
  z3::context context;
  const SmtWatch watch(context, limits);
  try {
    CounterBuilder builder(question);
    const Dnf target = builder.target(form);
    CounterSystem& system = builder.system();
    system.cycles = find_cycles(system);
    std::size_t searched = 0;
    const std::size_t most = limits.depth != 0 ? limits.depth : default_blocks;
    const Dnf to = disjunction(target, system.faults);
    const auto run = find_run(context, watch, system, system.initial, to, most, searched);
    if (run) {
      auto trace = expand(question, system, *run);
      if (trace) {
        result.verdict = form.shape == Shape::possible ? Verdict::holds : Verdict::violated;
        result.trace = std::move(*trace);
        result.length = result.trace->length();
        name_fault(result, question);
        if (form.shape == Shape::range && result.verdict == Verdict::model_error)
          result.verdict = Verdict::violated;
        result.notes.push_back("in blocks: " + print(system, run->blocks));
        if (result.verdict != Verdict::model_error && *result.length > 0 &&
            no_run_below(context, watch, system, system.initial, to,
                         static_cast<std::int64_t>(*result.length)))
          result.notes.push_back("no trace is shorter (state equation)");
        else
          confirm(session, question, limits, result);
      } else {
        result.verdict = run->steps() >= 1'000'000 ? Verdict::unknown : Verdict::disagreement;
        result.notes.push_back(trace.error());
      }
    } else {
      result.notes.push_back(
          fmt::format("nothing found in {} blocks of repeated commands", searched));
    }
  } catch (const GaveUp& reason) {
    result.verdict = Verdict::unsupported;
    result.notes.push_back("not supported by this engine: " + reason.why);
  } catch (const z3::exception& error) {
    result.verdict = Verdict::unknown;
    if (!watch.expired()) result.notes.push_back(fmt::format("Z3 gave up: {}", error.msg()));
  }
  if (watch.expired() && result.verdict == Verdict::unknown) result.notes.push_back(watch.reason());
  for (std::string& text : assumptions_of(question, false))
    result.assumptions.push_back(std::move(text));
  gate(result, question);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace brink::solver
