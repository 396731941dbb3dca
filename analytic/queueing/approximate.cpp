// Approximate mean value analysis: the queues that an arriving customer of class c sees, those of
// N - e_c customers, are guessed from those of N, and the equations are iterated.
//   Bard (1979)        as with all N customers: pessimistic, right for large N
//   Schweitzer (1979)  own class smaller by (N_c - 1) / N_c, the others the same
//   Linearizer         Chandy & Neuse, CACM 25(2), 1982: shares of classes at stations change
//                      linearly with the population, estimated from solutions at N and N - e_c
// Convergence is that of queues relative to the population; what does not converge is undecided.
// Open classes are treated as in closed.cpp.
#include "analytic/queueing/approximate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analytic/queueing/parts.h"

namespace brink::queueing {
namespace {

using Matrix = std::vector<std::vector<double>>;

constexpr int kMostIterations = 200'000;
constexpr double kTolerance = 1e-13;

/// The problem with several servers replaced: waiting demand and plain delay.
struct Simple {
  Matrix waiting, delay;  ///< [class][station]
  std::vector<double> think_s, population;
};

struct Core {
  Matrix queue, response;
  std::vector<double> passages;
  std::uint64_t iterations = 0;
  bool converged = false;
};

/// What a customer of class c finds of class j, as a share of its population: queue / N + change.
using Changes = std::vector<Matrix>;  // [of c][j][station]

Core iterate(const Simple& simple, const std::vector<double>& population, Approximation kind,
             const Changes* changes, Matrix queue) {
  const std::size_t classes = population.size(), stations = simple.waiting[0].size();
  Core core{std::move(queue), simple.waiting, std::vector<double>(classes, 0), 0, false};
  double everyone = 0;
  for (const double count : population) everyone += count;
  Matrix next = core.queue;
  while (!core.converged && core.iterations < kMostIterations) {
    ++core.iterations;
    double moved = 0;
    for (std::size_t c = 0; c < classes; ++c) {
      if (population[c] == 0) continue;
      double all = simple.think_s[c];
      for (std::size_t k = 0; k < stations; ++k) {
        double seen = 0;
        for (std::size_t j = 0; j < classes; ++j) {
          if (population[j] == 0) continue;
          const bool own = j == c && kind != Approximation::bard;
          const double left = own ? population[j] - 1 : population[j];
          const double change = changes ? (*changes)[c][j][k] : 0;
          seen += left * (core.queue[j][k] / population[j] + change);
        }
        core.response[c][k] = simple.waiting[c][k] * (1 + std::max(0.0, seen)) + simple.delay[c][k];
        all += core.response[c][k];
      }
      core.passages[c] = population[c] / all;
      for (std::size_t k = 0; k < stations; ++k) {
        next[c][k] = core.passages[c] * core.response[c][k];
        moved = std::max(moved, std::abs(next[c][k] - core.queue[c][k]));
      }
    }
    std::swap(core.queue, next);
    core.converged = moved <= kTolerance * std::max(1.0, everyone);
  }
  return core;
}

Matrix spread_evenly(const Simple& simple, const std::vector<double>& population) {
  Matrix queue = simple.waiting;
  for (std::size_t c = 0; c < queue.size(); ++c)
    for (double& at : queue[c]) at = population[c] / static_cast<double>(queue[c].size());
  return queue;
}

/// Chandy & Neuse: three rounds of solutions at N and at every N - e_c.
Core linearizer(const Simple& simple) {
  const std::vector<double>& full = simple.population;
  const std::size_t classes = full.size(), stations = simple.waiting[0].size();
  Changes changes(classes, Matrix(classes, std::vector<double>(stations, 0)));
  Core core =
      iterate(simple, full, Approximation::schweitzer, &changes, spread_evenly(simple, full));
  std::uint64_t iterations = core.iterations;
  for (int round = 0; round < 3 && core.converged; ++round) {
    Changes estimated = changes;
    for (std::size_t c = 0; c < classes; ++c) {
      if (full[c] == 0) continue;
      std::vector<double> fewer = full;
      fewer[c] -= 1;
      const Core less = iterate(simple, fewer, Approximation::schweitzer, &changes, core.queue);
      iterations += less.iterations;
      for (std::size_t j = 0; j < classes; ++j)
        for (std::size_t k = 0; k < stations; ++k)
          estimated[c][j][k] = full[j] == 0 || fewer[j] == 0
                                   ? 0
                                   : less.queue[j][k] / fewer[j] - core.queue[j][k] / full[j];
    }
    changes = std::move(estimated);
    core = iterate(simple, full, Approximation::schweitzer, &changes, core.queue);
    iterations += core.iterations;
  }
  core.iterations = iterations;
  return core;
}

Result<Simple, Failure> simplify(const Network& network, const Parts& parts, Solution& solution) {
  Simple simple{parts.demand_s, parts.demand_s, parts.think_s, {}};
  for (const std::int64_t count : parts.population)
    simple.population.push_back(static_cast<double>(count));
  for (std::size_t k = 0; k < network.stations.size(); ++k) {
    const Station& station = network.stations[k];
    if (!station.speeds.empty())
      return fail(
          Failure{Failure::Kind::wrong,
                  fmt::format("`{}` has changing speeds, for which there is no approximation here; "
                              "method = \"convolution\" is exact",
                              station.name),
                  static_cast<int>(k), -1});
    if (station.kind == StationKind::queue && station.servers > 1)
      solution.notes.push_back(
          fmt::format("`{}`: {} servers are taken as one fast server and a delay (Seidmann)",
                      station.name, station.servers));
    const double servers = station.servers, left = 1 - parts.open_load[k] / servers;
    for (std::size_t c = 0; c < simple.waiting.size(); ++c) {
      const double demand = parts.demand_s[c][k];
      const bool delay = station.kind == StationKind::delay;
      simple.waiting[c][k] = delay ? 0 : demand / servers / left;
      simple.delay[c][k] = delay ? demand : demand * (servers - 1) / servers;
    }
  }
  return simple;
}

}  // namespace

Solved approximate_mva(const Network& network, Approximation approximation) {
  const auto parts = parts_of(network);
  if (!parts) return fail(parts.error());
  if (parts->closed.empty())
    return fail(Failure{Failure::Kind::wrong, "an open network needs no approximation"});
  constexpr const char* kNames[] = {"Bard (approximate)", "Schweitzer (approximate)",
                                    "Linearizer (approximate)"};
  Solution solution{
      kNames[static_cast<int>(approximation)], false, product_form_notes(network), {}, 0};
  const auto simple = simplify(network, *parts, solution);
  if (!simple) return fail(simple.error());
  const Core core = approximation == Approximation::linearizer
                        ? linearizer(*simple)
                        : iterate(*simple, simple->population, approximation, nullptr,
                                  spread_evenly(*simple, simple->population));
  if (!core.converged)
    return fail(Failure{Failure::Kind::limit,
                        fmt::format("not converged after {} iterations", core.iterations)});
  solution.work = core.iterations;
  std::vector<double> open_queue(network.stations.size(), 0);
  for (std::size_t k = 0; k < open_queue.size(); ++k) {
    const double servers = network.stations[k].servers, load = parts->open_load[k];
    double all = 0;
    for (const auto& of_class : core.queue) all += of_class[k];
    open_queue[k] =
        network.stations[k].kind == StationKind::delay
            ? load
            : load / servers * (1 + all) / (1 - load / servers) + load * (servers - 1) / servers;
  }
  fill(network, *parts, core.passages, core.queue, open_queue, solution);
  return solution;
}

}  // namespace brink::queueing
