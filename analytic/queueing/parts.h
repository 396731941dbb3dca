// What the solvers of closed networks share: demands of the closed classes, load of the open ones,
// and filling in a Solution from throughputs and queues. Used by: this folder only.
#pragma once

#include "analytic/queueing/network.h"

namespace brink::queueing {

/// The closed classes as the solvers see them, and what the open ones take of each station.
struct Parts {
  std::vector<int> closed, open;         ///< numbers of the classes
  std::vector<std::int64_t> population;  ///< of the closed ones
  std::vector<double> think_s;
  std::vector<std::vector<double>> demand_s;  ///< [closed class][station]
  std::vector<double> open_load;              ///< per station: erlangs brought by open classes
};

/// Failure: unstable, naming the station and the share of it that the open classes ask for.
Result<Parts, Failure> parts_of(const Network& network);

/// Fills throughput, response, utilisation from `passages` (per closed class) and `queue`
/// ([closed class][station]); for open classes from `open_queue` (customers of all of them, per
/// station), which is shared by their load.
void fill(const Network& network, const Parts& parts, const std::vector<double>& passages,
          const std::vector<std::vector<double>>& queue, const std::vector<double>& open_queue,
          Solution& solution);

/// "stations X: classes have different service times ...": what product form rests on.
std::vector<std::string> product_form_notes(const Network& network);

}  // namespace brink::queueing
