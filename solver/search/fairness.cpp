#include "solver/search/fairness.h"

#include <algorithm>

#include "models/base/check.h"

namespace brink::solver {
namespace {

bool same(const FairGroup& a, const FairGroup& b) {
  return a.module == b.module && a.action == b.action;
}

/// A group named twice is there once, strong if it is so anywhere.
void add(std::vector<FairGroup>& groups, FairGroup group) {
  const auto at = std::find_if(groups.begin(), groups.end(),
                               [&](const FairGroup& other) { return same(group, other); });
  if (at == groups.end())
    groups.push_back(std::move(group));
  else
    at->strong = at->strong || group.strong;
}

}  // namespace

std::vector<FairGroup> fair_groups(const PropertySet& set) {
  std::vector<FairGroup> groups;
  for (const Annotation& annotation : set.annotations) {
    const bool strong = annotation.kind == AnnotationKind::strong_fair;
    if (annotation.kind != AnnotationKind::fair && !strong) continue;
    for (const std::uint32_t module : annotation.modules)
      add(groups, {set.model->modules[module].name, strong, module, kUnlabelled});
    for (const ActionId action : annotation.actions)
      add(groups, {"[" + set.model->actions[action] + "]", strong, kNone, action});
  }
  return groups;
}

std::uint64_t groups_of_move(const Model& model, const std::vector<FairGroup>& groups,
                             const Expansion& expansion, const Choice& choice) {
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const FairGroup& group = groups[i];
    bool part = group.module == kNone && choice.action == group.action;
    for (const std::uint32_t index : expansion.commands_of(choice)) {
      const Command& command = model.commands[index];
      part = part || (group.module == kNone ? command.action == group.action
                                            : command.module == group.module);
    }
    if (part) out |= std::uint64_t{1} << i;
  }
  return out;
}

FairMoves fair_moves(const StateGraph& graph, std::vector<FairGroup> groups) {
  BRINK_CHECK(graph.complete() && graph.has_edges());
  BRINK_CHECK(groups.size() <= kMaxFairGroups);
  FairMoves out{std::move(groups), {}, {}};
  out.enabled.resize(graph.size(), 0);
  out.taken.resize(graph.edges().to.size(), 0);
  Evaluator evaluator(graph.model());
  Expansion expansion;
  Valuation state;
  std::vector<std::uint64_t> words(graph.layout().words());
  for (std::uint32_t s = 0; s < graph.size(); ++s) {
    graph.valuation(s, state);
    const auto error = evaluator.successors(state, expansion);
    BRINK_CHECK(!error);
    // The edges are the targets in this order, equal ones in a row being one edge.
    std::uint64_t edge = graph.edges().begin[s];
    std::uint32_t last = kNoState;
    for (const Choice& choice : expansion.choices) {
      const auto members =
          static_cast<std::uint32_t>(groups_of_move(*graph.model(), out.groups, expansion, choice));
      out.enabled[s] |= members;
      for (std::uint32_t b = choice.first_branch; b < choice.first_branch + choice.branch_count;
           ++b) {
        const std::uint32_t to = graph.number_of(expansion.target(b), words);
        if (to != last && last != kNoState) ++edge;
        last = to;
        BRINK_CHECK(graph.edges().to[edge] == to, "edges in another order than moves");
        out.taken[edge] |= members;
      }
    }
  }
  return out;
}

std::uint64_t fair_marks(const std::vector<FairGroup>& groups, std::uint64_t enabled,
                         std::uint64_t taken, unsigned first) {
  std::uint64_t marks = 0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const bool can = (enabled >> i & 1) != 0, does = (taken >> i & 1) != 0;
    const std::uint64_t grant = fair_grant(i, first);
    if (does || (!groups[i].strong && !can)) marks |= grant;
    if (groups[i].strong && can) marks |= grant << 1;
  }
  return marks;
}

void add_fairness(const std::vector<FairGroup>& groups, unsigned first, CycleCondition& condition) {
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const std::uint64_t grant = fair_grant(i, first);
    if (groups[i].strong)
      condition.promises.push_back({grant << 1, grant});
    else
      condition.always |= grant;
  }
}

std::string unfair_to(const Trace& trace, const std::vector<FairGroup>& groups,
                      Evaluator& evaluator) {
  BRINK_CHECK(trace.loop_to.has_value());
  const Model& model = evaluator.model();
  std::uint64_t taken = 0, sometimes = 0, always = ~std::uint64_t{0};
  Expansion expansion;
  for (std::size_t i = *trace.loop_to; i <= trace.length(); ++i) {
    if (i == trace.length() && i > *trace.loop_to) break;  // the state the loop begins with
    const auto error = evaluator.successors(trace.state(i), expansion);
    BRINK_CHECK(!error);
    std::uint64_t enabled = 0;
    for (const Choice& choice : expansion.choices) {
      const std::uint64_t members = groups_of_move(model, groups, expansion, choice);
      enabled |= members;
      if (i == trace.length()) continue;
      const auto commands = expansion.commands_of(choice);
      const auto& step = trace.steps[i].commands;
      if (std::equal(commands.begin(), commands.end(), step.begin(), step.end())) taken |= members;
    }
    sometimes |= enabled;
    always &= enabled;
  }
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const std::uint64_t due = groups[i].strong ? sometimes : always;
    if ((due & ~taken) >> i & 1) return groups[i].name;
  }
  return "";
}

}  // namespace brink::solver
