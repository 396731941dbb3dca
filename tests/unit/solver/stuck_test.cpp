// Stuck sets checked again: page frames at N = 16, where 2,145 states cannot reach buf > 2
// (counted by two other explorers), and sets that are not what they are said to be.
#include "solver/search/stuck.h"

#include <gmock/gmock.h>

#include "solver/search/ctl.h"
#include "tests/unit/solver/models.h"

namespace brink::solver {
namespace {

using testing::frames;
using testing::properties_of;
using End = StuckCheck::End;

struct Stuck : ::testing::Test {
  ModelPtr model = frames(16, 0);
  PropertySet set = properties_of(model, "E [ F buf>KGOAL ]");
  Question question = ask(set, set.properties.front());
  PropId goal = form_of(question).body;
  StateGraph graph{model, {}};

  StateSet doomed() const {
    StateSet out = exists_until(graph, nullptr, *evaluate_plain(graph, set, goal));
    for (auto& flag : out) flag = flag == 0 ? 1 : 0;
    return out;
  }
  StuckCheck check(const StateSet& states, unsigned threads = 1) const {
    Limits limits;
    limits.threads = threads;
    return check_stuck(graph, states, question, goal, limits);
  }
  std::uint32_t first(const StateSet& states) const {
    return static_cast<std::uint32_t>(std::find(states.begin(), states.end(), 1) - states.begin());
  }
};

TEST_F(Stuck, WhatTheSearchFoundIsConfirmed) {
  for (const unsigned threads : {1u, 2u}) {
    const StuckCheck found = check(doomed(), threads);
    EXPECT_EQ(found.end, End::confirmed);
    EXPECT_EQ(found.states, 2145u);
  }
}

TEST_F(Stuck, OneStateLessIsNotClosed) {
  // Every state of a trap but its sources is entered from inside it: one of them will do.
  StateSet states = doomed();
  for (std::uint32_t s = 0; s < graph.size(); ++s) {
    const auto before = graph.predecessors(s);
    if (states[s] == 0 || std::none_of(before.begin(), before.end(),
                                       [&](std::uint32_t p) { return p != s && states[p] != 0; }))
      continue;
    states[s] = 0;
    break;
  }
  EXPECT_EQ(check(states).end, End::refuted);
}

TEST_F(Stuck, AStateOfTheGoalIsNotStuck) {
  StateSet everything(graph.size(), 1);
  EXPECT_EQ(check(everything).end, End::refuted);
}

TEST_F(Stuck, BehindAStuckStateTheGoalIsOutOfReach) {
  Valuation state;
  graph.valuation(first(doomed()), state);
  const StuckCheck found = check_behind(state, question, goal, {});
  EXPECT_EQ(found.end, End::confirmed);
  EXPECT_LE(found.states, 2145u);
  EXPECT_EQ(check_behind({16, 0, 0, 0, 0, 0}, question, goal, {}).end, End::refuted);
}

TEST_F(Stuck, LimitsAreNoVerdict) {
  Valuation state;
  graph.valuation(first(doomed()), state);
  Limits few;
  few.states = 10;
  EXPECT_EQ(check_behind(state, question, goal, few).end, End::limit);
  const std::atomic<bool> stop{true};
  Limits stopped;
  stopped.stop = &stop;
  EXPECT_EQ(check_stuck(graph, doomed(), question, goal, stopped).end, End::limit);
}

}  // namespace
}  // namespace brink::solver
