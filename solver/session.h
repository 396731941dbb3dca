// Session: one model with its options, and what engines found out about it that the next question
// can use again (the explored state graph).
#pragma once

#include <chrono>
#include <memory>

#include "models/language/model.h"
#include "solver/result.h"
#include "solver/state_graph.h"

namespace brink::solver {

class Session {
 public:
  explicit Session(ModelPtr model, CheckOptions options = {});

  const ModelPtr& model() const { return model_; }
  const CheckOptions& options() const { return options_; }

  /// The state graph, explored within the limits on first use and kept if it is complete or in
  /// error; an incomplete one is explored again when the limits allow more.
  const StateGraph& graph(const Limits& limits);
  bool has_complete_graph() const { return graph_ && graph_->complete(); }

 private:
  ModelPtr model_;
  CheckOptions options_;
  std::unique_ptr<StateGraph> graph_;
  Limits explored_within_;
};

}  // namespace brink::solver
