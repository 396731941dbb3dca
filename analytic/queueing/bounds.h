// Certain intervals for the throughput of a closed network of one class, without solving it.
// Used by: brink queue, tests.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "analytic/queueing/network.h"

namespace brink::queueing {

struct Interval {
  double low = 0, high = 0;
};

struct BoundsRow {
  std::string_view name, source;
  bool thinking;  ///< does it hold with think time or delay stations?
  /// Throughput in 1/s. `demands_s` of stations with one server, some > 0; population >= 1.
  Interval (*throughput)(const std::vector<double>& demands_s, double think_s, double population);
};

/// asymptotic, balanced-job, proportional, geometric.
std::span<const BoundsRow> bounds_rows();

struct Bounds {
  std::string_view name;
  Interval throughput, response_s;
};

/// Every bound that applies to class 0 alone; delay stations count as thinking. Empty when the
/// network has other classes, or stations of several servers or changing speed.
std::vector<Bounds> bounds_of(const Network& network);

/// Population at which the asymptotes of throughput cross: (sum of demands + think) / largest.
double knee(const std::vector<double>& demands_s, double think_s);

}  // namespace brink::queueing
