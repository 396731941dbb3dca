// The proof behind solve_optimal: see optimal_equations.h.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "analytic/optimal_equations.h"

namespace brink::analytic {
namespace {

using Wide = OptimalEquations::Wide;
using Vector = std::vector<Wide>;

constexpr Wide epsilon = std::numeric_limits<Wide>::epsilon();

/// What the evaluation of a choice may be wrong by, relative to its (non-negative) value.
Wide roundings(const OptimalEquations& equations, std::uint32_t choice) {
  return static_cast<Wide>(2 * equations.row(choice).size() + 8) * epsilon;
}

/// p >= 0 with p - P p >= slack * weight for every kept choice.
struct Potential {
  Vector values;
  Wide slack = 0;  ///< 0: none was found
  std::uint64_t iterations = 0;
};

using Keep = std::function<bool(std::uint32_t choice)>;

Potential potential(const OptimalEquations& equations, const Keep& keep, const Vector& weight,
                    const SolveOptions& options) {
  OptimalEquations kept;
  for (std::uint32_t s = 0; s < equations.size(); ++s) {
    for (std::uint32_t c = equations.first[s]; c < equations.first[s + 1]; ++c) {
      if (!keep(c)) continue;
      const auto row = equations.row(c);
      kept.entries.insert(kept.entries.end(), row.begin(), row.end());
      kept.end_choice(weight[s] * equations.leaving[c], equations.outside[c]);
    }
    kept.end_state();
  }
  Potential out;
  // Twice the slack wanted is in the equations; sweeps stop once changes eat no more than half.
  for (const double change : {0.25, 1e-3, 1e-8}) {
    const Effort effort{change, change < 1e-3};
    Proposal found = propose(kept, Goal::maximise, effort, weight, std::move(out.values), options);
    out.iterations += found.iterations;
    if (!found.done) return out;
    out.values = std::move(found.values);
    out.slack = 1;
    for (std::uint32_t s = 0; s < kept.size(); ++s)
      for (std::uint32_t c = kept.first[s]; c < kept.first[s + 1]; ++c) {
        const Wide at = kept.at(c, out.values);  // includes the weight
        const Wide slack = out.values[s] - at + weight[s] - 2 * roundings(kept, c) * at;
        out.slack = std::min(out.slack, slack / weight[s]);
      }
    if (out.slack >= 0.25L) return out;
  }
  out.slack = std::max(out.slack, Wide{0});
  return out;
}

struct Proof {
  Vector below, above;  ///< distances of the bounds from the values
  bool done = false;
  std::uint64_t iterations = 0;
};

struct Prover {
  const OptimalEquations& equations;
  Goal goal;
  const Vector& x;
  const Vector& weight;
  const SolveOptions& options;

  /// Largest defect of the equations relative to the weights, and the choices that are best.
  Wide defect(std::vector<std::uint32_t>& policy) const {
    Wide worst = 0;
    for (std::uint32_t s = 0; s < equations.size(); ++s) {
      Wide value = 0, doubt = 0;
      policy.push_back(equations.first[s]);
      for (std::uint32_t c = equations.first[s]; c < equations.first[s + 1]; ++c) {
        const Wide at = equations.at(c, x);
        doubt = std::max(doubt, roundings(equations, c) * std::min(at, 2 * std::abs(x[s])));
        if (c > equations.first[s] && (goal == Goal::maximise ? at <= value : at >= value))
          continue;
        value = at;
        policy.back() = c;
      }
      worst = std::max(worst, (std::abs(value - x[s]) + doubt) / weight[s]);
    }
    return worst;
  }

  Proof run() const {
    std::vector<std::uint32_t> policy;
    const Wide k = defect(policy);
    if (equations.may_stay) return staying(k, policy);
    Proof out;
    const Potential p = potential(
        equations, [](std::uint32_t) { return true; }, weight, options);
    out.iterations = p.iterations;
    if (p.slack <= 0) return out;
    for (const Wide value : p.values) out.above.push_back(k / p.slack * value);
    out.below = out.above;
    out.done = true;
    return out;
  }

  /// Minimal costs where some strategies stay for ever.
  Proof staying(Wide k, const std::vector<std::uint32_t>& policy) const {
    Proof out;
    std::vector<bool> chosen(equations.constant.size(), false);
    for (const std::uint32_t c : policy) chosen[c] = true;
    const Potential own = potential(
        equations, [&](std::uint32_t c) { return chosen[c]; }, weight, options);
    const Potential free = potential(
        equations, [&](std::uint32_t c) { return equations.constant[c] == 0; }, weight, options);
    out.iterations = own.iterations + free.iterations;
    if (own.slack <= 0 || free.slack <= 0) return out;
    const Wide e = k / free.slack;
    Wide factor = 0;
    for (std::uint32_t s = 0; s < equations.size(); ++s)
      for (std::uint32_t c = equations.first[s]; c < equations.first[s + 1]; ++c) {
        if (equations.constant[c] == 0) continue;
        const Wide cost = equations.constant[c] / equations.leaving[c];
        const Wide ahead = equations.at(c, free.values) - cost;
        factor = std::max(factor, (k * weight[s] + e * std::max(ahead, Wide{0})) / cost);
      }
    for (std::uint32_t s = 0; s < equations.size(); ++s) {
      out.above.push_back(k / own.slack * own.values[s]);
      out.below.push_back(factor * x[s] + e * free.values[s]);
    }
    out.done = true;
    return out;
  }
};

/// The bounds in doubles; false when one is wider than wanted.
bool accept(const Vector& x, const Proof& proof, const SolveOptions& options, Solution& out) {
  const Wide largest = x.empty() ? 0 : *std::max_element(x.begin(), x.end());
  bool good = true;
  out.values.clear();
  out.bounds.clear();
  for (std::size_t s = 0; s < x.size(); ++s) {
    const Wide bound = std::max(proof.below[s], proof.above[s]);
    good = good && bound <= options.tolerance * std::max(x[s], largest * 1e-6L);
    out.values.push_back(static_cast<double>(x[s]));
    out.bounds.push_back(static_cast<double>(bound * (1 + 1e-9L)) +
                         std::numeric_limits<double>::epsilon() / 2 * out.values.back());
  }
  return good;
}

}  // namespace

Solution solve_optimal(const OptimalEquations& equations, Goal goal, const SolveOptions& options) {
  Solution out;
  Vector x, weight;
  const std::uint32_t size = equations.size();
  // Weights are the values, but not below `floor` of the largest: the roundings of a potential must
  // not be large beside the weight.
  struct Round {
    Effort effort;
    Wide floor;
  };
  for (const auto& [effort, floor] :
       {Round{{1e-14, false}, 1e-10L}, Round{{1e-18, false}, 1e-6L}, Round{{1e-18, true}, 1e-3L}}) {
    Proposal found = propose(equations, goal, effort, {}, std::move(x), options);
    out.iterations += found.iterations;
    out.method = std::max(out.method, found.method);
    out.note = found.note;
    x = std::move(found.values);
    if (stopped(options)) break;
    if (!found.done) continue;
    const Wide largest = size == 0 ? 0 : *std::max_element(x.begin(), x.end());
    if (largest == 0) {  // nothing is earned anywhere: exact
      out.values.assign(size, 0);
      out.bounds.assign(size, 0);
      out.converged = true;
      return out;
    }
    weight.clear();
    for (const Wide value : x) weight.push_back(std::max(value, largest * floor));
    const Proof proof = Prover{equations, goal, x, weight, options}.run();
    out.iterations += proof.iterations;
    out.note = "the bounds that can be proved are too wide";
    if (proof.done && accept(x, proof, options, out)) {
      out.note.clear();
      out.converged = true;
      return out;
    }
  }
  if (stopped(options)) out.note = "interrupted";
  out.values.clear();
  out.bounds.clear();
  return out;
}

}  // namespace brink::analytic
