#include "solver/search/cost.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <queue>

#include "models/base/check.h"

namespace brink::solver {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

/// The smallest or the largest cost of a move along each edge.
class EdgeCosts {
 public:
  EdgeCosts(const StateGraph& graph, std::uint32_t reward, bool smallest)
      : graph_(graph), reward_(reward), smallest_(smallest), evaluator_(graph.model()) {}

  /// Error: as in the header.
  Result<std::vector<double>, std::string> compute() {
    std::vector<double> costs(graph_.edges().to.size(), smallest_ ? kNever : 0);
    for (std::uint32_t s = 0; s < graph_.size(); ++s)
      if (auto done = state(s, costs); !done) return fail(done.error());
    return costs;
  }

 private:
  Result<double, std::string> value(Result<double, SemanticError> reward) const {
    if (!reward)
      return fail("the reward: " + to_diagnostic(reward.error(), *graph_.model()).message);
    if (*reward < 0) return fail(fmt::format("a negative reward ({}) is no cost", *reward));
    return *reward;
  }

  Result<void, std::string> state(std::uint32_t s, std::vector<double>& costs) {
    graph_.valuation(s, valuation_);
    const auto error = evaluator_.successors(valuation_, expansion_);
    BRINK_CHECK(!error);
    const auto here = value(evaluator_.state_reward(reward_, valuation_));
    if (!here) return fail(here.error());
    std::uint64_t edge = graph_.edges().begin[s];
    std::uint32_t last = kNoState;
    for (const Choice& choice : expansion_.choices) {
      const auto move = value(evaluator_.transition_reward(reward_, choice.action, valuation_));
      if (!move) return fail(move.error());
      for (std::uint32_t b = choice.first_branch; b < choice.first_branch + choice.branch_count;
           ++b) {
        const std::uint32_t to = graph_.number_of(expansion_.target(b), words_);
        if (to != last && last != kNoState) ++edge;  // equal targets in a row are one edge
        last = to;
        const double cost = *here + *move;
        costs[edge] = smallest_ ? std::min(costs[edge], cost) : std::max(costs[edge], cost);
      }
    }
    return {};
  }

  const StateGraph& graph_;
  std::uint32_t reward_;
  bool smallest_;
  Evaluator evaluator_;
  Expansion expansion_;
  Valuation valuation_;
  std::vector<std::uint64_t> words_;
};

StateSet within(const std::vector<double>& cost, const CostBound& bound) {
  StateSet out(cost.size());
  for (std::size_t s = 0; s < cost.size(); ++s)
    out[s] = bound.strict ? cost[s] < bound.most : cost[s] <= bound.most;
  return out;
}

}  // namespace

Result<StateSet, std::string> cheapest_within(const StateGraph& graph, const StateSet* along,
                                              const StateSet& goal, const CostBound& bound) {
  const auto costs = EdgeCosts(graph, bound.reward, true).compute();
  if (!costs) return fail(costs.error());
  std::vector<double> least(graph.size(), kNever);
  using Entry = std::pair<double, std::uint32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  for (std::uint32_t s = 0; s < graph.size(); ++s)
    if (goal[s] != 0) open.push({least[s] = 0, s});
  while (!open.empty()) {
    const auto [cost, state] = open.top();
    open.pop();
    if (cost > least[state]) continue;
    for (const std::uint32_t from : graph.predecessors(state)) {
      if (along != nullptr && (*along)[from] == 0) continue;
      const std::uint64_t first = graph.edges().begin[from];
      const auto targets = graph.successors(from);
      for (std::size_t i = 0; i < targets.size(); ++i) {
        if (targets[i] != state || cost + (*costs)[first + i] >= least[from]) continue;
        least[from] = cost + (*costs)[first + i];
        open.push({least[from], from});
      }
    }
  }
  return within(least, bound);
}

Result<StateSet, std::string> dearest_within(const StateGraph& graph, const StateSet* along,
                                             const StateSet& goal, const CostBound& bound) {
  const auto costs = EdgeCosts(graph, bound.reward, false).compute();
  if (!costs) return fail(costs.error());
  std::vector<double> most(graph.size(), kNever);  // until settled
  std::vector<std::uint32_t> left(graph.size());   // successors that are not settled
  std::vector<std::uint32_t> settled;
  for (std::uint32_t s = 0; s < graph.size(); ++s) {
    left[s] = static_cast<std::uint32_t>(graph.successors(s).size());
    if (goal[s] == 0) continue;
    most[s] = 0;
    settled.push_back(s);
  }
  while (!settled.empty()) {
    const std::uint32_t state = settled.back();
    settled.pop_back();
    for (const std::uint32_t from : graph.predecessors(state)) {
      if (--left[from] > 0 || goal[from] != 0) continue;
      if (along != nullptr && (*along)[from] == 0) continue;
      const std::uint64_t first = graph.edges().begin[from];
      const auto targets = graph.successors(from);
      most[from] = 0;
      for (std::size_t i = 0; i < targets.size(); ++i)
        most[from] = std::max(most[from], (*costs)[first + i] + most[targets[i]]);
      settled.push_back(from);
    }
  }
  return within(most, bound);
}

}  // namespace brink::solver
