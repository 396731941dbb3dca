// Birth-death chains with two modes: how long a system stays in each before it tips over.
// Used by: tests, predictions, users of the library.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/base/result.h"

namespace brink::fluid {

/// States 0 .. n-1 with rates up and down per unit of time; down[0] and up[n-1] are not used.
struct BirthDeath {
  std::vector<double> up, down;
};

struct TwoModes {
  std::vector<double> stationary;
  double mean = 0;
  std::vector<std::size_t> modes;  ///< local maxima, by state
  std::size_t valley = 0;          ///< least likely state between the two highest modes (if two)
  double mass_below = 0;           ///< probability below the valley
  double passage_up = 0, passage_down = 0;  ///< mean time between the two modes; 0 with one mode
  /// Decay rates: the slowest relaxation and the next. Their ratio above 100: metastable.
  double slowest = 0, next = 0;
};

/// Error: fewer than 3 states, or rates inside that are not positive.
Result<TwoModes, std::string> two_modes(const BirthDeath& chain);

/// Mean first-passage time from one state to another, by positive terms only.
double passage_time(const BirthDeath& chain, std::size_t from, std::size_t to);

}  // namespace brink::fluid
