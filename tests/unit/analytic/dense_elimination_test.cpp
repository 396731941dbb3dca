// The dense end of the elimination against closed forms and against the sparse, wider way.
#include "analytic/dense_elimination.h"

#include <gtest/gtest.h>

#include <random>

#include "analytic/elimination.h"

namespace brink::analytic {
namespace {

/// Every state to every other with rate(i, j), exit and right-hand side as given.
template <typename Rate>
BalanceSystem full_system(std::uint32_t n, Rate rate, double exit, double right) {
  BalanceSystem system;
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = 0; j < n; ++j) {
      if (i == j) continue;
      system.column.push_back(j);
      system.rate.push_back(rate(i, j));
    }
    system.begin.push_back(system.column.size());
    system.exit.push_back(exit);
  }
  system.right.assign(1, std::vector<double>(n, right));
  return system;
}

SolveOptions with_tolerance(double tolerance) {
  SolveOptions options;
  options.tolerance = tolerance;
  options.elimination_operations = 10'000'000'000;
  return options;
}

// Equal states that leave with rate e stay 1/e in all, whatever goes on between them.
TEST(DenseElimination, SymmetricStatesLeaveAfterOneOverTheExitRate) {
  const auto system = full_system(
      150, [](auto, auto) { return 3.0; }, 1e-9, 1);
  const auto result = eliminate(system, with_tolerance(1e-6));
  ASSERT_TRUE(result.done);
  EXPECT_GT(result.relative_bound, 1e-11) << "the sparse way would promise more: was it taken?";
  for (const double value : result.values[0]) EXPECT_NEAR(value, 1e9, 1e9 * result.relative_bound);
}

TEST(DenseElimination, AgreesWithTheWideSparseWayWithinItsBound) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> exponent(-9, 3);
  std::vector<double> rates(200 * 200);
  for (double& rate : rates) rate = std::pow(10.0, exponent(random));
  auto system = full_system(
      200, [&](auto i, auto j) { return rates[i * 200 + j]; }, 0, 1);
  // With one exit rate and one right-hand side all values would be their quotient, whatever is
  // done.
  for (std::size_t s = 0; s < 200; ++s) {
    system.exit[s] = s % 9 == 0 ? 1e-6 * static_cast<double>(s + 1) : 0;
    system.right[0][s] = static_cast<double>(1 + s % 13);
  }
  const auto dense = eliminate(system, with_tolerance(1e-6));
  const auto wide = eliminate(system, with_tolerance(1e-30));
  ASSERT_TRUE(dense.done && wide.done);
  EXPECT_LT(wide.relative_bound, dense.relative_bound);
  for (std::size_t s = 0; s < 200; ++s)
    EXPECT_NEAR(dense.values[0][s], wide.values[0][s], wide.values[0][s] * dense.relative_bound);
  const auto dense_pi = eliminate_stationary(system, with_tolerance(1e-6));
  const auto wide_pi = eliminate_stationary(system, with_tolerance(1e-30));
  ASSERT_TRUE(dense_pi.done && wide_pi.done);
  for (std::size_t s = 0; s < 200; ++s)
    EXPECT_NEAR(dense_pi.values[0][s], wide_pi.values[0][s],
                wide_pi.values[0][s] * dense_pi.relative_bound);
}

TEST(DenseElimination, GivesBackWhatADoubleCannotHold) {
  DenseBlock block{100, std::vector<double>(100 * 100, 1), std::vector<double>(100, 1), {}, {}};
  for (std::uint32_t i = 0; i < 100; ++i)
    for (std::uint32_t j = 0; j < 50; ++j) block.at(i, j) = 1e-200;
  for (std::uint32_t i = 0; i < 50; ++i)
    for (std::uint32_t j = 50; j < 100; ++j) block.at(i, j) = 1e-200;
  EXPECT_FALSE(eliminate_dense(block, 0));
}

}  // namespace
}  // namespace brink::analytic
