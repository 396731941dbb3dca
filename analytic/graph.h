// The graph questions that come before any arithmetic: strong components, what can reach what, and
// which states reach a target surely or never. Used by every Markov solver of analytic/.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "analytic/chain.h"

namespace brink::analytic {

/// A set of states, one flag each.
using StateSet = std::vector<bool>;

/// Lists of states in one array, one after the other.
class StateLists {
 public:
  using List = std::span<const std::uint32_t>;
  class Iterator {
   public:
    Iterator(const StateLists& lists, std::size_t at) : lists_(&lists), at_(at) {}
    List operator*() const { return (*lists_)[at_]; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    const StateLists* lists_;
    std::size_t at_;
  };

  std::size_t size() const { return first_.size() - 1; }
  List operator[](std::size_t i) const {
    return {states_.data() + first_[i], states_.data() + first_[i + 1]};
  }
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size()}; }

  void push(std::uint32_t state) { states_.push_back(state); }
  /// Ends the list at hand, ascending.
  void end_list() {
    if (states_.size() - first_.back() > 1)
      std::sort(states_.begin() + first_.back(), states_.end());
    first_.push_back(static_cast<std::uint32_t>(states_.size()));
  }

 private:
  std::vector<std::uint32_t> first_{0}, states_;
};

/// Strong components in reverse topological order: component 0 leads nowhere else, and an edge
/// between components goes from the higher number to the lower.
struct Components {
  std::vector<std::uint32_t> of;  ///< component of each state
  StateLists members;             ///< states of each component, ascending
  std::vector<bool> bottom;       ///< no edge leaves it
};

/// Tarjan's algorithm with an explicit stack (SIAM J. Comput. 1972).
Components strong_components(const Chain& chain);

/// Greatest common divisor of the lengths of the cycles of one component (1 = aperiodic). A
/// component without a cycle, a single absorbing state, has period 1.
std::uint32_t period(const Chain& chain, const Components& components, std::uint32_t component);

/// States from which `target` can be reached along states of `through` (the target's own states
/// need not be in `through`).
StateSet can_reach(const Chain& chain, const StateSet& through, const StateSet& target);

/// Probability 0 and probability 1 of `through` U `target`, by reachability alone (valid for
/// chains, not for decision processes).
struct Sure {
  StateSet never;
  StateSet surely;
};
Sure qualitative(const Chain& chain, const StateSet& through, const StateSet& target);

}  // namespace brink::analytic
