// Exact mean value analysis. Reiser & Lavenberg, J. ACM 27(2), 1980: a customer that arrives sees
// the network as it would be without itself, so from the queues of N - e_c customers follow the
// responses at N, by Little the throughputs, and the queues at N. Here the queues of all classes
// at a station are kept as one sum, for every vector of populations up to N.
//
// Open classes take their share of each station away: for the closed ones demands grow by
// 1 / (1 - load), and an open customer sees the closed ones in front of it (Lazowska et al.,
// Quantitative System Performance, 1984, section 7.5).
//
// Invariant: queues and thinking customers add up to the population, to rounding.
// Tried and dropped: the recursion over marginal probabilities for stations with several servers;
// it subtracts and goes wrong near saturation. Those go by convolution.
#include "analytic/queueing/closed.h"

#include <fmt/format.h>

#include "analytic/queueing/lattice.h"
#include "analytic/queueing/parts.h"
#include "models/base/check.h"

namespace brink::queueing {
namespace {

constexpr double kMostCells = 2e8;  // doubles kept

/// Demands as the closed classes see them.
std::vector<std::vector<double>> inflated(const Network& network, const Parts& parts) {
  auto demand = parts.demand_s;
  for (std::size_t k = 0; k < network.stations.size(); ++k)
    if (network.stations[k].kind == StationKind::queue)
      for (auto& of_class : demand) of_class[k] /= 1 - parts.open_load[k];
  return demand;
}

struct Recursion {
  std::vector<double> passages;
  std::vector<std::vector<double>> queue;
  std::vector<double> all;  ///< customers of closed classes per station
};

/// One class: two rows are enough.
Recursion one_class(const Network& network, const std::vector<double>& demand, double think_s,
                    std::int64_t population) {
  const std::size_t stations = demand.size();
  std::vector<double> queue(stations, 0), response(stations, 0), waits(stations, 0);
  for (std::size_t k = 0; k < stations; ++k)
    waits[k] = network.stations[k].kind == StationKind::queue ? 1 : 0;
  double passages = 0;
  for (std::int64_t n = 1; n <= population; ++n) {
    double all = think_s;
    for (std::size_t k = 0; k < stations; ++k)
      all += response[k] = demand[k] * (1 + waits[k] * queue[k]);
    passages = static_cast<double>(n) / all;
    for (std::size_t k = 0; k < stations; ++k) queue[k] = passages * response[k];
  }
  return {{passages}, {queue}, queue};
}

Recursion many_classes(const Network& network, const Parts& parts,
                       const std::vector<std::vector<double>>& demand) {
  const std::size_t stations = network.stations.size();
  const Lattice lattice(parts.population);
  const std::size_t classes = lattice.classes();
  std::vector<double> table(lattice.size() * stations, 0);
  Recursion out{std::vector<double>(classes, 0),
                std::vector<std::vector<double>>(classes, std::vector<double>(stations, 0)),
                {}};
  std::vector<std::int64_t> n(classes, 0);
  for (std::size_t at = 1; lattice.next(n); ++at) {
    double* const here = &table[at * stations];
    for (std::size_t c = 0; c < classes; ++c) {
      if (n[c] == 0) continue;
      const double* const before = here - lattice.stride(c) * stations;
      double all = parts.think_s[c];
      for (std::size_t k = 0; k < stations; ++k) {
        const bool waits = network.stations[k].kind == StationKind::queue;
        all += out.queue[c][k] = demand[c][k] * (waits ? 1 + before[k] : 1);
      }
      out.passages[c] = static_cast<double>(n[c]) / all;
      for (std::size_t k = 0; k < stations; ++k) here[k] += out.queue[c][k] *= out.passages[c];
    }
  }
  out.all.assign(table.end() - static_cast<std::ptrdiff_t>(stations), table.end());
  for (std::size_t c = 0; c < classes; ++c)
    if (parts.population[c] == 0) out.queue[c].assign(stations, 0);
  return out;
}

}  // namespace

double population_lattice(const Network& network) {
  double points = 1;
  for (const CustomerClass& of_class : network.classes)
    if (!of_class.open) points *= static_cast<double>(of_class.population) + 1;
  return points;
}

Solved exact_mva(const Network& network) {
  for (const Station& station : network.stations)
    BRINK_CHECK(station.kind == StationKind::delay || station.fixed_rate());
  const auto parts = parts_of(network);
  if (!parts) return fail(parts.error());
  const double points = population_lattice(network);
  const std::size_t stations = network.stations.size();
  const bool single = parts->closed.size() == 1;
  if (single ? points * static_cast<double>(stations) > 1e11
             : points * static_cast<double>(stations) > kMostCells)
    return fail(Failure{Failure::Kind::limit,
                        fmt::format("{:.3g} populations at {} stations are too many for exact mean "
                                    "value analysis; method = \"linearizer\" is approximate",
                                    points, stations)});
  const auto demand = inflated(network, *parts);
  const Recursion done =
      single ? one_class(network, demand[0], parts->think_s[0], parts->population[0])
             : many_classes(network, *parts, demand);
  std::vector<double> open_queue(stations, 0);
  for (std::size_t k = 0; k < stations; ++k) {
    const double load = parts->open_load[k];
    open_queue[k] = network.stations[k].kind == StationKind::delay
                        ? load
                        : load * (1 + done.all[k]) / (1 - load);
  }
  Solution solution{"exact MVA", true, product_form_notes(network), {}, 0};
  solution.work = static_cast<std::uint64_t>(points);
  fill(network, *parts, done.passages, done.queue, open_queue, solution);
  return solution;
}

}  // namespace brink::queueing
