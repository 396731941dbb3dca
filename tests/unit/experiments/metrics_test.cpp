#include "experiments/scenario/metrics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/experiments/helpers.h"

namespace brink {
namespace {

// Three lines before a cliff at position 300, three behind it.
Tables lines() {
  Table table{{"position_mb", "throughput_mb_s", "disk"},
              {{100.0, 200.0, std::string("null")},
               {200.0, 180.0, std::string("null")},
               {300.0, 160.0, std::string("real")},
               {400.0, 1.5, std::string("null")},
               {410.0, 0.5, std::string("null")},
               {411.0, 0.25, std::string("real")}}};
  return {{"lines", table}};
}

Result<Names, Diagnostics> compute(const std::string& metrics, const Names& names = {}) {
  const auto scenario =
      testing_scenarios::read(testing_scenarios::scenario_text("[metrics]\n" + metrics));
  if (!scenario) return fail(scenario.error());
  return compute_metrics(*scenario, lines(), names);
}

double one(const std::string& metric, const Names& names = {}) {
  const auto found = compute("m = { " + metric + " }\n", names);
  if (!found) throw std::runtime_error(render(found.error()));
  return found->at("m");
}

constexpr char kOf[] = " = \"throughput_mb_s\", table = \"lines\"";

TEST(Metrics, Reduce) {
  const auto of = [](const std::string& reducer) { return one(reducer + kOf); };
  EXPECT_EQ(of("first"), 200);
  EXPECT_EQ(of("last"), 0.25);
  EXPECT_EQ(of("min"), 0.25);
  EXPECT_EQ(of("max"), 200);
  EXPECT_EQ(of("count"), 6);
  EXPECT_DOUBLE_EQ(of("sum"), 542.25);
  EXPECT_DOUBLE_EQ(of("mean"), 542.25 / 6);
}

TEST(Metrics, LookAtTheRowsAskedFor) {
  EXPECT_EQ(one(std::string("count") + kOf + ", where = { disk = \"real\" }"), 2);
  EXPECT_EQ(one(std::string("count") + kOf + ", between = [\"200\", \"400\"]"),
            3);  // both ends count
  EXPECT_DOUBLE_EQ(one(std::string("mean") + kOf + ", final = 2"), 0.375);
  EXPECT_EQ(one(std::string("count") + kOf + ", final = 100"), 6);
}

TEST(Metrics, CrossingIsTheFirstPositionBelow) {
  EXPECT_EQ(one(std::string("crossing") + kOf + ", below = 20"), 400);
  EXPECT_EQ(one(std::string("crossing") + kOf + ", below = 0.3"), 411);
  EXPECT_TRUE(std::isinf(one(std::string("crossing") + kOf + ", below = 0.1")));
  EXPECT_EQ(one(std::string("crossing") + kOf + ", below = 170, between = [\"310\", \"1000\"]"),
            400);
  EXPECT_EQ(one(std::string("crossing") + kOf + ", below = 1000, final = 2"), 410);
}

TEST(Metrics, UseEarlierOnesAndTheScenariosNumbers) {
  const auto found = compute(
      "edge = { crossing = \"throughput_mb_s\", table = \"lines\", below = 20 }\n"
      "shelf = { mean = \"throughput_mb_s\", table = \"lines\", between = [\"edge + 1\", \"edge + "
      "scale\"] }\n"
      "twice = { value = \"2 * shelf\" }\n",
      {{"scale", 10.0}});
  ASSERT_TRUE(found) << render(found.error());
  EXPECT_EQ(found->at("shelf"), 0.5);
  EXPECT_EQ(found->at("twice"), 1.0);
}

TEST(Metrics, AreAbsentWhereTheDataAre) {
  const auto found = compute(
      "a = { mean = \"elapsed_s\", table = \"timed\" }\n"  // no such table
      "b = { mean = \"elapsed_s\", table = \"lines\" }\n"  // no such column
      "c = { mean = \"throughput_mb_s\", table = \"lines\", where = { disk = \"none\" } }\n"
      "d = { value = \"a + 1\" }\n"
      "never = { crossing = \"throughput_mb_s\", table = \"lines\", below = 0.1 }\n"
      "e = { mean = \"throughput_mb_s\", table = \"lines\", between = [\"never\", \"1000\"] }\n");
  ASSERT_TRUE(found) << render(found.error());
  for (const char* name : {"a", "b", "c", "d", "e"}) EXPECT_FALSE(found->count(name)) << name;
}

TEST(Metrics, AWrongExpressionIsAnErrorAndNotAbsent) {
  EXPECT_FALSE(compute("m = { value = \"unknown_name + 1\" }\n"));
  EXPECT_FALSE(compute("m = { value = \"1 +\" }\n"));
}

}  // namespace
}  // namespace brink
