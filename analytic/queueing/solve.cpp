#include "analytic/queueing/solve.h"

#include <algorithm>
#include <array>

#include "analytic/queueing/approximate.h"
#include "analytic/queueing/blocking.h"
#include "analytic/queueing/closed.h"
#include "analytic/queueing/open.h"
#include "analytic/queueing/routing.h"
#include "models/base/check.h"

namespace brink::queueing {
namespace {

using Stop = const std::atomic<bool>*;

bool all_open(const Network& network) {
  return std::all_of(network.classes.begin(), network.classes.end(),
                     [](const CustomerClass& of_class) { return of_class.open; });
}

bool fixed_rates(const Network& network) {
  return std::all_of(network.stations.begin(), network.stations.end(), [](const Station& station) {
    return station.kind == StationKind::delay || station.fixed_rate();
  });
}

Solved exact(const Network& network, Stop) {
  if (all_open(network)) return open_network(network);
  Solved solved = fixed_rates(network) ? exact_mva(network) : convolution(network);
  if (solved || solved.error().kind != Failure::Kind::limit) return solved;
  Solved approximate = approximate_mva(network, Approximation::linearizer);
  if (approximate) approximate->notes.push_back("not exact: " + solved.error().message);
  return approximate ? approximate : solved;
}

Solved mva(const Network& network, Stop) {
  if (!fixed_rates(network))
    return fail(Failure{Failure::Kind::wrong,
                        "mean value analysis is for stations with one server and delay stations; "
                        "method = \"convolution\" takes all"});
  return exact_mva(network);
}

Solved convolved(const Network& network, Stop) { return convolution(network); }
Solved linearizer(const Network& network, Stop) {
  return approximate_mva(network, Approximation::linearizer);
}
Solved schweitzer(const Network& network, Stop) {
  return approximate_mva(network, Approximation::schweitzer);
}
Solved bard(const Network& network, Stop) { return approximate_mva(network, Approximation::bard); }
Solved repetitive(const Network& network, Stop stop) {
  return exact_blocking(network, Blocking::repetitive_service, 200'000, stop);
}
Solved after_service(const Network& network, Stop stop) {
  return exact_blocking(network, Blocking::after_service, 200'000, stop);
}

constexpr std::array kMethods = {
    MethodRow{"exact", "product form, exactly, where populations allow it; else linearizer", exact},
    MethodRow{"mva", "exact mean value analysis", mva},
    MethodRow{"convolution", "exact, any stations", convolved},
    MethodRow{"linearizer", "approximate, for large populations (Chandy & Neuse)", linearizer},
    MethodRow{"schweitzer", "approximate (Schweitzer)", schweitzer},
    MethodRow{"bard", "approximate, for very large populations (Bard)", bard},
    MethodRow{"repetitive-service", "finite rooms: who finds no room is served again", repetitive},
    MethodRow{"after-service", "finite rooms: who finds no room keeps the server", after_service},
};

}  // namespace

std::span<const MethodRow> method_rows() { return kMethods; }

Solved solve(const Network& network, std::string_view method, Stop stop) {
  if (method.empty()) method = "exact";
  const auto* row = std::find_if(kMethods.begin(), kMethods.end(),
                                 [&](const MethodRow& at) { return at.name == method; });
  BRINK_CHECK(row != kMethods.end(), std::string(method));
  const bool rooms = row->solve == repetitive || row->solve == after_service;
  const bool limited = std::any_of(network.stations.begin(), network.stations.end(),
                                   [](const Station& station) { return station.capacity > 0; });
  if (limited && !rooms)
    return fail(Failure{Failure::Kind::wrong,
                        "stations have a capacity, so the network has no product form; "
                        "method = \"after-service\" or \"repetitive-service\" says what blocks"});
  if (rooms) return row->solve(network, stop);
  const Merged merged = merge_chains(network);
  const Solved solved = row->solve(merged.network, stop);
  if (!solved) return fail(solved.error());
  return split_chains(network, merged, *solved);
}

std::vector<Load> loads(const Network& network, const Solution& solution) {
  std::vector<Load> out;
  for (std::size_t k = 0; k < network.stations.size(); ++k) {
    if (network.stations[k].kind == StationKind::delay) continue;
    Load load{static_cast<int>(k), 0, 0};
    for (const ClassResult& of_class : solution.classes) {
      load.utilisation += of_class.at[k].utilisation;
      load.queue += of_class.at[k].queue;
    }
    out.push_back(load);
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const Load& a, const Load& b) { return a.utilisation > b.utilisation; });
  return out;
}

}  // namespace brink::queueing
