#include "solver/for_all/for_all.h"

#include <fmt/core.h>
#include <z3++.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>

#include "models/base/check.h"
#include "solver/for_all/claims.h"
#include "solver/for_all/instance.h"
#include "solver/for_all/legal.h"
#include "solver/gate.h"
#include "solver/search/explicit.h"
#include "solver/symbolic/budget.h"

namespace brink::solver {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double instance_seconds = 2;  ///< for the smallest instances, in all
constexpr std::size_t most_instances = 120;
constexpr std::uint64_t instance_states = 200'000;
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

  /// Explicit check of one instance; true when it settles the claim (violated, or an error).
  bool settle(const Question& q, const Values& values) {
    auto instance = instance_of(q, values);
    if (!instance) return false;
    Limits small = budget.slice(5);
    small.states = instance_states;
    Session own(instance->model, {small, false});
    CheckResult found = explicit_check(own, instance->question, small);
    if (found.verdict == Verdict::holds) {
      ++instances;
      return false;
    }
    if (found.verdict == Verdict::unknown || found.verdict == Verdict::unsupported) return false;
    const std::vector<std::string> notes = std::move(found.notes);
    found.notes = {"for " + describe(q, values)};
    found.notes.insert(found.notes.end(), notes.begin(), notes.end());
    result = std::move(found);
    return true;
  }

  /// All constants of the original model by name: those that were enumerated and these.
  std::string describe(const Question&, const Values& values) const {
    Values all = values;
    for (const auto& [p, value] : fixed) all[p] = value;
    return print_values(*question.model, all);
  }

  std::map<std::size_t, std::int64_t> fixed;  ///< enumerated constants, by index

  /// The smallest legal values, smallest sum first.
  bool smallest(const Question& q, const CounterSystem& system) {
    const auto begin = Clock::now();
    // A single instance is the whole of its part; many are a first look.
    const bool whole = !LegalValues::symbolic(q, fixed);
    const double share = whole ? budget.left() : instance_seconds / static_cast<double>(parts);
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
      return smallest(q, LegalValues::bare_system(q));
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
      const std::size_t before = instances;
      if (smallest(q, system)) return Part::violated;
      const bool open_symbols = LegalValues::symbolic(q, fixed);
      if (!open_symbols) {
        if (instances == before + 1) result.notes.push_back("enumerated" + which());
        return instances == before + 1 ? Part::holds : Part::open;
      }
      std::vector<std::string> notes;
      const ProofResult proof = prove_claim(q, pattern, false, budget.slice(budget.left()), notes);
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
    } catch (const GaveUp& reason) {
      result.notes.push_back("not provable for all values: " + reason.why + which());
      if (instances == 0 && smallest_by_assumptions(q)) return Part::violated;
    } catch (const z3::exception& error) {
      result.notes.push_back(fmt::format("Z3 gave up: {}", error.msg()));
    }
    return Part::open;
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

  /// After a violation: is the claim false for all values? Says so in a note.
  void everywhere(const Question& q) {
    if (budget.over() || result.verdict != Verdict::violated || !fixed.empty()) return;
    try {
      std::vector<std::string> notes;
      const ProofResult proof =
          prove_claim(q, pattern, true, budget.slice(everywhere_seconds), notes);
      if (!proof.proved) return;
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
        everywhere(sub->question);
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
    result.verdict = all ? Verdict::holds : Verdict::unknown;
    if (all && !scripts.empty()) result.certificate = scripts;
    if (all) result.for_all = condition();
    if (!all && budget.over()) result.notes.push_back("time limit reached");
  }
};

}  // namespace

namespace {

/// A [ G F q ] as A [ G (A [ F q ]) ], which says the same and is what the explicit search reads.
/// The second part owns what the question points to, if it is another one.
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

}  // namespace

std::string for_all_supports(const Question& question) { return pattern_of(question).reason; }

CheckResult for_all_check(Session& session, const Question& given, const Limits& limits) {
  const auto start = Clock::now();
  CheckResult result;
  result.engine = "for-all";
  const Pattern pattern = pattern_of(given);
  const auto [question, rewritten] = branching(given);
  ForAll all{session, question, limits, result, pattern, {limits, default_seconds, start},
             0,       1,        {},     {}};
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
