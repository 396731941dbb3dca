#include "analytic/absorption.h"

#include <cmath>
#include <limits>

#include "tests/unit/analytic/chains.h"

namespace brink::analytic {
namespace {

using testing::birth_death;
using testing::built;
using testing::only;

constexpr double infinity = std::numeric_limits<double>::infinity();

SolveOptions with(Method method) {
  SolveOptions options;
  options.method = method;
  return options;
}

/// Mean first-passage time upwards by the ladder recursion
/// t_n = 1/b_n + (d_n/b_n) t_(n-1), all terms positive.
long double ladder_up(std::uint32_t from, std::uint32_t to, const testing::Rate& birth,
                      const testing::Rate& death) {
  long double step = 0, total = 0;
  for (std::uint32_t n = 0; n < to; ++n) {
    step = (1 + (n == 0 ? 0.0L : static_cast<long double>(death(n))) * step) / birth(n);
    if (n >= from) total += step;
  }
  return total;
}

class Gambler : public ::testing::TestWithParam<std::tuple<double, Method>> {};

TEST_P(Gambler, RuinProbabilityAndDuration) {
  const auto [win, method] = GetParam();
  const double p = win;
  constexpr std::uint32_t goal = 40;
  const Chain chain = birth_death(
      goal, [p](auto n) { return n == 0 ? 0.0 : p; },
      [p](auto n) { return n == goal ? 0.0 : 1 - p; }, ChainKind::discrete);
  const Solution rich = reach_probability(chain, only(goal + 1, {goal}), with(method));
  const Solution time = hitting_time(chain, only(goal + 1, {0, goal}), with(method));
  ASSERT_TRUE(rich.converged && time.converged);
  const long double r = static_cast<long double>(1 - p) / p;
  for (std::uint32_t n = 0; n <= goal; ++n) {
    const long double i = n, g = goal;
    const bool fair = p == 0.5;
    const long double chance = fair ? i / g : (1 - std::pow(r, i)) / (1 - std::pow(r, g));
    const long double steps = fair ? i * (g - i) : (g * chance - i) / (2 * p - 1);
    EXPECT_NEAR(rich.values[n], static_cast<double>(chance),
                rich.bounds[n] + 1e-13 * static_cast<double>(chance));
    EXPECT_NEAR(time.values[n], static_cast<double>(steps), time.bounds[n] + 1e-10);
  }
  EXPECT_EQ(rich.values[0], 0);
  EXPECT_EQ(rich.values[goal], 1);
}

INSTANTIATE_TEST_SUITE_P(Walks, Gambler,
                         ::testing::Combine(::testing::Values(0.5, 0.45, 0.7),
                                            ::testing::Values(Method::automatic,
                                                              Method::gauss_seidel,
                                                              Method::sparse_lu)));

TEST(HittingTime, LongPassagesKeepTheirDigits) {
  // Up against a drift of 1:2 over 60 states: about 2^60 = 1e18 time units.
  const auto birth = [](std::uint32_t) { return 1.0; };
  const auto death = [](std::uint32_t) { return 2.0; };
  const Chain chain = birth_death(60, birth, death);
  const Solution time = hitting_time(chain, only(61, {60}));
  ASSERT_TRUE(time.converged);
  // t_n = 2^(n+1) - 1, so the passage from 0 takes 2^61 - 2 - 60.
  const double expected = static_cast<double>(std::ldexp(1.0L, 61) - 62);
  EXPECT_NEAR(time.values[0] / expected, 1, 1e-14);
  EXPECT_LT(relative_bound(time), 1e-12);
}

TEST(HittingTime, SparseLuRefusesWhatItCannotCertify) {
  const Chain chain = birth_death(
      60, [](auto) { return 1.0; }, [](auto) { return 2.0; });
  const Solution time = hitting_time(chain, only(61, {60}), with(Method::sparse_lu));
  EXPECT_FALSE(time.converged);
  EXPECT_TRUE(time.values.empty());
}

TEST(HittingTime, TwentyThousandStates) {
  const auto birth = [](std::uint32_t) { return 1.0; };
  const auto death = [](std::uint32_t) { return 1.001; };
  const Chain chain = birth_death(20000, birth, death);
  const Solution time = hitting_time(chain, only(20001, {20000}));
  ASSERT_TRUE(time.converged) << time.note;
  const auto expected = static_cast<double>(ladder_up(0, 20000, birth, death));
  EXPECT_GT(expected, 1e12);
  EXPECT_NEAR(time.values[0] / expected, 1, 1e-12);
}

TEST(HittingTime, InfiniteWhereNotSure) {
  // 0 -> 1 or the trap 2; 3 -> 1 surely; 4 only to the trap.
  const Chain chain =
      built(ChainKind::continuous, {{{1, 1}, {2, 1}}, {}, {{2, 5}}, {{1, 4}}, {{2, 1}}});
  const StateSet target = only(5, {1});
  const Solution time = hitting_time(chain, target);
  EXPECT_EQ(time.values, (std::vector<double>{infinity, 0, infinity, 0.25, infinity}));
  const Solution chance = reach_probability(chain, target);
  EXPECT_EQ(chance.values, (std::vector<double>{0.5, 1, 0, 1, 0}));
}

TEST(Until, StopsAtStatesOutsideThrough) {
  // 0 -> 1 -> 3 and 0 -> 2 -> 3, state 2 forbidden.
  const Chain chain =
      built(ChainKind::discrete, {{{1, 0.3}, {2, 0.7}}, {{3, 1}}, {{3, 1}}, {{3, 1}}});
  const Solution p = until_probability(chain, only(4, {0, 1}), only(4, {3}));
  EXPECT_EQ(p.values, (std::vector<double>{0.3, 1, 0, 1}));
}

TEST(HittingReward, SignedRewardsCancelWithinTheirBound) {
  // Three states in a row, rewards per visit +5, -3, -2: exactly zero from the first.
  const Chain chain = built(ChainKind::discrete, {{{1, 1}}, {{2, 1}}, {{3, 1}}, {{3, 1}}});
  const Solution sum = hitting_reward(chain, only(4, {3}), {5, -3, -2, 100});
  ASSERT_TRUE(sum.converged);
  EXPECT_NEAR(sum.values[0], 0, sum.bounds[0] + 1e-300);
  EXPECT_LT(sum.bounds[0], 1e-12);
  EXPECT_EQ(sum.values[2], -2);
}

TEST(HittingTime, SelfLoopsOfDiscreteChainsTakeTime) {
  const Chain chain = built(ChainKind::discrete, {{{0, 0.9}, {1, 0.1}}, {{1, 1}}});
  EXPECT_NEAR(hitting_time(chain, only(2, {1})).values[0], 10, 1e-13);
}

// Two-mode chains: values recomputed with the birth-death recursion in the case list (BS01, BS03,
// BS04); here they test the general elimination.
struct Bistable {
  const char* id;
  std::uint32_t top;
  testing::Rate birth, death;
  std::uint32_t low, high;
  double up, down;
};

double thrashing(std::uint32_t n) {
  return (1 - std::exp(n / -2.0)) * (.3 + .7 / (1 + std::pow(n / 25.0, 8)));
}

std::vector<Bistable> bistable() {
  const auto schloegl_birth = [](std::uint32_t x) { return 0.03 * x * (x - 1.0) / 2 + 200; };
  const auto schloegl_death = [](std::uint32_t x) {
    return 1e-4 * x * (x - 1.0) * (x - 2.0) / 6 + 3.5 * x;
  };
  return {
      {"BS01", 1200, schloegl_birth, schloegl_death, 82, 563, 50307.86144968303, 178100.490636685},
      {"BS03", 60, [](auto) { return 0.7; }, thrashing, 2, 60, 32016.538559958975,
       2606108737327.939},
      {"BS04", 60, [](auto) { return 0.85; }, thrashing, 3, 60, 1258.3307847599099,
       3824657151642963.0},
  };
}

TEST(HittingTime, BistableCases) {
  for (const Bistable& c : bistable()) {
    const Chain chain = birth_death(c.top, c.birth, c.death);
    const Solution up = hitting_time(chain, only(c.top + 1, {c.high}));
    const Solution down = hitting_time(chain, only(c.top + 1, {c.low}));
    ASSERT_TRUE(up.converged && down.converged) << c.id;
    EXPECT_NEAR(up.values[c.low] / c.up, 1, 1e-11) << c.id;
    EXPECT_NEAR(down.values[c.high] / c.down, 1, 1e-11) << c.id;
    EXPECT_LT(relative_bound(down), 1e-11) << c.id;
  }
}

}  // namespace
}  // namespace brink::analytic
