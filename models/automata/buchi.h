// Nondeterministic Büchi automata of linear temporal logic: what LTL model checking multiplies with
// a model. For engines that ask whether some path satisfies (or violates) a formula.
//
//   FormulaPool pool;  ...  Formula f = ...;
//   Result<Automaton, std::string> a = buchi(pool, f);
//
// To check A [ f ], look for an accepting lasso in the product with buchi(pool, pool.negation(f));
// for E [ f ] with buchi(pool, f). A letter is a bit set: bit i says whether atom i holds in a
// state. A run starts in state `initial` and reads the letter of the first state of the path with
// its first edge: the product of model state s and automaton state q moves to (s', q') for each
// successor s' of s and each edge q -> q' whose label matches the letter *of s*. The run accepts
// when it takes edges of each acceptance set infinitely often (all runs accept when there are no
// sets; a state without edges ends them).
//
// Acceptance is on edges and generalised (one set for each kind of promise), because both make
// automata smaller; an emptiness check by strong components needs nothing else. `degeneralised`
// leaves exactly one set, for nested depth-first search.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/automata/formula.h"
#include "models/base/result.h"

namespace brink::automata {

/// A conjunction of literals: all atoms of `yes` and none of `no`.
struct Cube {
  std::uint64_t yes = 0, no = 0;

  bool matches(std::uint64_t letter) const { return (letter & yes) == yes && (letter & no) == 0; }
  bool possible() const { return (yes & no) == 0; }
  /// Every letter that matches `other` matches this.
  bool covers(const Cube& other) const { return (yes & ~other.yes) == 0 && (no & ~other.no) == 0; }
  friend auto operator<=>(const Cube&, const Cube&) = default;
};

inline Cube operator&(const Cube& a, const Cube& b) { return {a.yes | b.yes, a.no | b.no}; }

struct Edge {
  Cube label;
  std::uint32_t target = 0;
  std::uint64_t sets = 0;  ///< acceptance sets this edge is in, one bit each
  friend auto operator<=>(const Edge&, const Edge&) = default;
};

struct Automaton {
  std::uint32_t initial = 0;
  std::uint32_t acceptance_sets = 0;
  std::vector<std::vector<Edge>> edges;  ///< of each state, sorted

  std::uint32_t size() const { return static_cast<std::uint32_t>(edges.size()); }
  std::uint64_t all_sets() const {
    return acceptance_sets == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << acceptance_sets) - 1;
  }
};

inline constexpr std::uint32_t kMaxAtoms = 64;  ///< what a letter holds

/// The automaton that accepts exactly the words satisfying `f`, from which every state can still
/// accept. Fails, with a sentence, when it would be larger than `max_states` states or has more
/// than 64 atoms or promises.
Result<Automaton, std::string> buchi(FormulaPool& pool, Formula f,
                                     std::uint32_t max_states = 10'000);

/// The same language with exactly one acceptance set.
Automaton degeneralised(const Automaton& automaton);

/// No letter leaves a choice: edges of a state that match the same letter do the same.
bool deterministic(const Automaton& automaton);

/// Removes states and edges that no accepting run uses, joins states that do the same, and drops
/// acceptance sets that ask for nothing.
Automaton reduced(Automaton automaton);

}  // namespace brink::automata
