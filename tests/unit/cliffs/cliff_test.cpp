// Cliffs: curves with and without, noise, poles, refinement. Real traces are in the suite of
// benchmarks; here every curve is a formula.
#include "analytic/cliffs/cliff.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "analytic/caching/characteristic.h"
#include "analytic/caching/popularity.h"
#include "analytic/queueing/solve.h"

namespace brink::cliffs {
namespace {

std::vector<Point> curve(double from, double to, int count, const std::function<double(double)>& y,
                         bool logarithmic = true) {
  std::vector<Point> points;
  for (int i = 0; i < count; ++i) {
    const double share = i / (count - 1.0);
    const double x = logarithmic ? from * std::pow(to / from, share) : from + share * (to - from);
    points.push_back({x, y(x)});
  }
  return points;
}

Findings find(std::vector<Point> points) {
  const auto found = find_cliffs(std::move(points));
  EXPECT_TRUE(found) << (found ? "" : found.error());
  return found ? *found : Findings{};
}

/// 1 / time with time 1 per hit and 500 more per miss of a loop over `pages` pages under LRU.
double loop(double size, double pages) { return 1 / (size >= pages ? 1.0 : 501.0); }

TEST(Cliffs, LoopIsAWall) {
  const Findings found = find(curve(100, 2000, 100, [](double x) { return loop(x, 1011); }));
  ASSERT_EQ(found.cliffs.size(), 1u);
  EXPECT_EQ(found.cliffs[0].grade, Grade::wall);
  EXPECT_FALSE(found.cliffs[0].falls);
  EXPECT_LT(found.cliffs[0].a, 1011);
  EXPECT_GE(found.cliffs[0].b, 1011);
  EXPECT_NEAR(found.cliffs[0].factor, 501, 1e-6);
}

TEST(Cliffs, RefinedToOnePage) {
  const auto y = [](double x) { return loop(x, 1011); };
  const Findings found = find(curve(100, 2000, 100, y));
  ASSERT_EQ(found.cliffs.size(), 1u);
  const Cliff fine = refine(found.cliffs[0], y, 1e-9, true);
  EXPECT_LE(fine.b - fine.a, 2);
  EXPECT_LT(fine.a, 1011);
  EXPECT_GE(fine.b, 1011);
  EXPECT_EQ(fine.y_a, y(fine.a));
  EXPECT_EQ(fine.y_b, y(fine.b));
}

TEST(Cliffs, Grades) {
  const struct {
    double factor;
    Grade grade;
  } cases[] = {{1.5, Grade::step}, {3, Grade::cliff}, {20, Grade::wall}};
  for (const auto& at : cases) {
    const Findings found = find(curve(1, 10, 60, [&](double x) { return x < 4 ? at.factor : 1; }));
    ASSERT_EQ(found.cliffs.size(), 1u) << at.factor;
    EXPECT_EQ(found.cliffs[0].grade, at.grade);
    EXPECT_TRUE(found.cliffs[0].falls);
    EXPECT_TRUE(found.cliffs[0].jump);
  }
  EXPECT_TRUE(find(curve(1, 10, 60, [](double x) { return x < 4 ? 1.2 : 1; })).cliffs.empty());
}

TEST(Cliffs, TwoSteps) {
  const Findings found = find(curve(1, 100, 150, [](double x) {
    return x < 5 ? 1 : x < 30 ? 1.6 : 1.6 * 4;
  }));
  ASSERT_EQ(found.cliffs.size(), 2u);
  EXPECT_EQ(found.cliffs[0].grade, Grade::step);
  EXPECT_EQ(found.cliffs[1].grade, Grade::cliff);
}

TEST(Cliffs, ScanFormulaIsACliff) {
  const auto hot = caching::zipf(200, 0.8);
  const caching::ScanMix mix{500, 0.8};
  const auto y = [&](double size) {
    return 1 / (1 + 100 * caching::lru_with_scan(hot, mix, size).miss());
  };
  const Findings found = find(curve(50, 690, 120, y));
  ASSERT_EQ(found.cliffs.size(), 1u);
  const Cliff fine = refine(found.cliffs[0], y, 1e-4, false);
  EXPECT_NEAR(fine.b / caching::scan_cliff(hot, mix), 1, 1e-3);
  EXPECT_GE(fine.factor, 2);
}

TEST(Cliffs, ThrashingIsACliff) {  // speed of a station that collapses beyond 25 customers
  queueing::Network network;
  network.stations.push_back({"cpu"});
  for (int n = 1; n <= 60; ++n) network.stations[0].speeds.push_back(n <= 25 ? 1 : 0.1);
  queueing::CustomerClass jobs{"jobs"};
  jobs.visits = {1};
  jobs.service_s = {1};
  std::vector<Point> points;
  for (int n = 1; n <= 60; ++n) {
    jobs.population = n;
    network.classes = {jobs};
    points.push_back({static_cast<double>(n), queueing::solve(network)->classes[0].throughput});
  }
  const Findings found = find(points);
  ASSERT_EQ(found.cliffs.size(), 1u);
  EXPECT_EQ(found.cliffs[0].a, 25);
  EXPECT_EQ(found.cliffs[0].b, 26);
  EXPECT_EQ(found.cliffs[0].grade, Grade::wall);
}

TEST(Cliffs, ClosedNetworksHaveNone) {
  queueing::Network network;
  network.stations = {{"a"}, {"b"}, {"c"}};
  queueing::CustomerClass jobs{"jobs"};
  jobs.visits = {1, 1, 1};
  jobs.service_s = {0.605, 2.1, 1.35};
  jobs.think_s = 15;
  std::vector<Point> throughput, response;
  for (int n = 1; n <= 200; ++n) {
    jobs.population = n;
    network.classes = {jobs};
    const auto solved = queueing::solve(network);
    throughput.push_back({static_cast<double>(n), solved->classes[0].throughput});
    response.push_back({static_cast<double>(n), 1 / solved->classes[0].response_s});
  }
  EXPECT_TRUE(find(throughput).cliffs.empty());
  EXPECT_TRUE(find(response).cliffs.empty());
}

TEST(Cliffs, PowerLawsHaveNone) {
  for (const double power : {-8., -2., -0.5, 1., 3., 12.})
    for (const bool logarithmic : {true, false})
      EXPECT_TRUE(find(curve(
                           1, 50, 80, [&](double x) { return std::pow(x, power); }, logarithmic))
                      .cliffs.empty())
          << power;
}

TEST(Cliffs, ZipfCurvesHaveNone) {
  for (const double alpha : {0.6, 0.8, 1.0, 1.2}) {
    const auto popularity = caching::zipf(4'000, alpha);
    for (const auto& policy : caching::formula_policies()) {
      const Findings found = find(curve(
          20, 3'900, 60, [&](double size) { return policy.forecast(popularity, size).miss(); }));
      EXPECT_TRUE(found.cliffs.empty()) << policy.name << alpha;
    }
  }
}

TEST(Cliffs, SaturationIsAPole) {  // 1 / (mu - lambda), up to 99.9 % of it
  const Findings found = find(curve(
      1, 99.9, 200, [](double x) { return 100 - x; }, false));
  EXPECT_TRUE(found.cliffs.empty());
  ASSERT_FALSE(found.poles.empty());
  EXPECT_NEAR(found.poles[0].at, 100, 1);
}

TEST(Cliffs, KneeIsNothing) {
  const Findings found = find(curve(1, 100, 100, [](double x) { return std::min(x, 20.); }));
  EXPECT_TRUE(found.cliffs.empty());
  EXPECT_TRUE(found.poles.empty());
}

TEST(Cliffs, FlatNoiseGivesNoAlarm) {  // a thousand curves, 5 to 30 % noise
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  int alarms = 0;
  for (int run = 0; run < 1000; ++run) {
    const double noise = 0.05 + 0.25 * run / 999;
    const auto points =
        curve(1, 10, 40 + run % 60, [&](double) { return std::exp(noise * normal(random)); });
    alarms += static_cast<int>(find(points).cliffs.size());
  }
  EXPECT_EQ(alarms, 0);
}

TEST(Cliffs, FourfoldDropInNoiseIsSeen) {
  std::mt19937_64 random(11);
  std::normal_distribution<double> normal;
  int seen = 0;
  for (int run = 0; run < 400; ++run) {
    const auto points = curve(
        1, 10, 50, [&](double x) { return (x < 3.7 ? 4 : 1) * std::exp(0.1 * normal(random)); });
    const Findings found = find(points);
    seen += found.cliffs.size() == 1 && found.cliffs[0].a < 3.7 && found.cliffs[0].b >= 3.7;
  }
  EXPECT_GE(seen, 380);
}

TEST(Cliffs, RepetitionMeasuresTheNoise) {
  std::vector<Point> points;
  for (int i = 1; i <= 20; ++i)
    for (const double factor : {0.5, 2.}) points.push_back({static_cast<double>(i), factor});
  const Findings found = find(points);
  EXPECT_EQ(found.points, 20u);
  EXPECT_NEAR(found.noise, std::log(2) * std::sqrt(2.) / std::sqrt(2.), 1e-9);
  EXPECT_TRUE(found.too_noisy);
}

TEST(Cliffs, OneBadPointIsNoCliff) {
  auto points = curve(1, 10, 60, [](double) { return 1; });
  points[30].y = 0.1;
  EXPECT_TRUE(find(points).cliffs.empty());
}

TEST(Cliffs, CoarseGridsAskForMore) {
  const Findings found = find(curve(
      100, 1000, 10, [](double x) { return x < 650 ? 1 : 10; }, false));
  EXPECT_TRUE(found.cliffs.empty());  // the two points are 17 % apart
  ASSERT_EQ(found.unresolved.size(), 1u);
  EXPECT_NEAR(found.unresolved[0].first, 600, 1e-9);
  EXPECT_NEAR(found.unresolved[0].second, 700, 1e-9);
}

TEST(Cliffs, WrongCurvesAreRefused) {
  EXPECT_FALSE(find_cliffs({{1, 1}, {2, 1}, {3, 1}, {4, 1}}));
  EXPECT_FALSE(find_cliffs({{1, 1}, {2, 0}, {3, 1}, {4, 1}, {5, 1}}));
  EXPECT_FALSE(find_cliffs({{0, 1}, {2, 1}, {3, 1}, {4, 1}, {5, 1}}));
}

TEST(Cliffs, CauseIsWhatGrewMost) {
  const Cause cause = cause_of({{"cpu", 1}, {"disk", 5}, {"scan", 0.1}},
                               {{"cpu", 1.2}, {"disk", 4}, {"scan", 300}});
  EXPECT_EQ(cause.part, "scan");
  EXPECT_GT(cause.share_of_growth, 0.99);
}

/// The formula of 1996 over the size of the cache, as computed: it bends, but has no noise.
TEST(FindCliffs, ExactPointsHaveNoNoise) {
  const std::vector<Point> points = {{100, 2.59237}, {200, 2.37696}, {300, 2.24827}, {400, 2.31915},
                                     {500, 2.2168},  {551, 1.7063},  {554, 0.896},   {600, 0.896}};
  FindOptions exact;
  exact.exact = true;
  const auto found = find_cliffs(points, exact);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->noise, 0);
  EXPECT_TRUE(find_cliffs(points)->cliffs.empty());  // taken for noise of 20 %
  ASSERT_EQ(found->cliffs.size(), 1u);
  EXPECT_EQ(found->cliffs[0].a, 551);
  EXPECT_EQ(found->cliffs[0].b, 554);
}

}  // namespace
}  // namespace brink::cliffs
