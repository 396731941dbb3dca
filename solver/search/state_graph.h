// StateGraph: all reachable states of a model with their moves, found breadth first.
//
// The idea is as old as explicit model checking; what matters here: states are expanded by the
// batch (models/semantics/batch.h) and numbered in breadth-first order, so the parent of each state
// gives a shortest trace, levels are ranges of numbers, and parents take two bits; edges are stored
// by source (CSR) only when asked for, and by target when first used; which commands an edge stands
// for is not stored but found again by the evaluator when a trace is made. A search may stop at a
// state that it looks out for and be taken up again.
//
// Invariant: the edges of state s lead to all targets of its moves, in the evaluator's order,
// except that a target that follows itself is stored once. A deadlocked state has no edge and is
// treated as looping on itself (PRISM's repair), while the label "deadlock" stays true there.
// Numbers, edges and errors are those of a search state by state, whatever the number of threads.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/base/big_array.h"
#include "models/semantics/evaluator.h"
#include "models/semantics/layout.h"
#include "models/semantics/state_table.h"
#include "solver/result.h"
#include "solver/search/parent_list.h"
#include "solver/search/watch.h"
#include "solver/trace/trace.h"

namespace brink::solver {

/// A set of states, one flag each.
using StateSet = std::vector<std::uint8_t>;

constexpr std::uint32_t kNoState = 0xffffffffu;

/// Edges in CSR form.
struct Edges {
  BigArray<std::uint64_t> begin;  ///< one more than there are sources
  BigArray<std::uint32_t> to;

  std::uint32_t sources() const {
    return begin.size() == 0 ? 0 : static_cast<std::uint32_t>(begin.size() - 1);
  }
  std::span<const std::uint32_t> of(std::uint32_t state) const {
    return {to.data() + begin[state], to.data() + begin[state + std::uint64_t{1}]};
  }
  std::uint64_t bytes() const { return begin.bytes() + to.bytes(); }
};

/// What a search is for.
struct SearchFor {
  bool edges = true;            ///< store the edges of all states that have been expanded
  LookOut* look_out = nullptr;  ///< the search may end when it has been seen
  bool columns = true;          ///< false: the evaluator alone (for tests)
  std::uint32_t part = 8192;    ///< states of a chunk for each thread
};

/// States that a search expands even when it has seen what it looked out for: models that are not
/// larger have all their erroneous moves reported, whatever is asked.
constexpr std::uint32_t kPatience = 1u << 20;

/// Memory for states when no limit is given, bytes: three quarters of the machine's.
std::uint64_t default_memory_limit();

class StateGraph {
 public:
  /// Explores from the initial states until done, a limit, the first erroneous move, or what the
  /// search looks out for. Throws std::bad_alloc.
  StateGraph(ModelPtr model, const Limits& limits, const SearchFor& wanted = {});

  /// Takes the search up again within new limits; what is missing of the edges is added.
  void resume(const Limits& limits, const SearchFor& wanted);
  /// Looks through the states expanded so far (from `first` on); edges are needed for none of it.
  void look(LookOut& look_out) const;

  bool complete() const { return complete_; }
  /// Why the search is not complete: the limit that was reached, for people.
  const std::string& incomplete_reason() const { return reason_; }

  /// The first erroneous move in breadth-first order, and the state it starts from (kNoState: the
  /// initial states themselves are in error).
  const std::optional<SemanticError>& error() const { return error_; }
  std::uint32_t error_state() const { return error_state_; }

  std::uint32_t size() const { return table_.size(); }
  std::uint32_t expanded() const { return expanded_; }  ///< states 0 .. expanded-1
  /// The edges of all expanded states are there.
  bool has_edges() const { return edges_.sources() == expanded_; }
  std::uint64_t transitions() const { return transitions_; }
  std::uint32_t initial_count() const { return initial_; }  ///< states 0 .. initial_count-1
  std::uint64_t bytes() const;
  double seconds() const { return seconds_; }

  // Successors, predecessors, edges and path_between: BRINK_CHECK has_edges() before.
  std::span<const std::uint32_t> successors(std::uint32_t state) const { return edges_.of(state); }
  std::span<const std::uint32_t> predecessors(std::uint32_t state) const;
  bool deadlock(std::uint32_t state) const {
    return ((deadlocks_[state / 64] >> (state % 64)) & 1) != 0;
  }
  const Edges& edges() const { return edges_; }

  void valuation(std::uint32_t state, Valuation& out) const;
  /// Number of a state that has been found (BRINK_CHECK); `words` is room to pack it into. Not
  /// after a search without edges.
  std::uint32_t number_of(std::span<const std::int64_t> valuation,
                          std::vector<std::uint64_t>& words) const;
  std::uint32_t depth(std::uint32_t state) const;  ///< steps from the nearest initial state
  const StateLayout& layout() const { return layout_; }

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
  friend class StateSearch;
  friend std::string to_checkpoint(const StateGraph& graph);
  friend Result<std::unique_ptr<StateGraph>, std::string> from_checkpoint(std::string_view bytes,
                                                                          const ModelPtr& model,
                                                                          unsigned threads);
  /// No states at all, for from_checkpoint.
  struct Empty {};
  StateGraph(ModelPtr model, unsigned threads, Empty);

  void add_initial_states();
  std::uint32_t parent(std::uint32_t state) const;  ///< kNoState of initial states

  ModelPtr model_;
  StateLayout layout_;
  StateTable table_;
  Edges edges_;
  mutable std::unique_ptr<Edges> backward_;
  ParentList parents_;                    ///< of states initial_ and above
  std::vector<std::uint64_t> deadlocks_;  ///< one bit for each expanded state
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
