#include "analytic/decision_values.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analytic/optimal_equations.h"
#include "models/base/check.h"

namespace brink::analytic {
namespace {

using Wide = long double;
constexpr std::uint32_t nowhere = EndComponents::none;

/// A decision process with some states unknown, the others holding values.
struct Reduction {
  const DecisionProcess& process;
  const StateSet& unknown;
  const std::vector<double>& known;  ///< values of the other states
  const std::vector<double>& cost;   ///< of each choice, or empty
  std::vector<bool> allowed;         ///< choices of unknown states that may be taken
  EndComponents merged{};            ///< components that become one state
  bool may_end = false;              ///< a merged state may also end with value 0

  std::vector<std::uint32_t> of{};                    ///< unknown of each state
  std::vector<std::vector<std::uint32_t>> members{};  ///< states of each unknown
  std::vector<Entry> row{};                           ///< scratch

  void number() {
    of.assign(process.size(), nowhere);
    std::vector<std::uint32_t> shared(merged.count, nowhere);
    for (std::uint32_t s = 0; s < process.size(); ++s) {
      if (!unknown[s]) continue;
      const std::uint32_t component = merged.count == 0 ? nowhere : merged.of[s];
      std::uint32_t own = component == nowhere ? nowhere : shared[component];
      if (own == nowhere) {
        own = static_cast<std::uint32_t>(members.size());
        members.emplace_back();
        if (component != nowhere) shared[component] = own;
      }
      of[s] = own;
      members[own].push_back(s);
    }
  }

  void add_choice(std::uint32_t own, std::uint32_t choice, OptimalEquations& out) {
    row.clear();
    Wide constant = cost.empty() ? 0 : cost[choice], outside = 0;
    for (const Entry& entry : process.row(choice)) {
      if (const std::uint32_t j = of[entry.column]; j != nowhere) {
        if (j != own) row.push_back({j, entry.value});
        continue;
      }
      outside += entry.value;
      constant += static_cast<Wide>(entry.value) * known[entry.column];
    }
    if (row.empty() && outside == 0) return;  // stays for ever, at a cost: never the best
    std::sort(row.begin(), row.end(),
              [](const Entry& a, const Entry& b) { return a.column < b.column; });
    const std::size_t start = out.entries.size();
    for (const Entry& entry : row) {
      if (out.entries.size() > start && out.entries.back().column == entry.column)
        out.entries.back().value += entry.value;
      else
        out.entries.push_back(entry);
    }
    out.end_choice(constant, outside);
  }

  OptimalEquations equations() {
    number();
    OptimalEquations out;
    for (std::uint32_t own = 0; own < members.size(); ++own) {
      bool together = false;
      for (const std::uint32_t s : members[own]) {
        together = together || (merged.count > 0 && merged.of[s] != nowhere);
        for (std::uint32_t c = process.first_choice(s); c < process.end_choice(s); ++c)
          if (allowed[c] && (merged.count == 0 || !merged.inside[c])) add_choice(own, c, out);
      }
      if (together && may_end) out.end_choice(0, 1);
      BRINK_CHECK(out.constant.size() > out.first.back(), "an unknown without choices");
      out.end_state();
    }
    return out;
  }

  /// Puts the values of the unknowns into `out`, which has those of the other states.
  void fill(Solution part, Solution& out) const {
    out.method = std::max(out.method, part.method);
    out.iterations += part.iterations;
    out.converged = part.converged;
    out.note = std::move(part.note);
    if (!out.converged) {
      out.values.clear();
      out.bounds.clear();
      return;
    }
    for (std::uint32_t s = 0; s < process.size(); ++s) {
      if (of[s] == nowhere) continue;
      out.values[s] = part.values[of[s]];
      out.bounds[s] = part.bounds[of[s]];
    }
  }
};

/// Choices of states in `from` all of whose successors are in `into`.
std::vector<bool> staying(const DecisionProcess& process, const StateSet& from,
                          const StateSet& into) {
  std::vector<bool> out(process.choice_count(), false);
  for (std::uint32_t s = 0; s < process.size(); ++s) {
    if (!from[s]) continue;
    for (std::uint32_t c = process.first_choice(s); c < process.end_choice(s); ++c) {
      const auto row = process.row(c);
      out[c] = std::all_of(row.begin(), row.end(), [&](const Entry& e) { return into[e.column]; });
    }
  }
  return out;
}

Solution zeros(std::uint32_t size) {
  Solution out;
  out.values.assign(size, 0);
  out.bounds.assign(size, 0);
  out.converged = true;
  return out;
}

Solution until_probability(const DecisionProcess& process, Goal goal, const StateSet& a,
                           const StateSet& b, const SolveOptions& options) {
  const SureDecisions sure = qualitative(process, goal, a, b);
  Solution out = zeros(process.size());
  StateSet unknown(process.size());
  for (std::uint32_t s = 0; s < process.size(); ++s) {
    if (sure.surely[s]) out.values[s] = 1;
    unknown[s] = !sure.surely[s] && !sure.never[s];
  }
  const std::vector<double> no_cost;
  const std::vector<double> known = out.values;
  Reduction reduction{process, unknown, known, no_cost,
                      std::vector<bool>(process.choice_count(), true)};
  // Where the smallest probability is positive nobody can stay for ever.
  if (goal == Goal::maximise)
    reduction.merged = end_components(process, staying(process, unknown, unknown));
  const OptimalEquations equations = reduction.equations();
  reduction.fill(solve_optimal(equations, goal, options), out);
  for (double& value : out.values) value = std::min(value, 1.0);
  return out;
}

/// Values that are stepped backwards in time. Probabilities carry a kind, so that 0 and 1 stay
/// exact whatever the roundings.
struct Stepped {
  enum Kind : std::uint8_t { zero, one, between };
  std::vector<Wide> x;
  std::vector<Kind> kind;  ///< empty: not probabilities
  Wide doubt = 0;          ///< of the values that are not exact

  static Stepped flags(const StateSet& set) {
    Stepped out;
    for (const bool inside : set) out.push(inside ? 1 : 0, 0);
    return out;
  }
  void push(double value, double bound) {
    x.push_back(value);
    kind.push_back(bound > 0 || (value != 0 && value != 1) ? between : value == 0 ? zero : one);
    doubt = std::max(doubt, static_cast<Wide>(bound));
  }
};

struct Stepper {
  const DecisionProcess& process;
  Goal goal;
  const std::vector<double>& cost;
  const Stepped& from;

  Wide expected(std::uint32_t choice) const {
    Wide sum = 0, all = 0;
    for (const Entry& entry : process.row(choice)) {
      sum += entry.value * from.x[entry.column];
      all += entry.value;
    }
    return (cost.empty() ? 0 : cost[choice]) + sum / all;
  }

  Stepped::Kind kind_of(std::uint32_t choice) const {
    const auto row = process.row(choice);
    const Stepped::Kind first = from.kind[row.front().column];
    const bool same = std::all_of(row.begin(), row.end(),
                                  [&](const Entry& e) { return from.kind[e.column] == first; });
    return same ? first : Stepped::between;
  }

  void step(std::uint32_t s, Stepped& to) const {
    const bool up = goal == Goal::maximise;
    const Stepped::Kind best = up ? Stepped::one : Stepped::zero;
    const Stepped::Kind worst = up ? Stepped::zero : Stepped::one;
    Stepped::Kind kind = from.kind.empty() ? Stepped::between : worst;
    for (std::uint32_t c = process.first_choice(s); c < process.end_choice(s); ++c) {
      const Wide value = expected(c);
      if (c == process.first_choice(s) || (up ? value > to.x[s] : value < to.x[s])) to.x[s] = value;
      if (from.kind.empty() || kind == best) continue;
      const Stepped::Kind own = kind_of(c);
      if (own != worst) kind = own == best ? best : Stepped::between;
    }
    if (from.kind.empty()) return;
    to.kind[s] = kind;
    if (kind != Stepped::between) to.x[s] = kind == Stepped::one ? 1 : 0;
  }
};

/// x <- best over choices of (cost + sum p x), `steps` times, in the states of `moving`; the
/// others keep their values.
Solution iterate(const DecisionProcess& process, Goal goal, const std::vector<double>& cost,
                 const StateSet& moving, Stepped from, double steps, const SolveOptions& options) {
  Solution out;
  out.method = Method::powers;
  BRINK_CHECK(steps >= 0 && steps == std::floor(steps));
  std::size_t widest = 1;
  for (std::uint32_t c = 0; c < process.choice_count(); ++c)
    widest = std::max(widest, process.row(c).size());
  Stepped to = from;
  for (double step = 0; step < steps; ++step) {
    if (stopped(options)) {
      out.note = "interrupted";
      return out;
    }
    const Stepper stepper{process, goal, cost, from};
    for (std::uint32_t s = 0; s < process.size(); ++s)
      if (moving[s]) stepper.step(s, to);
    ++out.iterations;
    const bool fixed = to.x == from.x && to.kind == from.kind;
    Wide magnitude = 0;
    for (const Wide value : to.x) magnitude = std::max(magnitude, std::abs(value));
    for (const Wide value : from.x) magnitude = std::max(magnitude, std::abs(value));
    const Wide rounding =
        static_cast<Wide>(4 * widest + 8) * std::numeric_limits<Wide>::epsilon() * magnitude;
    // Once nothing moves any more, all further steps would repeat this one, roundings included.
    const double repeats = fixed ? steps - step : 1;
    to.doubt = from.doubt + static_cast<Wide>(repeats) * rounding;
    std::swap(from, to);
    if (fixed) break;
  }
  for (std::uint32_t s = 0; s < process.size(); ++s) {
    out.values.push_back(static_cast<double>(from.x[s]));
    const bool exact = !from.kind.empty() && from.kind[s] != Stepped::between;
    const Wide rounded = std::abs(from.x[s] - static_cast<Wide>(out.values[s]));
    out.bounds.push_back(exact ? 0 : static_cast<double>((from.doubt + rounded) * (1 + 1e-9L)));
  }
  out.converged = true;
  return out;
}

}  // namespace

Solution until_within(const DecisionProcess& process, Goal goal, const StateSet& a,
                      const StateSet& b, const Window& window, const SolveOptions& options) {
  const std::uint32_t size = process.size();
  if (window.upper && *window.upper < window.lower) return zeros(size);
  Solution last;
  if (window.upper) {
    StateSet moving(size);
    for (std::uint32_t s = 0; s < size; ++s) moving[s] = a[s] && !b[s];
    last = iterate(process, goal, {}, moving, Stepped::flags(b), *window.upper - window.lower,
                   options);
  } else {
    last = until_probability(process, goal, a, b, options);
  }
  if (window.lower == 0 || !last.converged) return last;
  // Before the lower bound a has to hold, at the bound itself it need not: one step from the
  // values of the rest, 0 where a fails, as often as the bound says.
  const auto stepped = [&](const Solution& solution, const StateSet& where) {
    Stepped out;
    for (std::uint32_t s = 0; s < size; ++s)
      out.push(where[s] ? solution.values[s] : 0, where[s] ? solution.bounds[s] : 0);
    return out;
  };
  const StateSet all(size, true);
  const Solution one = iterate(process, goal, {}, a, stepped(last, all), 1, options);
  if (!one.converged) return one;
  Solution first = iterate(process, goal, {}, a, stepped(one, a), window.lower - 1, options);
  first.iterations += last.iterations + one.iterations;
  first.method = std::max(first.method, last.method);
  return first;
}

Solution next_probability(const DecisionProcess& process, Goal goal, const StateSet& a) {
  return iterate(process, goal, {}, StateSet(process.size(), true), Stepped::flags(a), 1, {});
}

Solution hitting_reward(const DecisionProcess& process, Goal goal, const StateSet& target,
                        const std::vector<double>& cost, const SolveOptions& options) {
  const std::uint32_t size = process.size();
  const StateSet all(size, true);
  const Goal opposite = goal == Goal::maximise ? Goal::minimise : Goal::maximise;
  const StateSet finite = qualitative(process, opposite, all, target).surely;
  Solution out = zeros(size);
  StateSet unknown(size);
  for (std::uint32_t s = 0; s < size; ++s) {
    if (!finite[s]) out.values[s] = std::numeric_limits<double>::infinity();
    unknown[s] = finite[s] && !target[s];
  }
  const std::vector<double> known(size, 0);
  Reduction reduction{process, unknown, known, cost, staying(process, unknown, finite)};
  bool may_stay = false;
  if (goal == Goal::minimise) {
    std::vector<bool> inside = staying(process, unknown, unknown);
    const EndComponents everywhere = end_components(process, inside);
    for (std::uint32_t c = 0; c < process.choice_count(); ++c) {
      may_stay = may_stay || (everywhere.inside[c] && cost[c] > 0);
      if (cost[c] > 0) inside[c] = false;
    }
    reduction.merged = end_components(process, std::move(inside));
  }
  OptimalEquations equations = reduction.equations();
  equations.may_stay = may_stay;
  reduction.fill(solve_optimal(equations, goal, options), out);
  return out;
}

Solution total_reward(const DecisionProcess& process, Goal goal, const std::vector<double>& cost,
                      const SolveOptions& options) {
  const std::uint32_t size = process.size();
  const StateSet all(size, true);
  std::vector<bool> allowed(process.choice_count(), true);
  if (goal == Goal::minimise) {  // the cheapest end is where one can stay for nothing
    for (std::uint32_t c = 0; c < process.choice_count(); ++c) allowed[c] = cost[c] == 0;
    const EndComponents free = end_components(process, std::move(allowed));
    StateSet done(size);
    for (std::uint32_t s = 0; s < size; ++s) done[s] = free.of[s] != EndComponents::none;
    return hitting_reward(process, goal, done, cost, options);
  }
  EndComponents components = end_components(process, allowed);
  std::vector<bool> earns(components.count, false);
  for (std::uint32_t s = 0; s < size; ++s)
    for (std::uint32_t c = process.first_choice(s); c < process.end_choice(s); ++c)
      if (components.inside[c] && cost[c] > 0) earns[components.of[s]] = true;
  StateSet source(size);
  for (std::uint32_t s = 0; s < size; ++s)
    source[s] = components.of[s] != EndComponents::none && earns[components.of[s]];
  StateSet unknown = can_reach(process, all, source);
  Solution out = zeros(size);
  for (std::uint32_t s = 0; s < size; ++s)
    if (unknown[s]) out.values[s] = std::numeric_limits<double>::infinity();
  unknown.flip();
  const std::vector<double> known(size, 0);
  Reduction reduction{process, unknown, known, cost, std::move(allowed), std::move(components),
                      true};
  const OptimalEquations equations = reduction.equations();
  reduction.fill(solve_optimal(equations, goal, options), out);
  return out;
}

Solution reward_until(const DecisionProcess& process, Goal goal, const std::vector<double>& cost,
                      double steps, const SolveOptions& options) {
  return iterate(process, goal, cost, StateSet(process.size(), true),
                 {std::vector<Wide>(process.size(), 0), {}, 0}, steps, options);
}

Solution expectation_at(const DecisionProcess& process, Goal goal, const std::vector<double>& value,
                        double steps, const SolveOptions& options) {
  return iterate(process, goal, {}, StateSet(process.size(), true),
                 {std::vector<Wide>(value.begin(), value.end()), {}, 0}, steps, options);
}

}  // namespace brink::analytic
