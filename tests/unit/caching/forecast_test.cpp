// Forecasts of large caches against libCacheSim's counts (commit aa0fc409; Zipf 1.0, a million
// pages, 20 million requests from an empty cache), and of traces against counting.
#include <gtest/gtest.h>

#include <cmath>

#include "analytic/caching/characteristic.h"
#include "analytic/caching/hull.h"
#include "analytic/caching/popularity.h"
#include "analytic/caching/reuse.h"

namespace brink::caching {
namespace {

constexpr double kRequests = 20e6;

TEST(Forecasts, CheWithFiniteRun) {
  const Popularity popularity = zipf(1'000'000, 1);
  const double sizes[] = {1e3, 1e4, 1e5, 5e5};
  const double misses[] = {0.596816, 0.414962, 0.221791, 0.080700};
  for (int i = 0; i < 4; ++i)
    EXPECT_NEAR(lru_finite_run(popularity, sizes[i], kRequests), misses[i], 1e-4) << sizes[i];
}

TEST(Forecasts, Clock) {
  const Popularity popularity = zipf(1'000'000, 1);
  EXPECT_NEAR(finite_run(popularity, 1e3, clock(popularity, 1e3), kRequests), 0.586146, 2e-4);
  EXPECT_NEAR(finite_run(popularity, 1e4, clock(popularity, 1e4), kRequests), 0.405342, 2e-4);
}

TEST(Forecasts, Fifo) {
  const Popularity popularity = zipf(1'000'000, 1);
  EXPECT_NEAR(fifo(popularity, 1e4).miss(), 0.449886, 1e-4);
  EXPECT_NEAR(fifo(popularity, 1e3).miss(), 0.633091, 1e-3);
}

TEST(Forecasts, TwoQ) {
  const Popularity popularity = zipf(1'000'000, 1);
  EXPECT_NEAR(find_formula_policy("2q")->forecast(popularity, 1e3).miss(), 0.5098, 0.005);
  EXPECT_NEAR(find_formula_policy("2q")->forecast(popularity, 1e4).miss(), 0.3535, 0.005);
}

TEST(Forecasts, GroupsAreAsGoodAsPages) {
  const Popularity grouped = zipf(50'000, 0.9);
  std::vector<double> weights;
  for (int r = 1; r <= 50'000; ++r) weights.push_back(std::pow(r, -0.9));
  const Popularity apart = from_weights(weights);
  ASSERT_LT(grouped.groups.size(), 15'000u);
  EXPECT_NEAR(grouped.total(), 1, 1e-12);
  EXPECT_NEAR(grouped.pages(), 50'000, 1e-6);
  EXPECT_NEAR(lru(grouped, 2'000).hit, lru(apart, 2'000).hit, 1e-7);
  EXPECT_NEAR(clock(grouped, 20'000).hit, clock(apart, 20'000).hit, 1e-7);
}

TEST(Forecasts, Lists) {  // LINE's example: ten equal pages, m = [2, 2]; T = ln(4/3)/p and ln 2/p
  const Forecast forecast = lru_m(uniform(10), {2, 2});
  EXPECT_NEAR(forecast.times[0], std::log(4. / 3) / 0.1, 1e-8);
  EXPECT_NEAR(forecast.times[1], std::log(2.) / 0.1, 1e-8);
  EXPECT_NEAR(forecast.hit, 0.4, 1e-9);
  EXPECT_NEAR(random_m(uniform(10), {2, 2}).times[0], (2 / 6.) / 0.1, 1e-8);
}

TEST(Forecasts, OneListIsThePolicyItself) {
  const Popularity popularity = zipf(1000, 0.9);
  EXPECT_NEAR(lru_m(popularity, {50}).hit, lru(popularity, 50).hit, 1e-10);
  EXPECT_NEAR(random_m(popularity, {50}).hit, fifo(popularity, 50).hit, 1e-10);
  EXPECT_NEAR(q_lru(popularity, 50, 1).hit, lru(popularity, 50).hit, 1e-10);
  EXPECT_NEAR(k_lru(popularity, 50, 1).hit, lru(popularity, 50).hit, 1e-10);
}

TEST(Forecasts, FiltersHelpUnderIndependentReferences) {  // towards the most popular pages
  const Popularity popularity = zipf(1000, 0.9);
  double best = 0;
  for (int i = 0; i < 50; ++i) best += popularity.groups[static_cast<std::size_t>(i)].p;
  double before = lru(popularity, 50).hit;
  for (int k = 2; k <= 4; ++k) {
    const double hit = k_lru(popularity, 50, k).hit;
    EXPECT_GT(hit, before);
    EXPECT_LT(hit, best);
    before = hit;
  }
  EXPECT_NEAR(q_lru(popularity, 50, 1e-6).hit, best, 0.01);
}

TEST(Forecasts, ScansHitAllOrNothing) {
  const Popularity hot = zipf(200, 0.8);
  const ScanMix mix{500, 0.8};
  const double cliff = scan_cliff(hot, mix);
  EXPECT_GT(cliff, 500);
  EXPECT_LT(cliff, 700);
  const double below = lru_with_scan(hot, mix, cliff * 0.99).hit;
  const double above = lru_with_scan(hot, mix, cliff * 1.01).hit;
  EXPECT_NEAR(above - below, 0.8, 0.02);
}

// x -> LRU by list, for the scan test below.
double simulated_scan(std::size_t size) {
  std::vector<int> cache;
  std::uint64_t random = 12345, misses = 0;
  const int requests = 60'000;
  int scan = 0;
  for (int i = 0; i < requests; ++i) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    const auto draw = static_cast<double>(random >> 11) / 9007199254740992.0;
    const int page =
        draw < 0.8 ? 1000 + (scan = (scan + 1) % 200) : static_cast<int>((draw - 0.8) / 0.2 * 50);
    const auto found = std::find(cache.begin(), cache.end(), page);
    if (found == cache.end()) {
      ++misses;
      if (cache.size() == size) cache.pop_back();
    } else {
      cache.erase(found);
    }
    cache.insert(cache.begin(), page);
  }
  return static_cast<double>(misses) / requests;
}

TEST(Forecasts, ScanPositionWithinOnePercent) {
  const ScanMix mix{200, 0.8};
  const double cliff = scan_cliff(uniform(50), mix);
  EXPECT_GT(simulated_scan(static_cast<std::size_t>(cliff * 0.99 - 1)), 0.7);
  EXPECT_LT(simulated_scan(static_cast<std::size_t>(cliff * 1.01 + 1)), 0.25);
}

TEST(Reuse, WorkingSetByHand) {  // 1 2 1 3 3 with windows of 2
  const std::vector<std::uint32_t> pages = {0, 1, 0, 2, 2};
  const ReuseTimes times = reuse_times(pages, 3);
  EXPECT_EQ(times.first, 3u);
  EXPECT_EQ(times.count[2], 1u);
  EXPECT_EQ(times.count[1], 1u);
  const WorkingSet set = working_set(times, pages, 3, 2);
  EXPECT_EQ(set.faults, 3);
  EXPECT_NEAR(set.mean_pages, (1 + 2 + 2 + 2 + 1) / 5., 1e-12);
  EXPECT_EQ(working_set(times, pages, 3, 1).faults, 4);
}

TEST(Reuse, AetOfALoopIsItsWall) {
  std::vector<std::uint32_t> pages;
  for (int i = 0; i < 10'000; ++i) pages.push_back(static_cast<std::uint32_t>(i % 100));
  const ReuseTimes times = reuse_times(pages, 100);
  EXPECT_NEAR(aet_miss(times, 98), 1, 1e-9);
  EXPECT_NEAR(aet_miss(times, 100), 0.01, 1e-9);  // first references
  EXPECT_LT(stationarity(pages, 100), kUnsteady);
}

TEST(Reuse, PhasesAreNoticed) {
  std::vector<std::uint32_t> pages;
  for (int i = 0; i < 5'000; ++i) pages.push_back(static_cast<std::uint32_t>(i % 100));
  for (int i = 0; i < 5'000; ++i) pages.push_back(static_cast<std::uint32_t>(i % 10));
  EXPECT_GT(stationarity(pages, 100), kUnsteady);
}

TEST(Hull, GapOfALoop) {  // 1 up to the loop, 0 behind: the hull is the chord
  const std::vector<HullPoint> curve = {{0, 1}, {25, 1}, {50, 1}, {99, 1}, {100, 0}};
  const HullGap gap = hull_gap(curve);
  EXPECT_EQ(gap.size, 99);
  EXPECT_NEAR(gap.gap, 0.99, 1e-12);
  EXPECT_EQ(lower_hull(curve).size(), 2u);
}

TEST(Hull, ConvexHasNoGap) {
  EXPECT_NEAR(hull_gap({{0, 1}, {1, 0.5}, {2, 0.25}, {3, 0.125}}).gap, 0, 1e-15);
}

}  // namespace
}  // namespace brink::caching
