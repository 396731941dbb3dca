#include "solver/search/walk.h"

#include <fmt/core.h>

#include <chrono>
#include <map>
#include <random>

#include "solver/budget.h"
#include "solver/gate.h"

namespace brink::solver {
namespace {

constexpr std::uint64_t default_steps = 10'000'000;
constexpr std::uint64_t first_length = 64, longest = 100'000;
constexpr std::uint64_t walks_of_a_round = 64;
constexpr double no_limit_seconds = 1e9;

struct Walker {
  const Question& question;
  const Form form;
  const Budget budget;
  std::uint64_t most_steps;
  Evaluator evaluator;
  Expansion expansion{};
  std::mt19937_64 random{1};
  std::vector<Valuation> starts{};
  std::uint64_t steps = 0, walks = 0;
  Trace trace{};

  Walker(const Question& q, const Limits& limits)
      : question(q),
        form(form_of(q)),
        budget{limits, no_limit_seconds},
        most_steps(limits.states != 0 ? limits.states : default_steps),
        evaluator(q.model) {
    constexpr std::size_t most_starts = 1000;
    for_each_initial_state(*q.model, [&](std::span<const std::int64_t> state) {
      starts.emplace_back(state.begin(), state.end());
      return starts.size() < most_starts;
    });
  }

  enum class Seen { nothing, target, fault };

  /// The last state of the trace: sought, or a move from it in error?
  Seen look() {
    const Valuation& state = trace.state(trace.length());
    const auto error = evaluator.successors(state, expansion);
    if (error) return Seen::fault;
    if (form.shape == Shape::range) return Seen::nothing;
    const auto value = holds_at(*question.properties, form.body, evaluator, state);
    if (!value) return Seen::nothing;  // an error of the property: for engines that see all states
    return *value == (form.shape == Shape::possible) ? Seen::target : Seen::nothing;
  }

  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random() % n); }

  Seen walk(std::uint64_t length) {
    trace = make_trace(*question.model, question.text);
    trace.initial = starts[below(starts.size())];
    ++walks;
    for (std::uint64_t i = 0;; ++i) {
      if (const Seen seen = look(); seen != Seen::nothing) return seen;
      if (i == length || expansion.choices.empty()) return Seen::nothing;
      if (steps++ % 1024 == 0 && budget.over()) return Seen::nothing;
      const Choice& choice = expansion.choices[below(expansion.choices.size())];
      const auto b = choice.first_branch + static_cast<std::uint32_t>(below(choice.branch_count));
      const auto commands = expansion.commands_of(choice);
      const auto target = expansion.target(b);
      trace.steps.push_back({{commands.begin(), commands.end()},
                             expansion.updates[b],
                             {target.begin(), target.end()}});
    }
  }

  Seen run() {
    if (starts.empty()) return Seen::nothing;
    for (std::uint64_t length = first_length;; length = std::min(length * 2, longest))
      for (std::uint64_t w = 0; w < walks_of_a_round; ++w) {
        if (steps >= most_steps || budget.over()) return Seen::nothing;
        if (const Seen seen = walk(length); seen != Seen::nothing) return seen;
      }
  }

  /// Without the detours that come back to where they began.
  void cut_loops() {
    std::map<Valuation, std::size_t> last;
    for (std::size_t i = 0; i <= trace.length(); ++i) last[trace.state(i)] = i;
    std::vector<TraceStep> kept;
    for (std::size_t i = last[trace.initial]; i < trace.length();) {
      kept.push_back(trace.steps[i]);
      i = last[trace.steps[i].after];
    }
    trace.steps = std::move(kept);
  }
};

}  // namespace

std::string walk_supports(const Question& question) {
  if (!question.model->parameters.empty()) return "constants without a value";
  const Form form = form_of(question);
  if (form.shape == Shape::unsupported) return form.reason;
  if (form.shape == Shape::ctl || form.shape == Shape::recoverable)
    return "walks look for a state: A [ G p ], E [ F p ] and range";
  if (form.shape == Shape::possible && question.model->init)
    return "E [ F p ] from several initial states";
  return "";
}

CheckResult walk_check(Session&, const Question& question, const Limits& limits) {
  const auto start = std::chrono::steady_clock::now();
  CheckResult result;
  result.engine = "walk";
  if (std::string reason = walk_supports(question); !reason.empty()) {
    result.verdict = Verdict::unsupported;
    result.notes.push_back(std::move(reason));
    return result;
  }
  Walker walker(question, limits);
  const Walker::Seen seen = walker.run();
  const std::string effort = fmt::format("{} random walk{}, {} steps (seed 1)", walker.walks,
                                         walker.walks == 1 ? "" : "s", walker.steps);
  if (seen == Walker::Seen::nothing) {
    result.notes.push_back("nothing met in " + effort);
  } else {
    walker.cut_loops();
    result.trace = std::move(walker.trace);
    result.length = result.trace->length();
    result.verdict = seen == Walker::Seen::fault            ? Verdict::model_error
                     : walker.form.shape == Shape::possible ? Verdict::holds
                                                            : Verdict::violated;
    if (seen == Walker::Seen::fault) {
      const auto error =
          walker.evaluator.successors(result.trace->state(*result.length), walker.expansion);
      result.error = to_diagnostic(*error, *question.model);
      result.trace->fault = result.error->message;
      if (walker.form.shape == Shape::range) result.verdict = Verdict::violated;
    }
    result.notes.push_back("met in " + effort + "; there may be shorter traces");
  }
  for (std::string& text : assumptions_of(question, false))
    result.assumptions.push_back(std::move(text));
  gate(result, question);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace brink::solver
