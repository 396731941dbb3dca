// Open product-form networks: each station by itself. Used by: solve.h.
#pragma once

#include "analytic/queueing/network.h"

namespace brink::queueing {

/// Every class is open (BRINK_CHECK). Jackson (1957), Baskett, Chandy, Muntz & Palacios (1975).
/// Failure: unstable.
Solved open_network(const Network& network);

}  // namespace brink::queueing
