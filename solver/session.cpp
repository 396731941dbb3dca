#include "solver/session.h"

#include "solver/search/checkpoint.h"

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

/// May a search that a limit has stopped go on? One that has stopped early may.
bool Session::more_allowed(const Limits& limits) const {
  return !stopped_by_limit_ || allows_more(limits.states, explored_within_.states) ||
         allows_more(limits.seconds, explored_within_.seconds) ||
         allows_more(limits.bytes, explored_within_.bytes);
}

Result<void, std::string> Session::restore(std::string_view checkpoint) {
  auto graph = from_checkpoint(checkpoint, model_, options_.limits.threads);
  if (!graph) return fail(graph.error());
  graph_ = std::move(*graph);
  return {};
}

const StateGraph& Session::search(const Limits& limits, const SearchFor& wanted) {
  if (graph_)
    graph_->resume(limits, wanted);
  else
    graph_ = std::make_unique<StateGraph>(model_, limits, wanted);
  explored_within_ = limits;
  const bool early = wanted.look_out != nullptr && wanted.look_out->seen();
  stopped_by_limit_ = !graph_->complete() && !graph_->error() && !early;
  return *graph_;
}

const StateGraph& Session::graph(const Limits& limits) {
  const bool settled = graph_ && (graph_->error() || (graph_->complete() && graph_->has_edges()));
  if (settled || (graph_ && !more_allowed(limits))) return *graph_;
  return search(limits, {.edges = true});
}

const StateGraph& Session::states(const Limits& limits, LookOut* look_out) {
  if (graph_ && look_out != nullptr) graph_->look(*look_out);
  const bool settled = graph_ && (graph_->error() || graph_->complete());
  const bool enough =
      look_out != nullptr && look_out->seen() && graph_ && graph_->expanded() >= kPatience;
  if (settled || enough || (graph_ && !more_allowed(limits))) return *graph_;
  return search(limits, {.edges = false, .look_out = look_out});
}

}  // namespace brink::solver
