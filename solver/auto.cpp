#include "solver/auto.h"

#include <fmt/core.h>

#include <algorithm>

#include "solver/for_all/for_all.h"
#include "solver/search/explicit.h"
#include "solver/search/walk.h"
#include "solver/symbolic/accelerated.h"
#include "solver/symbolic/bmc.h"
#include "solver/symbolic/pdr.h"

namespace brink::solver {
namespace {

// The explicit search tried before the symbolic ones stays within what a small machine holds.
constexpr std::uint64_t default_states = 50'000'000;
constexpr std::uint64_t default_bytes = std::uint64_t{6} << 30;
// A cross-check may take this long and look this deep.
constexpr double cross_check_seconds = 0.5;
constexpr std::uint32_t cross_check_depth = 12;
// Steps of random walks before the symbolic engines.
constexpr std::uint64_t walk_steps = 100'000;

template <typename T>
T tighter(T limit, T ours) {
  return limit == 0 ? ours : std::min(limit, ours);
}

bool definite(const CheckResult& result) {
  return result.verdict == Verdict::holds || result.verdict == Verdict::violated ||
         result.verdict == Verdict::model_error;
}

void cross_check(Session& session, const Question& question, const Limits& limits,
                 CheckResult& result) {
  if (!session.options().cross_check || !bmc_supports(question).empty() || !definite(result))
    return;
  if (!session.has_complete_graph() && result.verdict != Verdict::model_error) return;
  if (result.verdict == Verdict::model_error && !result.trace) return;
  Limits small = limits;
  small.seconds = tighter(limits.seconds, cross_check_seconds);
  small.depth = result.length && *result.length <= cross_check_depth
                    ? static_cast<std::uint32_t>(std::max<std::uint64_t>(*result.length, 1))
                    : cross_check_depth;
  const CheckResult second = bmc_check(session, question, small);
  if (second.verdict == Verdict::unsupported) return;
  result.seconds += second.seconds;
  if (auto conflict = contradiction(result, second)) {
    result.verdict = Verdict::disagreement;
    result.notes.push_back("bmc contradicts explicit: " + *conflict);
  } else if (second.verdict == result.verdict) {
    result.notes.push_back("bmc agrees");
  } else if (second.bound) {
    // How far that was depends on the speed of the machine, so it is not part of the result.
    result.notes.push_back("bmc agrees as far as it looked");
  }
}

struct Next {
  const char* name;
  std::string (*supports)(const Question& question);
  CheckResult (*check)(Session& session, const Question& question, const Limits& limits);
  double share;     ///< of the time that is left
  double patience;  ///< seconds without a limit of time, where others are still to come
};

/// What is tried when the states do not fit, in this order: cheap counterexamples, then deep ones,
/// then proofs.
constexpr Next order[] = {{"walk", walk_supports, walk_check, 0.05, 0.5},
                          {"abmc", abmc_supports, abmc_check, 0.25, 3},
                          {"pdr", pdr_supports, pdr_check, 0.5, 20},
                          {"induction", induction_supports, induction_check, 1, 0},
                          {"bmc", bmc_supports, bmc_check, 1, 0}};

/// Asks the symbolic engines in turn; `result` is what the explicit search left undecided. Each
/// says what it did.
CheckResult symbolic_engines(Session& session, const Question& question, const Limits& limits,
                             CheckResult result) {
  bool inductive = false;  // induction is bmc with more
  for (const Next& engine : order) {
    if (!engine.supports(question).empty()) continue;
    if (inductive && engine.supports == bmc_supports) continue;
    inductive = inductive || engine.supports == induction_supports;
    if (limits.stop != nullptr && limits.stop->load()) break;
    Limits rest = limits;
    if (limits.seconds != 0)
      rest.seconds = std::max(0.1, (limits.seconds - result.seconds) * engine.share);
    else if (engine.share < 1)
      rest.seconds = engine.patience;
    if (engine.supports == walk_supports) rest.states = walk_steps;
    if (engine.supports == abmc_supports) rest.depth = 0;  // counts blocks, not steps
    CheckResult next = engine.check(session, question, rest);
    next.seconds += result.seconds;
    if (definite(next) || next.verdict == Verdict::disagreement) {
      next.notes.insert(next.notes.begin(), result.notes.begin(), result.notes.end());
      next.states = result.states;
      return next;
    }
    result.seconds = next.seconds;
    if (next.bound) result.bound = next.bound;
    for (const std::string& note : next.notes)
      result.notes.push_back(std::string(engine.name) + ": " + note);
  }
  return result;
}

}  // namespace

std::optional<std::string> contradiction(const CheckResult& first, const CheckResult& second) {
  if (second.verdict == Verdict::disagreement)
    return second.notes.empty() ? "it contradicts its own evidence" : second.notes.front();
  if (definite(first) && definite(second)) {
    // The one that searches everything may see an erroneous move beyond a counterexample.
    if (first.verdict != second.verdict && first.verdict != Verdict::model_error)
      return fmt::format("{} against {}", verdict_name(first.verdict),
                         verdict_name(second.verdict));
    if (first.verdict == second.verdict && first.length && second.length && !first.kinds &&
        *first.length != *second.length)
      return fmt::format("{} steps against {}", *first.length, *second.length);
    return std::nullopt;
  }
  // Undecided to a bound: it should have met a trace that is not longer.
  if (second.verdict == Verdict::unknown && second.bound && first.length &&
      *second.bound >= *first.length)
    return fmt::format("nothing within {} steps, but there is a trace of {}", *second.bound,
                       *first.length);
  return std::nullopt;
}

std::string auto_supports(const Question& question) {
  if (!question.model->parameters.empty()) return for_all_supports(question);
  const std::string reason = explicit_supports(question);
  return reason.empty() || bmc_supports(question).empty() ? "" : reason;
}

CheckResult auto_check(Session& session, const Question& question, const Limits& limits) {
  if (!question.model->parameters.empty()) return for_all_check(session, question, limits);
  Limits first = limits;
  const bool symbolic_too = bmc_supports(question).empty();
  first.states = tighter(limits.states, default_states);
  first.bytes = tighter(limits.bytes, default_bytes);
  if (symbolic_too && limits.seconds != 0) first.seconds = limits.seconds / 2;
  CheckResult result = explicit_check(session, question, first);
  if (definite(result)) {
    cross_check(session, question, limits, result);
    return result;
  }
  if (!symbolic_too || result.verdict != Verdict::unknown ||
      (limits.stop != nullptr && limits.stop->load()))
    return result;
  return symbolic_engines(session, question, limits, std::move(result));
}

}  // namespace brink::solver
