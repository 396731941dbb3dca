// Approximate mean value analysis, for populations that exact methods cannot go through.
// Used by: solve.h.
#pragma once

#include "analytic/queueing/network.h"

namespace brink::queueing {

enum class Approximation { bard, schweitzer, linearizer };

/// Stations with several servers are taken as one fast server and a delay (Seidmann et al. 1987),
/// which the notes say. Failure: wrong (changing speeds), unstable, limit (not converged).
Solved approximate_mva(const Network& network, Approximation approximation);

}  // namespace brink::queueing
