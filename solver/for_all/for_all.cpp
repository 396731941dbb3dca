#include "solver/for_all/for_all.h"

#include <fmt/core.h>
#include <z3++.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>

#include "models/base/check.h"
#include "solver/budget.h"
#include "solver/for_all/claims.h"
#include "solver/for_all/finite_trap.h"
#include "solver/for_all/instance.h"
#include "solver/for_all/legal.h"
#include "solver/for_all/region.h"
#include "solver/gate.h"
#include "solver/search/explicit.h"
#include "solver/symbolic/smt_run.h"

namespace brink::solver {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double most_instance_seconds = 2;  ///< for the smallest instances, in all
constexpr double first_look_seconds = 0.4;   ///< of these, before a proof is tried
constexpr std::size_t most_instances = 120;
constexpr std::uint64_t instance_states = 200'000;
constexpr std::size_t most_small = 40, most_seeds = 3;
constexpr double from_on_seconds = 10;    ///< to show from which value on it holds
constexpr double everywhere_seconds = 6;  ///< to show that a violation is one for all values

struct ForAll {
  Session& session;
  const Question& question;
  const Limits& limits;
  CheckResult& result;
  Pattern pattern;
  Budget budget;
  std::size_t instances = 0;  ///< that hold
  std::size_t parts = 1;      ///< choices of values for enumerated constants
  double instance_seconds = most_instance_seconds;
  bool opposite = false;  ///< violated (or an error) everywhere is to be shown
  bool verdict_only = false;
  std::size_t errors = 0;          ///< instances of the current part with an erroneous move
  std::optional<Values> contrary;  ///< of all constants: an instance that settles it

  /// Explicit check of one instance; true when it settles the claim (violated, or an error).
  bool settle(const Question& q, const Values& values) {
    auto instance = instance_of(q, values);
    if (!instance) return false;
    // A single instance is all there is to know; one of many is a first look.
    const bool whole = !LegalValues::symbolic(q, fixed);
    Limits small = budget.slice(whole ? budget.left() : 5);
    if (!whole) small.states = instance_states;
    Session own(instance->model, {small, false});
    CheckResult found = explicit_check(own, instance->question, small);
    if (found.verdict == Verdict::unknown || found.verdict == Verdict::unsupported) return false;
    if ((found.verdict == Verdict::holds) != opposite) {
      ++instances;
      if (found.verdict == Verdict::model_error) ++errors;
      return false;
    }
    contrary = all_values(values);
    const std::vector<std::string> notes = std::move(found.notes);
    found.notes = {"for " + describe(q, values)};
    found.notes.insert(found.notes.end(), notes.begin(), notes.end());
    result = std::move(found);
    return true;
  }

  /// All constants of the original model by name: those that were enumerated and these.
  std::string describe(const Question&, const Values& values) const {
    return print_values(*question.model, all_values(values));
  }
  Values all_values(Values values) const {
    for (const auto& [p, value] : fixed) values[p] = value;
    return values;
  }

  std::map<std::size_t, std::int64_t> fixed;  ///< enumerated constants, by index

  /// The smallest legal values, smallest sum first.
  bool smallest(const Question& q, const CounterSystem& system, double seconds) {
    const auto begin = Clock::now();
    // A single instance is the whole of its part; many are a first look.
    const bool whole = !LegalValues::symbolic(q, fixed);
    const double share = whole ? budget.left() : seconds / static_cast<double>(parts);
    LegalValues legal(system, budget.slice(share));
    for (std::size_t i = 0; i < most_instances; ++i) {
      const auto values = legal.next();
      if (!values) break;
      if (settle(q, *values)) return true;
      if (std::chrono::duration<double>(Clock::now() - begin).count() > share || budget.over())
        break;
    }
    return false;
  }

  std::vector<LegalValues::Choice> enumerable_by_assumptions() const {
    try {
      return LegalValues::enumerable(question, budget.slice(2));
    } catch (const z3::exception&) {
      return {{}};
    }
  }

  /// The same where the model cannot be taken apart: values that satisfy the assumptions.
  bool smallest_by_assumptions(const Question& q) {
    try {
      return smallest(q, LegalValues::bare_system(q), instance_seconds);
    } catch (const GaveUp&) {
      return false;
    }
  }

  enum class Part { holds, violated, open };

  Part part(const Question& q) {
    try {
      CounterBuilder builder(q);
      const CounterSystem& system = builder.system();
      LegalValues any(system, budget.slice(2));
      if (any.impossible()) {
        result.notes.push_back("no legal values" + which());
        return Part::holds;
      }
      if (described.empty()) described = solver::describe(system, conserved_sums(system));
      const std::size_t before = instances;
      errors = 0;
      if (smallest(q, system, std::min(first_look_seconds, instance_seconds)))
        return Part::violated;
      const bool open_symbols = LegalValues::symbolic(q, fixed);
      if (!open_symbols) {
        if (instances == before + 1) result.notes.push_back("enumerated" + which());
        return instances == before + 1 ? Part::holds : Part::open;
      }
      std::vector<std::string> notes;
      if (errors > 0 && errors < instances - before) return Part::open;  // some, but not all
      // Instances too large to be checked: what is said to recover may well be stuck in all of
      // them.
      const bool unseen = instances == before && pattern.kind == Pattern::Kind::recover;
      if (unseen && starved(q, builder)) return Part::violated;
      const Limits rest = budget.slice(budget.left());
      const ProofResult proof = errors > 0 ? prove_error(q, pattern, rest, notes)
                                           : prove_claim(q, pattern, opposite, rest, notes);
      for (std::string& note : notes) result.notes.push_back(std::move(note) + which());
      if (proof.proved) {
        scripts += (scripts.empty() ? "" : "(reset)\n") + proof.script;
        return Part::holds;
      }
      if (proof.suspect) {
        const Values values(
            proof.suspect->begin() + static_cast<std::ptrdiff_t>(system.variables),
            proof.suspect->begin() +
                static_cast<std::ptrdiff_t>(system.variables + q.model->parameters.size()));
        if (settle(q, values)) return Part::violated;
        result.notes.push_back("no proof; the constants " + describe(q, values) +
                               " are where it ended");
      }
      instances = before;  // the same ones again, and more
      if (smallest(q, system, instance_seconds)) return Part::violated;
      if (starved(q, builder)) return Part::violated;
    } catch (const GaveUp& reason) {
      result.notes.push_back("not provable for all values: " + reason.why + which());
      if (instances == 0 && smallest_by_assumptions(q)) return Part::violated;
    } catch (const z3::exception& error) {
      result.notes.push_back(fmt::format("Z3 gave up: {}", error.msg()));
    }
    return Part::open;
  }

  /// States that smaller instances (legal or not) show to be stuck, by the explicit search.
  std::vector<Values> stuck_in_small_instances(const Question& q) const {
    PropertySet set = *q.properties;
    std::erase_if(set.annotations,
                  [](const Annotation& a) { return a.kind == AnnotationKind::assume; });
    Question any = q;
    any.properties = &set;
    const CounterSystem bare = LegalValues::bare_system(any);
    LegalValues legal(bare, budget.slice(10));
    std::vector<Values> out;
    for (std::size_t i = 0; i < most_small && out.size() < most_seeds && !budget.over(); ++i) {
      const auto values = legal.next();
      if (!values) break;
      const auto instance = instance_of(any, *values);
      if (!instance) continue;
      Limits small = budget.slice(5);
      small.states = instance_states;
      Session own(instance->model, {small, false});
      const CheckResult found = explicit_check(own, instance->question, small);
      if (found.verdict != Verdict::violated || !found.trace) continue;
      out.push_back(found.trace->state(found.trace->length()));
    }
    return out;
  }

  /// A [ G (p => E [ F q ]) ] where no legal instance is small: a stuck state of a smaller one, its
  /// future for all values, and a way into it for all legal values.
  bool starved(const Question& q, CounterBuilder& builder) {
    if (opposite || pattern.kind != Pattern::Kind::recover || pattern.p.valid() || !fixed.empty())
      return false;
    const CounterSystem& system = builder.system();
    const Dnf goal = builder.formula(pattern.q, true);
    for (const Values& seed : stuck_in_small_instances(q)) {
      std::vector<std::string> notes;
      std::optional<Reached> reached;
      const auto trap = find_finite_trap(
          system, goal, seed, budget.slice(budget.left() / 2), [&](const FiniteTrap& found) {
            notes.clear();
            reached = prove_reached(q, pattern, found.like_seed(),
                                    budget.slice(std::min(10.0, budget.left() / 3)), notes);
            return reached.has_value();
          });
      if (!trap) continue;
      auto instance = instance_of(q, reached->values);
      if (!instance) continue;
      const auto stays =
          stays_in(*trap, instance->question, reached->trace.state(reached->trace.length()));
      if (!stays || !*stays) continue;
      const std::string text = "for " + describe(q, reached->values);
      result.verdict = Verdict::violated;
      result.trace = reached->trace;
      result.length = reached->trace.length();
      gate(result, instance->question);
      result.for_all = condition();
      result.certificate = reached->script;
      result.notes = {text,
                      "violated for all legal values of the constants: a state is reached from "
                      "which the goal is out of reach",
                      fmt::format("its future without {}: {} states, whatever their values; the "
                                  "evaluator's own search for these values stays among them",
                                  trap->dropped, trap->states.size())};
      result.notes.insert(result.notes.end(), notes.begin(), notes.end());
      result.assumptions.push_back(no_erroneous_moves);
      return true;
    }
    return false;
  }

  std::string which() const {
    std::string text;
    for (const auto& [p, value] : fixed)
      text += fmt::format("{}{}={}", text.empty() ? "" : ", ", question.model->parameters[p].name,
                          value);
    return text.empty() ? "" : " (" + text + ")";
  }

  /// What the constants are assumed to satisfy, in PRISM's syntax.
  std::string condition() const {
    std::string text;
    if (question.properties != nullptr)
      for (const Annotation& a : question.properties->annotations)
        if (a.kind == AnnotationKind::assume) text += (text.empty() ? "(" : " & (") + a.text + ")";
    return text.empty() ? "true" : text;
  }

  std::string scripts;
  std::vector<std::string> described;  ///< class of the model and what every move keeps

  /// After a violation: is the claim false for all values? Says so in a note.
  void everywhere(const Question& q) {
    if (budget.over() || result.verdict != Verdict::violated || !fixed.empty()) return;
    try {
      std::vector<std::string> notes;
      const ProofResult proof =
          prove_claim(q, pattern, true, budget.slice(everywhere_seconds), notes);
      if (!proof.proved) return from_some_value_on(q);
      result.for_all = condition();
      result.certificate = proof.script;
      result.notes.push_back("violated for all legal values of the constants, proved:");
      result.notes.insert(result.notes.end(), notes.begin(), notes.end());
    } catch (const GaveUp&) {
      return;
    } catch (const z3::exception&) {
      return;
    }
  }

  /// A violation of small values only: from which on does the property hold?
  void from_some_value_on(const Question& q) {
    const auto from = holds_from(q, budget.slice(from_on_seconds));
    if (!from) return;
    settle(q, from->below);  // the last one that fails, with its trace
    result.holds_from = from->bound;
    result.certificate = from->certificate;
    result.notes.insert(result.notes.begin(),
                        "holds for all legal values with " + from->bound + ", proved");
  }

  void run() {
    std::vector<LegalValues::Choice> choices;
    try {
      CounterBuilder builder(question);
      choices = LegalValues::enumerable(builder.system(), budget.slice(2));
    } catch (const GaveUp&) {
      choices = enumerable_by_assumptions();
    } catch (const z3::exception&) {
      choices = {{}};  // all stay symbolic
    }
    bool all = true;
    parts = std::max<std::size_t>(choices.size(), 1);
    for (const auto& choice : choices) {
      fixed.clear();
      for (const auto& [p, value] : choice) fixed[p] = value;
      auto sub = partial_instance(question, choice);
      if (!sub) continue;  // illegal
      const Part done = part(sub->question);
      if (done == Part::violated) {
        if (!verdict_only && !result.for_all) everywhere(sub->question);
        return;
      }
      all = all && done == Part::holds;
      if (budget.over()) {
        all = false;
        break;
      }
    }
    if (instances > 0)
      result.notes.push_back(
          fmt::format("it holds for {} of the smallest legal values (explicit search)", instances));
    if (!verdict_only) result.notes.insert(result.notes.end(), described.begin(), described.end());
    result.verdict = all ? Verdict::holds : Verdict::unknown;
    if (all && !scripts.empty()) result.certificate = scripts;
    if (all) result.for_all = condition();
    if (!all && budget.over()) result.notes.push_back("time limit reached");
  }
};

}  // namespace

std::pair<Question, std::unique_ptr<PropertySet>> branching(const Question& question) {
  if (question.properties == nullptr || !question.root.valid()) return {question, nullptr};
  const PropertySet& set = *question.properties;
  const PropNode& root = set[question.root];
  if (root.kind != PropKind::forall || set[root.args[0]].kind != PropKind::globally)
    return {question, nullptr};
  const PropId inner = set[root.args[0]].args[0];
  if (set[inner].kind != PropKind::finally) return {question, nullptr};
  auto own = std::make_unique<PropertySet>(set);
  const auto add = [&](const PropNode& like, PropId argument) {
    PropNode node = like;
    node.args = {argument};
    own->nodes.push_back(node);
    return PropId{static_cast<std::uint32_t>(own->nodes.size() - 1)};
  };
  const PropId always = add(root, inner);
  PropNode globally = set[root.args[0]];
  Question out = question;
  out.root = add(root, add(globally, always));
  out.properties = own.get();
  return {out, std::move(own)};
}

Everywhere answer_everywhere(const Question& given, bool opposite, const Limits& limits) {
  Everywhere out;
  const auto [question, rewritten] = branching(given);
  Session session(question.model, {limits, false});
  CheckResult result;
  ForAll all{session, question, limits, result, pattern_of(given), {limits}};
  all.instance_seconds = 0.4;
  all.opposite = opposite;
  all.verdict_only = true;
  all.run();
  out.notes = std::move(result.notes);
  out.values = all.contrary;
  out.verdict = all.contrary                       ? Verdict::violated
                : result.verdict == Verdict::holds ? Verdict::holds
                                                   : Verdict::unknown;
  if (result.certificate) out.certificate = *result.certificate;
  return out;
}

std::string for_all_supports(const Question& question) { return pattern_of(question).reason; }

CheckResult for_all_check(Session& session, const Question& given, const Limits& limits) {
  const auto start = Clock::now();
  CheckResult result;
  result.engine = "for-all";
  const Pattern pattern = pattern_of(given);
  const auto [question, rewritten] = branching(given);
  ForAll all{session, question, limits, result, pattern, {limits, default_seconds, start}};
  all.run();
  result.engine = "for-all";
  if (pattern.kind == Pattern::Kind::unsupported && result.verdict == Verdict::unknown) {
    result.verdict = Verdict::unsupported;
    result.notes.insert(result.notes.begin(), pattern.reason);
  }
  std::string names;
  for (const Parameter& p : question.model->parameters)
    names += (names.empty() ? "" : ", ") + p.name;
  result.assumptions.insert(result.assumptions.begin(),
                            names +
                                ": all 32-bit values that make no range empty and keep initial "
                                "values within theirs");
  for (std::string& text : assumptions_of(question, false))
    if (std::find(result.assumptions.begin(), result.assumptions.end(), text) ==
        result.assumptions.end())
      result.assumptions.push_back(std::move(text));
  result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return result;
}

}  // namespace brink::solver
