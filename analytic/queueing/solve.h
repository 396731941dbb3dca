// One entry for all networks: chooses a method (exact where it can be), and says which.
// Used by: brink queue, users of the library.
#pragma once

#include <atomic>
#include <span>
#include <string_view>

#include "analytic/queueing/network.h"

namespace brink::queueing {

struct MethodRow {
  std::string_view name, about;
  Solved (*solve)(const Network& network, const std::atomic<bool>* stop);
};

/// exact, mva, convolution, linearizer, schweitzer, bard, repetitive-service, after-service.
std::span<const MethodRow> method_rows();

/// `method` empty or "exact": product form, exactly, with an approximation in its place where the
/// populations are too many (the solution says so). Otherwise the row of that name (BRINK_CHECK).
/// Chains of classes are merged before and shared out after.
Solved solve(const Network& network, std::string_view method = {},
             const std::atomic<bool>* stop = nullptr);

/// Stations by the share of time they are busy, the busiest first: where the bottleneck is.
struct Load {
  int station;
  double utilisation;  ///< of all classes together
  double queue;
};
std::vector<Load> loads(const Network& network, const Solution& solution);

}  // namespace brink::queueing
