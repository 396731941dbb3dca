#include "solver/session.h"

namespace brink::solver {
namespace {

/// Zero means no limit, so it allows more than any number.
template <typename T>
bool allows_more(T now, T then) {
  return then != 0 && (now == 0 || now > then);
}

}  // namespace

Session::Session(ModelPtr model, CheckOptions options)
    : model_(std::move(model)), options_(options) {}

const StateGraph& Session::graph(const Limits& limits) {
  const bool settled = graph_ && (graph_->complete() || graph_->error());
  const bool more = graph_ && (allows_more(limits.states, explored_within_.states) ||
                               allows_more(limits.seconds, explored_within_.seconds) ||
                               allows_more(limits.bytes, explored_within_.bytes));
  if (!graph_ || (!settled && more)) {
    graph_.reset();
    graph_ = std::make_unique<StateGraph>(model_, limits);
    explored_within_ = limits;
  }
  return *graph_;
}

}  // namespace brink::solver
