// A deterministic parity automaton from a nondeterministic Büchi automaton, found as it is asked
// for. Used by deterministic.h for formulas that nothing simpler fits.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "models/automata/buchi.h"

namespace brink::automata {

class HistoryTrees {
 public:
  /// BRINK_CHECK: one acceptance set and at most kMaxStates states.
  explicit HistoryTrees(Automaton automaton);
  static constexpr std::uint32_t kMaxStates = 64;

  struct Move {
    std::uint32_t state = 0;
    std::uint32_t priority = 0;  ///< the least one met infinitely often decides: even accepts
  };
  /// State 0 is the initial one.
  Move step(std::uint32_t state, std::uint64_t letter);

  /// Priorities are below this; the largest stands for "nothing happened".
  std::uint32_t priorities() const { return 2 * automaton_.size() + 1; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(trees_.size()); }

 private:
  struct Node {
    std::uint32_t parent = 0;
    std::uint64_t label = 0;  ///< states of the automaton
    friend auto operator<=>(const Node&, const Node&) = default;
  };
  using Tree = std::vector<Node>;  ///< oldest first, the root before all

  std::uint64_t image(std::uint64_t label, std::uint64_t letter, bool accepting) const;
  std::uint32_t number(Tree tree);

  Automaton automaton_;
  std::map<Tree, std::uint32_t> index_;
  std::vector<Tree> trees_;
};

}  // namespace brink::automata
