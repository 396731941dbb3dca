// Networks for the tests, in few words. Values and sources are in the tests.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "analytic/queueing/network.h"

namespace brink::queueing {

using Row = std::vector<double>;
using Rows = std::vector<Row>;

/// servers[k] < 0: a delay station; empty: one server each.
inline Network stations(std::size_t count, const std::vector<int>& servers = {}) {
  Network network;
  for (std::size_t k = 0; k < count; ++k) {
    Station station;
    station.name = "s" + std::to_string(k + 1);
    if (!servers.empty() && servers[k] < 0) station.kind = StationKind::delay;
    if (!servers.empty() && servers[k] > 0) station.servers = servers[k];
    network.stations.push_back(station);
  }
  return network;
}

inline void add_closed(Network& network, std::int64_t population, Row service, Row visits,
                       double think = 0) {
  CustomerClass added;
  added.name = "c" + std::to_string(network.classes.size() + 1);
  added.population = population;
  added.think_s = think;
  added.service_s = std::move(service);
  added.visits = std::move(visits);
  network.classes.push_back(std::move(added));
}

inline void add_open(Network& network, double arrivals, Row service, Row visits) {
  add_closed(network, 0, std::move(service), std::move(visits));
  network.classes.back().open = true;
  network.classes.back().arrivals_per_s = arrivals;
}

/// One closed class with demands.
inline Network closed(std::int64_t population, const Row& demands, double think = 0,
                      const std::vector<int>& servers = {}) {
  Network network = stations(demands.size(), servers);
  add_closed(network, population, demands, Row(demands.size(), 1), think);
  return network;
}

/// One measure of all classes, [class][station].
inline Rows of(const Solution& solution, double Measures::*member) {
  Rows rows;
  for (const ClassResult& of_class : solution.classes) {
    rows.emplace_back();
    for (const Measures& at : of_class.at) rows.back().push_back(at.*member);
  }
  return rows;
}

inline void expect_rows(const Rows& found, const Rows& wanted, double tolerance) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t c = 0; c < wanted.size(); ++c) {
    ASSERT_EQ(found[c].size(), wanted[c].size());
    for (std::size_t k = 0; k < wanted[c].size(); ++k)
      EXPECT_NEAR(found[c][k], wanted[c][k], tolerance) << "class " << c << ", station " << k;
  }
}

}  // namespace brink::queueing
