// Ensembles: means and intervals in closed form, and the same numbers whatever the threads.
#include "experiments/scenario/ensemble.h"

#include <gtest/gtest.h>

#include <cmath>

#include "experiments/data/resolve.h"

namespace brink {
namespace {

TEST(Spread, MeanAndIntervalOfStudentsT) {
  const Spread spread = spread_of({1, 2, 3, 4, 5});
  EXPECT_EQ(spread.runs, 5);
  EXPECT_DOUBLE_EQ(spread.mean, 3);
  // s = sqrt(2.5), t(0.975, 4) = 2.7764451052
  EXPECT_NEAR(spread.half_width, 2.7764451052 * std::sqrt(2.5 / 5), 1e-9);
  EXPECT_EQ(spread.least, 1);
  EXPECT_EQ(spread.most, 5);
}

TEST(Spread, OneRunHasNoInterval) {
  const Spread spread = spread_of({7});
  EXPECT_EQ(spread.mean, 7);
  EXPECT_TRUE(std::isnan(spread.half_width));
}

TEST(Spread, WhatIsNotFiniteIsNotCounted) {
  EXPECT_EQ(spread_of({1, INFINITY, 3}).runs, 2);
  EXPECT_EQ(spread_of({-1, -3}).least, -3);
}

class Ensembles : public ::testing::Test {
 protected:
  static Prepared prepared() {
    const auto file =
        read_scenario(BRINK_SOURCE_DIR "/experiments/reports/1998-page-ageing/report.toml");
    const std::vector<Override> shorter = {
        {"workload.script",
         "program p 20 MiB text 4 MiB split 9 idle 70 % every 10 s\nfileset boot 40 250 KiB to 400 "
         "KiB\nstream boot\nfileset m 20 2 MiB to 5 MiB\nvmstat 2 s\ntime stream m\npause 2 s"}};
    auto scenario = file->interpret({}, shorter);
    return *prepare(*scenario);
  }
};

TEST_F(Ensembles, ThreadsDoNotChangeTheNumbers) {
  const Prepared scenario = prepared();
  const auto one = run_ensemble(scenario, 5, 4, 1);
  const auto two = run_ensemble(scenario, 5, 4, 2);
  ASSERT_TRUE(one && two);
  EXPECT_EQ(one->first.text, two->first.text);
  ASSERT_EQ(one->metrics.size(), two->metrics.size());
  for (const auto& [name, spread] : one->metrics) {
    EXPECT_EQ(spread.mean, two->metrics.at(name).mean) << name;
    EXPECT_EQ(spread.runs, 4) << name;
  }
  EXPECT_GT(one->metrics.at("copy_s").half_width, 0) << "seeds differ";
}

TEST_F(Ensembles, RunIOfAnEnsembleIsTheRunOfItsSeed) {
  const Prepared scenario = prepared();
  const auto ensemble = run_ensemble(scenario, 8, 2, 2);
  const auto alone = simulate(scenario, 8);
  ASSERT_TRUE(ensemble && alone);
  EXPECT_EQ(ensemble->first.text, alone->text);
}

TEST_F(Ensembles, AnInterruptedEnsembleHasNoNumbers) {
  Prepared scenario = prepared();
  const std::atomic<bool> stop = true;
  scenario.stop = &stop;
  const auto ensemble = run_ensemble(scenario, 1, 3, 2);
  ASSERT_FALSE(ensemble);
  EXPECT_TRUE(ensemble.error().empty());
}

}  // namespace
}  // namespace brink
