// Closed networks: textbook examples as octave-queueing 1.2.7 asserts them.
#include "analytic/queueing/routing.h"
#include "analytic/queueing/solve.h"
#include "tests/unit/queueing/networks.h"

namespace brink::queueing {
namespace {

TEST(Closed, CentralServer) {  // Bolch et al., example 8.3
  Network network = stations(4);
  add_closed(network, 6, {0.02, 0.2, 0.4, 0.6}, {1, 0.4, 0.2, 0.1});
  for (const char* method : {"mva", "convolution"}) {
    const auto solved = solve(network, method);
    ASSERT_TRUE(solved) << method;
    EXPECT_TRUE(solved->exact);
    expect_rows(of(*solved, &Measures::utilisation), {{0.198, 0.794, 0.794, 0.595}}, 1e-3);
    expect_rows(of(*solved, &Measures::queue),
                {{0.24361525889194025, 2.261037791441056, 2.261037791441056, 1.2343091582259483}},
                1e-9);
    expect_rows(of(*solved, &Measures::response_s), {{0.025, 0.57, 1.14, 1.244}}, 1e-3);
    EXPECT_NEAR(solved->classes[0].throughput, 9.919836337154356, 1e-9);
  }
}

TEST(Closed, SeveralServers) {  // Bolch et al., example 8.1
  Network network = stations(3, {2, 3, 1});
  add_closed(network, 3, {1.25, 1 / 0.6, 2.5}, {1, 0.667, 0.2});
  const auto solved = solve(network);
  ASSERT_TRUE(solved);
  EXPECT_EQ(solved->method, "convolution");
  expect_rows(of(*solved, &Measures::throughput), {{0.945, 0.63, 0.189}}, 1e-3);
  expect_rows(of(*solved, &Measures::utilisation), {{0.59, 0.35, 0.473}}, 1e-3);
  expect_rows(of(*solved, &Measures::queue),
              {{1.2898102903997202, 1.04987910332693, 0.6603106062733498}}, 1e-9);
  expect_rows(of(*solved, &Measures::response_s), {{1.366, 1.667, 3.496}}, 1e-3);
}

TEST(Closed, ThinkingUsers) {  // Lazowska et al. 1984, p. 117: X(1), X(2), X(3)
  const double exact[] = {0.05247966413014957, 0.1030859374524519, 0.15151649234709556};
  for (std::int64_t n = 1; n <= 3; ++n)
    for (const char* method : {"mva", "convolution"}) {
      const auto solved = solve(closed(n, {0.605, 2.1, 1.35}, 15), method);
      ASSERT_TRUE(solved) << method;
      EXPECT_NEAR(solved->classes[0].throughput, exact[n - 1], 1e-9) << method << n;
    }
  const auto solved = solve(closed(3, {0.605, 2.1, 1.35}, 15));
  EXPECT_NEAR(solved->classes[0].response_s, 4.7998247816321479, 1e-9);
  const auto guessed = solve(closed(3, {0.605, 2.1, 1.35}, 15), "schweitzer");
  ASSERT_TRUE(guessed);
  EXPECT_FALSE(guessed->exact);
  EXPECT_NEAR(guessed->classes[0].throughput, 0.15099, 5e-6);  // the book's approximation
}

TEST(Closed, ThroughputRisesAndIsConcave) {  // no cliff in product form with fixed rates
  double before = 0, step = 1;
  for (std::int64_t n = 1; n <= 60; ++n) {
    const auto solved = solve(closed(n, {0.605, 2.1, 1.35}, 15));
    ASSERT_TRUE(solved);
    const double x = solved->classes[0].throughput;
    EXPECT_GE(x, before);
    EXPECT_LE(x - before, step + 1e-12);
    step = x - before;
    before = x;
  }
  EXPECT_NEAR(before, 0.47619047615487367, 1e-9);  // N = 60; 1 / 2.1 = .476190476...
}

TEST(Closed, TwoClasses) {  // Lazowska et al. 1984, p. 141
  Network network = stations(2);
  add_closed(network, 1, {0.1, 1 / 3.}, {10, 9});
  add_closed(network, 1, {0.4, 1}, {5, 4});
  for (const char* method : {"mva", "convolution"}) {
    const auto solved = solve(network, method);
    ASSERT_TRUE(solved);
    expect_rows(of(*solved, &Measures::queue), {{4 / 19., 15 / 19.}, {5 / 19., 14 / 19.}}, 1e-9);
    expect_rows(of(*solved, &Measures::response_s), {{0.4 / 3, 5 / 9.}, {0.5, 1.75}}, 1e-9);
  }
}

TEST(Closed, TwoClassesWithDelays) {  // Schwetman, CSD-TR-355
  Network network = stations(3, {-1, -1, 1});
  add_closed(network, 2, {1, 0, 0.025}, {1, 0, 1});
  add_closed(network, 1, {0, 15, 0.5}, {0, 1, 1});
  for (const char* method : {"mva", "convolution"}) {
    const auto solved = solve(network, method);
    ASSERT_TRUE(solved);
    expect_rows(of(*solved, &Measures::queue),
                {{1.9484547926320227, 0, 0.051545207367977647},
                 {0, 0.9661854248841573, 0.03381457511584268}},
                1e-9);
    expect_rows(of(*solved, &Measures::response_s),
                {{1, 0, 0.02645440251572327}, {0, 15, 0.5249702734839477}}, 1e-9);
  }
}

TEST(Closed, TwoServersSharingDelay) {  // Bolch et al., example 8.5
  Network network = stations(3, {2, 1, -1});
  add_closed(network, 2, {0.2, 0.4, 1}, {1, 0.6, 0.4});
  add_closed(network, 1, {0.2, 0.6, 2}, {1, 0.3, 0.7});
  const auto solved = solve(network);
  ASSERT_TRUE(solved);
  expect_rows(of(*solved, &Measures::queue), {{0.428, 0.726, 0.845}, {0.108, 0.158, 0.734}}, 1e-3);
  expect_rows(
      of(*solved, &Measures::response_s),
      {{0.20260010400416018, 0.5728549141965679, 1}, {0.20524109014675052, 1.0075471698113206, 2}},
      1e-9);
  EXPECT_NEAR(solved->classes[0].throughput, 2.113, 1e-3);
  EXPECT_NEAR(solved->classes[1].throughput, 0.524, 1e-3);
}

TEST(Closed, SixStations) {  // JMVA's answer, as octave-queueing asserts it
  Network network = stations(6, {-1, 1, 1, 1, 1, 1});
  const double d = 5 / 18.;
  add_closed(network, 40, {5, 0.01, 0.035, 0.035, 0.035, 0.035}, {1, 10 / 9., d, d, d, d});
  add_closed(network, 4, {10, 0.1, 0.035, 0.035, 0.035, 0.035}, {1, 20, 5, 5, 5, 5});
  for (const char* method : {"mva", "convolution"}) {
    const auto solved = solve(network, method);
    ASSERT_TRUE(solved);
    expect_rows(of(*solved, &Measures::utilisation),
                {{39.457941, 0.087684, 0.076724, 0.076724, 0.076724, 0.076724},
                 {2.772704, 0.554541, 0.048522, 0.048522, 0.048522, 0.048522}},
                1e-5);
    EXPECT_NEAR(solved->classes[1].at[1].queue, 1.0081979077322887, 1e-9);
    EXPECT_NEAR(solved->classes[0].throughput, 7.891588174394502, 1e-8);
  }
}

TEST(Closed, FourStations) {  // Schwetman, figure 7
  Network network = stations(4);
  add_closed(network, 3, {0.01, 0.09, 0.1, 0.08}, {1, 0.45, 0.5, 0});
  add_closed(network, 2, {0.05, 0.09, 0.1, 0.08}, {1, 0, 0.5, 0.49});
  const auto solved = solve(network);
  ASSERT_TRUE(solved);
  expect_rows(of(*solved, &Measures::utilisation),
              {{0.1215, 0.4921, 0.6075, 0}, {0.3433, 0, 0.3433, 0.2691}}, 1e-4);
  expect_rows(of(*solved, &Measures::queue),
              {{0.2131847776169203, 0.75395812255795, 2.0328570998251296, 0},
               {0.5011069916180568, 0, 1.183981604917038, 0.3149114034649053}},
              1e-9);
}

TEST(Closed, ClassesThatSwitch) {  // Schwetman, figure 9
  const auto visits = visits_from_routes(2, 3,
                                         {{0, 0, 0, 1, 0.7},
                                          {0, 0, 0, 2, 0.2},
                                          {0, 0, 1, 0, 0.1},
                                          {1, 0, 1, 1, 0.3},
                                          {1, 0, 1, 2, 0.5},
                                          {1, 0, 0, 0, 0.2},
                                          {0, 1, 0, 0, 1},
                                          {0, 2, 0, 0, 1},
                                          {1, 1, 1, 0, 1},
                                          {1, 2, 1, 0, 1}},
                                         {});
  ASSERT_TRUE(visits);
  Network network = stations(3);
  add_closed(network, 3, {0.01, 0.07, 0.1}, (*visits)[0]);
  add_closed(network, 0, {0.05, 0.07, 0.1}, (*visits)[1]);
  for (auto& of_class : network.classes) of_class.chain = 0;
  const auto solved = solve(network);
  ASSERT_TRUE(solved);
  expect_rows(of(*solved, &Measures::throughput), {{12.609, 8.826, 2.522}, {6.304, 1.891, 3.152}},
              1e-3);
  expect_rows(of(*solved, &Measures::queue), {{0.185, 1.175, 0.412}, {0.462, 0.252, 0.515}}, 1e-3);
  expect_rows(of(*solved, &Measures::response_s),
              {{0.014653244700100949, 0.13314813051179978, 0.16325593798213368},
               {0.07326622350050476, 0.13314813051179978, 0.16325593798213368}},
              1e-9);
}

TEST(Closed, SpeedsThatFallMakeThroughputFall) {  // thrashing: the one way to a cliff here
  Network network = stations(1, {1});
  network.stations[0].speeds = {1, 1, 1, 0.2};
  add_closed(network, 3, {1}, {1});
  EXPECT_NEAR(solve(network)->classes[0].throughput, 1, 1e-12);
  network.classes[0].population = 4;
  EXPECT_NEAR(solve(network)->classes[0].throughput, 0.2, 1e-12);
}

TEST(Closed, LinearizerIsNearerThanSchweitzer) {
  Network network = stations(3);
  add_closed(network, 4, {0.3, 0.2, 0.1}, {1, 1, 1});
  add_closed(network, 3, {0.1, 0.1, 0.4}, {1, 1, 1});
  const double exact = solve(network)->classes[0].throughput;
  const double linear = solve(network, "linearizer")->classes[0].throughput;
  const double simple = solve(network, "schweitzer")->classes[0].throughput;
  EXPECT_LT(std::abs(linear - exact), std::abs(simple - exact));
  EXPECT_NEAR(linear, exact, 0.005 * exact);
  EXPECT_LT(solve(network, "bard")->classes[0].throughput, exact);
}

TEST(Closed, TooManyPopulationsFallBackAndSaySo) {
  Network network = stations(2);
  for (int c = 0; c < 5; ++c) add_closed(network, 100, {0.3, 0.2}, {1, 1});
  const auto solved = solve(network);
  ASSERT_TRUE(solved);
  EXPECT_FALSE(solved->exact);
  EXPECT_EQ(solved->method, "Linearizer (approximate)");
  EXPECT_FALSE(solve(network, "mva"));
}

TEST(Closed, TenThousandCustomers) {  // saturated: X = 1 / D_max to rounding
  Row demands;
  for (int k = 0; k < 20; ++k) demands.push_back(0.01 + 0.001 * k);
  const auto solved = solve(closed(10'000, demands));
  ASSERT_TRUE(solved);
  EXPECT_NEAR(solved->classes[0].throughput, 1 / 0.029, 1e-6);
  const auto other = solve(closed(10'000, demands, 5), "convolution");
  ASSERT_TRUE(other);
  EXPECT_NEAR(other->classes[0].throughput,
              solve(closed(10'000, demands, 5), "mva")->classes[0].throughput, 1e-9);
}

}  // namespace
}  // namespace brink::queueing
