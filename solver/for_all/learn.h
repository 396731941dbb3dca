// Learning: short formulas over constants that agree with samples. Used by: region.
//
// Atoms are linear inequalities of at most three constants with factors 1, -1 and 2, and switches.
// Those that look the same on all samples are one atom, the simplest. Formulas are disjunctions of
// conjunctions of at most three atoms (and "a and (b or c)"), the cheapest first, found by sets of
// bits: enumeration is complete for its shapes, so that "none" is an answer. Nothing learned here
// is believed: region.h proves it or finds a counterexample, which becomes a sample (counterexample
// guided synthesis; Solar-Lezama et al., ASPLOS 2006).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "solver/symbolic/linear.h"

namespace brink::solver {

struct Sample {
  std::vector<std::int64_t> values;  ///< of Model::parameters
  bool holds = false;
  bool error = false;  ///< a reachable move is erroneous: counts as violated
};

/// A union of cubes over constants, and the union that is its complement; symbols count parameters.
struct Guess {
  Dnf inside, outside;
  int cost = 0;
  bool contains(const std::vector<std::int64_t>& values) const;
};

enum class Atoms {
  all,
  lower_bounds,  ///< "from some value on": a single constant >= c
};

/// Formulas that agree with all samples, cheapest first, at most `most`. `booleans` flags those
/// constants that are switches.
std::vector<Guess> learn(const std::vector<Sample>& samples, const std::vector<bool>& booleans,
                         Atoms atoms, std::size_t most);

/// In PRISM's syntax: "guard<high & (low=0 | N>=4)".
std::string print(const Dnf& dnf, const std::vector<std::string>& names,
                  const std::vector<bool>& booleans);

}  // namespace brink::solver
