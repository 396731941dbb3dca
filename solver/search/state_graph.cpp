#include "solver/search/state_graph.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "models/base/check.h"
#include "solver/search/state_search.h"

namespace brink::solver {

std::uint64_t default_memory_limit() {
  static const std::uint64_t limit = [] {
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long size = sysconf(_SC_PAGE_SIZE);
    if (pages <= 0 || size <= 0) return std::uint64_t{4} << 30;
    return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size) / 4 * 3;
  }();
  return limit;
}

StateGraph::StateGraph(ModelPtr model, unsigned threads, Empty)
    : model_(std::move(model)),
      layout_(*model_),
      table_(layout_.words(), std::clamp(threads, 1u, StateTable::kMaxShards),
             std::min(layout_.bits(), 64u)) {}

StateGraph::StateGraph(ModelPtr model, const Limits& limits, const SearchFor& wanted)
    : StateGraph(std::move(model), limits.threads, Empty{}) {
  add_initial_states();
  resume(limits, wanted);
}

void StateGraph::resume(const Limits& limits, const SearchFor& wanted) {
  if (error_ || initial_ == 0) return;
  const auto start = std::chrono::steady_clock::now();
  reason_.clear();
  complete_ = false;
  backward_.reset();
  StateSearch(*this, limits, wanted).run();
  seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void StateGraph::add_initial_states() {
  std::vector<std::uint64_t> words(layout_.words());
  error_ = for_each_initial_state(*model_, [&](std::span<const std::int64_t> state) {
    layout_.pack(state, words);
    table_.insert(words.data(), table_.hash(words.data()));
    return true;
  });
  initial_ = table_.size();
  if (!error_ && initial_ == 0) reason_ = "the model has no initial state";
}

void StateGraph::look(LookOut& look_out) const {
  std::uint32_t faulty = kNoState;
  for (std::uint32_t first = 0; first < expanded_; first += kLanes) {
    const std::size_t count = std::min<std::size_t>(kLanes, expanded_ - first);
    Watch::Facts facts;
    for (std::size_t i = 0; i < count; ++i) {
      const auto state = first + static_cast<std::uint32_t>(i);
      const std::uint64_t bit = std::uint64_t{1} << (i % 64);
      if (deadlock(state)) facts.deadlock[i / 64] |= bit;
      if (state < initial_) facts.initial[i / 64] |= bit;
    }
    first_sighting(look_out.watch, look_out.sought, table_[first].data(), first, count, facts,
                   look_out.found, faulty);
  }
  if (faulty != kNoState && !look_out.fault)
    look_out.fault = look_out.watch.fault_of(table_[faulty]);
}

std::uint64_t StateGraph::bytes() const {
  return table_.bytes() + parents_.bytes() + deadlocks_.capacity() * sizeof(std::uint64_t) +
         edges_.bytes() + (backward_ ? backward_->bytes() : 0);
}

std::span<const std::uint32_t> StateGraph::predecessors(std::uint32_t state) const {
  if (!backward_) {
    BRINK_CHECK(has_edges(), "the search was not asked for edges");
    backward_ = std::make_unique<Edges>();
    BigArray<std::uint64_t>& begin = backward_->begin;
    begin.resize(table_.size() + std::uint64_t{2});  // counted two places on, then shifted by use
    const std::uint64_t edges = edges_.to.size();
    for (std::uint64_t e = 0; e < edges; ++e) ++begin[edges_.to[e] + std::uint64_t{2}];
    for (std::uint64_t s = 2; s < begin.size(); ++s) begin[s] += begin[s - 1];
    backward_->to.resize(edges);
    for (std::uint32_t s = 0; s < expanded_; ++s)
      for (const std::uint32_t to : edges_.of(s)) backward_->to[begin[to + std::uint64_t{1}]++] = s;
  }
  return backward_->of(state);
}

void StateGraph::valuation(std::uint32_t state, Valuation& out) const {
  out.resize(model_->variables.size());
  layout_.unpack(table_[state], out);
}

std::uint32_t StateGraph::number_of(std::span<const std::int64_t> valuation,
                                    std::vector<std::uint64_t>& words) const {
  words.resize(layout_.words());
  layout_.pack(valuation, words);
  const std::uint32_t number = table_.find(words.data(), table_.hash(words.data()));
  BRINK_CHECK(number != StateTable::kNone, "a state that has not been found");
  return number;
}

std::uint32_t StateGraph::parent(std::uint32_t state) const {
  return state < initial_ ? kNoState : parents_[state - initial_];
}

std::uint32_t StateGraph::depth(std::uint32_t state) const {
  std::uint32_t steps = 0;
  for (; state >= initial_; state = parent(state)) ++steps;
  return steps;
}

std::vector<std::uint32_t> StateGraph::path_to(std::uint32_t state) const {
  std::vector<std::uint32_t> path{state};
  while (path.back() >= initial_) path.push_back(parent(path.back()));
  std::reverse(path.begin(), path.end());
  return path;
}

std::vector<std::uint32_t> StateGraph::path_between(std::uint32_t from, const StateSet& through,
                                                    const StateSet& target) const {
  std::vector<std::uint32_t> before(size(), kNoState);
  std::vector<std::uint32_t> queue{from};
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const std::uint32_t state = queue[head];
    for (const std::uint32_t to : successors(state)) {
      if (target[to] != 0) {
        std::vector<std::uint32_t> path{to, state};
        while (path.back() != from) path.push_back(before[path.back()]);
        std::reverse(path.begin(), path.end());
        return path;
      }
      if (through[to] == 0 || to == from || before[to] != kNoState) continue;
      before[to] = state;
      queue.push_back(to);
    }
  }
  return {};
}

Trace StateGraph::trace_of(const std::vector<std::uint32_t>& path, std::string property) const {
  Evaluator evaluator(model_);
  Expansion expansion;
  Trace trace = make_trace(*model_, std::move(property));
  valuation(path.front(), trace.initial);
  for (std::size_t i = 1; i < path.size(); ++i) {
    const auto error = evaluator.successors(trace.state(i - 1), expansion);
    BRINK_CHECK(!error);
    TraceStep step;
    valuation(path[i], step.after);
    BRINK_CHECK(find_move(expansion, step), "an edge of the graph is no move of the model");
    trace.steps.push_back(std::move(step));
  }
  return trace;
}

std::uint64_t StateGraph::moves_into(std::uint32_t state, const StateSet& set) const {
  Evaluator evaluator(model_);
  Expansion expansion;
  Valuation before;
  valuation(state, before);
  const auto error = evaluator.successors(before, expansion);
  BRINK_CHECK(!error);
  std::uint64_t moves = 0;
  std::vector<std::uint64_t> words;
  for (const Choice& choice : expansion.choices) {
    bool leads = false;
    for (std::uint32_t b = choice.first_branch; b < choice.first_branch + choice.branch_count;
         ++b) {
      leads = leads || set[number_of(expansion.target(b), words)] != 0;
    }
    moves += leads ? 1 : 0;
  }
  return moves;
}

}  // namespace brink::solver
