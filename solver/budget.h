// Budget: the time one answer may take, handed on in shares to its steps. Used by: searches, pdr,
// proofs for all values.
#pragma once

#include <algorithm>
#include <chrono>

#include "solver/result.h"

namespace brink::solver {

/// Where the limits give no time.
inline constexpr double default_seconds = 60;

struct Budget {
  const Limits& limits;
  double otherwise = default_seconds;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();

  /// Seconds; negative when it is used up.
  double left() const {
    const std::chrono::duration<double> used = std::chrono::steady_clock::now() - start;
    return (limits.seconds != 0 ? limits.seconds : otherwise) - used.count();
  }
  bool over() const {
    constexpr double worth_starting = 0.05;
    return left() <= worth_starting || (limits.stop != nullptr && limits.stop->load());
  }
  /// The limits of a step that may take `seconds`, or what is left.
  Limits slice(double seconds) const {
    Limits share = limits;
    share.seconds = std::max(0.05, std::min(seconds, left()));
    return share;
  }
};

}  // namespace brink::solver
