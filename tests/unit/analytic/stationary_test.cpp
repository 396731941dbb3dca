#include "analytic/stationary.h"

#include <gmock/gmock.h>

#include <cmath>
#include <random>

#include "tests/unit/analytic/chains.h"

namespace brink::analytic {
namespace {

using testing::birth_death;
using testing::built;

Solution single(const Chain& chain, Method method = Method::automatic) {
  SolveOptions options;
  options.method = method;
  const auto bottoms = stationary_vectors(chain, options);
  EXPECT_EQ(bottoms.size(), 1u);
  return bottoms.front().solution;
}

class FiniteQueue : public ::testing::TestWithParam<std::tuple<std::uint32_t, double>> {};

TEST_P(FiniteQueue, MatchesTheGeometricLawOfMM1K) {
  const auto [capacity, rho] = GetParam();
  const double load = rho;
  const Chain chain = birth_death(
      capacity, [load](auto) { return load; }, [](auto) { return 1.0; });
  const Solution pi = single(chain);
  ASSERT_TRUE(pi.converged) << pi.note;
  EXPECT_EQ(pi.method, Method::elimination);
  EXPECT_LT(pi.residual, 1e-14);
  // pi_n = rho^n (1 - rho) / (1 - rho^(K+1)), written so that it does not overflow for rho > 1.
  const long double r = rho < 1 ? rho : 1.0L / rho;
  const long double total = (1 - std::pow(r, static_cast<long double>(capacity) + 1)) / (1 - r);
  for (std::uint32_t n = 0; n <= capacity; ++n) {
    const std::uint32_t steps = rho < 1 ? n : capacity - n;
    const double expected =
        static_cast<double>(std::pow(r, static_cast<long double>(steps)) / total);
    ASSERT_LE(std::abs(pi.values[n] - expected), pi.bounds[n] + 4e-14 * expected) << n;
    if (expected > 1e-290) {
      ASSERT_NEAR(pi.values[n] / expected, 1, 1e-12) << n;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, FiniteQueue,
                         ::testing::Combine(::testing::Values(5u, 50u, 1000u, 20000u),
                                            ::testing::Values(0.5, 0.999, 1.25)));

TEST(Stationary, MethodsAgreeOnARandomChain) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> rate(0.1, 3);
  constexpr std::uint32_t size = 300;
  std::vector<std::vector<Entry>> rows(size);
  for (std::uint32_t s = 0; s < size; ++s) {
    rows[s].push_back({(s + 1) % size, rate(random)});
    for (int k = 0; k < 4; ++k) {
      const auto to = static_cast<std::uint32_t>(random() % size);
      if (to != s) rows[s].push_back({to, rate(random)});
    }
  }
  const Chain chain = built(ChainKind::continuous, rows);
  const Solution exact = single(chain, Method::elimination);
  ASSERT_TRUE(exact.converged);
  for (const Method method : {Method::sparse_lu, Method::gauss_seidel}) {
    const Solution other = single(chain, method);
    ASSERT_TRUE(other.converged) << other.note;
    EXPECT_EQ(other.method, method);
    for (std::uint32_t s = 0; s < size; ++s)
      EXPECT_LE(std::abs(other.values[s] - exact.values[s]), other.bounds[s] + exact.bounds[s]);
  }
}

TEST(Stationary, PeriodicChainGivesItsAverageAndItsPeriod) {
  const Chain ring = built(ChainKind::discrete, {{{1, 1}}, {{2, 1}}, {{0, 1}}});
  const auto bottoms = stationary_vectors(ring);
  ASSERT_EQ(bottoms.size(), 1u);
  EXPECT_EQ(bottoms[0].period, 3u);
  for (const double value : bottoms[0].solution.values) EXPECT_NEAR(value, 1.0 / 3, 1e-15);
  const Chain lazy = built(ChainKind::discrete, {{{0, 0.5}, {1, 0.5}}, {{2, 1}}, {{0, 1}}});
  EXPECT_EQ(stationary_vectors(lazy)[0].period, 1u);
  EXPECT_NEAR(stationary_vectors(lazy)[0].solution.values[0], 0.5, 1e-15);
}

TEST(Stationary, ReducibleChainSplitsByAbsorption) {
  // 0 goes to {1,2} with 1/4 and to {3} with 3/4; in {1,2} the weights are 2/3 and 1/3.
  const Chain chain = built(ChainKind::continuous, {{{1, 1}, {3, 3}}, {{2, 1}}, {{1, 2}}, {}});
  const auto bottoms = stationary_vectors(chain);
  ASSERT_EQ(bottoms.size(), 2u);
  const Solution pi = long_run(chain, {1, 0, 0, 0});
  ASSERT_TRUE(pi.converged);
  EXPECT_THAT(pi.values,
              ::testing::Pointwise(::testing::DoubleNear(1e-15),
                                   std::vector<double>{0, 0.25 * 2 / 3, 0.25 / 3, 0.75}));
}

TEST(Stationary, PublishedSixStateChain) {
  // Two-class loss chain; detailed balance gives products: rates 0.4/2 and 0.6/3.
  const Chain chain = built(ChainKind::continuous, {{{1, 0.4}, {2, 0.6}},
                                                    {{0, 2}, {3, 0.4}, {4, 0.6}},
                                                    {{0, 3}, {4, 0.4}, {5, 0.6}},
                                                    {{1, 2}},
                                                    {{1, 3}, {2, 2}},
                                                    {{2, 3}}});
  const Solution pi = single(chain);
  const double a = 0.2;  // both classes have rate / service = 0.2 here
  const std::vector<double> weight = {1, a, a, a * a, a * a, a * a};
  const double total = 1 + 2 * a + 3 * a * a;
  for (std::size_t s = 0; s < weight.size(); ++s)
    EXPECT_NEAR(pi.values[s], weight[s] / total, 1e-15);
}

TEST(Stationary, OverBudgetIsUndecidedNotANumber) {
  SolveOptions options;
  options.method = Method::elimination;
  options.elimination_operations = 10;
  const Chain chain = birth_death(
      50, [](auto) { return 1.0; }, [](auto) { return 1.0; });
  const auto bottoms = stationary_vectors(chain, options);
  EXPECT_FALSE(bottoms[0].solution.converged);
  EXPECT_TRUE(bottoms[0].solution.values.empty());
  EXPECT_FALSE(bottoms[0].solution.note.empty());
}

TEST(Stationary, SlowSweepsAreUndecidedNotANumber) {
  SolveOptions options;
  options.method = Method::gauss_seidel;
  options.max_sweeps = 100;
  const Chain chain = birth_death(
      2000, [](auto) { return 1.0; }, [](auto) { return 1.0; });
  const Solution pi = stationary_vectors(chain, options)[0].solution;
  EXPECT_FALSE(pi.converged);
  EXPECT_TRUE(pi.values.empty());
}

TEST(Chain, RefusesBadRows) {
  const auto sum = make_chain(ChainKind::discrete, {{{0, 0.5}}});
  ASSERT_FALSE(sum);
  EXPECT_THAT(sum.error(), ::testing::HasSubstr("sum to 0.5"));
  EXPECT_FALSE(make_chain(ChainKind::continuous, {{{3, 1.0}}}));
  EXPECT_FALSE(make_chain(ChainKind::continuous, {{{0, -1.0}}}));
}

}  // namespace
}  // namespace brink::analytic
