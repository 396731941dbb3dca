#include "analytic/absorption.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analytic/certified.h"
#include "analytic/elimination.h"
#include "models/base/check.h"

namespace brink::analytic {
namespace {

constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

/// What solving one component needs besides the chain.
struct Problem {
  const Chain& chain;
  const StateSet& unknown;              ///< states still to be solved
  const std::vector<double>& constant;  ///< the right side's own part, or empty
  const SolveOptions& options;
  Solution& out;                     ///< values and bounds of the known states, extended
  std::vector<std::uint32_t> local;  ///< scratch: number of a state in its component
};

/// A component of one state: one division.
void solve_single(Problem& p, std::uint32_t s) {
  using Wide = long double;
  const double own = p.constant.empty() ? 0 : p.constant[s];
  Wide right = own, magnitude = std::abs(own), doubt = 0, exit = 0;
  const auto row = p.chain.row(s);
  for (const Entry& entry : row) {
    if (entry.column == s) continue;
    const Wide value = p.out.values[entry.column], rate = entry.value;
    exit += rate;
    right += rate * value;
    magnitude += rate * std::abs(value);
    doubt += rate * static_cast<Wide>(p.out.bounds[entry.column]);
  }
  BRINK_CHECK(exit > 0, "an unknown state can be left");
  // One rounding for each product and sum, above and in the exit rate.
  const Wide roundings = static_cast<Wide>(3 * row.size() + 6);
  const Wide error = doubt + roundings * std::numeric_limits<Wide>::epsilon() * magnitude;
  p.out.values[s] = static_cast<double>(right / exit);
  p.out.bounds[s] = static_cast<double>(error / exit * (1 + 1e-9L)) +
                    std::numeric_limits<double>::epsilon() / 2 * std::abs(p.out.values[s]);
  if (p.out.method == Method::graph) p.out.method = Method::elimination;
}

BalanceSystem build(Problem& p, const std::vector<std::uint32_t>& states) {
  for (std::uint32_t i = 0; i < states.size(); ++i) p.local[states[i]] = i;
  BalanceSystem system;
  std::vector<double> right, error, size;
  for (const std::uint32_t s : states) {
    double r = p.constant.empty() ? 0 : p.constant[s];
    double magnitude = std::abs(r), e = 0, exit = 0;
    for (const Entry& entry : p.chain.row(s)) {
      if (entry.column == s) continue;
      if (p.local[entry.column] != nowhere) {
        system.column.push_back(p.local[entry.column]);
        system.rate.push_back(entry.value);
      } else {
        exit += entry.value;
        r += entry.value * p.out.values[entry.column];
        magnitude += entry.value * std::abs(p.out.values[entry.column]);
        e += entry.value * p.out.bounds[entry.column];
      }
    }
    system.begin.push_back(system.column.size());
    system.exit.push_back(exit);
    right.push_back(r);
    // The sums above round as well.
    const double terms = static_cast<double>(p.chain.row(s).size()) + 2;
    error.push_back(e + terms * std::numeric_limits<double>::epsilon() * magnitude);
    size.push_back(magnitude);
  }
  for (const std::uint32_t s : states) p.local[s] = nowhere;
  system.right = {std::move(right), std::move(error), std::move(size)};
  return system;
}

CertifiedSystem certified(const BalanceSystem& system) {
  CertifiedSystem out;
  out.begin = system.begin;
  out.column = system.column;
  out.rate = system.rate;
  out.right = system.right[0];
  out.right_error = system.right[1];
  for (std::uint32_t s = 0; s < system.size(); ++s) {
    double sum = system.exit[s];
    for (std::size_t k = system.begin[s]; k < system.begin[s + 1]; ++k) sum += system.rate[k];
    out.diagonal.push_back(sum);
  }
  return out;
}

/// Takes over what elimination found; false when it found nothing.
bool take_eliminated(Problem& p, const std::vector<std::uint32_t>& states,
                     const EliminationResult& result) {
  if (!result.done) return false;
  for (std::size_t i = 0; i < states.size(); ++i) {
    p.out.values[states[i]] = result.values[0][i];
    // Values of mixed sign cancel: the bound is relative to the sum of magnitudes.
    p.out.bounds[states[i]] =
        result.values[1][i] * (1 + result.relative_bound) +
        result.relative_bound * result.values[2][i] * (1 + result.relative_bound);
  }
  if (p.out.method == Method::graph) p.out.method = Method::elimination;
  return true;
}

/// Solves one component in place; false with a note when it cannot be decided.
bool solve_component(Problem& p, const std::vector<std::uint32_t>& states) {
  if (states.size() == 1) {  // whatever the method asked for
    solve_single(p, states.front());
    return true;
  }
  const BalanceSystem system = build(p, states);
  const Method wanted = p.options.method;
  const auto by_elimination = [&](std::uint64_t operations) {
    SolveOptions options = p.options;
    options.elimination_operations = std::min(options.elimination_operations, operations);
    return take_eliminated(p, states, eliminate(system, options));
  };
  const bool automatic = wanted == Method::automatic;
  if (automatic && by_elimination(p.options.first_operations)) return true;
  Solution part;
  if (automatic && !stopped(p.options)) {  // quick sweeps are cheaper than a long elimination
    part = sweep_if_quick(certified(system), p.options);
    p.out.iterations += part.iterations;
  }
  if (!part.converged && (automatic || wanted == Method::elimination)) {
    if (!stopped(p.options) && by_elimination(p.options.elimination_operations)) return true;
    if (wanted == Method::elimination || stopped(p.options)) {
      p.out.note = stopped(p.options) ? "interrupted" : "elimination exceeds its budget";
      return false;
    }
  }
  if (!part.converged) {
    part = solve_certified(certified(system), p.options);
    p.out.iterations += part.iterations;
  }
  p.out.residual = std::max(p.out.residual, part.residual);
  p.out.method = std::max(p.out.method, part.method);
  if (!part.converged) {
    p.out.note = part.note;
    return false;
  }
  for (std::size_t i = 0; i < states.size(); ++i) {
    p.out.values[states[i]] = part.values[i];
    p.out.bounds[states[i]] = part.bounds[i];
  }
  return true;
}

/// Largest scaled defect over the solved states: measured afterwards, whatever the method.
double measure(const Problem& p) {
  double worst = 0;
  for (std::uint32_t s = 0; s < p.chain.size(); ++s) {
    if (!p.unknown[s]) continue;
    double defect = p.constant.empty() ? 0 : p.constant[s];
    double size = std::abs(defect);
    for (const Entry& entry : p.chain.row(s)) {
      if (entry.column == s) continue;
      defect += entry.value * (p.out.values[entry.column] - p.out.values[s]);
      size += entry.value * (std::abs(p.out.values[entry.column]) + std::abs(p.out.values[s]));
    }
    if (size > 0) worst = std::max(worst, std::abs(defect) / size);
  }
  return worst;
}

/// Solves for `unknown`, whose successors outside are known already in `out`.
void solve_unknown(const Chain& chain, const StateSet& unknown, const std::vector<double>& constant,
                   const SolveOptions& options, Solution& out) {
  Problem problem{chain,   unknown, constant,
                  options, out,     std::vector<std::uint32_t>(chain.size(), nowhere)};
  const Components components = strong_components(chain);
  out.converged = true;
  std::vector<std::uint32_t> states;
  for (const auto& members : components.members) {
    // Known states may cut a component further; solving the rest of it in one piece is still right.
    states.clear();
    std::copy_if(members.begin(), members.end(), std::back_inserter(states),
                 [&](std::uint32_t s) { return unknown[s]; });
    if (states.empty()) continue;
    if (solve_component(problem, states)) continue;
    out.converged = false;
    out.values.clear();
    out.bounds.clear();
    return;
  }
  out.residual = std::max(out.residual, measure(problem));
}

}  // namespace

Solution until_probability(const Chain& chain, const StateSet& through, const StateSet& target,
                           const SolveOptions& options) {
  const Sure sure = qualitative(chain, through, target);
  Solution out;
  out.values.assign(chain.size(), 0);
  out.bounds.assign(chain.size(), 0);
  StateSet unknown(chain.size());
  for (std::uint32_t s = 0; s < chain.size(); ++s) {
    if (sure.surely[s]) out.values[s] = 1;
    unknown[s] = !sure.surely[s] && !sure.never[s];
  }
  solve_unknown(chain, unknown, {}, options, out);
  for (double& value : out.values) value = std::clamp(value, 0.0, 1.0);
  return out;
}

Solution reach_probability(const Chain& chain, const StateSet& target,
                           const SolveOptions& options) {
  return until_probability(chain, StateSet(chain.size(), true), target, options);
}

Solution boundary_value(const Chain& chain, const StateSet& known,
                        const std::vector<double>& boundary, const std::vector<double>& doubt,
                        const SolveOptions& options) {
  BRINK_CHECK(boundary.size() == chain.size());
  const Sure sure = qualitative(chain, StateSet(chain.size(), true), known);
  Solution out;
  out.values.assign(chain.size(), 0);
  out.bounds.assign(chain.size(), 0);
  StateSet unknown(chain.size());
  for (std::uint32_t s = 0; s < chain.size(); ++s) {
    if (known[s]) {
      out.values[s] = boundary[s];
      if (!doubt.empty()) out.bounds[s] = doubt[s];
    }
    unknown[s] = !known[s] && !sure.never[s];
  }
  solve_unknown(chain, unknown, {}, options, out);
  return out;
}

Solution hitting_reward(const Chain& chain, const StateSet& target,
                        const std::vector<double>& reward, const SolveOptions& options) {
  BRINK_CHECK(reward.size() == chain.size());
  const Sure sure = qualitative(chain, StateSet(chain.size(), true), target);
  Solution out;
  out.values.assign(chain.size(), 0);
  out.bounds.assign(chain.size(), 0);
  StateSet unknown(chain.size());
  for (std::uint32_t s = 0; s < chain.size(); ++s) {
    if (!sure.surely[s]) out.values[s] = std::numeric_limits<double>::infinity();
    unknown[s] = sure.surely[s] && !target[s];
  }
  solve_unknown(chain, unknown, reward, options, out);
  return out;
}

Solution hitting_time(const Chain& chain, const StateSet& target, const SolveOptions& options) {
  return hitting_reward(chain, target, std::vector<double>(chain.size(), 1.0), options);
}

}  // namespace brink::analytic
