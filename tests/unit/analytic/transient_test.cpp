#include "analytic/transient.h"

#include <cmath>
#include <numeric>

#include "analytic/poisson.h"
#include "tests/unit/analytic/chains.h"

namespace brink::analytic {
namespace {

using testing::birth_death;
using testing::built;

TEST(Poisson, WeightsMatchTheLaw) {
  for (const double mean : {1e-3, 0.7, 5.0, 80.0, 2500.0, 4e6}) {
    const PoissonWeights w = poisson_weights(mean, 1e-12);
    EXPECT_LE(w.missing, 1e-12);
    EXPECT_NEAR(std::accumulate(w.weights.begin(), w.weights.end(), 0.0), 1, 1e-13);
    for (std::size_t i = 0; i < w.weights.size(); i += 1 + w.weights.size() / 50) {
      const double k = static_cast<double>(w.left + i);
      const double expected = std::exp(k * std::log(mean) - mean - std::lgamma(k + 1));
      // The logarithms cancel: their rounding is what limits the comparison.
      EXPECT_NEAR(w.weights[i] / expected, 1, 1e-12 + 4e-15 * (mean + k * std::log(mean + 2)));
    }
  }
}

TEST(Poisson, MeanZero) {
  const PoissonWeights w = poisson_weights(0, 1e-12);
  EXPECT_EQ(w.left, 0u);
  EXPECT_EQ(w.weights, std::vector<double>{1.0});
}

TEST(Transient, TwoStates) {
  constexpr double up = 3, down = 0.5;
  const Chain chain = built(ChainKind::continuous, {{{1, up}}, {{0, down}}});
  for (const double t : {0.0, 1e-6, 0.3, 2.0, 50.0, 5000.0}) {
    const double one = up / (up + down) * -std::expm1(-(up + down) * t);
    const Solution p = distribution_at(chain, {1, 0}, t);
    ASSERT_TRUE(p.converged);
    EXPECT_NEAR(p.values[1], one, 1e-13);
    EXPECT_LE(std::abs(p.values[1] - one), p.bounds[1] + 1e-15);
    const Solution back = expectation_at(chain, {0, 1}, t);
    EXPECT_NEAR(back.values[0], one, 1e-13);
    // Time spent in state 1 up to t, integrated by hand.
    const double sum = up + down;
    const double spent = up / sum * (t + std::expm1(-sum * t) / sum);
    EXPECT_NEAR(reward_until(chain, {0, 1}, t).values[0], spent, 1e-12 * (1 + t));
  }
}

TEST(Transient, AbsorbingStatesCostNothing) {
  // One slow state feeding an absorbing one: the rate is the slow one's.
  const Chain chain = built(ChainKind::continuous, {{{1, 1e-3}}, {}});
  const Solution p = distribution_at(chain, {1, 0}, 1000);
  EXPECT_NEAR(p.values[0], std::exp(-1), 1e-14);
  EXPECT_LT(p.iterations, 40u);
}

TEST(Transient, PureBirthIsPoisson) {
  const Chain chain = birth_death(
      200, [](auto) { return 2.0; }, [](auto) { return 0.0; });
  std::vector<double> start(201, 0);
  start[0] = 1;
  const Solution p = distribution_at(chain, start, 20);
  for (const std::uint32_t n : {0u, 10u, 40u, 70u})
    EXPECT_NEAR(p.values[n], std::exp(n * std::log(40.0) - 40 - std::lgamma(n + 1.0)), 1e-14);
}

TEST(Transient, DiscreteSteps) {
  const Chain ring = built(ChainKind::discrete, {{{1, 1}}, {{2, 1}}, {{0, 1}}});
  EXPECT_EQ(distribution_at(ring, {1, 0, 0}, 4).values, (std::vector<double>{0, 1, 0}));
  // Steps 0..3 visit states 0,1,2,0: rewards 5 + 1 + 10 + 5.
  EXPECT_EQ(reward_until(ring, {5, 1, 10}, 4).values[0], 21);
  EXPECT_EQ(reward_until(ring, {5, 1, 10}, 0).values[0], 0);
}

TEST(Transient, InterruptedIsUndecided) {
  const std::atomic<bool> stop{true};
  SolveOptions options;
  options.stop = &stop;
  const Chain chain = built(ChainKind::continuous, {{{1, 1}}, {{0, 1}}});
  const Solution p = distribution_at(chain, {1, 0}, 10, options);
  EXPECT_FALSE(p.converged);
  EXPECT_TRUE(p.values.empty());
}

TEST(Methods, TableIsComplete) {
  for (const MethodInfo& row : methods()) {
    EXPECT_EQ(describe(row.method), row.name);
    EXPECT_FALSE(row.what.empty() || row.when.empty());
  }
}

}  // namespace
}  // namespace brink::analytic
