#include "analytic/queueing/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace brink::queueing {

double Station::rate(std::int64_t j) const {
  if (kind == StationKind::delay) return static_cast<double>(j);
  if (speeds.empty()) return static_cast<double>(std::min<std::int64_t>(j, servers));
  return speeds[std::min(static_cast<std::size_t>(j), speeds.size()) - 1];
}

Result<Parts, Failure> parts_of(const Network& network) {
  Parts parts;
  const std::size_t stations = network.stations.size();
  parts.open_load.assign(stations, 0);
  for (std::size_t c = 0; c < network.classes.size(); ++c) {
    const CustomerClass& of_class = network.classes[c];
    if (of_class.open) {
      parts.open.push_back(static_cast<int>(c));
      for (std::size_t k = 0; k < stations; ++k)
        parts.open_load[k] += of_class.arrivals_per_s * of_class.demand_s(k);
      continue;
    }
    parts.closed.push_back(static_cast<int>(c));
    parts.population.push_back(of_class.population);
    parts.think_s.push_back(of_class.think_s);
    parts.demand_s.emplace_back(stations);
    double all = of_class.think_s;
    for (std::size_t k = 0; k < stations; ++k)
      all += parts.demand_s.back()[k] = of_class.demand_s(k);
    if (of_class.population > 0 && !(all > 0))
      return fail(Failure{Failure::Kind::wrong,
                          fmt::format("class `{}` is closed and never spends any time: no demand "
                                      "and no thinking",
                                      of_class.name),
                          -1, static_cast<int>(c)});
  }
  for (std::size_t k = 0; k < stations; ++k) {
    const Station& station = network.stations[k];
    if (station.kind == StationKind::delay) continue;
    const double most =
        station.speeds.empty() ? static_cast<double>(station.servers) : station.speeds.back();
    if (parts.open_load[k] > 0 && !(parts.open_load[k] < most))
      return fail(Failure{
          Failure::Kind::unstable,
          fmt::format("unstable: open classes bring {:.6g} erlangs to `{}`, which does {:.6g}",
                      parts.open_load[k], station.name, most),
          static_cast<int>(k), -1});
  }
  return parts;
}

namespace {

void fill_class(const Network& network, std::size_t c, double passages,
                const std::vector<double>& queue, Solution& solution) {
  const CustomerClass& of_class = network.classes[c];
  ClassResult& result = solution.classes[c];
  result.throughput = passages;
  result.at.resize(network.stations.size());
  for (std::size_t k = 0; k < network.stations.size(); ++k) {
    const Station& station = network.stations[k];
    Measures& at = result.at[k];
    at.throughput = passages * of_class.visits[k];
    at.queue = queue[k];
    const double busy = at.throughput * of_class.service_s[k];
    const double best = station.speeds.empty()
                            ? station.servers
                            : *std::max_element(station.speeds.begin(), station.speeds.end());
    at.utilisation = station.kind == StationKind::queue ? busy / best : busy;
    at.response_s = at.throughput > 0 ? at.queue / at.throughput : 0;
    result.response_s += at.response_s * of_class.visits[k];
  }
}

}  // namespace

void fill(const Network& network, const Parts& parts, const std::vector<double>& passages,
          const std::vector<std::vector<double>>& queue, const std::vector<double>& open_queue,
          Solution& solution) {
  solution.classes.assign(network.classes.size(), {});
  for (std::size_t i = 0; i < parts.closed.size(); ++i)
    fill_class(network, static_cast<std::size_t>(parts.closed[i]), passages[i], queue[i], solution);
  std::vector<double> share(network.stations.size());
  for (const int c : parts.open) {
    const CustomerClass& of_class = network.classes[static_cast<std::size_t>(c)];
    for (std::size_t k = 0; k < share.size(); ++k) {
      const double load = of_class.arrivals_per_s * of_class.demand_s(k);
      share[k] = load > 0 ? open_queue[k] * load / parts.open_load[k] : 0;
    }
    fill_class(network, static_cast<std::size_t>(c), of_class.arrivals_per_s, share, solution);
  }
}

std::vector<std::string> product_form_notes(const Network& network) {
  std::vector<std::string> notes;
  for (std::size_t k = 0; k < network.stations.size(); ++k) {
    if (network.stations[k].kind == StationKind::delay) continue;
    double least = std::numeric_limits<double>::infinity(), most = 0;
    for (const CustomerClass& of_class : network.classes) {
      if (!(of_class.visits[k] > 0)) continue;
      least = std::min(least, of_class.service_s[k]);
      most = std::max(most, of_class.service_s[k]);
    }
    if (most > least * (1 + 1e-12))
      notes.push_back(
          fmt::format("`{}`: its classes have different service times, so the answer is exact for "
                      "processor sharing and approximate for first come, first served",
                      network.stations[k].name));
  }
  return notes;
}

}  // namespace brink::queueing
