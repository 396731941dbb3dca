// Suggestions: inequalities that the states of small instances have in common. Internal to
// conjecture.
#pragma once

#include "solver/for_all/small.h"
#include "solver/question.h"
#include "solver/result.h"

namespace brink::solver {

inline constexpr std::size_t kNoPart = static_cast<std::size_t>(-1);

struct Suggestion {
  std::size_t part;
  Linear atom;
};

struct Suggestions {
  std::vector<std::uint32_t> control;  ///< variables that split the states into parts
  std::vector<Values> parts;           ///< values of the control variables
  std::vector<Suggestion> atoms;

  Cube cube_of(std::size_t part) const;
  /// The part a command leads to from one; kNoPart: to values that no sample has.
  std::size_t part_after(const CounterCommand& command, std::size_t part) const;
};

/// States of some of the smallest instances, for values of the constants that are legal.
std::vector<Values> small_states(const Question& question, const CounterSystem& system,
                                 const Limits& limits);

/// What holds in all samples of each part: the equations of the affine hull, and inequalities
/// between sums of at most two symbols.
Suggestions suggest(const CounterSystem& system, const std::vector<Values>& samples);

}  // namespace brink::solver
