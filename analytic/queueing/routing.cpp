// Traffic equations: visits v = e + v P, solved densely with pivots; for closed chains the
// equation of one reference state is replaced by v = 1 there, and the result scaled.
// Chains: product form depends on the demands of a chain only (Baskett et al. 1975), so classes
// that switch are merged, solved, and given their share of each queue by their demands.
#include "analytic/queueing/routing.h"

#include <Eigen/Dense>
#include <cmath>

namespace brink::queueing {
namespace {

/// States (class, station) that a customer can come to from `start`.
std::vector<bool> reached(std::vector<bool> start, const std::vector<Route>& routes, int stations) {
  for (bool grown = true; grown;) {
    grown = false;
    for (const Route& route : routes) {
      const auto from = static_cast<std::size_t>(route.from_class * stations + route.from);
      const auto to = static_cast<std::size_t>(route.to_class * stations + route.to);
      if (route.probability > 0 && start[from] && !start[to]) start[to] = grown = true;
    }
  }
  return start;
}

}  // namespace

Result<std::vector<std::vector<double>>, std::string> visits_from_routes(
    int classes, int stations, const std::vector<Route>& routes,
    const std::vector<std::vector<double>>& enter) {
  const int size = classes * stations;
  Eigen::MatrixXd balance = Eigen::MatrixXd::Identity(size, size);
  Eigen::VectorXd right = Eigen::VectorXd::Zero(size);
  for (const Route& route : routes)
    balance(route.to_class * stations + route.to, route.from_class * stations + route.from) -=
        route.probability;
  std::vector<bool> start(static_cast<std::size_t>(size), false);
  double arrivals = 0;
  int reference = -1;
  if (enter.empty()) {
    for (const Route& route : routes)
      if (const int state = route.from_class * stations + route.from;
          reference < 0 || state % stations < reference % stations)
        reference = state;
    if (reference < 0) return fail(std::string("there are no routes"));
    start[static_cast<std::size_t>(reference)] = true;
    balance.row(reference).setZero();
    balance(reference, reference) = 1;
    right(reference) = 1;
  } else {
    for (int c = 0; c < classes; ++c)
      for (int k = 0; k < stations; ++k) {
        const double rate = enter[static_cast<std::size_t>(c)][static_cast<std::size_t>(k)];
        right(c * stations + k) = rate;
        arrivals += rate;
        if (rate > 0) start[static_cast<std::size_t>(c * stations + k)] = true;
      }
  }
  const std::vector<bool> seen = reached(std::move(start), routes, stations);
  for (int state = 0; state < size; ++state) {
    if (seen[static_cast<std::size_t>(state)]) continue;
    balance.row(state).setZero();  // never reached: no visits
    balance(state, state) = 1;
    right(state) = 0;
  }
  const Eigen::FullPivLU<Eigen::MatrixXd> factors(balance);
  const Eigen::VectorXd flow = factors.solve(right);
  if (!factors.isInvertible() || !flow.allFinite() || flow.minCoeff() < -1e-9)
    return fail(std::string("customers cannot leave a part of the routes, or not come back"));
  double unit = arrivals;
  if (enter.empty()) {
    unit = 0;
    for (int c = 0; c < classes; ++c) unit += flow(c * stations + reference % stations);
  }
  std::vector<std::vector<double>> visits(static_cast<std::size_t>(classes));
  for (int c = 0; c < classes; ++c)
    for (int k = 0; k < stations; ++k)
      visits[static_cast<std::size_t>(c)].push_back(std::max(0.0, flow(c * stations + k) / unit));
  return visits;
}

Merged merge_chains(const Network& network) {
  Merged merged{{network.stations, {}}, {}};
  std::vector<int> of_chain;
  const std::size_t stations = network.stations.size();
  for (const CustomerClass& of_class : network.classes) {
    const auto chain = static_cast<std::size_t>(of_class.chain);
    if (of_class.chain >= 0 && of_chain.size() <= chain) of_chain.resize(chain + 1, -1);
    if (of_class.chain < 0 || of_chain[chain] < 0) {
      if (of_class.chain >= 0) of_chain[chain] = static_cast<int>(merged.network.classes.size());
      merged.class_of.push_back(static_cast<int>(merged.network.classes.size()));
      merged.network.classes.push_back(of_class);
      continue;
    }
    merged.class_of.push_back(of_chain[chain]);
    CustomerClass& all = merged.network.classes[static_cast<std::size_t>(of_chain[chain])];
    all.name += "+" + of_class.name;
    all.population += of_class.population;
    all.arrivals_per_s += of_class.arrivals_per_s;
    for (std::size_t k = 0; k < stations; ++k) {
      const double demand = all.demand_s(k) + of_class.demand_s(k);
      all.visits[k] += of_class.visits[k];
      all.service_s[k] = all.visits[k] > 0 ? demand / all.visits[k] : 0;
    }
  }
  return merged;
}

Solution split_chains(const Network& network, const Merged& merged, const Solution& solution) {
  Solution out = solution;
  out.classes.assign(network.classes.size(), {});
  for (std::size_t c = 0; c < network.classes.size(); ++c) {
    const auto chain = static_cast<std::size_t>(merged.class_of[c]);
    const ClassResult& whole = solution.classes[chain];
    ClassResult& part = out.classes[c];
    part.throughput = whole.throughput;
    part.response_s = whole.response_s;
    for (std::size_t k = 0; k < network.stations.size(); ++k) {
      const double demand = network.classes[c].demand_s(k);
      const double all = merged.network.classes[chain].demand_s(k);
      Measures at = whole.at[k];
      const double share = all > 0 ? demand / all : 0;
      at.queue *= share;
      at.utilisation *= share;
      at.throughput = whole.throughput * network.classes[c].visits[k];
      at.response_s = at.throughput > 0 ? at.queue / at.throughput : 0;
      part.at.push_back(at);
    }
  }
  return out;
}

}  // namespace brink::queueing
