// Determinisation by trees of sets of states (Safra, FOCS 1988), in the form with names by age and
// a parity condition (Piterman, LMCS 2007; Schewe, FoSSaCS 2009), for acceptance on edges.
//
// The root holds the states that some run may be in. A child holds those that have taken an
// accepting edge since the child was born; when the children of a node hold all of its states,
// every run there has taken one, the node is marked good and its descendants go. A node that runs
// empty is bad. Among everything that happens in a step the oldest node decides, good at even and
// bad at odd priorities: a node that is never removed and good for ever accepts.
//
// Invariant: labels of siblings are disjoint and together smaller than the parent's, so that a tree
// has at most as many nodes as the automaton has states. What differs from the papers: a state of a
// label older siblings hold, too, is theirs, and both rules are one pass in the order of age,
// because parents and older siblings come first.
#include "models/automata/history_trees.h"

#include <algorithm>

#include "models/base/check.h"

namespace brink::automata {

HistoryTrees::HistoryTrees(Automaton automaton) : automaton_(std::move(automaton)) {
  BRINK_CHECK(automaton_.acceptance_sets == 1 && automaton_.size() <= kMaxStates);
  number({{0, std::uint64_t{1} << automaton_.initial}});
}

std::uint32_t HistoryTrees::number(Tree tree) {
  const auto [place, fresh] = index_.emplace(std::move(tree), size());
  if (fresh) trees_.push_back(place->first);
  return place->second;
}

std::uint64_t HistoryTrees::image(std::uint64_t label, std::uint64_t letter, bool accepting) const {
  std::uint64_t out = 0;
  for (std::uint32_t q = 0; q < automaton_.size(); ++q) {
    if ((label >> q & 1) == 0) continue;
    for (const Edge& edge : automaton_.edges[q])
      if (edge.label.matches(letter) && (!accepting || edge.sets != 0))
        out |= std::uint64_t{1} << edge.target;
  }
  return out;
}

HistoryTrees::Move HistoryTrees::step(std::uint32_t state, std::uint64_t letter) {
  Tree tree = trees_[state];
  const auto old = static_cast<std::uint32_t>(tree.size());
  for (std::uint32_t i = 0; i < old; ++i) tree.push_back({i, image(tree[i].label, letter, true)});
  for (std::uint32_t i = 0; i < old; ++i) tree[i].label = image(tree[i].label, letter, false);
  // Downwards: a label lies within its parent's and outside its older siblings'.
  std::vector<std::uint64_t> claimed(tree.size(), 0);
  for (std::uint32_t i = 1; i < tree.size(); ++i) {
    Node& node = tree[i];
    node.label &= tree[node.parent].label & ~claimed[node.parent];
    claimed[node.parent] |= node.label;
  }
  std::uint32_t priority = priorities() - 1;
  std::vector<bool> gone(tree.size(), false), closed(tree.size(), false);
  for (std::uint32_t i = 0; i < tree.size(); ++i) {
    gone[i] = tree[i].label == 0 || (i > 0 && (gone[tree[i].parent] || closed[tree[i].parent]));
    closed[i] = !gone[i] && claimed[i] == tree[i].label;
    if (closed[i]) priority = std::min(priority, 2 * i);
    if (gone[i] && i > 0 && i < old) priority = std::min(priority, 2 * i - 1);
  }
  Tree kept;
  std::vector<std::uint32_t> name(tree.size(), 0);
  for (std::uint32_t i = 0; i < tree.size(); ++i) {
    if (gone[i]) continue;
    name[i] = static_cast<std::uint32_t>(kept.size());
    kept.push_back({name[tree[i].parent], tree[i].label});
  }
  if (kept.empty()) priority = priorities() - 1;
  return {number(std::move(kept)), priority};
}

}  // namespace brink::automata
