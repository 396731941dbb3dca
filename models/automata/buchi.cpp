// The tableau on the fly, with acceptance on edges (Couvreur, FM 1999; Gerth, Peled, Vardi &
// Wolper, PSTV 1995; the direct construction of Giannakopoulou & Lerda, FORTE 2002).
//
// A state is a set of formulas that have to hold from here on. Each formula unfolds into edges:
// a U b into "b now" or "a now, and a U b again", the second of which breaks the promise of b. The
// edges of a state are the products of those of its formulas. An edge is in the acceptance set
// of a promise when it does not break it, so a run accepts when no promise is broken for ever.
//
// Invariant: an edge that asks for no more than another, leads to fewer duties and breaks fewer
// promises makes the other redundant; redundant edges are dropped at once, and a set of formulas
// with the same edges as an earlier one is the same state. Tried and dropped: one letter at a time
// (2^atoms edges for what one cube says).
#include "models/automata/buchi.h"

#include <algorithm>
#include <map>

namespace brink::automata {
namespace {

using Duties = std::vector<Formula>;  ///< sorted

struct Step {
  Cube label;
  Duties next;
  std::uint64_t broken = 0;
  friend auto operator<=>(const Step&, const Step&) = default;
};
using Steps = std::vector<Step>;

constexpr std::size_t kMaxSteps = 5'000;  ///< of one state
constexpr std::size_t kMaxEdges = 200'000;
constexpr std::size_t kMaxIdle = 500;  ///< edges of a state that are worth making disjoint

bool subset(const Duties& a, const Duties& b) {
  return std::includes(b.begin(), b.end(), a.begin(), a.end());
}

bool redundant(const Step& step, const Step& by) {
  return by.label.covers(step.label) && (by.broken & ~step.broken) == 0 &&
         subset(by.next, step.next);
}

/// Drops what is redundant; of equal steps the first stays.
void thin(Steps& steps) {
  std::sort(steps.begin(), steps.end());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  Steps kept;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    bool drop = false;
    for (std::size_t j = 0; j < steps.size() && !drop; ++j)
      drop = j != i && redundant(steps[i], steps[j]);
    if (!drop) kept.push_back(steps[i]);
  }
  steps = std::move(kept);
}

/// The letters of `label` that do not match `without`, as disjoint cubes.
void subtract(Cube label, const Cube& without, std::vector<Cube>& out) {
  if (!(label & without).possible()) return out.push_back(label);
  for (std::uint64_t bit = 1; bit != 0; bit <<= 1) {
    const bool yes = (without.yes & ~label.yes & bit) != 0;
    if (!yes && (without.no & ~label.no & bit) == 0) continue;
    out.push_back(yes ? Cube{label.yes, label.no | bit} : Cube{label.yes | bit, label.no});
    (yes ? label.yes : label.no) |= bit;
  }
}

/// Takes from each step the letters for which a better step is there: the choice between them would
/// be none, and fewer choices make automata deterministic more often.
Steps without_idle_choices(const Steps& steps) {
  Steps out;
  for (const Step& step : steps) {
    std::vector<Cube> labels = {step.label};
    for (const Step& by : steps) {
      const bool better = (by.broken & ~step.broken) == 0 && subset(by.next, step.next);
      if (!better || (by.broken == step.broken && by.next == step.next)) continue;
      std::vector<Cube> left;
      for (const Cube& label : labels) subtract(label, by.label, left);
      labels = std::move(left);
    }
    for (const Cube& label : labels) out.push_back({label, step.next, step.broken});
    if (out.size() > kMaxIdle) return steps;
  }
  return out;
}

Duties joined(const Duties& a, const Duties& b) {
  Duties out;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
  return out;
}

struct TooLarge {
  std::string why;
};

class Tableau {
 public:
  Tableau(FormulaPool& pool, std::uint32_t max_states) : pool_(pool), max_states_(max_states) {}

  Automaton run(Formula f) {
    Automaton out;
    out.initial = state(tomorrow(f).next);
    for (std::size_t done = 0; done < states_.size(); ++done) {
      std::vector<Edge> edges;
      const Steps steps = states_[done];
      for (const Step& step : steps) edges.push_back({step.label, state(step.next), ~step.broken});
      out.edges.push_back(std::move(edges));
    }
    out.acceptance_sets = static_cast<std::uint32_t>(promises_.size());
    for (auto& edges : out.edges) {
      for (Edge& edge : edges) edge.sets &= out.all_sets();
      std::sort(edges.begin(), edges.end());
    }
    return out;
  }

 private:
  /// States are known by their steps, so sets of formulas that do the same are one.
  std::uint32_t state(const Duties& duties) {
    const auto known = by_duties_.find(duties);
    if (known != by_duties_.end()) return known->second;
    Steps steps = {{}};
    for (const Formula f : duties) steps = product(steps, unfold(f));
    steps = without_idle_choices(steps);
    const auto [place, fresh] =
        by_steps_.emplace(std::move(steps), static_cast<std::uint32_t>(states_.size()));
    if (fresh) {
      states_.push_back(place->first);
      edges_ += place->first.size();
    }
    if (states_.size() > max_states_ || edges_ > kMaxEdges)
      throw TooLarge{"its automaton has too many states"};
    by_duties_.emplace(duties, place->second);
    return place->second;
  }

  Steps product(const Steps& a, const Steps& b) {
    Steps out;
    for (const Step& x : a)
      for (const Step& y : b) {
        const Cube label = x.label & y.label;
        if (!label.possible()) continue;
        out.push_back({label, joined(x.next, y.next), x.broken | y.broken});
        if (out.size() > kMaxSteps) throw TooLarge{"a state of its automaton has too many edges"};
      }
    thin(out);
    return out;
  }

  std::uint64_t promise(Formula f) {
    const auto [place, fresh] = promises_.emplace(f, promises_.size());
    if (place->second >= 64) throw TooLarge{"it makes more than 64 promises (F and U)"};
    return std::uint64_t{1} << place->second;
  }

  void duties_of(Formula f, Duties& out) const {
    if (pool_.is_true(f)) return;
    if (pool_[f].kind == FormulaKind::both) {
      duties_of(pool_[f].a, out);
      duties_of(pool_[f].b, out);
      return;
    }
    out.push_back(f);
  }

  Step tomorrow(Formula f, std::uint64_t broken = 0) const {
    Step out;
    duties_of(f, out.next);
    std::sort(out.next.begin(), out.next.end());
    out.broken = broken;
    return out;
  }

  const Steps& unfold(Formula f) {
    const auto known = unfolded_.find(f);
    if (known != unfolded_.end()) return known->second;
    const FormulaNode node = pool_[f];
    Steps out;
    switch (node.kind) {
      case FormulaKind::falsity:
        break;
      case FormulaKind::truth:
        out = {{}};
        break;
      case FormulaKind::literal: {
        if (node.atom >= kMaxAtoms) throw TooLarge{"it speaks of more than 64 state formulas"};
        const std::uint64_t bit = std::uint64_t{1} << node.atom;
        out = {{node.negated ? Cube{0, bit} : Cube{bit, 0}, {}, 0}};
        break;
      }
      case FormulaKind::both:
        out = product(unfold(node.a), unfold(node.b));
        break;
      case FormulaKind::either:
        out = unfold(node.a);
        for (const Step& step : unfold(node.b)) out.push_back(step);
        break;
      case FormulaKind::next:
        out = {tomorrow(node.a)};
        break;
      case FormulaKind::until: {
        const std::uint64_t broken = promise(f);
        out = product(unfold(node.a), {tomorrow(f, broken)});
        for (const Step& step : unfold(node.b)) out.push_back(step);
        break;
      }
      case FormulaKind::release: {
        Steps both = unfold(node.a);
        both.push_back(tomorrow(f));
        out = product(unfold(node.b), both);
        break;
      }
    }
    thin(out);
    return unfolded_.emplace(f, std::move(out)).first->second;
  }

  FormulaPool& pool_;
  std::uint32_t max_states_;
  std::map<Formula, Steps> unfolded_;
  std::map<Formula, std::size_t> promises_;
  std::map<Duties, std::uint32_t> by_duties_;
  std::map<Steps, std::uint32_t> by_steps_;
  std::vector<Steps> states_;
  std::size_t edges_ = 0;
};

}  // namespace

Result<Automaton, std::string> buchi(FormulaPool& pool, Formula f, std::uint32_t max_states) {
  try {
    return reduced(Tableau(pool, max_states).run(f));
  } catch (const TooLarge& large) {
    return fail("the formula is too large: " + large.why);
  }
}

Automaton degeneralised(const Automaton& automaton) {
  // A copy of the automaton for each set that is waited for; the wait may skip sets an edge has.
  const std::uint32_t sets = automaton.acceptance_sets;
  Automaton out;
  out.acceptance_sets = 1;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> number;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> states;
  const auto state = [&](std::uint32_t of, std::uint32_t waiting) {
    const auto [place, fresh] =
        number.emplace(std::pair{of, waiting}, static_cast<std::uint32_t>(states.size()));
    if (fresh) states.push_back(place->first);
    return place->second;
  };
  out.initial = state(automaton.initial, 0);
  for (std::size_t i = 0; i < states.size(); ++i) {
    const auto [of, waiting] = states[i];
    std::vector<Edge> edges;
    for (const Edge& edge : automaton.edges[of]) {
      std::uint32_t level = waiting;
      while (level < sets && (edge.sets >> level & 1) != 0) ++level;
      const bool round = level == sets;
      if (round) level = 0;
      edges.push_back({edge.label, state(edge.target, level), round ? std::uint64_t{1} : 0});
    }
    std::sort(edges.begin(), edges.end());
    out.edges.push_back(std::move(edges));
  }
  return out;
}

bool deterministic(const Automaton& automaton) {
  for (const auto& edges : automaton.edges)
    for (std::size_t i = 0; i < edges.size(); ++i)
      for (std::size_t j = i + 1; j < edges.size(); ++j) {
        const bool same = edges[i].target == edges[j].target && edges[i].sets == edges[j].sets;
        if (!same && (edges[i].label & edges[j].label).possible()) return false;
      }
  return true;
}

}  // namespace brink::automata
