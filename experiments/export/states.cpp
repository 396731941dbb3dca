#include "experiments/export/states.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "models/base/check.h"

namespace brink::exports {

Result<States, Diagnostics> States::explore(const Job& job, std::uint64_t most_states) {
  const Model& model = *job.model;
  if (!model.parameters.empty()) {
    return fail(refuse(model, {},
                       fmt::format("constant `{}` has no value", model.parameters[0].name),
                       "give it one with --const"));
  }
  solver::Limits limits = job.limits;
  const bool own_limit = limits.states == 0 && most_states != 0;
  if (own_limit) limits.states = most_states;
  States out;
  out.graph_ = std::make_unique<solver::StateGraph>(job.model, limits);
  const solver::StateGraph& graph = *out.graph_;
  if (graph.error()) return fail(Diagnostics{to_diagnostic(*graph.error(), model)});
  if (!graph.complete()) {
    Diagnostics errors =
        refuse(model, {}, fmt::format("not all states were found: {}", graph.incomplete_reason()),
               own_limit ? "smaller constants, or --state-limit for more than is readable"
                         : "raise the limit");
    errors[0].code = "E0802";
    return fail(std::move(errors));
  }
  out.width_ = model.variables.size();
  const auto width = static_cast<std::ptrdiff_t>(out.width_);
  std::vector<std::int64_t> found;
  solver::Valuation state;
  for (std::uint32_t s = 0; s < graph.size(); ++s) {
    graph.valuation(s, state);
    found.insert(found.end(), state.begin(), state.end());
  }
  out.order_.resize(graph.size());
  std::iota(out.order_.begin(), out.order_.end(), 0U);
  std::ranges::sort(out.order_, [&](std::uint32_t a, std::uint32_t b) {
    const auto at = [&](std::uint32_t s) { return found.begin() + s * width; };
    return std::lexicographical_compare(at(a), at(a) + width, at(b), at(b) + width);
  });
  out.rank_.resize(graph.size());
  for (std::uint32_t s = 0; s < graph.size(); ++s) {
    out.rank_[out.order_[s]] = s;
    const auto from = found.begin() + out.order_[s] * width;
    out.values_.insert(out.values_.end(), from, from + width);
  }
  return out;
}

void States::each(Evaluator& evaluator, const Visitor& visit) const {
  Expansion expansion;
  std::vector<std::uint32_t> targets;
  for (std::uint32_t s = 0; s < size(); ++s) {
    const auto error = evaluator.successors(values(s), expansion);
    BRINK_CHECK(!error, "a state of a complete graph has a fault");
    // The graph keeps the targets in the evaluator's order, one that follows itself once.
    const auto edges = graph_->successors(order_[s]);
    targets.clear();
    std::size_t next = 0;
    for (std::size_t b = 0; b < expansion.branch_count(); ++b) {
      const bool again = b > 0 && std::ranges::equal(expansion.target(b), expansion.target(b - 1));
      targets.push_back(again ? targets.back() : rank_[edges[next++]]);
    }
    BRINK_CHECK(next == edges.size(), "the graph and the evaluator disagree");
    visit(s, expansion, targets);
  }
}

std::string value_text(const Variable& variable, std::int64_t value) {
  if (variable.type == Type::boolean) return value != 0 ? "true" : "false";
  return std::to_string(value);
}

}  // namespace brink::exports
