// StateGraph: all reachable states of a model with their moves, found breadth first.
//
// The idea is as old as explicit model checking; what matters here: states are numbered in
// breadth-first order, so the parent of each state gives a shortest trace and levels are ranges of
// numbers; edges are stored by source (CSR) while searching and by target when first asked for;
// which commands an edge stands for is not stored but found again by the evaluator when a trace is
// made.
//
// Invariant: the edges of state s lead to all targets of its moves, in the evaluator's order,
// except that a target that follows itself is stored once. A deadlocked state has no edge and is
// treated as looping on itself (PRISM's repair), while the label "deadlock" stays true there.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/semantics/evaluator.h"
#include "models/semantics/layout.h"
#include "solver/result.h"
#include "solver/state_table.h"
#include "solver/trace.h"

namespace brink::solver {

/// A set of states, one flag each.
using StateSet = std::vector<std::uint8_t>;

constexpr std::uint32_t kNoState = 0xffffffffu;

/// Edges in CSR form.
struct Edges {
  std::vector<std::uint64_t> begin{0};
  std::vector<std::uint32_t> to;

  std::span<const std::uint32_t> of(std::uint32_t state) const {
    return {to.data() + begin[state], to.data() + begin[state + 1]};
  }
};

class StateGraph {
 public:
  /// Explores from the initial states until done, a limit, or the first erroneous move.
  StateGraph(ModelPtr model, const Limits& limits);

  bool complete() const { return complete_; }
  /// Why the search is not complete: the limit that was reached, for people.
  const std::string& incomplete_reason() const { return reason_; }

  /// The first erroneous move in breadth-first order, and the state it starts from (kNoState: the
  /// initial states themselves are in error).
  const std::optional<SemanticError>& error() const { return error_; }
  std::uint32_t error_state() const { return error_state_; }

  std::uint32_t size() const { return table_.size(); }
  std::uint32_t expanded() const { return expanded_; }  ///< states 0 .. expanded-1 have edges
  std::uint64_t transitions() const { return transitions_; }
  std::uint32_t initial_count() const { return initial_; }  ///< states 0 .. initial_count-1
  std::uint64_t bytes() const;
  double seconds() const { return seconds_; }

  std::span<const std::uint32_t> successors(std::uint32_t state) const { return edges_.of(state); }
  std::span<const std::uint32_t> predecessors(std::uint32_t state) const;
  bool deadlock(std::uint32_t state) const {
    return edges_.begin[state] == edges_.begin[state + 1];
  }
  const Edges& edges() const { return edges_; }

  void valuation(std::uint32_t state, Valuation& out) const;
  std::uint32_t depth(std::uint32_t state) const;  ///< steps from the nearest initial state

  const ModelPtr& model() const { return model_; }

  /// A shortest path of states from an initial one to `state`, both included.
  std::vector<std::uint32_t> path_to(std::uint32_t state) const;
  /// A shortest path of at least one step from `from` to a state of `target`, along states of
  /// `through` in between; empty when there is none, else both ends included.
  std::vector<std::uint32_t> path_between(std::uint32_t from, const StateSet& through,
                                          const StateSet& target) const;
  /// The path as a trace; the commands of each step are the first that lead there.
  Trace trace_of(const std::vector<std::uint32_t>& path, std::string property) const;
  /// Moves of `state` that have a branch into `set` (for ways back).
  std::uint64_t moves_into(std::uint32_t state, const StateSet& set) const;

 private:
  bool add_initial_states();
  void explore(const Limits& limits);
  bool over_limit(const Limits& limits, double elapsed);

  ModelPtr model_;
  StateLayout layout_;
  StateTable table_;
  Edges edges_;
  mutable std::unique_ptr<Edges> backward_;
  std::vector<std::uint32_t> parent_;
  std::uint32_t initial_ = 0;
  std::uint32_t expanded_ = 0;
  std::uint64_t transitions_ = 0;
  bool complete_ = false;
  std::string reason_;
  std::optional<SemanticError> error_;
  std::uint32_t error_state_ = kNoState;
  double seconds_ = 0;
};

}  // namespace brink::solver
