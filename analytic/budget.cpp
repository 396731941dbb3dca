// Budget by budget, from 0 up (Andova, Hermanns & Katoen, FORMATS 2003; Hahn & Hartmanns, SETTA
// 2016): what is left of the budget after a choice was paid for has its values already, and choices
// that cost nothing are taken in the order that their acyclic graph gives. Only as many budgets are
// remembered as the dearest choice costs, so time grows with the budget and memory does not.
//
// The error is that of rounding alone: a value is a convex combination of others, so it inherits
// their error and adds a few roundings of its own; the longest way through one budget bounds how
// often. Tried and dropped: one process over pairs of state and budget, which for 200,000 states
// and 600 budgets does not fit.
#include "analytic/budget.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/base/check.h"

namespace brink::analytic {
namespace {

using Wide = long double;

/// The states to be computed, those that need others of the same budget after them.
struct Order {
  std::vector<std::uint32_t> states;
  std::uint32_t longest = 1;  ///< states on a way that costs nothing
  bool cyclic = false;

  Order(const DecisionProcess& process, const StateSet& moving, const std::vector<double>& cost) {
    ChainBuilder builder(ChainKind::continuous);
    for (std::uint32_t s = 0; s < process.size(); ++s) {
      for (std::uint32_t c = process.first_choice(s); c < process.end_choice(s); ++c) {
        if (!moving[s] || cost[c] != 0) continue;
        for (const Entry& entry : process.row(c)) {
          if (!moving[entry.column]) continue;
          cyclic = cyclic || entry.column == s;
          builder.add(entry.column, 1);
        }
      }
      builder.end_row();
    }
    const Chain graph = *std::move(builder).finish();
    std::vector<std::uint32_t> length(process.size(), 1);
    for (const auto& members : strong_components(graph).members) {
      cyclic = cyclic || members.size() > 1;
      const std::uint32_t s = members.front();
      if (!moving[s]) continue;
      for (const Entry& entry : graph.row(s))
        length[s] = std::max(length[s], length[entry.column] + 1);
      longest = std::max(longest, length[s]);
      states.push_back(s);
    }
  }
};

Solution undecided(std::string why) {
  Solution out;
  out.note = std::move(why);
  return out;
}

}  // namespace

Solution until_within_budget(const DecisionProcess& process, Goal goal, const StateSet& a,
                             const StateSet& b, const std::vector<double>& cost, double budget,
                             const SolveOptions& options) {
  const std::uint32_t size = process.size();
  StateSet moving(size);
  for (std::uint32_t s = 0; s < size; ++s) moving[s] = a[s] && !b[s];
  double dearest = 0;
  for (const double c : cost) {
    if (!(c >= 0) || c != std::floor(c) || c > 1e6)
      return undecided("bounds on rewards that are not whole numbers from 0 to 1,000,000");
    dearest = std::max(dearest, c);
  }
  const Order order(process, moving, cost);
  if (order.cyclic) return undecided("a bound on rewards, and a cycle that earns none");
  const auto remembered = static_cast<std::size_t>(std::min(dearest, std::max(budget, 0.0))) + 1;
  if (options.bytes != 0 && remembered * size * sizeof(Wide) > options.bytes)
    return undecided("memory limit reached by the values of all budgets");
  Solution out;
  out.method = Method::powers;
  std::vector<Wide> target(size, 0);
  for (std::uint32_t s = 0; s < size; ++s) target[s] = b[s] ? 1 : 0;
  std::vector<std::vector<Wide>> values(remembered, target);
  std::size_t widest = 1;
  for (std::uint32_t c = 0; c < process.choice_count(); ++c)
    widest = std::max(widest, process.row(c).size());
  for (double left = 0; left <= budget; ++left) {
    if (stopped(options)) return undecided("interrupted");
    const auto now = static_cast<std::uint64_t>(left);
    std::vector<Wide>& current = values[now % remembered];
    for (const std::uint32_t s : order.states) {
      for (std::uint32_t c = process.first_choice(s); c < process.end_choice(s); ++c) {
        Wide sum = 0, all = 0;
        if (cost[c] <= left) {
          const auto& from = values[(now - static_cast<std::uint64_t>(cost[c])) % remembered];
          for (const Entry& entry : process.row(c)) {
            sum += entry.value * from[entry.column];
            all += entry.value;
          }
          sum /= all;
        }
        const bool better = goal == Goal::maximise ? sum > current[s] : sum < current[s];
        if (c == process.first_choice(s) || better) current[s] = sum;
      }
    }
    ++out.iterations;
  }
  const double rounding = static_cast<double>(std::numeric_limits<Wide>::epsilon()) *
                          static_cast<double>(2 * widest + 4) * order.longest *
                          static_cast<double>(out.iterations + 1);
  const auto last = static_cast<std::uint64_t>(std::max(budget, 0.0));
  for (std::uint32_t s = 0; s < size; ++s) {
    const bool none = budget < 0;  // not even 0 may be collected
    const Wide value = none ? 0 : values[last % remembered][s];
    out.values.push_back(static_cast<double>(value));
    // 0 is exact: sums of products of what is not negative. So are the states that do not move.
    const bool exact = value == 0 || none || !moving[s];
    out.bounds.push_back(
        exact ? 0 : rounding + std::numeric_limits<double>::epsilon() * out.values.back());
  }
  out.converged = true;
  return out;
}

DecisionProcess as_decisions(const Chain& chain) {
  BRINK_CHECK(chain.kind() == ChainKind::discrete);
  DecisionBuilder builder;
  for (std::uint32_t s = 0; s < chain.size(); ++s) {
    for (const Entry& entry : chain.row(s)) builder.add(entry.column, entry.value);
    if (!chain.row(s).empty()) builder.end_choice();
    builder.end_state();
  }
  return *std::move(builder).finish();
}

}  // namespace brink::analytic
