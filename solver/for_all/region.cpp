#include "solver/for_all/region.h"

#include <fmt/core.h>
#include <z3++.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "solver/budget.h"
#include "solver/for_all/for_all.h"
#include "solver/for_all/instance.h"
#include "solver/for_all/legal.h"
#include "solver/search/explicit.h"

namespace brink::solver {
namespace {

using Values = std::vector<std::int64_t>;

constexpr std::uint64_t sample_states = 3'000'000;
constexpr std::size_t few_samples = 60;  ///< up to here half of the time may go by
constexpr std::size_t first_samples = 400;
constexpr std::size_t most_distinctions = 60;
constexpr std::size_t most_guesses = 8;
constexpr int most_rounds = 12;
constexpr std::size_t most_failures = 4;

/// The question under one more assumption. Owns the properties it points to.
struct Assumed {
  std::unique_ptr<PropertySet> properties;
  Question question;
};

std::optional<Assumed> assume(const Question& question, const std::string& text) {
  Assumed out;
  PropertySet set;
  if (question.properties != nullptr) {
    set = *question.properties;
  } else {
    set.model = question.model;
    set.pool = question.model->pool;
  }
  auto with = with_assumptions(std::move(set), {text});
  if (!with) return std::nullopt;
  out.properties = std::make_unique<PropertySet>(std::move(*with));
  out.question = question;
  out.question.properties = out.properties.get();
  return out;
}

struct Synthesis {
  const Question& question;
  const Limits& limits;
  Atoms atoms;
  Budget budget;
  Region out{};
  std::vector<std::string> names{};
  std::vector<bool> booleans{};
  std::set<Values> seen{};

  Synthesis(const Question& q, const Limits& l, Atoms a)
      : question(q), limits(l), atoms(a), budget{l} {
    for (const Parameter& p : q.model->parameters) {
      names.push_back(p.name);
      booleans.push_back(p.type == Type::boolean);
    }
  }

  std::string text(const Dnf& dnf) const { return print(dnf, names, booleans); }

  std::optional<CheckResult> explicitly(const Values& values, ModelPtr* model = nullptr) const {
    auto instance = instance_of(question, values);
    if (!instance) return std::nullopt;
    Limits small = budget.slice(std::min(8.0, budget.left() / 8));
    small.states = sample_states;
    Session session(instance->model, {small, false});
    if (model != nullptr) *model = instance->model;
    return explicit_check(session, instance->question, small);
  }

  /// Checks one setting; false when it is too large to be checked, or not legal.
  bool sample(const Values& values) {
    if (!seen.insert(values).second) return false;
    const auto result = explicitly(values);
    if (!result) return false;
    const bool error = result->verdict == Verdict::model_error;
    if (!error && result->verdict != Verdict::holds && result->verdict != Verdict::violated)
      return false;
    out.samples.push_back({values, result->verdict == Verdict::holds, error});
    return true;
  }

  /// Legal settings by size.
  void first_look() {
    const auto start = std::chrono::steady_clock::now();
    const double share = budget.left() / 5;
    const CounterSystem bare = LegalValues::bare_system(question);
    LegalValues legal(bare, budget.slice(2.5 * share));
    std::size_t failures = 0;
    while (out.samples.size() < first_samples && failures < most_failures) {
      const auto values = legal.next();
      const std::chrono::duration<double> used = std::chrono::steady_clock::now() - start;
      const double enough = out.samples.size() < few_samples ? 2.5 * share : share;
      if (!values || used.count() > enough || budget.over()) break;
      if (!seen.contains(*values) && !sample(*values)) {
        // Values that make a range empty are no settings; only what is too large counts.
        if (instance_of(question, *values)) ++failures;
      }
    }
  }

  /// The smallest legal setting that tells two formulas apart, checked. False: there is none that
  /// can be checked.
  bool distinguish(const Guess& a, const Guess& b) {
    const std::string differ = fmt::format("(({}) & ({})) | (({}) & ({}))", text(a.inside),
                                           text(b.outside), text(a.outside), text(b.inside));
    const auto assumed = assume(question, differ);
    if (!assumed) return false;
    const CounterSystem bare = LegalValues::bare_system(assumed->question);
    LegalValues legal(bare, budget.slice(1));
    for (int tries = 0; tries < 6; ++tries) {
      const auto values = legal.next();
      if (!values) return false;
      if (sample(*values)) return true;
    }
    return false;
  }

  /// The cheapest formula that agrees, after samples have told it from the next ones.
  std::optional<Guess> guess() {
    for (std::size_t n = 0; n < most_distinctions && !budget.over(); ++n) {
      const std::vector<Guess> guesses = learn(out.samples, booleans, atoms, most_guesses);
      if (guesses.empty()) return std::nullopt;
      bool changed = false;
      for (std::size_t i = 1; i < guesses.size() && !changed; ++i)
        changed = !budget.over() && distinguish(guesses[0], guesses[i]);
      if (!changed) return guesses.front();
    }
    const std::vector<Guess> guesses = learn(out.samples, booleans, atoms, 1);
    return guesses.empty() ? std::nullopt : std::optional(guesses.front());
  }

  enum class Half { proved, refuted, open };

  /// Cube by cube: each part is a claim of its own.
  Half half(const Dnf& where, bool opposite, std::string& certificate) {
    for (std::size_t i = 0; i < where.size(); ++i) {
      const auto assumed = assume(question, text({where[i]}));
      if (!assumed) return Half::open;
      const CounterSystem bare = LegalValues::bare_system(assumed->question);
      if (LegalValues(bare, budget.slice(2)).impossible()) continue;  // no setting is there
      const double share = budget.left() / static_cast<double>(2 * (where.size() - i));
      Everywhere answer =
          answer_everywhere(assumed->question, opposite, budget.slice(std::max(2.0, share)));
      if (answer.verdict == Verdict::violated && answer.values) {
        sample(*answer.values);
        return Half::refuted;
      }
      if (answer.verdict != Verdict::holds) {
        for (const std::string& note : answer.notes)
          out.notes.push_back(fmt::format("{}: {}", text({where[i]}), note));
        return Half::open;
      }
      if (!answer.certificate.empty())
        certificate += (certificate.empty() ? "" : "(reset)\n") + answer.certificate;
    }
    return Half::proved;
  }

  void run() {
    first_look();
    if (out.samples.empty()) {
      out.notes.push_back("no setting is small enough to be checked");
      return;
    }
    for (int round = 0; round < most_rounds && !budget.over(); ++round) {
      const auto found = guess();
      if (!found) {
        out.formula.reset();
        out.notes.push_back("no short formula agrees with all samples");
        return;
      }
      out.formula = text(found->inside);
      out.notes.clear();
      out.certificate.clear();
      const std::size_t before = out.samples.size();
      const Half inside = half(found->inside, false, out.certificate);
      out.inside_proved = inside == Half::proved;
      if (inside == Half::refuted && out.samples.size() > before) continue;
      const Half outside = half(found->outside, true, out.certificate);
      out.outside_proved = outside == Half::proved;
      if (outside == Half::refuted && out.samples.size() > before) continue;
      return;
    }
    out.inside_proved = out.outside_proved = false;
    out.notes.push_back("time limit reached");
  }

  static std::int64_t distance(const Values& a, const Values& b) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
    return sum;
  }

  /// A violated setting as near as possible to one that holds, the first of its kind.
  void find_tight() {
    std::int64_t best = INT64_MAX;
    for (const Sample& bad : out.samples) {
      if (bad.holds) continue;
      std::int64_t near = INT64_MAX - 1;
      for (const Sample& good : out.samples)
        if (good.holds) near = std::min(near, distance(bad.values, good.values));
      if (near >= best) continue;
      best = near;
      out.tight = bad.values;
    }
    if (!out.tight) return;
    if (auto result = explicitly(*out.tight, &out.tight_model)) out.tight_result = *result;
  }
};

}  // namespace

Region synthesize(const Question& given, const Limits& limits) {
  const auto start = std::chrono::steady_clock::now();
  const auto [question, rewritten] = branching(given);
  Synthesis synthesis(question, limits, Atoms::all);
  try {
    synthesis.run();
    if (!synthesis.budget.over()) synthesis.find_tight();
  } catch (const GaveUp& reason) {
    synthesis.out.notes.push_back("given up: " + reason.why);
  } catch (const z3::exception& error) {
    synthesis.out.notes.push_back(fmt::format("Z3 gave up: {}", error.msg()));
  }
  synthesis.out.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return std::move(synthesis.out);
}

std::optional<FromOn> holds_from(const Question& question, const Limits& limits) {
  Synthesis synthesis(question, limits, Atoms::lower_bounds);
  try {
    synthesis.first_look();
    for (int round = 0; round < 4 && !synthesis.budget.over(); ++round) {
      const std::vector<Sample>& samples = synthesis.out.samples;
      const std::vector<Guess> guesses = learn(samples, synthesis.booleans, Atoms::lower_bounds, 1);
      if (guesses.empty() || guesses.front().inside.empty() ||
          guesses.front().inside.front().atoms().empty())
        return std::nullopt;
      const Guess& guess = guesses.front();
      const Sample* below = nullptr;
      for (const Sample& s : samples)
        if (!s.holds && !s.error &&
            std::any_of(samples.begin(), samples.end(), [&](const Sample& good) {
              return good.holds && Synthesis::distance(s.values, good.values) == 1;
            }))
          below = &s;
      if (below == nullptr) return std::nullopt;
      FromOn out{synthesis.text(guess.inside), below->values, ""};
      const auto done = synthesis.half(guess.inside, false, out.certificate);
      if (done == Synthesis::Half::proved) return out;
      if (done == Synthesis::Half::open) return std::nullopt;
    }
  } catch (const GaveUp&) {
    return std::nullopt;
  } catch (const z3::exception&) {
    return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace brink::solver
