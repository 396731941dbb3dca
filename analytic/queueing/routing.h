// From routing to visits, and classes that switch into each other as one chain.
// Used by: the reader of brink queue, solve.h.
#pragma once

#include <vector>

#include "analytic/queueing/network.h"

namespace brink::queueing {

/// Visits of every class at every station of one chain of classes. For an open chain `enter` gives
/// arrivals per second (by class, station), and visits are per arrival of the whole chain. For a
/// closed one `enter` is empty, and visits at the first station that is visited, over all classes,
/// add up to 1. Failure (a sentence): part of the routes cannot be left or is never reached.
Result<std::vector<std::vector<double>>, std::string> visits_from_routes(
    int classes, int stations, const std::vector<Route>& routes,
    const std::vector<std::vector<double>>& enter);

/// The network with each chain as one class, whose demands are those of its classes together.
struct Merged {
  Network network;
  std::vector<int> class_of;  ///< of each class of the original: its class in `network`
};
Merged merge_chains(const Network& network);

/// The solution of `merged` shared among the classes of each chain, by their demands.
Solution split_chains(const Network& network, const Merged& merged, const Solution& solution);

}  // namespace brink::queueing
