// Conformance: is a run of the machine a path of the model, and do their decisions agree?
//
// At real size, one unit being one page. Both ways: every event of the machine must be the steps of
// the model that the scenario names for it, from the state the view shows before to the one it
// shows after; and at each named decision the model's guard and the kernel's choice must be the
// same, refusals included, so that a model that permits everything does not pass. Used by: `brink
// conform`, claims, estimates.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "experiments/scenario/simulate.h"

namespace brink {

struct Divergence {
  std::int64_t step = 0;  ///< events and decisions counted from 1
  machine::Time at = 0;   ///< of the machine
  std::string what;       ///< "event buffers.grow.r4", "decision wake_kswapd"
  std::vector<std::string> why;
};

struct SiteCount {
  std::string site, guard;
  std::int64_t yes = 0, no = 0, disagreements = 0;
};

struct CommandCount {
  std::string command;
  std::int64_t count = 0;
  double exposure_s = 0;  ///< time of the run during which its guard was true
  double gap_variation =
      0;  ///< coefficient of variation of the gaps between its occurrences; 1: as exponential
  std::int64_t gaps = 0;
};

struct Conformance {
  std::int64_t events = 0;       ///< machine events followed, repetitions counted once
  std::int64_t model_steps = 0;  ///< steps of the model, repetitions counted each
  std::int64_t decisions = 0;
  std::int64_t divergence_count = 0;
  std::vector<Divergence> divergences;  ///< the first kMaxDivergences
  std::vector<SiteCount> sites;         ///< sites with a guard, in the kernel's order
  std::vector<std::string> unguarded;   ///< sites that the scenario gives no guard
  std::vector<std::string>
      unlisted;  ///< events seen that the scenario does not list (they must not move the view)
  std::vector<CommandCount> commands;  ///< of the model, in its order
  double seconds = 0;                  ///< simulated
  Run run;

  bool conforms() const { return divergence_count == 0; }
  bool complete() const { return run.result.ending != machine::Ending::interrupted; }
};

inline constexpr std::size_t kMaxDivergences = 10;

/// Runs the scenario and follows it, to its end or until interrupted. `estimate` also measures exposure times (slower).
Result<Conformance, Diagnostics> conform(const Prepared& prepared, std::uint64_t seed,
                                         bool estimate);

/// A rate with its 95 % interval (exact, from the chi-squared distribution of a Poisson count).
struct Rate {
  double per_second = 0, low = 0, high = 0;
};

/// count / exposure. Zero counts give [0, 3.69 / exposure].
Rate estimate_rate(std::int64_t count, double exposure_s);

}  // namespace brink
