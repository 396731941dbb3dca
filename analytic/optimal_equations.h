// Equations with a choice: x_s = min or max over the choices c of s of
//     (constant_c + sum_j probability(c, j) x_j) / leaving_c,
// where leaving_c is the probability of leaving s and everything is non-negative. What is left of a
// decision process once the graph has decided its share. Internal to decision_values.
//
// A solution is *proposed* by any method and then *proved*. Proposing goes by strong components
// from the bottom up: sweeps (value iteration in place) first, and where they are slow policy
// iteration, each policy's chain solved by GTH elimination with one step of refinement in extended
// precision. The proof (proof_of): let T be the operator above and |T x - x| <= k w in every state.
// If some p >= 0 has p - P p >= g w > 0 for *every* choice (an upper bound of the expected
// weight collected before leaving, which exists when no strategy can stay for ever), then T maps
// x + (k/g) p below itself and x - (k/g) p above itself, and as T is monotone with one fixed point,
// that point lies between the two. With w = x the bound is a relative one.
//
// Costs to be minimised may leave strategies that stay for ever at an infinite cost; then p exists
// for the proposed strategy (upper bound) and for the choices that cost nothing (lower bound:
// scaling x down by a factor 1 - e pays for the defects of choices that cost something).
//
// Tried and dropped: optimistic guesses checked by one sweep, whose slack drowns in rounding near
// the fixed point; stopping on the change per sweep, which proves nothing (haddad-monmege).
#pragma once

#include <string>
#include <vector>

#include "analytic/decision_graph.h"
#include "analytic/numeric.h"

namespace brink::analytic {

struct OptimalEquations {
  using Wide = long double;

  std::vector<std::uint32_t> first{0};  ///< choices of unknown s: first[s] .. first[s + 1] - 1
  std::vector<std::size_t> begin{0};    ///< entries of choice c, to other unknowns only
  std::vector<Entry> entries;
  std::vector<Wide> constant;  ///< of each choice
  std::vector<Wide> outside;   ///< probability of leaving the equations altogether
  std::vector<Wide> leaving;   ///< outside + all entries; positive
  bool may_stay = false;  ///< some strategy stays for ever, at an infinite cost (minimise only)

  std::uint32_t size() const { return static_cast<std::uint32_t>(first.size() - 1); }
  std::span<const Entry> row(std::uint32_t choice) const {
    return {entries.data() + begin[choice], entries.data() + begin[choice + 1]};
  }
  /// Ends a choice whose entries were appended.
  void end_choice(Wide constant_part, Wide outside_part);
  void end_state() { first.push_back(static_cast<std::uint32_t>(constant.size())); }
  /// The choice's right-hand side at x.
  Wide at(std::uint32_t choice, const std::vector<Wide>& x) const;
};

/// How hard to try: the relative change at which large components stop, and whether small ones are
/// given to policy iteration even when their sweeps seem to have settled.
struct Effort {
  double change = 1e-14;
  bool policies = false;
};

struct Proposal {
  std::vector<long double> values;  ///< unknowns without choices have value 0
  Method method = Method::graph;
  std::uint64_t iterations = 0;  ///< sweeps
  std::string note;              ///< why there is none
  bool done = false;
};

/// `scale` is what a change is relative to (empty: the value itself); `start` may be empty.
Proposal propose(const OptimalEquations& equations, Goal goal, const Effort& effort,
                 const std::vector<long double>& scale, std::vector<long double> start,
                 const SolveOptions& options);

/// Values of all unknowns with proved bounds, each within options.tolerance of its value or 1e-6 of
/// that of the largest value; otherwise not converged.
Solution solve_optimal(const OptimalEquations& equations, Goal goal, const SolveOptions& options);

}  // namespace brink::analytic
