// Blocking, exactly. A state is the number at each station and, with blocking after service, for
// each full station the line of servers that wait to send a customer there. All states reachable
// from a start are numbered breadth-first, and the stationary vector is found by
// analytic/stationary.h. Exponential services.
//
// Throughput counts the customers that leave a station, not the services: with repetitive service
// a refused customer is served again. (octave-queueing's qnmarkov counts the services.)
// A state that nothing leaves is a deadlock: all in a circle of full stations wait for each other.
// Onvural, Survey of closed queueing networks with blocking, ACM Computing Surveys 22(2), 1990.
#include "analytic/queueing/blocking.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analytic/chain.h"
#include "analytic/stationary.h"

namespace brink::queueing {
namespace {

struct State {
  std::vector<int> number;
  std::vector<std::vector<int>>
      waiting;  ///< [full station]: stations with a held customer, in line
  auto operator<=>(const State&) const = default;
};

struct Step {
  State to;
  double rate;
  int from;  ///< station served; -1: arrival from outside
  bool
      leaves;  ///< did the customer leave the station (or is sure to, with blocking after service)?
};

class Rooms {
 public:
  Rooms(const Network& network, Blocking blocking) : network_(network), blocking_(blocking) {}

  int stations() const { return static_cast<int>(network_.stations.size()); }
  bool full(const State& state, int k) const {
    const int capacity = station(k).capacity;
    return capacity > 0 && state.number[static_cast<std::size_t>(k)] >= capacity;
  }
  int held(const State& state, int k) const {
    int count = 0;
    for (const auto& line : state.waiting)
      count += static_cast<int>(std::count(line.begin(), line.end(), k));
    return count;
  }
  /// Services per second at k.
  double served(const State& state, int k) const {
    const int number = state.number[static_cast<std::size_t>(k)];
    if (number == 0) return 0;
    const double rate = blocking_ == Blocking::after_service
                            ? std::max(0.0, station(k).rate(number) - held(state, k))
                            : station(k).rate(number);
    return rate / network_.classes[0].service_s[static_cast<std::size_t>(k)];
  }

  std::vector<Step> steps(const State& state) const {
    std::vector<Step> out;
    if (!network_.enter_per_s.empty()) {
      for (int k = 0; k < stations(); ++k) {
        const double rate = network_.enter_per_s[0][static_cast<std::size_t>(k)];
        if (rate <= 0 || full(state, k)) continue;
        out.push_back({state, rate, -1, true});
        ++out.back().to.number[static_cast<std::size_t>(k)];
      }
    }
    for (int k = 0; k < stations(); ++k) {
      const double rate = served(state, k);
      if (rate <= 0) continue;
      double outside = 1;
      for (const Route& route : network_.routes) {
        if (route.from != k) continue;
        outside -= route.probability;
        if (route.probability > 0)
          out.push_back(move(state, k, route.to, rate * route.probability));
      }
      if (outside > 1e-12) {
        out.push_back({state, rate * outside, k, true});
        leave(out.back().to, k);
      }
    }
    return out;
  }

 private:
  const Station& station(int k) const { return network_.stations[static_cast<std::size_t>(k)]; }

  Step move(const State& state, int from, int to, double rate) const {
    Step step{state, rate, from, true};
    if (from == to) return step;
    if (!full(state, to)) {
      ++step.to.number[static_cast<std::size_t>(to)];
      leave(step.to, from);
    } else if (blocking_ == Blocking::after_service) {
      step.to.waiting[static_cast<std::size_t>(to)].push_back(from);
    } else {
      step.leaves = false;
    }
    return step;
  }

  /// One customer leaves k; who waits for the room comes in, and so on upstream.
  void leave(State& state, int k) const {
    while (true) {
      --state.number[static_cast<std::size_t>(k)];
      auto& line = state.waiting[static_cast<std::size_t>(k)];
      if (line.empty()) return;
      const int source = line.front();
      line.erase(line.begin());
      ++state.number[static_cast<std::size_t>(k)];
      k = source;
    }
  }

  const Network& network_;
  Blocking blocking_;
};

Failure wrong(std::string message, int station = -1) {
  return {Failure::Kind::wrong, std::move(message), station, -1};
}

/// The closed population, filled in from the first station on.
Result<State, Failure> first_state(const Network& network) {
  const std::size_t stations = network.stations.size();
  State state{std::vector<int>(stations, 0), std::vector<std::vector<int>>(stations)};
  if (network.classes[0].open) return state;
  std::int64_t left = network.classes[0].population;
  for (std::size_t k = 0; k < stations && left > 0; ++k) {
    if (!(network.classes[0].visits[k] > 0)) continue;
    const int capacity = network.stations[k].capacity;
    const std::int64_t here = capacity > 0 ? std::min<std::int64_t>(capacity, left) : left;
    state.number[k] = static_cast<int>(here);
    left -= here;
  }
  if (left > 0) return fail(wrong(fmt::format("{} customers do not fit into the stations", left)));
  return state;
}

Result<void, Failure> check(const Network& network) {
  if (network.classes.size() != 1 || network.routes.empty())
    return fail(wrong("blocking is computed for one class with a routing (not visits)"));
  if (network.classes[0].think_s > 0)
    return fail(wrong("with blocking, thinking is a station of kind delay"));
  for (std::size_t k = 0; k < network.stations.size(); ++k) {
    const Station& station = network.stations[k];
    if (network.classes[0].visits[k] > 0 && !(network.classes[0].service_s[k] > 0))
      return fail(wrong(fmt::format("`{}` needs a service time, for blocking", station.name),
                        static_cast<int>(k)));
    if (network.classes[0].open && station.capacity == 0)
      return fail(
          wrong(fmt::format("an open network with blocking needs a capacity of `{}`", station.name),
                static_cast<int>(k)));
  }
  return {};
}

Solution measures(const Network& network, const Rooms& rooms, const std::vector<State>& states,
                  const std::vector<double>& share, Solution solution) {
  ClassResult result;
  result.at.resize(network.stations.size());
  double population = 0, arrivals = 0;
  for (std::size_t s = 0; s < states.size(); ++s) {
    for (const Step& step : rooms.steps(states[s])) {
      if (step.from < 0) arrivals += share[s] * step.rate;
      if (step.from >= 0 && step.leaves)
        result.at[static_cast<std::size_t>(step.from)].throughput += share[s] * step.rate;
    }
    for (int k = 0; k < rooms.stations(); ++k) {
      const auto at = static_cast<std::size_t>(k);
      const int number = states[s].number[at];
      result.at[at].queue += share[s] * number;
      const int held = rooms.held(states[s], k);
      const bool queue = network.stations[at].kind == StationKind::queue;
      const int servers = queue ? network.stations[at].servers : number;
      if (number > 0)
        result.at[at].utilisation +=
            share[s] * (std::min(number, servers) - held) / (queue ? servers : 1);
      result.at[at].blocked += share[s] * held;
    }
  }
  for (std::size_t k = 0; k < result.at.size(); ++k) {
    Measures& at = result.at[k];
    at.response_s = at.throughput > 0 ? at.queue / at.throughput : 0;
    population += at.queue;
    if (!network.classes[0].open && network.classes[0].visits[k] > 0 && result.throughput == 0)
      result.throughput = at.throughput / network.classes[0].visits[k];
  }
  if (network.classes[0].open) result.throughput = arrivals;
  result.response_s = result.throughput > 0 ? population / result.throughput : 0;
  solution.classes = {std::move(result)};
  return solution;
}

}  // namespace

Solved exact_blocking(const Network& network, Blocking blocking, std::uint64_t most_states,
                      const std::atomic<bool>* stop) {
  if (const auto fit = check(network); !fit) return fail(fit.error());
  const auto first = first_state(network);
  if (!first) return fail(first.error());
  const Rooms rooms(network, blocking);
  std::map<State, std::uint32_t> number{{*first, 0}};
  std::vector<State> states{*first};
  analytic::ChainBuilder builder(analytic::ChainKind::continuous);
  for (std::size_t s = 0; s < states.size(); ++s) {
    const std::vector<Step> steps = rooms.steps(states[s]);
    if (steps.empty())
      return fail(
          wrong("the network can lock up: all servers of a circle of full stations wait "
                "for each other"));
    for (const Step& step : steps) {
      const auto [place, fresh] =
          number.emplace(step.to, static_cast<std::uint32_t>(states.size()));
      if (fresh) states.push_back(step.to);
      builder.add(place->second, step.rate);
    }
    builder.end_row();
    if (states.size() > most_states || (stop && stop->load()))
      return fail(Failure{
          Failure::Kind::limit,
          stop && stop->load() ? "interrupted" : fmt::format("more than {} states", most_states)});
  }
  const auto chain = std::move(builder).finish();
  if (!chain) return fail(wrong(chain.error()));
  analytic::SolveOptions options;
  options.stop = stop;
  const auto bottoms = analytic::stationary_vectors(*chain, options);
  if (bottoms.size() != 1)
    return fail(wrong("the long run depends on the start: there are several closed parts"));
  if (!bottoms[0].solution.converged)
    return fail(Failure{Failure::Kind::limit, bottoms[0].solution.note});
  std::vector<double> share(states.size(), 0);
  for (std::size_t i = 0; i < bottoms[0].states.size(); ++i)
    share[bottoms[0].states[i]] = bottoms[0].solution.values[i];
  Solution solution;
  solution.method = fmt::format(
      "exact chain of {} states, {}", states.size(),
      blocking == Blocking::after_service ? "blocking after service" : "repetitive service");
  solution.work = states.size();
  return measures(network, rooms, states, share, std::move(solution));
}

}  // namespace brink::queueing
