// All reachable states of a model in PRISM's order, with their moves. Used by: dot, explicit.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "experiments/export/export.h"
#include "models/semantics/evaluator.h"
#include "solver/search/state_graph.h"

namespace brink::exports {

class States {
 public:
  /// Explores the model. Errors: E0801 parameters, E0802 when a limit was reached (`limits.states`,
  /// or `most_states` where the job sets none; 0: none), E06xx faults of the model.
  static Result<States, Diagnostics> explore(const Job& job, std::uint64_t most_states);

  /// States are numbered in lexicographic order of their values, as PRISM exports them.
  std::uint32_t size() const { return graph_->size(); }
  std::span<const std::int64_t> values(std::uint32_t state) const {
    return {values_.data() + state * width_, width_};
  }
  bool initial(std::uint32_t state) const { return order_[state] < graph_->initial_count(); }

  /// Calls `visit` with each state in order, what it can do, and the number of each branch's
  /// target.
  using Visitor = std::function<void(std::uint32_t state, const Expansion& expansion,
                                     std::span<const std::uint32_t> targets)>;
  void each(Evaluator& evaluator, const Visitor& visit) const;

 private:
  std::unique_ptr<solver::StateGraph> graph_;
  std::vector<std::uint32_t> order_;  ///< our number -> number of the graph
  std::vector<std::uint32_t> rank_;   ///< the inverse
  std::vector<std::int64_t> values_;  ///< by our number
  std::size_t width_ = 0;
};

/// A value as PRISM writes it.
std::string value_text(const Variable& variable, std::int64_t value);

}  // namespace brink::exports
