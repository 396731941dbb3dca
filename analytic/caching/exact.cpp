// Exact answers for small caches, by three ways that the tests hold against each other: products,
// integrals, and the chain of the policy itself.
//
// The integral for LRU: give references exponential gaps (Poissonise). A page referenced at time 0
// and again at t hits if fewer than C others came in between; the number of others is a sum of
// independent events of probability 1 - e^-pt, whose law is built up by one page at a time, and
// without page i by taking that page out again: forward where its probability is below a half,
// backward where it is above, so that errors shrink. The integral runs over log t, where the
// trapezoid rule converges exponentially.
#include "analytic/caching/exact.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "analytic/chain.h"
#include "analytic/stationary.h"
#include "models/base/check.h"

namespace brink::caching {
namespace {

void check(const std::vector<double>& p, std::size_t size) {
  BRINK_CHECK(size >= 1 && size < p.size());
  BRINK_CHECK(*std::min_element(p.begin(), p.end()) > 0);
}

/// integral over t in (0, inf) of f(t), f of the scales 1 / p.
double over_time(const std::vector<double>& p, const std::function<double(double)>& f) {
  constexpr double kStep = 0.05;
  const double from = std::log(1e-14 / *std::max_element(p.begin(), p.end()));
  const double to = std::log(800 / *std::min_element(p.begin(), p.end()));
  double sum = 0;
  for (double u = from; u < to; u += kStep) sum += std::exp(u) * f(std::exp(u));
  return sum * kStep;
}

/// law[k]: probability that k of the pages are seen within t.
std::vector<double> seen_law(const std::vector<double>& p, double t) {
  std::vector<double> law(p.size() + 1, 0);
  law[0] = 1;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double in = -std::expm1(-p[i] * t), out = std::exp(-p[i] * t);
    for (std::size_t k = i + 1; k > 0; --k) law[k] = law[k] * out + law[k - 1] * in;
    law[0] *= out;
  }
  return law;
}

/// The law without one page.
void take_out(const std::vector<double>& law, double in, double out, std::vector<double>& rest) {
  const std::size_t n = law.size() - 1;
  if (in <= 0.5) {
    double before = 0;
    for (std::size_t k = 0; k < n; ++k)
      before = rest[k] = std::max(0.0, (law[k] - in * before) / out);
  } else {
    double after = 0;
    for (std::size_t k = n; k > 0; --k)
      after = rest[k - 1] = std::max(0.0, (law[k] - out * after) / in);
  }
}

using Ids = std::vector<int>;

/// Chain of a policy: `moves(state, page)` gives the next states with their probabilities.
Result<ChainHit, std::string> solve_chain(
    const std::vector<double>& p, std::size_t most,
    const std::function<bool(const Ids&, int)>& hits,
    const std::function<std::vector<std::pair<Ids, double>>(const Ids&, int)>& moves) {
  std::map<Ids, std::uint32_t> number{{Ids{}, 0}};
  std::vector<Ids> states{{}};
  analytic::ChainBuilder builder(analytic::ChainKind::discrete);
  for (std::size_t s = 0; s < states.size(); ++s) {
    for (std::size_t page = 0; page < p.size(); ++page) {
      for (const auto& [next, chance] : moves(states[s], static_cast<int>(page))) {
        const auto [place, fresh] = number.emplace(next, static_cast<std::uint32_t>(states.size()));
        if (fresh) states.push_back(next);
        builder.add(place->second, p[page] * chance);
      }
    }
    builder.end_row();
    if (states.size() > most) return fail("more than " + std::to_string(most) + " states");
  }
  const auto chain = std::move(builder).finish();
  if (!chain) return fail(chain.error());
  const auto bottoms = analytic::stationary_vectors(*chain);
  if (bottoms.size() != 1 || !bottoms[0].solution.converged)
    return fail(std::string("the chain was not solved"));
  ChainHit out{0, states.size()};
  for (std::size_t i = 0; i < bottoms[0].states.size(); ++i)
    for (std::size_t page = 0; page < p.size(); ++page)
      if (hits(states[bottoms[0].states[i]], static_cast<int>(page)))
        out.hit += bottoms[0].solution.values[i] * p[page];
  return out;
}

bool holds(const Ids& state, int page) {
  return std::find(state.begin(), state.end(), page) != state.end();
}

/// CLOCK: entries are 2 page + bit, newest first; the oldest with its bit set goes to the front.
Ids clock_step(Ids state, int page, std::size_t size) {
  for (int& entry : state)
    if (entry / 2 == page) {
      entry |= 1;
      return state;
    }
  while (state.size() == size) {
    const int last = state.back();
    state.pop_back();
    if (last % 2 == 1) state.insert(state.begin(), last - 1);
  }
  state.insert(state.begin(), 2 * page);
  return state;
}

}  // namespace

double random_hit_exact(const std::vector<double>& p, std::size_t size) {
  check(p, size);
  std::vector<long double> products(size + 1, 0);  // elementary symmetric polynomials
  products[0] = 1;
  const long double scale = static_cast<long double>(p.size());
  for (const double one : p)
    for (std::size_t k = size; k > 0; --k) products[k] += products[k - 1] * one * scale;
  long double hit = 0;
  for (const double one : p) {
    std::vector<long double> others(size, 0);  // without this page, built anew: no subtraction
    others[0] = 1;
    bool skipped = false;
    for (const double other : p) {
      if (!skipped && other == one) {
        skipped = true;
        continue;
      }
      for (std::size_t k = size - 1; k > 0; --k) others[k] += others[k - 1] * other * scale;
    }
    hit += one * one * scale * others[size - 1] / products[size];
  }
  return static_cast<double>(hit);
}

std::vector<double> lru_hits_exact(const std::vector<double>& p) {
  check(p, 1);
  const std::size_t n = p.size();
  std::vector<double> at(n + 1, 0), rest(n, 0);  // at[d]: references at stack distance d
  const double step = 0.05;
  const double from = std::log(1e-14 / *std::max_element(p.begin(), p.end()));
  const double to = std::log(800 / *std::min_element(p.begin(), p.end()));
  for (double u = from; u < to; u += step) {
    const double t = std::exp(u);
    const std::vector<double> law = seen_law(p, t);
    for (const double one : p) {
      const double out = std::exp(-one * t);
      if (out < 1e-300) continue;
      take_out(law, -std::expm1(-one * t), out, rest);
      const double weight = step * t * one * one * out;
      for (std::size_t k = 0; k < n; ++k) at[k + 1] += weight * rest[k];
    }
  }
  for (std::size_t d = 1; d <= n; ++d) at[d] += at[d - 1];
  return at;
}

double lru_hit_exact(const std::vector<double>& p, std::size_t size) {
  check(p, size);
  return lru_hits_exact(p)[size];
}

Result<ChainHit, std::string> chain_hit(SmallPolicy policy, const std::vector<double>& p,
                                        std::size_t size, std::size_t most) {
  check(p, size);
  const bool bits = policy == SmallPolicy::clock;
  const auto hits = [bits](const Ids& state, int page) {
    return bits ? holds(state, 2 * page) || holds(state, 2 * page + 1) : holds(state, page);
  };
  const auto moves = [&](const Ids& state, int page) {
    std::vector<std::pair<Ids, double>> out;
    if (bits) return out.emplace_back(clock_step(state, page, size), 1.0), out;
    Ids next = state;
    if (holds(state, page)) {
      if (policy == SmallPolicy::lru) {
        next.erase(std::find(next.begin(), next.end(), page));
        next.insert(next.begin(), page);
      }
      return out.emplace_back(next, 1.0), out;
    }
    if (policy != SmallPolicy::random) {
      if (next.size() == size) next.pop_back();
      next.insert(next.begin(), page);
      return out.emplace_back(next, 1.0), out;
    }
    const std::size_t choices = state.size() == size ? size : 1;
    for (std::size_t victim = 0; victim < choices; ++victim) {
      next = state;
      if (state.size() == size)
        next[victim] = page;
      else
        next.push_back(page);
      std::sort(next.begin(), next.end());
      out.emplace_back(next, 1.0 / static_cast<double>(choices));
    }
    return out;
  };
  return solve_chain(p, most, hits, moves);
}

Result<ChainHit, std::string> lists_chain_hit(bool random, const std::vector<double>& p,
                                              const std::vector<std::size_t>& sizes,
                                              std::size_t most) {
  std::size_t total = 0;
  std::vector<std::size_t> begin;  // of each list within the state, full lists one after the other
  for (const std::size_t size : sizes) {
    begin.push_back(total);
    total += size;
  }
  check(p, total);
  // From the full cache with pages 0, 1, ...: what the empty one leads to is the same long run.
  Ids full(total);
  for (std::size_t i = 0; i < total; ++i) full[i] = static_cast<int>(i);
  const auto tidy = [&](Ids state) {
    if (random)
      for (std::size_t l = 0; l < sizes.size(); ++l)
        std::sort(state.begin() + static_cast<std::ptrdiff_t>(begin[l]),
                  state.begin() + static_cast<std::ptrdiff_t>(begin[l] + sizes[l]));
    return state;
  };
  const auto moves = [&](const Ids& state, int page) {
    std::vector<std::pair<Ids, double>> out;
    if (state.empty()) return out.emplace_back(full, 1.0), out;
    const auto found = std::find(state.begin(), state.end(), page);
    const auto at = static_cast<std::size_t>(found - state.begin());
    std::size_t list = 0;  // the list that the page comes to
    if (found != state.end()) {
      while (list + 1 < sizes.size() && at >= begin[list + 1]) ++list;
      list = std::min(list + 1, sizes.size() - 1);
    }
    const bool stays = found != state.end() && at >= begin[list];
    if (random) {
      if (stays) return out.emplace_back(state, 1.0), out;
      for (std::size_t i = 0; i < sizes[list]; ++i) {
        Ids next = state;
        if (found != state.end()) next[at] = next[begin[list] + i];
        next[begin[list] + i] = page;
        out.emplace_back(tidy(next), 1.0 / static_cast<double>(sizes[list]));
      }
      return out;
    }
    Ids next = state;
    const std::size_t last = stays ? at : begin[list] + sizes[list] - 1;
    const int displaced = next[last];
    for (std::size_t i = last; i > begin[list]; --i) next[i] = next[i - 1];
    next[begin[list]] = page;
    if (!stays && found != state.end()) {  // the one pushed out goes to the head of the list below
      for (std::size_t i = at; i > begin[list - 1]; --i) next[i] = next[i - 1];
      next[begin[list - 1]] = displaced;
    }
    return out.emplace_back(next, 1.0), out;
  };
  return solve_chain(p, most, holds, moves);
}

double mean_stack_distance(const std::vector<double>& p) {
  double sum = 1;
  for (std::size_t i = 0; i < p.size(); ++i)
    for (std::size_t j = i + 1; j < p.size(); ++j) sum += 2 * p[i] * p[j] / (p[i] + p[j]);
  return sum;
}

double collect_all(const std::vector<double>& p) {
  return over_time(p, [&](double t) {
    double log_all = 0;
    for (const double one : p) log_all += std::log1p(-std::exp(-one * t));
    return -std::expm1(log_all);
  });
}

double first_repeat(const std::vector<double>& p) {
  return over_time(p, [&](double t) {
    double log_none = -t;
    for (const double one : p) log_none += std::log1p(one * t);
    return std::exp(log_none);
  });
}

}  // namespace brink::caching
