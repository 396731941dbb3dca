// Two states that hold themselves: chains with known passage times, folds in closed form.
#include <gtest/gtest.h>

#include <cmath>

#include "analytic/fluid/birth_death.h"
#include "analytic/fluid/fixed_points.h"

namespace brink::fluid {
namespace {

/// Schloegl 1972 with the constants of the Gillespie literature.
BirthDeath schloegl() {
  BirthDeath chain;
  for (int x = 0; x <= 1200; ++x) {
    chain.up.push_back(0.03 * x * (x - 1) / 2 + 200);
    chain.down.push_back(1e-4 * x * (x - 1.0) * (x - 2) / 6 + 3.5 * x);
  }
  return chain;
}

/// Arrivals at a station that thrashes with many customers.
BirthDeath thrashing(double arrivals) {
  BirthDeath chain;
  for (int n = 0; n <= 60; ++n) {
    chain.up.push_back(arrivals);
    chain.down.push_back((1 - std::exp(-n / 2.)) * (0.3 + 0.7 / (1 + std::pow(n / 25., 8))));
  }
  return chain;
}

TEST(TwoModes, Schloegl) {
  const auto found = two_modes(schloegl());
  ASSERT_TRUE(found);
  ASSERT_EQ(found->modes, (std::vector<std::size_t>{82, 563}));
  EXPECT_EQ(found->valley, 256u);
  EXPECT_NEAR(found->mean / 454.8613478979903, 1, 1e-9);
  EXPECT_NEAR(found->stationary[82] / 0.005773276623275227, 1, 1e-9);
  EXPECT_NEAR(found->passage_up / 50307.86144968303, 1, 1e-9);
  EXPECT_NEAR(found->passage_down / 178100.490636685, 1, 1e-9);
  EXPECT_NEAR(found->slowest / 2.5496651824174003e-05, 1, 1e-6);
  EXPECT_NEAR(found->next / 0.7821983358984138, 1, 1e-6);
  // 1 / up + 1 / down is the slowest relaxation, to how far apart the two scales are.
  EXPECT_NEAR((1 / found->passage_up + 1 / found->passage_down) / found->slowest, 1, 1e-3);
}

TEST(TwoModes, Thrashing) {
  const auto light = two_modes(thrashing(0.7));
  ASSERT_TRUE(light);
  ASSERT_EQ(light->modes, (std::vector<std::size_t>{2, 60}));
  EXPECT_NEAR(light->passage_up / 32016.538559958975, 1, 1e-9);
  EXPECT_NEAR(light->passage_down / 2606108737327.939, 1, 1e-9);
  EXPECT_NEAR(light->mean / 59.24647128341559, 1, 1e-9);
  EXPECT_NEAR(light->slowest / 3.13832995387341e-05, 1, 1e-6);
  const auto heavy = two_modes(thrashing(0.85));
  ASSERT_TRUE(heavy);
  ASSERT_EQ(heavy->modes, (std::vector<std::size_t>{3, 60}));
  EXPECT_NEAR(heavy->passage_up / 1258.3307847599099, 1, 1e-9);
  EXPECT_NEAR(heavy->passage_down / 3824657151642963.0, 1, 1e-9);
  EXPECT_NEAR(heavy->slowest / 0.0008845210464595394, 1, 1e-6);
}

TEST(TwoModes, OneStepByHand) {  // two independent clocks: 1/up of the last state
  const BirthDeath chain{{2, 3, 0}, {0, 5, 7}};
  EXPECT_NEAR(passage_time(chain, 0, 1), 0.5, 1e-15);
  EXPECT_NEAR(passage_time(chain, 0, 2), 0.5 + (1 + 5 * 0.5) / 3, 1e-15);
  EXPECT_NEAR(passage_time(chain, 2, 0), 1 / 7. + (1 + 3 / 7.) / 5, 1e-15);
  EXPECT_FALSE(two_modes({{1, 0, 1}, {1, 1, 1}}));
}

/// dx/dt = r + x - x^3 as x = F(x).
double cusp(double x, double r) { return r + 2 * x - x * x * x; }

TEST(FixedPoints, CuspHasThree) {
  const auto points = fixed_points([](double x) { return cusp(x, 0); }, -2.05, 2);
  ASSERT_EQ(points.size(), 3u);
  EXPECT_NEAR(points[0].x, -1, 1e-12);
  EXPECT_NEAR(points[1].x, 0, 1e-12);
  EXPECT_NEAR(points[2].x, 1, 1e-12);
  EXPECT_TRUE(points[0].stable);
  EXPECT_FALSE(points[1].stable);
  EXPECT_TRUE(points[2].stable);
}

TEST(FixedPoints, FoldsOfTheCusp) {  // r = +- 2 / (3 sqrt 3) at x = -+ 1 / sqrt 3
  const auto found = folds(cusp, -2.05, 2, -1, 1, 37, 1000);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_NEAR(found[0].theta, -2 / (3 * std::sqrt(3.)), 1e-5);
  EXPECT_NEAR(found[0].x, 1 / std::sqrt(3.), 2e-3);
  EXPECT_NEAR(found[1].theta, 2 / (3 * std::sqrt(3.)), 1e-5);
}

TEST(FixedPoints, UpAndDownDiffer) {
  std::vector<double> up, down;
  for (int i = 0; i <= 40; ++i) up.push_back(-0.6 + 0.03 * i);
  down.assign(up.rbegin(), up.rend());
  const auto rising = follow(cusp, -2.05, 2, up, -1.3);
  auto falling = follow(cusp, -2.05, 2, down, 1.3);
  std::reverse(falling.begin(), falling.end());
  for (std::size_t i = 0; i < up.size(); ++i) {
    if (std::abs(up[i]) < 0.384) {
      EXPECT_LT(rising[i], 0) << up[i];
      EXPECT_GT(falling[i], 0) << up[i];
    } else if (std::abs(up[i]) > 0.386) {
      EXPECT_NEAR(rising[i], falling[i], 1e-9) << up[i];
    }
  }
}

}  // namespace
}  // namespace brink::fluid
