// Open networks. By product form the number at a station is that of the station alone with the load
// of all classes, and the classes share it by their load. One server: r / (1 - r). Several: Erlang
// C. Speeds that change: the balance of its states, whose tail is geometric once the last speed is
// reached, so that the sum is finite.
#include "analytic/queueing/open.h"

#include "analytic/queueing/parts.h"
#include "analytic/queueing/stations.h"
#include "models/base/check.h"

namespace brink::queueing {
namespace {

/// Mean number at a station with given speeds: states 0 .. S-1 by balance, the rest a geometric
/// series of ratio q = load / last speed.
double changing_queue(const Station& station, double load) {
  const auto steps = static_cast<std::int64_t>(station.speeds.size());
  double weight = 1, sum = 1, mean = 0;
  for (std::int64_t n = 1; n <= steps; ++n) {
    weight *= load / station.rate(n);
    if (n == steps) break;
    sum += weight;
    mean += weight * static_cast<double>(n);
  }
  const double q = load / station.speeds.back();
  sum += weight / (1 - q);
  mean += weight * (static_cast<double>(steps) / (1 - q) + q / ((1 - q) * (1 - q)));
  return mean / sum;
}

}  // namespace

Solved open_network(const Network& network) {
  const auto parts = parts_of(network);
  if (!parts) return fail(parts.error());
  BRINK_CHECK(parts->closed.empty());
  std::vector<double> queue(network.stations.size(), 0);
  for (std::size_t k = 0; k < queue.size(); ++k) {
    const Station& station = network.stations[k];
    const double load = parts->open_load[k];
    if (station.kind == StationKind::delay)
      queue[k] = load;
    else if (!station.speeds.empty())
      queue[k] = changing_queue(station, load);
    else
      queue[k] = load + erlang_c(station.servers, load) * load / (station.servers - load);
  }
  Solution solution{"stations by themselves (product form)",
                    true,
                    product_form_notes(network),
                    {},
                    network.stations.size()};
  fill(network, *parts, {}, {}, queue, solution);
  return solution;
}

}  // namespace brink::queueing
