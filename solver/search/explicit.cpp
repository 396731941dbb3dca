#include "solver/search/explicit.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>

#include "models/base/check.h"
#include "solver/gate.h"
#include "solver/search/ctl.h"
#include "solver/search/fairness.h"
#include "solver/search/simplest.h"
#include "solver/search/stuck.h"
#include "solver/search/traps.h"

namespace brink::solver {
namespace {

using Sets = std::vector<StateSet>;

StateSet complement(StateSet set) {
  for (auto& flag : set) flag = flag == 0 ? 1 : 0;
  return set;
}

struct Check {
  const StateGraph& graph;
  const Question& question;
  Form form;
  CheckResult result;
  Limits limits;
  bool simplest = false;

  const PropertySet& set() const { return *question.properties; }
  const PropNode& path_of(const PropNode& node) const { return set()[node.args[0]]; }

  void fault(const SemanticError& error, std::optional<std::uint32_t> state) {
    result.verdict = form.shape == Shape::range ? Verdict::violated : Verdict::model_error;
    result.error = to_diagnostic(error, *graph.model());
    if (!state) {
      result.notes.push_back("the initial states are in error");
      return;
    }
    result.trace = graph.trace_of(graph.path_to(*state), question.text);
    result.trace->fault = result.error->message;
    result.length = result.trace->length();
  }

  /// An expression of the property that cannot be evaluated somewhere.
  void property_fault(const SemanticError& error) {
    result.verdict = Verdict::model_error;
    result.error = to_diagnostic(error, *graph.model());
    result.notes.push_back("an expression of the property cannot be evaluated in a state");
  }

  void show(std::vector<std::uint32_t> path) {
    result.trace = graph.trace_of(path, question.text);
    result.length = result.trace->length();
  }

  /// A run to one of these states, which has a bearing on the question; its states.
  std::vector<std::uint32_t> show_way_to(const StateSet& target) {
    if (simplest) {
      const auto run = simplest_run(graph, target, limits);
      if (run) {
        result.trace = trace_of(graph, *run, question.text);
        result.length = result.trace->length();
        result.kinds = run->commands.size();
        result.notes.push_back(run->fewest ? "no trace has fewer different commands"
                                           : "each of its commands is needed; whether others need "
                                             "fewer was not settled within the limits");
        return run->path;
      }
      result.notes.push_back("too many moves, or no time, for --simplest: the shortest trace");
    }
    std::vector<std::uint32_t> path = graph.path_to(nearest(target, 1));
    show(path);
    return path;
  }

  /// First state in breadth-first order with that flag.
  std::uint32_t nearest(const StateSet& set, std::uint8_t flag) const {
    const auto at = std::find(set.begin(), set.end(), flag);
    return at == set.end() ? kNoState : static_cast<std::uint32_t>(at - set.begin());
  }

  bool all_initial(const StateSet& set) const {
    return std::all_of(set.begin(), set.begin() + graph.initial_count(),
                       [](std::uint8_t flag) { return flag != 0; });
  }

  /// A [ G p ], or E [ F p ] with one initial state: whether a state of that kind is reachable.
  void reachability(const LookOut& look_out) {
    if (graph.error()) return fault_of_graph();
    if (look_out.fault) return property_fault(*look_out.fault);
    const bool seen = look_out.seen();
    result.verdict = seen == look_out.sought ? Verdict::holds : Verdict::violated;
    if (seen) show(graph.path_to(look_out.found));
    if (graph.complete()) return;
    if (!seen) result.verdict = Verdict::unknown;
    note_limit();
    if (seen) result.notes.push_back("erroneous moves in states not seen are not excluded");
  }

  void always(const StateSet& bad) {
    result.verdict = nearest(bad, 1) == kNoState ? Verdict::holds : Verdict::violated;
    if (result.verdict == Verdict::violated) show_way_to(bad);
  }

  void possible(const StateSet& p) {
    const bool all = all_initial(exists_until(graph, nullptr, p));
    result.verdict = all ? Verdict::holds : Verdict::violated;
    if (all) show_way_to(p);
    if (!all && graph.initial_count() > 1)
      result.notes.push_back("not possible from every initial state");
  }

  /// Marks the first step of the shown path after which `goal` is out of reach.
  void mark_no_return(const std::vector<std::uint32_t>& path, const StateSet& can,
                      std::string goal) {
    const auto lost =
        std::find_if(path.begin(), path.end(), [&](std::uint32_t s) { return can[s] == 0; });
    if (lost == path.end()) return;
    PointOfNoReturn mark;
    mark.step = static_cast<std::size_t>(lost - path.begin());
    mark.ways_back = mark.step == 0 ? 0 : graph.moves_into(*(lost - 1), can);
    mark.goal = std::move(goal);
    result.trace->no_return = std::move(mark);
  }

  void recoverable(const StateSet& goal) {
    const StateSet can = exists_until(graph, nullptr, goal);
    const std::uint32_t lost = nearest(can, 0);
    result.verdict = lost == kNoState ? Verdict::holds : Verdict::violated;
    if (lost == kNoState) return;
    const StateSet doomed = complement(can);
    const auto path = show_way_to(doomed);
    result.nested_length = result.length;
    mark_no_return(path, can, text_of(set(), form.body));
    result.doomed = survey_traps(graph, doomed);
    check_again(doomed);
  }

  /// Nothing is said to be lost before the evaluator has seen it.
  void check_again(const StateSet& doomed) {
    using End = StuckCheck::End;
    const StuckCheck again = check_stuck(graph, doomed, question, form.body, limits);
    if (again.end == End::confirmed) return;
    result.verdict = again.end == End::limit ? Verdict::unknown : Verdict::disagreement;
    result.notes.push_back(again.end == End::limit
                               ? "a limit was reached while the stuck states were checked again"
                               : "the evaluator does not confirm that the goal is lost");
    if (again.end != End::limit) return;
    result.doomed.reset();
    result.trace.reset();
    result.length.reset();
    result.nested_length.reset();
  }

  /// The one E [ F q ] below `root`, whose loss explains a violation; not valid if not unique.
  PropId only_goal(PropId root) const {
    const std::vector<bool> below = nodes_below(set(), root);
    PropId found;
    for (std::uint32_t i = 0; i < below.size(); ++i) {
      const PropNode& node = set().nodes[i];
      if (!below[i] || node.kind != PropKind::exists || path_of(node).kind != PropKind::finally)
        continue;
      if (found.valid()) return {};
      found = PropId{i};
    }
    return found;
  }

  /// A run along `keep` for ever, from an initial state where E [ G keep ] holds.
  void lasso(const StateSet& keep, const StateSet& stays, bool from_all) {
    const auto first = std::find(stays.begin(), stays.begin() + graph.initial_count(), 1);
    if (first == stays.begin() + graph.initial_count() || (from_all && !all_initial(stays))) return;
    std::vector<std::uint32_t> path{static_cast<std::uint32_t>(first - stays.begin())};
    std::vector<std::uint32_t> position(graph.size(), kNoState);
    // Following any successor that can stay must come back to a state of the path.
    while (position[path.back()] == kNoState) {
      const std::uint32_t state = path.back();
      position[state] = static_cast<std::uint32_t>(path.size() - 1);
      if (graph.deadlock(state)) break;
      const auto successors = graph.successors(state);
      const auto next = std::find_if(successors.begin(), successors.end(), [&](std::uint32_t to) {
        return stays[to] != 0 && keep[to] != 0;
      });
      BRINK_CHECK(next != successors.end());
      path.push_back(*next);
    }
    show(path);
    result.trace->loop_to = position[path.back()];
  }

  /// What the verdict on a combination of operators can show: a run for E that holds, or against A.
  void ctl(const Sets& sets, const FairMoves* fair) {
    const StateSet& top = sets[question.root.index];
    const bool holds = all_initial(top);
    result.verdict = holds ? Verdict::holds : Verdict::violated;
    const PropNode& node = set()[question.root];
    if (node.kind != PropKind::forall && node.kind != PropKind::exists) return;
    const bool universal = node.kind == PropKind::forall;
    if (universal == holds) return;
    const PropNode& path = path_of(node);
    if (needs_automaton(set(), node, fair != nullptr)) return show_path(node, sets, fair);
    if (path.time.present() && path.time.reward != kNone) return;
    if (path.kind == PropKind::globally && universal && !path.time.present()) {
      const PropId body = path.args[0];
      const auto steps = show_way_to(complement(sets[body.index]));
      result.nested_length = result.length;
      if (const PropId goal = only_goal(body); goal.valid())
        mark_no_return(steps, sets[goal.index], text_of(set(), path_of(set()[goal]).args[0]));
    } else if (path.kind == PropKind::finally && !universal && !path.time.present()) {
      show_way_to(sets[path.args[0].index]);
      result.nested_length = result.length;
    } else if (path.time.present()) {
      show_path(node, sets, fair);
    } else if (path.kind == PropKind::finally && universal) {
      const StateSet keep = complement(sets[path.args[0].index]);
      lasso(keep, exists_globally(graph, keep), false);
    } else if (path.kind == PropKind::globally && !universal) {
      lasso(sets[path.args[0].index], exists_globally(graph, sets[path.args[0].index]), true);
    }
  }

  /// A run of the product with the formula's automaton. Where the automaton would be too large, the
  /// verdict stands without one.
  void show_path(const PropNode& node, const Sets& sets, const FairMoves* fair) {
    const bool universal = node.kind == PropKind::forall;
    auto witness =
        path_witness({graph, set(), node.args[0], universal, sets, fair, limits}, question.text);
    if (!witness) {
      result.notes.push_back("no trace: " + witness.error().reason);
      return;
    }
    BRINK_CHECK(witness->has_value(), "no path where there should be one");
    result.trace = std::move(**witness);
    result.length = result.trace->length();
  }

  void labelled() {
    std::vector<FairGroup> groups = fair_groups(set());
    std::optional<FairMoves> fair;
    for (const FairGroup& group : groups)
      result.assumptions.push_back(
          fmt::format("{} fairness of {}", group.strong ? "strong" : "weak", group.name));
    if (!groups.empty()) fair = fair_moves(graph, std::move(groups));
    const FairMoves* const fairness = fair ? &*fair : nullptr;
    const auto sets = evaluate_ctl(graph, set(), question.root, {fairness, limits});
    if (sets) return ctl(*sets, fairness);
    if (sets.error().fault) return property_fault(*sets.error().fault);
    result.verdict = sets.error().none.limit ? Verdict::unknown : Verdict::unsupported;
    result.notes.push_back(sets.error().none.reason);
  }

  void complete() {
    if (form.shape == Shape::range) {
      result.verdict = Verdict::holds;
      return;
    }
    if (form.shape == Shape::ctl) return labelled();
    const auto body = evaluate_plain(graph, set(), form.body);
    if (!body) return property_fault(body.error());
    if (form.shape == Shape::always) always(complement(*body));
    if (form.shape == Shape::possible) possible(*body);
    if (form.shape == Shape::recoverable) recoverable(*body);
  }

  void note_limit() {
    result.notes.push_back(fmt::format("{}; {} states seen, {} of them expanded",
                                       graph.incomplete_reason(), graph.size(), graph.expanded()));
  }

  void fault_of_graph() {
    fault(*graph.error(),
          graph.error_state() == kNoState ? std::nullopt : std::optional(graph.error_state()));
  }

  void run() {
    if (graph.error()) return fault_of_graph();
    if (graph.complete()) return complete();
    result.verdict = Verdict::unknown;
    note_limit();
  }
};

/// What the search looks out for, where reaching such a state decides the question.
std::optional<LookOut> looks_for(Session& session, const Question& question, const Form& form) {
  if (form.shape != Shape::always && form.shape != Shape::possible) return std::nullopt;
  if (session.options().simplest) return std::nullopt;  // over all moves
  const ModelPtr& model = session.model();
  if (form.shape == Shape::possible && model->init) return std::nullopt;  // from each of them
  return LookOut{.watch = Watch(model, StateLayout(*model), *question.properties, form.body),
                 .sought = form.shape == Shape::possible};
}

}  // namespace

std::string explicit_supports(const Question& question) {
  if (!question.model->parameters.empty())
    return "constants without a value: the explicit engine needs numbers";
  const Form form = form_of(question);
  if (form.shape == Shape::unsupported) return form.reason;
  // Reachability does not depend on fairness; other formulas do.
  if (form.shape == Shape::ctl && fair_groups(*question.properties).size() > kMaxFairGroups)
    return fmt::format("more than {} modules and labels in //@ fair", kMaxFairGroups);
  return "";
}

CheckResult explicit_check(Session& session, const Question& question, const Limits& limits) {
  const auto start = std::chrono::steady_clock::now();
  CheckResult blank;
  blank.engine = "explicit";
  if (std::string reason = explicit_supports(question); !reason.empty()) {
    blank.verdict = Verdict::unsupported;
    blank.notes.push_back(std::move(reason));
    return blank;
  }
  const Form form = form_of(question);
  std::optional<LookOut> look_out = looks_for(session, question, form);
  const bool no_edges = look_out || form.shape == Shape::range;
  const StateGraph& graph =
      no_edges ? session.states(limits, look_out ? &*look_out : nullptr) : session.graph(limits);
  Check check{graph, question, form, std::move(blank), limits, session.options().simplest};
  if (look_out)
    check.reachability(*look_out);
  else
    check.run();
  CheckResult result = std::move(check.result);
  result.states = graph.size();
  result.transitions = graph.transitions();
  result.bytes = graph.bytes();
  bool deadlocks = false;
  if (form.shape == Shape::ctl)
    for (std::uint32_t s = 0; s < graph.expanded() && !deadlocks; ++s)
      deadlocks = graph.deadlock(s);
  for (std::string& text : assumptions_of(question, deadlocks))
    result.assumptions.push_back(std::move(text));
  gate(result, question);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace brink::solver
