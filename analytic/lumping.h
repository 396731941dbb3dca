// Lumping: states that behave alike become one state, and a chain is solved at the size of what is
// left. Used by the operators of property_values.cpp with `check --lump`.
//
// Ordinary lumpability (Kemeny & Snell; strong bisimulation, Larsen & Skou): two states stay
// together when they agree in what is asked (sets, rewards) and, for each other class, in the
// probability or rate of going there. Found by refinement: a class is looked at again when a
// successor of one of its states has moved to another class, and its largest part keeps the number
// (Hopcroft's idea, as in Valmari & Franceschinis, TACAS 2010; here classes are split by whole
// signatures, sorted, so that the result depends on nothing but the chain). The own class is left
// out of the comparison in continuous time, where moves inside a class change nothing.
//
// Invariant: states of different classes are never merged later. Sums of rates are compared as
// doubles, added in order of size: where rounding separates what is alike, the quotient is larger
// than need be; where it makes equal what is not, the rates are wrong by some roundings, and the
// bound of the solution is enlarged by what that can do.
#pragma once

#include <cstdint>
#include <vector>

#include "analytic/chain.h"
#include "analytic/numeric.h"

namespace brink::analytic {

struct Lumped {
  Chain chain;                        ///< one state for each class
  std::vector<std::uint32_t> of;      ///< class of each state
  std::vector<std::uint32_t> sample;  ///< the first state of each class

  /// A vector over states that is the same in all states of a class, over the classes.
  template <typename T>
  std::vector<T> down(const std::vector<T>& values) const {
    std::vector<T> out;
    for (const std::uint32_t s : sample) out.push_back(values[s]);
    return out;
  }
  /// Values of the classes as values of the states, with the bounds enlarged.
  Solution up(const Solution& solution) const;
};

/// `kinds` says of each state what is asked of it: states of different kinds stay apart.
Lumped lump(const Chain& chain, const std::vector<std::uint32_t>& kinds);

/// Kinds from vectors over the states: equal where all of them are.
std::vector<std::uint32_t> kinds_of(const std::vector<std::vector<double>>& facts);

}  // namespace brink::analytic
