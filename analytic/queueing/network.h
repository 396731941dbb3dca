// Queueing networks as plain numbers: what the solvers of this folder read and what they answer.
//
// The folder, in short. A network is stations and classes of customers; each class is open (it
// arrives) or closed (a fixed number goes round, thinking in between). Routing is turned into
// visits (routing.h), classes that switch into each other into one chain (chains.h). Then one of
//   solve.h        chooses the method and says which; the entry for users of the library
//   closed.h       exact: mean value analysis, convolution over all states of the populations
//   open.h         exact: each station by itself, as product form allows
//   approximate.h  Bard, Schweitzer, Linearizer
//   bounds.h       certain intervals of throughput without solving
//   blocking.h     finite rooms: the exact Markov chain, and the mean-value approximation
//   stations.h     one station alone: M/M/m/K and its relatives
// Product-form networks with fixed rates have no throughput cliff: X(N) rises and is concave. A
// predicted drop needs a rate that falls with the state (`speeds`), or blocking.
//
// Units: seconds and customers per second. Sources are named in each file. Used by: brink queue,
// predictions of scenarios, tests.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/base/result.h"

namespace brink::queueing {

enum class StationKind { queue, delay };

struct Station {
  std::string name;
  StationKind kind = StationKind::queue;
  int servers = 1;
  /// Relative rate with 1, 2, ... customers, the last one for all larger numbers; empty: by
  /// `servers`. Falling numbers describe thrashing.
  std::vector<double> speeds;
  int capacity = 0;  ///< room for so many customers, those in service included; 0: no limit

  /// Rate with j >= 1 customers, in services of one server; a delay station serves all at once.
  double rate(std::int64_t j) const;
  /// Is the rate the same for every number of customers?
  bool fixed_rate() const { return kind == StationKind::queue && speeds.empty() && servers == 1; }
};

struct CustomerClass {
  std::string name;
  bool open = false;
  double arrivals_per_s = 0;    ///< open
  std::int64_t population = 0;  ///< closed
  double think_s = 0;           ///< closed: outside all stations
  std::vector<double> visits;   ///< per station, per passage through the network
  std::vector<double> service_s;
  int chain = -1;  ///< classes with the same number >= 0 switch into each other

  double demand_s(std::size_t station) const { return visits[station] * service_s[station]; }
};

/// One probability: a customer of class `from_class` that leaves `from` goes to `to` as `to_class`.
struct Route {
  int from_class, from, to_class, to;
  double probability;
};

struct Network {
  std::vector<Station> stations;
  std::vector<CustomerClass> classes;
  std::vector<Route> routes;  ///< as given; only blocking.h needs them beyond the visits
  std::vector<std::vector<double>> enter_per_s;  ///< [class][station]: arrivals from outside
};

/// One class at one station.
struct Measures {
  double utilisation = 0;  ///< share of a station's best rate; at delay stations the mean number
  double queue = 0;        ///< customers there, those in service included
  double response_s = 0;   ///< of one visit
  double throughput = 0;   ///< visits per second
  double blocked = 0;      ///< with finite rooms: servers held up by a full room, on average
};

struct ClassResult {
  double throughput = 0;  ///< passages per second
  double response_s = 0;  ///< of one passage, thinking not included
  std::vector<Measures> at;
};

struct Solution {
  std::string method;  ///< "exact MVA", "Linearizer", ...
  bool exact = true;
  std::vector<std::string> notes;  ///< what it rests on, beyond the network as given
  std::vector<ClassResult> classes;
  std::uint64_t work = 0;  ///< states, lattice points or iterations
};

/// Why there is no solution.
struct Failure {
  enum class Kind {
    wrong,     ///< the network or the method makes no sense: the user's to mend
    unstable,  ///< an open class brings more work than a station does
    limit      ///< too large, or not converged: undecided
  } kind = Kind::wrong;
  std::string message;
  int station = -1;  ///< to blame, if one is
  int of_class = -1;
};

using Solved = Result<Solution, Failure>;

}  // namespace brink::queueing
