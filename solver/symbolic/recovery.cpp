#include "solver/symbolic/recovery.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "models/base/check.h"
#include "solver/gate.h"
#include "solver/symbolic/unrolling.h"

namespace brink::solver {
namespace {

/// States the evaluator visits from one candidate before giving it up.
constexpr std::size_t max_closure = 100'000;
/// Candidates that could not be decided before the search ends undecided.
constexpr std::size_t max_open = 8;

/// What a search from one state finds.
struct Closure {
  enum class End { goal, closed, limit, fault } end = End::limit;
  std::vector<TraceStep> path;  ///< to the goal, or to the erroneous state
  std::size_t states = 0;
};

/// Breadth-first search by the evaluator from `from` until the goal or the end.
Closure explore(const Question& question, const Form& form, const Valuation& from,
                const SmtWatch& watch) {
  Evaluator evaluator(question.model);
  Expansion expansion;
  struct Node {
    std::size_t parent;
    TraceStep step;
  };
  std::map<Valuation, std::size_t> number{{from, 0}};
  std::vector<Node> nodes{{0, {{}, 0, from}}};
  Closure out;
  const auto finish = [&](Closure::End end, std::size_t at) {
    out.end = end;
    out.states = nodes.size();
    for (; at != 0; at = nodes[at].parent) out.path.push_back(nodes[at].step);
    std::reverse(out.path.begin(), out.path.end());
    return out;
  };
  for (std::size_t head = 0; head < nodes.size(); ++head) {
    const Valuation state = nodes[head].step.after;
    const auto goal = holds_at(*question.properties, form.body, evaluator, state);
    if (!goal) return finish(Closure::End::fault, head);
    if (*goal) return finish(Closure::End::goal, head);
    if (evaluator.successors(state, expansion)) return finish(Closure::End::fault, head);
    for (const Choice& choice : expansion.choices)
      for (std::uint32_t b = choice.first_branch; b < choice.first_branch + choice.branch_count;
           ++b) {
        const auto target = expansion.target(b);
        Valuation next(target.begin(), target.end());
        if (!number.emplace(next, nodes.size()).second) continue;
        const auto commands = expansion.commands_of(choice);
        nodes.push_back(
            {head, {{commands.begin(), commands.end()}, expansion.updates[b], std::move(next)}});
      }
    if (nodes.size() > max_closure || watch.expired()) return finish(Closure::End::limit, head);
  }
  return finish(Closure::End::closed, 0);
}

/// States from which this sequence of moves leads to the goal, over the template.
z3::expr precondition(const SmtRun& run, const z3::expr& goal, const std::vector<TraceStep>& path) {
  const Encoding& encoding = *run.encoding;
  z3::expr condition = goal;
  for (auto step = path.rbegin(); step != path.rend(); ++step) {
    const auto& moves = encoding.moves();
    const auto move = std::find_if(moves.begin(), moves.end(), [&](const EncodedMove& m) {
      return m.commands == step->commands && m.updates == step->updates;
    });
    BRINK_CHECK(move != moves.end(), "a move of the evaluator is missing in the encoding");
    const auto m = static_cast<std::size_t>(move - moves.begin());
    condition = (encoding.guard(m) && !encoding.leaves_range(m) &&
                 encoding.at(condition, encoding.target(m)))
                    .simplify();
  }
  return condition;
}

struct Doom {
  SmtRun& run;
  const SmtWatch& watch;
  const Question& question;
  const Form& form;
  CheckResult& result;
  z3::expr goal;
  z3::expr good;
  std::size_t schemas = 0;
  std::size_t budget = 256;       ///< states outside the reachable ones to generalise
  std::vector<Valuation> open{};  ///< candidates that could not be decided

  /// Decides one candidate, the last state of a run; true when the whole search is decided.
  bool decide(const std::vector<Valuation>& states) {
    const Closure closure = explore(question, form, states.back(), watch);
    switch (closure.end) {
      case Closure::End::goal: {
        const z3::expr schema = precondition(run, goal, closure.path);
        good = good || schema;
        ++schemas;
        return false;
      }
      case Closure::End::limit:
        open.push_back(states.back());
        return false;
      case Closure::End::closed:
      case Closure::End::fault:
        break;
    }
    if (!confirm(states)) return true;
    if (closure.end == Closure::End::fault) {
      fault(closure);
      if (!result.error)
        result.notes.push_back("an expression of the property cannot be evaluated in a state");
    } else {
      doomed(closure);
    }
    result.length = result.trace->length();
    return true;
  }

  /// Takes the run as the trace; false (and a disagreement) when it is no run of the model.
  bool confirm(const std::vector<Valuation>& states) {
    result.trace = trace_of_run(states, question);
    if (result.trace) return true;
    result.verdict = Verdict::disagreement;
    result.notes.push_back("the evaluator does not confirm a run found by Z3");
    return false;
  }

  /// A run to a state from which the encoding has an erroneous move.
  void erroneous_run(const std::vector<Valuation>& states) {
    if (!confirm(states)) return;
    fault({});
    result.length = result.trace->length();
    if (result.error) return;
    result.verdict = Verdict::disagreement;
    result.notes.push_back("the evaluator does not confirm an error found by Z3");
  }

  void fault(const Closure& closure) {
    result.verdict = Verdict::model_error;
    auto& steps = result.trace->steps;
    steps.insert(steps.end(), closure.path.begin(), closure.path.end());
    Evaluator evaluator(question.model);
    Expansion expansion;
    const auto error = evaluator.successors(result.trace->state(steps.size()), expansion);
    if (!error) return;
    result.error = to_diagnostic(*error, *question.model);
    result.trace->fault = result.error->message;
  }

  void doomed(const Closure& closure) {
    result.verdict = Verdict::violated;
    result.nested_length = result.trace->length();
    result.notes.push_back(fmt::format(
        "the last state is doomed: all {} states that follow it miss the goal", closure.states));
    PointOfNoReturn mark;
    mark.step = result.trace->length();
    mark.goal = text_of(*question.properties, form.body);
    mark.ways_back = mark.step == 0 ? 0 : ways_back(result.trace->state(mark.step - 1));
    result.trace->no_return = std::move(mark);
  }

  /// Moves of the state before the last that keep the goal reachable, by search from each.
  std::uint64_t ways_back(const Valuation& state) {
    Evaluator evaluator(question.model);
    Expansion expansion;
    if (evaluator.successors(state, expansion)) return 0;
    std::uint64_t ways = 0;
    for (const Choice& choice : expansion.choices) {
      bool leads = false;
      for (std::uint32_t b = choice.first_branch; b < choice.first_branch + choice.branch_count;
           ++b) {
        const auto target = expansion.target(b);
        leads = leads || explore(question, form, {target.begin(), target.end()}, watch).end ==
                             Closure::End::goal;
      }
      ways += leads ? 1 : 0;
    }
    return ways;
  }

  /// Does Good cover every state within range (and of the sums that moves keep), reachable or not?
  /// States that it misses are searched from and generalised, until one is doomed, too large to
  /// decide, or the budget is spent.
  bool covers() {
    z3::solver solver(run.context);
    solver.add(run.encoding->in_range() && run.encoding->known());
    while (budget > 0 && !watch.expired()) {
      solver.push();
      solver.add(!good);
      const z3::check_result answer = solver.check();
      if (answer == z3::unsat) return true;
      if (answer != z3::sat) return false;
      --budget;
      const Valuation state =
          run.encoding->values(solver.get_model(), run.encoding->template_state());
      solver.pop();
      const Closure closure = explore(question, form, state, watch);
      if (closure.end != Closure::End::goal) {
        budget = 0;  // no proof this way
        return false;
      }
      good = good || precondition(run, goal, closure.path);
      ++schemas;
    }
    return false;
  }
};

}  // namespace

void search_doomed(SmtRun& run, const SmtWatch& watch, const Question& question, const Form& form,
                   std::uint32_t max_depth, CheckResult& result) {
  const z3::expr goal = run.formula(*question.properties, form.body);
  Doom doom{run, watch, question, form, result, goal, goal};
  Unrolling unrolling(run.context, *run.encoding, Unrolling::Start::initial,
                      Unrolling::States::any);
  Diameter diameter(run);
  const z3::expr fault = run.encoding->any_leaves_range();
  for (std::uint32_t k = 0;; ++k) {
    if (unrolling.ask(fault) == z3::sat) return doom.erroneous_run(unrolling.run());
    while (!watch.expired()) {
      z3::expr candidate = !doom.good;
      for (const Valuation& state : doom.open)
        candidate = candidate && !run.encoding->equals(run.encoding->template_state(), state);
      if (unrolling.ask(candidate) != z3::sat) break;
      if (doom.decide(unrolling.run())) return;
      if (doom.open.size() >= max_open) break;
    }
    if (watch.expired()) return;
    if (doom.open.size() >= max_open) {
      result.notes.push_back(
          fmt::format("{} candidates have more than {} states behind them", max_open, max_closure));
      return;
    }
    const bool settled = doom.open.empty();
    if (settled) result.bound = k;
    if (settled && doom.covers()) {
      result.verdict = Verdict::holds;
      result.notes.push_back(fmt::format(
          "{} sequences of moves lead to the goal from every state within range", doom.schemas));
      if (!run.encoding->safe()) result.assumptions.push_back(no_erroneous_moves);
      return;
    }
    if (k == max_depth) break;
    unrolling.extend();
    if (diameter.reached(k) && settled) {
      result.verdict = Verdict::holds;
      result.notes.push_back(fmt::format("no run visits more than {} different states", k + 1));
      return;
    }
  }
  result.notes.push_back(fmt::format("no doomed state in {} steps or less", max_depth));
}

}  // namespace brink::solver
