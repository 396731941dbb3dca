// Session: one model with its options, and what engines found out about it that the next question
// can use again (the explored state graph).
#pragma once

#include <chrono>
#include <memory>

#include "models/language/model.h"
#include "solver/result.h"
#include "solver/search/state_graph.h"

namespace brink::solver {

class Session {
 public:
  explicit Session(ModelPtr model, CheckOptions options = {});

  const ModelPtr& model() const { return model_; }
  const CheckOptions& options() const { return options_; }

  /// The state graph with its edges, explored within the limits on first use and kept; a search
  /// that is not complete is taken up again when the limits allow more.
  const StateGraph& graph(const Limits& limits);
  /// The same without edges, as far as `look_out` (may be null) needs: when what it looks for has
  /// been seen, states may be left (LookOut::found).
  const StateGraph& states(const Limits& limits, LookOut* look_out = nullptr);
  /// Begins with what a checkpoint holds (checkpoint.h). Error: what is wrong with it.
  Result<void, std::string> restore(std::string_view checkpoint);
  /// What has been explored so far; null when nothing has.
  const StateGraph* explored() const { return graph_.get(); }
  bool has_complete_graph() const { return graph_ && graph_->complete(); }

 private:
  bool more_allowed(const Limits& limits) const;
  const StateGraph& search(const Limits& limits, const SearchFor& wanted);

  ModelPtr model_;
  CheckOptions options_;
  std::unique_ptr<StateGraph> graph_;
  Limits explored_within_;
  bool stopped_by_limit_ = false;
};

}  // namespace brink::solver
