#include "analytic/transient.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analytic/poisson.h"
#include "models/base/check.h"

namespace brink::analytic {
namespace {

using Vector = std::vector<double>;

constexpr double roundoff = std::numeric_limits<double>::epsilon() / 2;

/// The jump matrix P = I + Q/rate of a continuous chain, or P itself of a discrete one, written out
/// once: a step is then one multiplication and one addition an entry.
struct Stepper {
  const Chain& chain;
  double rate = 0;  ///< 0 when nothing moves
  std::size_t widest = 1;
  std::vector<std::size_t> begin{0};
  std::vector<std::uint32_t> column;
  Vector share;    ///< of each entry off the diagonal
  Vector staying;  ///< the diagonal

  explicit Stepper(const Chain& c) : chain(c), staying(c.size()) {
    for (std::uint32_t s = 0; s < chain.size(); ++s) {
      rate = std::max(rate, chain.leaving(s));
      widest = std::max(widest, chain.row(s).size() + 1);
    }
    if (chain.kind() == ChainKind::discrete) rate = 1;
    column.reserve(chain.entry_count());
    share.reserve(chain.entry_count());
    for (std::uint32_t s = 0; s < chain.size(); ++s) {
      staying[s] = rate == 0 ? 1 : (rate - chain.leaving(s)) / rate;
      for (const Entry& entry : chain.row(s)) {
        if (entry.column == s) continue;
        column.push_back(entry.column);
        share.push_back(entry.value / rate);
      }
      begin.push_back(column.size());
    }
  }

  /// p P, for distributions.
  void forward(const Vector& p, Vector& next) const {
    std::fill(next.begin(), next.end(), 0.0);
    for (std::uint32_t s = 0; s < chain.size(); ++s) {
      if (p[s] == 0) continue;
      next[s] += p[s] * staying[s];
      for (std::size_t k = begin[s]; k < begin[s + 1]; ++k) next[column[k]] += p[s] * share[k];
    }
  }

  /// P v, for expectations.
  void backward(const Vector& v, Vector& next) const {
    for (std::uint32_t s = 0; s < chain.size(); ++s) {
      double sum = v[s] * staying[s];
      for (std::size_t k = begin[s]; k < begin[s + 1]; ++k) sum += share[k] * v[column[k]];
      next[s] = sum;
    }
  }
};

double largest(const Vector& v) {
  double worst = 0;
  for (const double value : v) worst = std::max(worst, std::abs(value));
  return worst;
}

/// Sum over k of coefficient[k - first] * (step applied k times to v).
template <typename Step>
Solution combine(const Vector& v, std::uint64_t first, const Vector& coefficient,
                 const SolveOptions& options, Step step) {
  Solution out;
  Vector current = v, next(v.size(), 0);
  Vector sum(v.size(), 0);
  const std::uint64_t end = first + coefficient.size();
  for (std::uint64_t k = 0; k < end; ++k) {
    if (stopped(options)) {
      out.iterations = k;
      out.note = "interrupted";
      return out;
    }
    if (k > 0) {
      step(current, next);
      std::swap(current, next);
    }
    if (k >= first)
      for (std::size_t s = 0; s < sum.size(); ++s) sum[s] += coefficient[k - first] * current[s];
  }
  out.iterations = end - 1;
  out.values = std::move(sum);
  out.converged = true;
  return out;
}

/// Sets one absolute bound for all values and refuses what exceeds the tolerance.
void bound_all(Solution& out, double bound, double scale, const SolveOptions& options) {
  if (!out.converged) return;
  out.bounds.assign(out.values.size(), bound);
  if (bound <= options.tolerance * scale) return;
  out.converged = false;
  out.values.clear();
  out.bounds.clear();
  out.note = "rounding over this many steps exceeds the tolerance";
}

constexpr double poisson_epsilon = 1e-14;

template <typename Step>
Solution at(const Stepper& stepper, const Vector& v, double time, const SolveOptions& options,
            Step step) {
  BRINK_CHECK(v.size() == stepper.chain.size() && time >= 0 && std::isfinite(time));
  PoissonWeights weights{0, {1.0}, 0};
  const bool discrete = stepper.chain.kind() == ChainKind::discrete;
  if (discrete) {
    BRINK_CHECK(time == std::floor(time), "a discrete chain moves in whole steps");
    weights.left = static_cast<std::uint64_t>(time);
  } else if (stepper.rate > 0) {
    weights = poisson_weights(stepper.rate * time, poisson_epsilon);
  }
  Solution out = combine(v, weights.left, weights.weights, options, step);
  out.method = discrete ? Method::powers : Method::uniformise;
  const double scale = std::max(largest(v), std::numeric_limits<double>::min());
  const double steps = static_cast<double>(out.iterations) + 1;
  bound_all(
      out,
      scale * (weights.missing + 2 * steps * static_cast<double>(stepper.widest + 3) * roundoff),
      scale, options);
  return out;
}

}  // namespace

Solution distribution_at(const Chain& chain, const std::vector<double>& start, double time,
                         const SolveOptions& options) {
  const Stepper stepper(chain);
  return at(stepper, start, time, options,
            [&](const Vector& p, Vector& next) { stepper.forward(p, next); });
}

Solution expectation_at(const Chain& chain, const std::vector<double>& value, double time,
                        const SolveOptions& options) {
  const Stepper stepper(chain);
  return at(stepper, value, time, options,
            [&](const Vector& v, Vector& next) { stepper.backward(v, next); });
}

Solution reward_until(const Chain& chain, const std::vector<double>& reward, double time,
                      const SolveOptions& options) {
  BRINK_CHECK(reward.size() == chain.size() && time >= 0 && std::isfinite(time));
  const Stepper stepper(chain);
  const bool discrete = chain.kind() == ChainKind::discrete;
  Vector coefficient;
  double missing = 0;
  if (discrete) {
    coefficient.assign(static_cast<std::size_t>(time), 1.0);
  } else if (stepper.rate == 0) {
    coefficient = {time};
  } else {
    // The time spent after exactly k jumps has mean P(more than k jumps) / rate.
    const PoissonWeights weights = poisson_weights(stepper.rate * time, poisson_epsilon);
    const std::size_t count = weights.left + weights.weights.size();
    coefficient.assign(count, 0);
    double more = 0;
    for (std::size_t k = count; k-- > 0;) {
      coefficient[k] = std::min(1.0, more) / stepper.rate;
      if (k >= weights.left) more += weights.weights[k - weights.left];
    }
    missing = weights.missing;
  }
  Solution out;
  if (coefficient.empty()) {
    out.values.assign(chain.size(), 0);
    out.converged = true;
  } else {
    out = combine(reward, 0, coefficient, options,
                  [&](const Vector& v, Vector& next) { stepper.backward(v, next); });
  }
  out.method = discrete ? Method::powers : Method::uniformise;
  const double scale = std::max(largest(reward) * time, std::numeric_limits<double>::min());
  const double steps = static_cast<double>(out.iterations) + 1;
  // Jumps beyond the last weight R take at most time * P(N >= R), since E[N; N > R] = a P(N >= R).
  bound_all(out,
            scale * (2 * missing + poisson_epsilon +
                     2 * steps * static_cast<double>(stepper.widest + 4) * roundoff),
            scale, options);
  return out;
}

}  // namespace brink::analytic
