// From values to a strategy. Taking any best choice in each state is not enough: a choice that
// loses nothing may also win nothing, for ever. So where a target is to be reached (Pmax, Rmin),
// choices are given backwards from the target, each state the first of its best choices that leads
// to states settled before; where one is to be avoided (Pmin), a state with value 0 takes a choice
// that keeps it there; Rmax goes where the target can be missed for ever, if anywhere, and
// otherwise collects on the way whatever it does. "Best" is up to the errors of the values, so the
// chain that results is solved and compared.
#include "analytic/strategy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analytic/absorption.h"
#include "analytic/decision_question.h"

namespace brink::analytic {
namespace {

constexpr std::uint32_t none = Strategy::none;

struct Extraction {
  const DecisionProcess& process;
  const DecisionQuestion& asked;
  const Solution& values;
  std::vector<std::uint32_t> choice;

  double cost(std::uint32_t c) const { return asked.cost.empty() ? 0 : asked.cost[c]; }

  double at(std::uint32_t c) const {
    double sum = 0, all = 0;
    for (const Entry& entry : process.row(c)) {
      sum += entry.value * values.values[entry.column];
      all += entry.value;
    }
    return cost(c) + sum / all;
  }

  bool moving(std::uint32_t s) const { return asked.through[s] && !asked.target[s]; }

  /// Within the errors of the values of the best.
  bool good(std::uint32_t s, std::uint32_t c) const {
    const double value = values.values[s], own = at(c);
    if (std::isinf(value) || std::isinf(own)) return value == own;
    double slack = values.bounds[s] + 1e-12 * std::abs(value);
    for (const Entry& entry : process.row(c)) slack += entry.value * values.bounds[entry.column];
    return std::abs(own - value) <= slack;
  }

  void towards_target() {
    std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> into(process.size());
    for (std::uint32_t s = 0; s < process.size(); ++s) {
      if (!moving(s)) continue;
      for (std::uint32_t c = process.first_choice(s); c < process.end_choice(s); ++c)
        if (good(s, c))
          for (const Entry& entry : process.row(c)) into[entry.column].emplace_back(s, c);
    }
    std::vector<std::uint32_t> work;
    for (std::uint32_t s = 0; s < process.size(); ++s)
      if (asked.target[s]) work.push_back(s);
    for (std::size_t w = 0; w < work.size(); ++w)
      for (const auto& [s, c] : into[work[w]]) {
        if (choice[s] != none) continue;
        choice[s] = c;
        work.push_back(s);
      }
  }

  /// An infinite cost is one that is paid for ever: to where the target need not be met, and there
  /// by choices that keep it so.
  void away_from_target() {
    const StateSet avoid =
        qualitative(process, Goal::minimise, StateSet(process.size(), true), asked.target).never;
    std::vector<std::uint32_t> work;
    std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> into(process.size());
    for (std::uint32_t s = 0; s < process.size(); ++s) {
      if (avoid[s]) work.push_back(s);
      for (std::uint32_t c = process.first_choice(s); c < process.end_choice(s); ++c) {
        const auto row = process.row(c);
        if (!avoid[s])
          for (const Entry& entry : row) into[entry.column].emplace_back(s, c);
        else if (std::all_of(row.begin(), row.end(),
                             [&](const Entry& entry) { return avoid[entry.column]; }))
          choice[s] = c;
      }
    }
    for (std::size_t w = 0; w < work.size(); ++w)
      for (const auto& [s, c] : into[work[w]]) {
        if (choice[s] != none || !moving(s)) continue;
        choice[s] = c;
        work.push_back(s);
      }
  }

  /// Where nothing is to be had, or nothing to be done, nothing is chosen.
  void forget_idle(const ModelDecisions& decisions) {
    for (std::uint32_t s = 0; s < process.size(); ++s) {
      const bool lost = asked.cost.empty() && asked.goal == Goal::maximise &&
                        values.values[s] == 0 && values.bounds[s] == 0;
      if (lost || decisions.deadlock(s)) choice[s] = none;
    }
  }

  /// The first best choice by value alone.
  void by_value() {
    for (std::uint32_t s = 0; s < process.size(); ++s) {
      if (!moving(s) || choice[s] != none) continue;
      std::uint32_t best = process.first_choice(s);
      double value = at(best);
      for (std::uint32_t c = best + 1; c < process.end_choice(s); ++c) {
        const double own = at(c);
        if (asked.goal == Goal::maximise ? own <= value : own >= value) continue;
        best = c;
        value = own;
      }
      choice[s] = best;
    }
  }
};

Chain left_by(const DecisionProcess& process, const std::vector<std::uint32_t>& choice) {
  ChainBuilder builder(ChainKind::discrete);
  for (std::uint32_t s = 0; s < process.size(); ++s) {
    if (choice[s] == none)
      builder.add(s, 1);
    else
      for (const Entry& entry : process.row(choice[s])) builder.add(entry.column, entry.value);
    builder.end_row();
  }
  return *std::move(builder).finish();
}

/// Keeps the choices of states that are met.
void keep_met(const DecisionProcess& process, std::uint32_t initial,
              std::vector<std::uint32_t>& choice) {
  StateSet met(process.size(), false);
  std::vector<std::uint32_t> work;
  const auto meet = [&](std::uint32_t s) {
    if (met[s]) return;
    met[s] = true;
    work.push_back(s);
  };
  for (std::uint32_t s = 0; s < initial; ++s) meet(s);
  while (!work.empty()) {
    const std::uint32_t s = work.back();
    work.pop_back();
    if (choice[s] == none) continue;
    for (const Entry& entry : process.row(choice[s])) meet(entry.column);
  }
  for (std::uint32_t s = 0; s < process.size(); ++s)
    if (!met[s]) choice[s] = none;
}

bool differ(double a, double b, double bound) {
  if (std::isinf(a) || std::isinf(b)) return a != b;
  return std::abs(a - b) > bound + 1e-9 * std::max(std::abs(a), std::abs(b));
}

}  // namespace

std::uint32_t Strategy::states() const {
  return static_cast<std::uint32_t>(
      std::count_if(choice.begin(), choice.end(), [](std::uint32_t c) { return c != none; }));
}

Result<Strategy, NoStrategy> best_strategy(const ModelDecisions& decisions, const PropertySet& set,
                                           const Property& property, const SolveOptions& options) {
  const auto found = question_of(decisions, set, property, options);
  if (!found) return fail(NoStrategy{false, found.error()});
  const DecisionProcess& process = decisions.process();
  const DecisionQuestion& asked = *found;
  Extraction extraction{process, asked, asked.values,
                        std::vector<std::uint32_t>(process.size(), none)};
  const bool reward = !asked.cost.empty();
  if ((asked.goal == Goal::maximise) != reward) extraction.towards_target();
  if (asked.goal == Goal::maximise && reward) extraction.away_from_target();
  extraction.by_value();
  extraction.forget_idle(decisions);
  Strategy out;
  out.choice = std::move(extraction.choice);
  const Chain chain = left_by(process, out.choice);
  Solution check;
  if (reward) {
    std::vector<double> earned(process.size(), 0);
    for (std::uint32_t s = 0; s < process.size(); ++s)
      if (out.choice[s] != none) earned[s] = asked.cost[out.choice[s]];
    check = hitting_reward(chain, asked.target, earned, options);
  } else {
    check = until_probability(chain, asked.through, asked.target, options);
  }
  if (!check.converged)
    return fail(
        NoStrategy{false, "the chain that the strategy leaves was not solved: " + check.note});
  for (std::uint32_t s = 0; s < decisions.initial_count(); ++s) {
    if (differ(check.values[s], asked.values.values[s], check.bounds[s] + asked.values.bounds[s]))
      return fail(NoStrategy{true, fmt::format("the strategy found has the value {}, not {}",
                                               check.values[s], asked.values.values[s])});
    const double value = asked.complemented ? 1 - check.values[s] : check.values[s];
    out.low = s == 0 ? value : std::min(out.low, value);
    out.high = s == 0 ? value : std::max(out.high, value);
    out.error_bound = std::max(out.error_bound, check.bounds[s]);
  }
  keep_met(process, decisions.initial_count(), out.choice);
  return out;
}

std::string strategy_text(const ModelDecisions& decisions, const Strategy& strategy,
                          const Property& property) {
  const Model& model = *decisions.model();
  const DecisionProcess& process = decisions.process();
  Evaluator evaluator(decisions.model());
  std::string out = fmt::format(
      "# {}\n# {} of {} states; the others are not met, or nothing is "
      "decided there any more\n",
      property.text, strategy.states(), process.size());
  std::vector<std::int64_t> state;
  Expansion expansion;
  for (std::uint32_t s = 0; s < process.size(); ++s) {
    if (strategy.choice[s] == none) continue;
    decisions.valuation(s, state);
    std::string where;
    for (std::size_t v = 0; v < state.size(); ++v) {
      const Variable& variable = model.variables[v];
      const bool truth = variable.type == Type::boolean;
      where += fmt::format("{}{}={}", where.empty() ? "" : ", ", variable.name,
                           truth ? (state[v] != 0 ? "true" : "false") : std::to_string(state[v]));
    }
    std::string what;
    evaluator.successors(state, expansion);
    std::uint32_t number = process.first_choice(s);
    for (const Choice& choice : expansion.choices) {
      if (choice.branch_count == 0 || number++ != strategy.choice[s]) continue;
      for (const std::uint32_t command : expansion.commands_of(choice))
        what += (what.empty() ? "" : "; ") + model.describe_command(command);
      break;
    }
    out += where + ": " + what + "\n";
  }
  return out;
}

}  // namespace brink::analytic
