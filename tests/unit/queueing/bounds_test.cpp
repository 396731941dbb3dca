// Bounds against Casale, Muntz & Serazzi (2008), tables IV and V, and against exact values.
#include "analytic/queueing/bounds.h"

#include "analytic/queueing/blocking.h"
#include "analytic/queueing/solve.h"
#include "tests/unit/queueing/networks.h"

namespace brink::queueing {
namespace {

Interval bound(const Network& network, std::string_view name) {
  for (const Bounds& bounds : bounds_of(network))
    if (bounds.name == name) return bounds.throughput;
  return {-1, -1};
}

const Row kDemands = {0.1, 0.1, 0.09, 0.08};

TEST(QueueBounds, Asymptotic) {  // Lazowska et al. 1984, chapter 5
  const auto bounds = bounds_of(closed(20, {9.2, 8}, 120));
  ASSERT_FALSE(bounds.empty());
  EXPECT_NEAR(bounds[0].throughput.high, 0.109, 1e-3);
  EXPECT_NEAR(bounds[0].throughput.low, 20 / (20 * 17.2 + 120), 1e-12);
  EXPECT_NEAR(bounds[0].response_s.low, 64, 1e-9);
  EXPECT_NEAR(bounds[0].response_s.high, 344, 1e-9);
}

TEST(QueueBounds, Proportional) {  // table IV
  const double low[] = {4.3174, 6.66, 8.0219, 8.8672, 9.6736};
  const double high[] = {4.3174, 6.7297, 8.27, 9.3387, 10};
  const std::int64_t population[] = {2, 5, 10, 20, 80};
  for (int i = 0; i < 5; ++i) {
    const Interval x = bound(closed(population[i], kDemands), "proportional");
    EXPECT_NEAR(x.low, low[i], 1e-4);
    EXPECT_NEAR(x.high, high[i], 1e-4);
  }
}

TEST(QueueBounds, Geometric) {  // table V, lower ends; the exact value lies inside
  const double low[] = {1.4319, 3.3432, 5.7569, 8.0856, 9.7147};
  const double exact[] = {1.4335042377315058, 3.3636081955176997, 5.871914218482613,
                          8.375032226818899, 9.827800278996392};
  const std::int64_t population[] = {2, 5, 10, 20, 80};
  for (int i = 0; i < 5; ++i) {
    const Network network = closed(population[i], kDemands, 1);
    const Interval x = bound(network, "geometric");
    EXPECT_NEAR(x.low, low[i], 6e-4);
    EXPECT_LE(x.low, exact[i]);
    EXPECT_GE(x.high, exact[i]);
    EXPECT_NEAR(solve(network)->classes[0].throughput, exact[i], 1e-9);
  }
  EXPECT_NEAR(bound(closed(2, kDemands, 1), "geometric").high, 1.5195, 6e-4);
  EXPECT_NEAR(bound(closed(80, kDemands, 1), "geometric").high, 9.8594, 6e-4);
}

TEST(QueueBounds, AllContainTheExactValue) {
  for (const double think : {0., 0.3, 4.})
    for (std::int64_t n : {1, 2, 3, 7, 30, 200}) {
      const Network network = closed(n, {0.5, 0.2, 0.2, 0.01}, think);
      const double x = solve(network)->classes[0].throughput;
      for (const Bounds& bounds : bounds_of(network)) {
        EXPECT_LE(bounds.throughput.low, x * (1 + 1e-12)) << bounds.name << n << ' ' << think;
        EXPECT_GE(bounds.throughput.high, x * (1 - 1e-12)) << bounds.name << n << ' ' << think;
      }
    }
}

TEST(QueueBounds, Knee) { EXPECT_NEAR(knee({0.605, 2.1, 1.35}, 15), 9.073809523809523, 1e-12); }

/// One class over `p`, closed or with arrivals per station.
Network rooms(const std::vector<int>& capacity, Row service, const Rows& p, std::int64_t population,
              Row enter = {}) {
  Network network = stations(capacity.size());
  Row visits(capacity.size(), 1);
  add_closed(network, population, std::move(service), visits);
  for (std::size_t i = 0; i < p.size(); ++i) {
    network.stations[i].capacity = capacity[i];
    for (std::size_t j = 0; j < p.size(); ++j)
      if (p[i][j] > 0)
        network.routes.push_back({0, static_cast<int>(i), 0, static_cast<int>(j), p[i][j]});
  }
  if (!enter.empty()) {
    network.classes[0].open = true;
    network.enter_per_s = {std::move(enter)};
  }
  return network;
}

const Rows kRing = {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}};

TEST(Rooms, RingsOfAkyildiz) {  // IEEE TSE 14(4), 1988, examples 2 and 3, by the exact chain
  const Rows split = {{0, 0.5, 0.5}, {1, 0, 0}, {1, 0, 0}};
  const struct {
    Network network;
    Row queue;
  } cases[] = {
      {rooms({4, 5, 5}, {1.5, 2, 1}, kRing, 10),
       {3.3501110288675055, 3.7609178386380455, 2.8889711324944495}},
      {rooms({4, 5, 5}, {1.5, 2, 1}, kRing, 12), {3.6, 4.345454545454545, 4.054545454545455}},
      {rooms({8, 7, 6}, {0.2, 1.2, 1.4}, split, 12),
       {0.7139127883888501, 6.047710772324004, 5.238376439287148}},
  };
  for (const auto& at : cases) {
    const auto solved = solve(at.network, "repetitive-service");
    ASSERT_TRUE(solved);
    expect_rows(of(*solved, &Measures::queue), {at.queue}, 1e-9);
  }
}

TEST(Rooms, AlwaysRoomEnough) {  // capacities that never bind: product form
  const Rows p = {{0.6, 0.3, 0.1}, {0.2, 0.3, 0.5}, {0.4, 0.1, 0.5}};
  for (const char* method : {"repetitive-service", "after-service"}) {
    const auto solved = solve(rooms({3, 3, 3}, {1.25, 1 / 0.6, 2.5}, p, 3), method);
    ASSERT_TRUE(solved);
    expect_rows(of(*solved, &Measures::queue), {{0.873, 0.541, 1.585}}, 1e-3);
    expect_rows(of(*solved, &Measures::utilisation), {{0.543, 0.386, 0.797}}, 1e-3);
    expect_rows(of(*solved, &Measures::throughput),
                {{0.4344814139199536, 0.2317234207573086, 0.31861970354129928}}, 1e-9);
  }
}

TEST(Rooms, OpenTandemWithFeedback) {  // octave-queueing's example, generator by hand there
  const auto solved =
      solve(rooms({2, 1}, {1, 0.5}, {{0, 1}, {0.5, 0}}, 0, {0.5, 0}), "repetitive-service");
  ASSERT_TRUE(solved);
  expect_rows(of(*solved, &Measures::queue), {{1.1458333333333335, 0.30208333333333328}}, 1e-9);
  // What enters the second station is what leaves it.
  EXPECT_NEAR(solved->classes[0].at[0].throughput, solved->classes[0].at[1].throughput, 1e-12);
}

TEST(Rooms, ThroughputOfARingIsOne) {  // every station of a ring passes on the same number
  for (const char* method : {"repetitive-service", "after-service"}) {
    const auto solved = solve(rooms({4, 5, 5}, {1.5, 2, 1}, kRing, 10), method);
    ASSERT_TRUE(solved);
    const Rows x = of(*solved, &Measures::throughput);
    EXPECT_NEAR(x[0][0], x[0][1], 1e-9) << method;
    EXPECT_NEAR(x[0][1], x[0][2], 1e-9) << method;
    EXPECT_LT(x[0][0], 0.5);
  }
}

TEST(Rooms, TwoStationsAfterService) {
  // Two stations of one room each and one customer: it alternates; X = 1 / (S1 + S2).
  const Rows ring = {{0, 1}, {1, 0}};
  const auto one = solve(rooms({1, 1}, {1, 3}, ring, 1), "after-service");
  ASSERT_TRUE(one);
  EXPECT_NEAR(one->classes[0].throughput, 0.25, 1e-12);
  // With two they wait for each other for ever.
  const auto two = solve(rooms({1, 1}, {1, 3}, ring, 2), "after-service");
  ASSERT_FALSE(two);
  EXPECT_NE(two.error().message.find("lock up"), std::string::npos);
}

TEST(Rooms, FinishedCustomersHoldTheServer) {
  // M/M/1 -> M/M/1 with one room each, arrivals lost: states (0,0) (1,0) (0,1) (1,1) (blocked,1).
  const auto solved = solve(rooms({1, 1}, {1, 1}, {{0, 1}, {0, 0}}, 0, {1, 0}), "after-service");
  ASSERT_TRUE(solved);
  // Balance: 00 = 01; 10 = 00 + 11; 2 * 01 = 10 + b; 2 * 11 = 01; b = 11.
  // With 11 = 1: b = 1, 01 = 2, 00 = 2, 10 = 3: sum 9. X = share with station 2 busy = 4 / 9.
  EXPECT_NEAR(solved->classes[0].throughput, 4 / 9., 1e-12);
  EXPECT_NEAR(solved->classes[0].at[0].blocked, 1 / 9., 1e-12);
}

TEST(Rooms, WhatDoesNotFitIsSaid) {
  EXPECT_FALSE(solve(rooms({1, 1}, {1, 3}, {{0, 1}, {1, 0}}, 3), "after-service"));
  EXPECT_FALSE(solve(rooms({1, 1}, {1, 3}, {{0, 1}, {1, 0}}, 1)));  // needs a kind of blocking
}

}  // namespace
}  // namespace brink::queueing
