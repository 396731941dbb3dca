#include "solver/state_graph.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>

#include "models/base/check.h"

namespace brink::solver {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Limits are looked at once per so many expanded states.
constexpr std::uint32_t states_between_checks = 1024;

/// The successors of one state, packed and hashed before any of them is looked up.
struct Batch {
  std::vector<std::uint64_t> words;
  std::vector<std::uint64_t> hashes;
};

}  // namespace

StateGraph::StateGraph(ModelPtr model, const Limits& limits)
    : model_(std::move(model)), layout_(*model_), table_(layout_.words()) {
  const auto start = Clock::now();
  if (add_initial_states()) explore(limits);
  seconds_ = seconds_since(start);
}

bool StateGraph::add_initial_states() {
  std::vector<std::uint64_t> words(layout_.words());
  error_ = for_each_initial_state(*model_, [&](std::span<const std::int64_t> state) {
    layout_.pack(state, words);
    if (table_.insert(words.data(), table_.hash(words.data())).fresh) parent_.push_back(kNoState);
    return true;
  });
  initial_ = table_.size();
  if (!error_ && initial_ == 0) reason_ = "the model has no initial state";
  return !error_ && initial_ > 0;
}

bool StateGraph::over_limit(const Limits& limits, double elapsed) {
  if (limits.stop != nullptr && limits.stop->load(std::memory_order_relaxed))
    reason_ = "interrupted";
  else if (limits.states != 0 && table_.size() > limits.states)
    reason_ = fmt::format("limit of {} states reached", limits.states);
  else if (table_.size() >= StateTable::kMaxStates - (1u << 24))
    reason_ = "more states than 32-bit numbers";
  else if (limits.seconds != 0 && elapsed > limits.seconds)
    reason_ = fmt::format("time limit of {} s reached", limits.seconds);
  else if (limits.bytes != 0 && bytes() > limits.bytes)
    reason_ = fmt::format("memory limit of {} bytes reached", limits.bytes);
  return !reason_.empty();
}

void StateGraph::explore(const Limits& limits) {
  const auto start = Clock::now();
  Evaluator evaluator(model_);
  Expansion expansion;
  Valuation state(model_->variables.size());
  Batch batch;
  for (expanded_ = 0; expanded_ < table_.size(); ++expanded_) {
    if ((expanded_ % states_between_checks == 0 || limits.states != 0) &&
        over_limit(limits, seconds_since(start)))
      return;
    layout_.unpack(table_[expanded_], state);
    error_ = evaluator.successors(state, expansion);
    if (error_) {
      error_state_ = expanded_;
      return;
    }
    const std::size_t branches = expansion.branch_count();
    batch.words.resize(branches * layout_.words());
    batch.hashes.resize(branches);
    for (std::size_t b = 0; b < branches; ++b) {
      std::uint64_t* words = batch.words.data() + b * layout_.words();
      layout_.pack(expansion.target(b), {words, layout_.words()});
      batch.hashes[b] = table_.hash(words);
      table_.prefetch(batch.hashes[b]);
    }
    for (std::size_t b = 0; b < branches; ++b) {
      const auto found = table_.insert(batch.words.data() + b * layout_.words(), batch.hashes[b]);
      if (found.fresh) parent_.push_back(expanded_);
      const bool repeated =
          edges_.to.size() > edges_.begin.back() && edges_.to.back() == found.number;
      if (!repeated) edges_.to.push_back(found.number);
    }
    transitions_ += branches;
    edges_.begin.push_back(edges_.to.size());
  }
  complete_ = true;
}

std::uint64_t StateGraph::bytes() const {
  std::uint64_t total = table_.bytes() + parent_.capacity() * sizeof(std::uint32_t) +
                        edges_.begin.capacity() * sizeof(std::uint64_t) +
                        edges_.to.capacity() * sizeof(std::uint32_t);
  if (backward_)
    total += backward_->begin.capacity() * sizeof(std::uint64_t) +
             backward_->to.capacity() * sizeof(std::uint32_t);
  return total;
}

std::span<const std::uint32_t> StateGraph::predecessors(std::uint32_t state) const {
  if (!backward_) {
    backward_ = std::make_unique<Edges>();
    backward_->begin.assign(table_.size() + std::size_t{1}, 0);
    for (const std::uint32_t to : edges_.to) ++backward_->begin[to + std::size_t{1}];
    for (std::size_t s = 1; s < backward_->begin.size(); ++s)
      backward_->begin[s] += backward_->begin[s - 1];
    backward_->to.resize(edges_.to.size());
    auto next = backward_->begin;
    for (std::uint32_t s = 0; s < expanded_; ++s)
      for (const std::uint32_t to : edges_.of(s)) backward_->to[next[to]++] = s;
  }
  return backward_->of(state);
}

void StateGraph::valuation(std::uint32_t state, Valuation& out) const {
  out.resize(model_->variables.size());
  layout_.unpack(table_[state], out);
}

std::uint32_t StateGraph::depth(std::uint32_t state) const {
  std::uint32_t steps = 0;
  for (; parent_[state] != kNoState; state = parent_[state]) ++steps;
  return steps;
}

std::vector<std::uint32_t> StateGraph::path_to(std::uint32_t state) const {
  std::vector<std::uint32_t> path{state};
  while (parent_[path.back()] != kNoState) path.push_back(parent_[path.back()]);
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
  std::vector<std::uint64_t> words(layout_.words());
  for (const Choice& choice : expansion.choices) {
    bool leads = false;
    for (std::uint32_t b = choice.first_branch; b < choice.first_branch + choice.branch_count;
         ++b) {
      layout_.pack(expansion.target(b), words);
      const std::uint32_t target = table_.find(words.data(), table_.hash(words.data()));
      BRINK_CHECK(target != StateTable::kNone);
      leads = leads || set[target] != 0;
    }
    moves += leads ? 1 : 0;
  }
  return moves;
}

}  // namespace brink::solver
