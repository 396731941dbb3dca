#include "analytic/path_values.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analytic/certain.h"
#include "analytic/stationary.h"
#include "analytic/transient.h"
#include "models/base/check.h"

namespace brink::analytic {
namespace {

/// The chain with the states of `stop` made absorbing.
Chain frozen(const Chain& chain, const StateSet& stop) {
  ChainBuilder builder(chain.kind());
  for (std::uint32_t s = 0; s < chain.size(); ++s) {
    if (!stop[s])
      for (const Entry& entry : chain.row(s)) builder.add(entry.column, entry.value);
    builder.end_row();
  }
  auto out = std::move(builder).finish();
  BRINK_CHECK(out.has_value(), "rows of a valid chain");
  return std::move(*out);
}

/// Adds what the input vector of a transient computation was uncertain about: expectations do not
/// enlarge errors.
void add_doubt(Solution& out, const Solution& input) {
  const double worst =
      input.bounds.empty() ? 0 : *std::max_element(input.bounds.begin(), input.bounds.end());
  for (double& bound : out.bounds) bound += worst + 1e-15;  // and the roundings of one step
  out.iterations += input.iterations;
  out.residual = std::max(out.residual, input.residual);
}

}  // namespace

Solution until_within(const Chain& chain, const StateSet& a, const StateSet& b,
                      const Window& window, const SolveOptions& options) {
  Solution last;
  if (window.upper) {
    StateSet stop(chain.size());
    std::vector<double> value(chain.size());
    for (std::uint32_t s = 0; s < chain.size(); ++s) {
      stop[s] = b[s] || !a[s];
      value[s] = b[s] ? 1 : 0;
    }
    if (*window.upper < window.lower) {  // no such time
      last.values.assign(chain.size(), 0);
      last.bounds.assign(chain.size(), 0);
      last.converged = true;
      return last;
    }
    const Chain until = frozen(chain, stop);
    const double time = *window.upper - window.lower;
    last = expectation_at(until, value, time, options);
    settle(last, after(until, Certain::of(value), time));
  } else {
    last = until_probability(chain, a, b, options);
  }
  if (window.lower == 0 || !last.converged) return last;
  StateSet leave = a;
  leave.flip();
  // In discrete time the state at step `lower` itself need not be in a, only those before it; in
  // continuous time it is almost surely the one occupied just before.
  const bool discrete = chain.kind() == ChainKind::discrete;
  std::vector<double> value(chain.size(), 0);
  for (std::uint32_t s = 0; s < chain.size(); ++s) {
    if (!a[s]) continue;
    if (!discrete || chain.row(s).empty()) value[s] = last.values[s];
    if (!discrete) continue;
    for (const Entry& entry : chain.row(s)) value[s] += entry.value * last.values[entry.column];
  }
  const double before = discrete ? window.lower - 1 : window.lower;
  const Chain along = frozen(chain, leave);
  Solution first = expectation_at(along, value, before, options);
  if (!first.converged) return first;
  add_doubt(first, last);
  Certain certain = Certain::of(last.values, last.bounds);
  if (discrete) certain = certain.before(chain);
  for (std::uint32_t s = 0; s < chain.size(); ++s) {
    certain.zero[s] = certain.zero[s] || !a[s];
    certain.one[s] = certain.one[s] && a[s];
  }
  settle(first, after(along, std::move(certain), before));
  return first;
}

Solution next_probability(const Chain& chain, const StateSet& a) {
  Solution out;
  out.method = Method::powers;
  out.iterations = 1;
  out.converged = true;
  for (std::uint32_t s = 0; s < chain.size(); ++s) {
    double into = 0, all = 0;
    for (const Entry& entry : chain.row(s)) {
      all += entry.value;
      if (a[entry.column]) into += entry.value;
    }
    const double value =
        all == 0 ? (a[s] ? 1 : 0) : (chain.kind() == ChainKind::continuous ? into / all : into);
    const bool exact = value == 0 || into == all;
    out.values.push_back(exact && value != 0 ? 1 : value);
    out.bounds.push_back(exact ? 0
                               : value * static_cast<double>(chain.row(s).size() + 2) *
                                     std::numeric_limits<double>::epsilon());
  }
  return out;
}

Solution long_run_average(const Chain& chain, const std::vector<double>& reward,
                          const SolveOptions& options) {
  StateSet known(chain.size(), false);
  std::vector<double> boundary(chain.size(), 0), doubt(chain.size(), 0);
  Solution worst;
  for (const BottomStationary& bottom : stationary_vectors(chain, options)) {
    if (!bottom.solution.converged) return bottom.solution;
    double average = 0, error = 0, weight = 0;
    for (std::size_t i = 0; i < bottom.states.size(); ++i) {
      average += bottom.solution.values[i] * reward[bottom.states[i]];
      error += bottom.solution.bounds[i] * std::abs(reward[bottom.states[i]]);
      weight += reward[bottom.states[i]] != 0 ? 1 : 0;
    }
    double most = 0;
    for (const std::uint32_t s : bottom.states) most = std::max(most, std::abs(reward[s]));
    error = std::min(error, bottom.total_error * most);
    // All states earning the same gives exactly that.
    const double first = reward[bottom.states.front()];
    const bool same = std::all_of(bottom.states.begin(), bottom.states.end(),
                                  [&](std::uint32_t s) { return reward[s] == first; });
    if (same) average = first;
    if (same) error = 0;
    for (const std::uint32_t s : bottom.states) {
      known[s] = true;
      boundary[s] = average;
      doubt[s] =
          same ? 0
               : error + std::abs(average) * (weight + 1) * std::numeric_limits<double>::epsilon();
    }
    worst.method = std::max(worst.method, bottom.solution.method);
    worst.residual = std::max(worst.residual, bottom.solution.residual);
    worst.iterations += bottom.solution.iterations;
  }
  Solution out = boundary_value(chain, known, boundary, doubt, options);
  out.method = std::max(out.method, worst.method);
  out.residual = std::max(out.residual, worst.residual);
  out.iterations += worst.iterations;
  return out;
}

Solution total_reward(const Chain& chain, const std::vector<double>& reward,
                      const SolveOptions& options) {
  const Components components = strong_components(chain);
  StateSet done(chain.size(), false);
  for (std::uint32_t c = 0; c < components.members.size(); ++c) {
    const auto& members = components.members[c];
    if (!components.bottom[c] || std::any_of(members.begin(), members.end(),
                                             [&](std::uint32_t s) { return reward[s] != 0; }))
      continue;
    for (const std::uint32_t s : members) done[s] = true;
  }
  return hitting_reward(chain, done, reward, options);
}

Solution complement(Solution x) {
  for (std::size_t s = 0; s < x.values.size(); ++s) {
    const double value = 1 - x.values[s];
    if (x.values[s] != 0 && x.values[s] != 1) x.bounds[s] += std::numeric_limits<double>::epsilon();
    x.values[s] = value;
  }
  return x;
}

}  // namespace brink::analytic
