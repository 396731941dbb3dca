// Closed and mixed product-form networks, exactly: mean value analysis and convolution.
// Used by: solve.h.
#pragma once

#include "analytic/queueing/network.h"

namespace brink::queueing {

/// Mean value analysis over all populations up to the given one. For stations with one server and
/// delay stations; open classes are allowed. BRINK_CHECK: every class has demands >= 0 that are
/// finite. Failure: limit (too many populations), unstable.
Solved exact_mva(const Network& network);

/// Convolution: the normalising constants of all populations. For every kind of station.
/// Failure: limit, unstable.
Solved convolution(const Network& network);

/// Populations that exact_mva and convolution go through: the product of (N_c + 1).
double population_lattice(const Network& network);

}  // namespace brink::queueing
