// Open networks: textbook examples as octave-queueing 1.2.7 asserts them, and closed forms.
#include "analytic/queueing/routing.h"
#include "analytic/queueing/solve.h"
#include "tests/unit/queueing/networks.h"

namespace brink::queueing {
namespace {

TEST(Open, OneClass) {  // Jain 1991, example 34.1
  Network network = stations(3);
  add_open(network, 3, {0.01, 0.02, 0.03}, {16, 7, 8});
  const auto solved = solve(network);
  ASSERT_TRUE(solved);
  expect_rows(of(*solved, &Measures::response_s), {{0.0192, 0.0345, 0.107}}, 1e-3);
  expect_rows(of(*solved, &Measures::utilisation), {{0.48, 0.42, 0.72}}, 1e-9);
  expect_rows(of(*solved, &Measures::queue), {{0.48 / 0.52, 0.42 / 0.58, 0.72 / 0.28}}, 1e-9);
  expect_rows(of(*solved, &Measures::throughput), {{48, 21, 24}}, 1e-9);
}

TEST(Open, TwoClasses) {  // Lazowska et al. 1984, p. 138
  Network network = stations(2);
  add_open(network, 3 / 19., {0.1, 1 / 3.}, {10, 9});
  add_open(network, 2 / 19., {0.4, 1}, {5, 4});
  const auto solved = solve(network);
  ASSERT_TRUE(solved);
  expect_rows(of(*solved, &Measures::queue), {{0.25, 4.5}, {1 / 3., 4}}, 1e-9);
  expect_rows(of(*solved, &Measures::response_s),
              {{0.15833333333, 3.16666666667}, {0.63333333333, 9.5}}, 1e-9);
  EXPECT_NEAR(solved->classes[0].at[0].throughput, 1.58, 0.005);
}

TEST(Open, Routing) {  // Bolch et al., example 7.7 (its K22 = .5 is a misprint: .451)
  Network network = stations(3);
  const auto routes = [](const Rows& p) {
    std::vector<Route> out;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        out.push_back({0, i, 0, j, p[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)]});
    return out;
  };
  const auto first =
      visits_from_routes(1, 3, routes({{0, 0.4, 0.3}, {0.6, 0, 0.4}, {0.5, 0.5, 0}}), {{1, 0, 0}});
  const auto second =
      visits_from_routes(1, 3, routes({{0, 0.3, 0.6}, {0.7, 0, 0.3}, {0.4, 0.6, 0}}), {{1, 0, 0}});
  ASSERT_TRUE(first);
  ASSERT_TRUE(second);
  add_open(network, 1, {1 / 8., 1 / 12., 1 / 16.}, (*first)[0]);
  add_open(network, 1, {1 / 24., 1 / 32., 1 / 36.}, (*second)[0]);
  const auto solved = solve(network);
  ASSERT_TRUE(solved);
  expect_rows(of(*solved, &Measures::queue), {{2.5, 0.342, 0.186}, {2.5, 0.451, 0.362}}, 1e-3);
  expect_rows(of(*solved, &Measures::response_s),
              {{0.75, 0.14947592283153569, 0.09667911180978578},
               {0.25, 0.056053471061825888, 0.04296849413768257}},
              1e-9);
}

TEST(Open, SeveralServersAreErlang) {  // M/M/4, as in stations_test
  Network network = stations(1, {4});
  add_open(network, 5, {0.5}, {1});
  const auto solved = solve(network);
  ASSERT_TRUE(solved);
  EXPECT_NEAR(solved->classes[0].at[0].queue, 3.0330945069941999, 1e-9);
}

TEST(Open, SpeedsAsServersAreServers) {
  Network network = stations(1);
  network.stations[0].speeds = {1, 2, 3, 4};
  add_open(network, 5, {0.5}, {1});
  const auto solved = solve(network);
  ASSERT_TRUE(solved);
  EXPECT_NEAR(solved->classes[0].at[0].queue, 3.0330945069941999, 1e-9);
  const auto other = solve(network, "convolution");  // sums the open customers out
  ASSERT_TRUE(other);
  EXPECT_NEAR(other->classes[0].at[0].queue, 3.0330945069941999, 1e-9);
}

TEST(Open, UnstableNamesTheStation) {
  Network network = stations(2);
  add_open(network, 3, {0.1, 0.5}, {1, 1});
  const auto solved = solve(network);
  ASSERT_FALSE(solved);
  EXPECT_EQ(solved.error().kind, Failure::Kind::unstable);
  EXPECT_EQ(solved.error().station, 1);
}

TEST(Mixed, TwoOpenTwoClosed) {  // Bolch et al., example 8.6
  Network network = stations(2);
  add_open(network, 0.5, {0.4, 0.6}, {2, 1});
  add_open(network, 0.25, {0.8, 1.6}, {2.5, 1.5});
  add_closed(network, 1, {0.3, 0.5}, {1, 0.5});
  add_closed(network, 1, {0.5, 0.8}, {1, 0.4});
  for (const char* method : {"mva", "convolution"}) {
    const auto solved = solve(network, method);
    ASSERT_TRUE(solved) << method;
    expect_rows(of(*solved, &Measures::response_s),
                {{8.822, 10.766}, {17.645, 28.71}, {4.829, 6.951}, {7.727, 11.636}}, 1e-3);
    expect_rows(of(*solved, &Measures::queue),
                {{8.822320117474302, 5.383259911894283},
                 {11.027900146842879, 10.766519823788567},
                 {0.5814977973568278, 0.4185022026431722},
                 {0.6240822320117471, 0.37591776798825296}},
                1e-9);
    expect_rows({of(*solved, &Measures::throughput)[2]},
                {{0.12041116005873708, 0.06020558002936854}}, 1e-9);
  }
}

TEST(Mixed, OneOpenOneClosed) {  // Schwetman, CSD-TR-355, figure 10
  Network network = stations(2);
  add_open(network, 1, {0.25, 0}, {1, 0});
  add_closed(network, 3, {0.25, 0.1}, {1, 1});
  const auto solved = solve(network);
  ASSERT_TRUE(solved);
  const Rows response = of(*solved, &Measures::response_s);
  EXPECT_NEAR(response[0][0], 1.201, 1e-3);
  EXPECT_NEAR(response[1][0], 0.885, 1e-3);
  EXPECT_NEAR(response[1][1], 0.135, 1e-3);
  EXPECT_NEAR(response[1][1], 0.13453237410071945, 1e-9);
}

TEST(Mixed, ServersWithOpenLoad) {  // speeds 1, 2, 2, ... are two servers; the open part summed out
  Network network = stations(2, {2, 1});
  add_open(network, 0.7, {1, 0.4}, {1, 1});
  add_closed(network, 4, {0.8, 0.5}, {1, 1});
  const auto servers = solve(network);
  network.stations[0].servers = 1;
  network.stations[0].speeds = {1, 2};
  const auto speeds = solve(network);
  ASSERT_TRUE(servers);
  ASSERT_TRUE(speeds);
  for (std::size_t c : {0u, 1u})
    EXPECT_NEAR(servers->classes[c].at[0].queue, speeds->classes[c].at[0].queue, 1e-9);
  double closed = 0;
  for (const Measures& at : servers->classes[1].at) closed += at.queue;
  EXPECT_NEAR(closed, 4, 1e-9);
}

}  // namespace
}  // namespace brink::queueing
