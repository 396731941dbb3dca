// Networks with finite rooms, by the exact Markov chain of one class. Used by: solve.h.
#pragma once

#include <atomic>

#include "analytic/queueing/network.h"

namespace brink::queueing {

enum class Blocking {
  repetitive_service,  ///< who finds the room full is served again, and then chooses anew
  after_service        ///< who finds it full keeps the server until there is room, first come first
};

/// One class with routes, closed or open; what arrives from outside at a full room is lost.
/// Failure: wrong (several classes, no routes, the customers do not fit, the network can lock up),
/// limit (more than `most_states`, or stopped).
Solved exact_blocking(const Network& network, Blocking blocking,
                      std::uint64_t most_states = 200'000, const std::atomic<bool>* stop = nullptr);

}  // namespace brink::queueing
