#include "analytic/decision_graph.h"

#include <numeric>

#include "models/base/check.h"

namespace brink::analytic {
namespace {

/// For each state the choices that may lead to it, and the state each choice belongs to.
struct Backward {
  std::vector<std::size_t> begin;
  std::vector<std::uint32_t> choice;
  std::vector<std::uint32_t> owner;

  explicit Backward(const DecisionProcess& process) : begin(process.size() + 1, 0) {
    owner.resize(process.choice_count());
    for (std::uint32_t s = 0; s < process.size(); ++s)
      for (std::uint32_t c = process.first_choice(s); c < process.end_choice(s); ++c) owner[c] = s;
    for (std::uint32_t c = 0; c < process.choice_count(); ++c)
      for (const Entry& entry : process.row(c)) ++begin[entry.column + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    choice.resize(process.entry_count());
    auto next = begin;
    for (std::uint32_t c = 0; c < process.choice_count(); ++c)
      for (const Entry& entry : process.row(c)) choice[next[entry.column]++] = c;
  }

  template <typename Visit>
  void into(std::uint32_t state, Visit visit) const {
    for (std::size_t k = begin[state]; k < begin[state + 1]; ++k)
      visit(choice[k], owner[choice[k]]);
  }
};

std::vector<std::uint32_t> listed(const StateSet& set) {
  std::vector<std::uint32_t> out;
  for (std::uint32_t s = 0; s < set.size(); ++s)
    if (set[s]) out.push_back(s);
  return out;
}

/// Some strategy has a positive probability: plain backward reachability.
StateSet some_positive(const Backward& backward, const StateSet& through, const StateSet& target) {
  StateSet reached = target;
  std::vector<std::uint32_t> work = listed(target);
  while (!work.empty()) {
    const std::uint32_t state = work.back();
    work.pop_back();
    backward.into(state, [&](std::uint32_t, std::uint32_t before) {
      if (reached[before] || !through[before]) return;
      reached[before] = true;
      work.push_back(before);
    });
  }
  return reached;
}

/// Every strategy has a positive probability: a state enters when all its choices lead in.
StateSet all_positive(const DecisionProcess& process, const Backward& backward,
                      const StateSet& through, const StateSet& target) {
  StateSet reached = target;
  std::vector<std::uint32_t> work = listed(target);
  std::vector<bool> leads(process.choice_count(), false);
  std::vector<std::uint32_t> left(process.size());
  for (std::uint32_t s = 0; s < process.size(); ++s)
    left[s] = process.end_choice(s) - process.first_choice(s);
  while (!work.empty()) {
    const std::uint32_t state = work.back();
    work.pop_back();
    backward.into(state, [&](std::uint32_t choice, std::uint32_t before) {
      if (leads[choice] || reached[before] || !through[before]) return;
      leads[choice] = true;
      if (--left[before] > 0) return;
      reached[before] = true;
      work.push_back(before);
    });
  }
  return reached;
}

/// Some strategy has probability 1: the largest set that can be kept while moving to the target.
StateSet some_surely(const DecisionProcess& process, const Backward& backward,
                     const StateSet& through, const StateSet& target, StateSet kept) {
  std::vector<std::uint8_t> safe(process.choice_count());
  for (std::uint32_t c = 0; c < process.choice_count(); ++c) {
    bool inside = true;
    for (const Entry& entry : process.row(c)) inside = inside && kept[entry.column];
    safe[c] = inside ? 1 : 0;
  }
  for (;;) {
    StateSet reached = target;
    std::vector<std::uint32_t> work = listed(target);
    while (!work.empty()) {
      const std::uint32_t state = work.back();
      work.pop_back();
      backward.into(state, [&](std::uint32_t choice, std::uint32_t before) {
        if (!safe[choice] || reached[before] || !through[before]) return;
        reached[before] = true;
        work.push_back(before);
      });
    }
    if (reached == kept) return reached;
    for (std::uint32_t s = 0; s < process.size(); ++s)
      if (kept[s] && !reached[s])
        backward.into(s, [&](std::uint32_t choice, std::uint32_t) { safe[choice] = 0; });
    kept = std::move(reached);
  }
}

StateSet flipped(StateSet set) {
  set.flip();
  return set;
}

}  // namespace

Chain graph_of(const DecisionProcess& process, const std::vector<bool>& allowed) {
  ChainBuilder builder(ChainKind::continuous);
  for (std::uint32_t s = 0; s < process.size(); ++s) {
    for (std::uint32_t c = process.first_choice(s); c < process.end_choice(s); ++c)
      if (allowed[c])
        for (const Entry& entry : process.row(c)) builder.add(entry.column, entry.value);
    builder.end_row();
  }
  auto chain = std::move(builder).finish();
  BRINK_CHECK(chain.has_value(), "rows of a valid process");
  return std::move(*chain);
}

StateSet can_reach(const DecisionProcess& process, const StateSet& through,
                   const StateSet& target) {
  return some_positive(Backward(process), through, target);
}

SureDecisions qualitative(const DecisionProcess& process, Goal goal, const StateSet& through,
                          const StateSet& target) {
  BRINK_CHECK(through.size() == process.size() && target.size() == process.size());
  const Backward backward(process);
  SureDecisions sure;
  if (goal == Goal::maximise) {
    const StateSet positive = some_positive(backward, through, target);
    sure.never = flipped(positive);
    sure.surely = some_surely(process, backward, through, target, positive);
    return sure;
  }
  sure.never = flipped(all_positive(process, backward, through, target));
  // Not sure is what some strategy can lead to where the target can be avoided for ever.
  StateSet undecided(process.size());
  for (std::uint32_t s = 0; s < process.size(); ++s) undecided[s] = through[s] && !target[s];
  sure.surely = flipped(some_positive(backward, undecided, sure.never));
  return sure;
}

EndComponents end_components(const DecisionProcess& process, std::vector<bool> allowed) {
  BRINK_CHECK(allowed.size() == process.choice_count());
  Components components;
  for (bool changed = true; changed;) {
    changed = false;
    components = strong_components(graph_of(process, allowed));
    for (std::uint32_t s = 0; s < process.size(); ++s)
      for (std::uint32_t c = process.first_choice(s); c < process.end_choice(s); ++c) {
        if (!allowed[c]) continue;
        for (const Entry& entry : process.row(c)) {
          if (components.of[entry.column] == components.of[s]) continue;
          allowed[c] = false;
          changed = true;
          break;
        }
      }
  }
  EndComponents out;
  out.of.assign(process.size(), EndComponents::none);
  std::vector<std::uint32_t> number(components.members.size(), EndComponents::none);
  for (std::uint32_t s = 0; s < process.size(); ++s)
    for (std::uint32_t c = process.first_choice(s); c < process.end_choice(s); ++c) {
      if (!allowed[c]) continue;
      std::uint32_t& own = number[components.of[s]];
      if (own == EndComponents::none) own = out.count++;
      out.of[s] = own;
    }
  out.inside = std::move(allowed);
  return out;
}

}  // namespace brink::analytic
