#include "analytic/decision_values.h"

#include <gmock/gmock.h>

#include <cmath>
#include <random>

#include "analytic/absorption.h"
#include "tests/unit/analytic/chains.h"

namespace brink::analytic {
namespace {

using Rows = std::vector<std::vector<std::vector<Entry>>>;
constexpr double infinity = std::numeric_limits<double>::infinity();

DecisionProcess built(const Rows& rows) {
  auto process = make_decisions(rows);
  if (!process) ADD_FAILURE() << process.error();
  return std::move(*process);
}

void expect_solved(const Solution& solution, const std::vector<double>& expected,
                   double relative = 1e-12) {
  ASSERT_TRUE(solution.converged) << solution.note;
  ASSERT_EQ(solution.values.size(), expected.size());
  for (std::size_t s = 0; s < expected.size(); ++s) {
    if (std::isinf(expected[s])) {
      EXPECT_EQ(solution.values[s], expected[s]) << s;
      continue;
    }
    EXPECT_NEAR(solution.values[s], expected[s], solution.bounds[s] + 1e-15 * expected[s]) << s;
    EXPECT_LE(solution.bounds[s], relative * std::max(1e-6, expected[s])) << s;
  }
}

Solution reach(const DecisionProcess& process, Goal goal, std::vector<std::uint32_t> target,
               const SolveOptions& options = {}) {
  const std::uint32_t size = process.size();
  return until_within(process, goal, StateSet(size, true), testing::only(size, std::move(target)),
                      {}, options);
}

// From 0 either a fair coin (win or lose) or a sure move to 1, where the coin shows 1/4.
const Rows two_coins = {{{{2, 0.5}, {3, 0.5}}, {{1, 1.0}}}, {{{2, 0.25}, {3, 0.75}}}, {}, {}};

TEST(DecisionValues, BestAndWorstCoin) {
  const DecisionProcess process = built(two_coins);
  expect_solved(reach(process, Goal::maximise, {2}), {0.5, 0.25, 1, 0});
  expect_solved(reach(process, Goal::minimise, {2}), {0.25, 0.25, 1, 0});
  const StateSet all(4, true);
  const auto within = [&](Goal goal, double lower, double upper) {
    return until_within(process, goal, all, testing::only(4, {2}), Window{lower, upper}, {});
  };
  expect_solved(within(Goal::maximise, 0, 1), {0.5, 0.25, 1, 0});
  expect_solved(within(Goal::minimise, 0, 1), {0, 0.25, 1, 0});
  expect_solved(within(Goal::minimise, 0, 2), {0.25, 0.25, 1, 0});
  expect_solved(within(Goal::maximise, 2, 2), {0.5, 0.25, 1, 0});
  expect_solved(within(Goal::maximise, 3, 2), {0, 0, 0, 0});
}

// State 1 can be entered and left for ever between 0 and 1; leaving costs the chance of losing.
// Without collapsing the end component {0, 1}, iteration from above stays at 1.
TEST(DecisionValues, EndComponentsDoNotFool) {
  const DecisionProcess process =
      built({{{{1, 1.0}}, {{2, 0.4}, {3, 0.6}}}, {{{0, 1.0}}, {{2, 0.3}, {3, 0.7}}}, {}, {}});
  expect_solved(reach(process, Goal::maximise, {2}), {0.4, 0.4, 1, 0});
  expect_solved(reach(process, Goal::minimise, {2}), {0, 0, 1, 0});
}

// Haddad & Monmege (RP 2014): the value is 1/2, but sweeps move by 2^-n only.
TEST(DecisionValues, SlowChainsAreNotStoppedEarly) {
  const std::uint32_t n = 24;
  Rows rows(2 * n + 1);
  for (std::uint32_t i = 1; i < 2 * n; ++i) {  // up and down ladders from the middle, n
    const std::uint32_t outward = i >= n ? i + 1 : i - 1;
    rows[i].push_back({{outward, 0.5}, {n, 0.5}});
  }
  rows[n] = {{{n + 1, 0.5}, {n - 1, 0.5}}};
  const DecisionProcess process = built(rows);
  for (const Goal goal : {Goal::minimise, Goal::maximise}) {
    const Solution solution = reach(process, goal, {2 * n});
    ASSERT_TRUE(solution.converged) << solution.note;
    EXPECT_NEAR(solution.values[n], 0.5, solution.bounds[n]);
    EXPECT_LE(solution.bounds[n], 1e-9);
  }
}

TEST(DecisionValues, CostsOfReaching) {
  // 0: pay 1 and stay with 1/2, or pay 5 and be there; 1: the target; 2: a trap.
  const DecisionProcess process =
      built({{{{0, 0.5}, {1, 0.5}}, {{1, 1.0}}}, {}, {}, {{{1, 1.0}}, {{2, 1.0}}}});
  // choices: 0a 0b | 1 waits | 2 waits | 3a 3b
  const std::vector<double> cost = {1, 5, 9, 1, 7, 1};
  const StateSet target = testing::only(4, {1});
  expect_solved(hitting_reward(process, Goal::minimise, target, cost, {}), {2, 0, infinity, 7});
  expect_solved(hitting_reward(process, Goal::maximise, target, cost, {}),
                {5, 0, infinity, infinity});
}

// A free cycle 0 <-> 1 must not make the cheapest way free: leaving costs 3 from 0 or 2 from 1.
TEST(DecisionValues, FreeCyclesDoNotMakeCostsVanish) {
  const DecisionProcess process = built({{{{1, 1.0}}, {{2, 1.0}}}, {{{0, 1.0}}, {{2, 1.0}}}, {}});
  const std::vector<double> cost = {0, 3, 0, 2, 0};
  const StateSet target = testing::only(3, {2});
  expect_solved(hitting_reward(process, Goal::minimise, target, cost, {}), {2, 2, 0});
  expect_solved(hitting_reward(process, Goal::maximise, target, cost, {}), {infinity, infinity, 0});
  // For ever: staying is free; at most one exit is paid.
  expect_solved(total_reward(process, Goal::minimise, cost, {}), {0, 0, 0});
  expect_solved(total_reward(process, Goal::maximise, cost, {}), {3, 3, 0});
}

// Costly cycles: 0 and 1 can be kept for ever at cost 1 a step, a free detour 0 -> 2 -> 0 or on.
TEST(DecisionValues, CostlyCyclesAreLeft) {
  const DecisionProcess process = built(
      {{{{1, 1.0}}, {{2, 1.0}}}, {{{0, 1.0}}, {{3, 0.25}, {0, 0.75}}}, {{{0, 0.5}, {3, 0.5}}}, {}});
  const std::vector<double> cost = {1, 0, 1, 1, 3, 0};
  const StateSet target = testing::only(4, {3});
  // Through 1: v0 = 1 + v1, v1 = 1 + 3/4 v0: v0 = 8. Through 2: v0 = 3 + v0 / 2 = 6.
  expect_solved(hitting_reward(process, Goal::minimise, target, cost, {}), {6, 5.5, 6, 0}, 1e-9);
  expect_solved(hitting_reward(process, Goal::maximise, target, cost, {}),
                {infinity, infinity, infinity, 0});
  expect_solved(total_reward(process, Goal::minimise, cost, {}), {6, 5.5, 6, 0}, 1e-9);
  expect_solved(total_reward(process, Goal::maximise, cost, {}), {infinity, infinity, infinity, 0});
}

TEST(DecisionValues, CostsOfAFewSteps) {
  const DecisionProcess process = built({{{{0, 1.0}}, {{1, 1.0}}}, {}});
  const std::vector<double> cost = {2, 1, 5};
  expect_solved(reward_until(process, Goal::maximise, cost, 3, {}), {11, 15});  // 1 + 5 + 5
  expect_solved(reward_until(process, Goal::minimise, cost, 3, {}), {5, 15});   // 2 + 2 + 1
  expect_solved(expectation_at(process, Goal::maximise, {1, 4}, 1, {}), {4, 4});
  expect_solved(expectation_at(process, Goal::minimise, {1, 4}, 1, {}), {1, 4});
}

TEST(DecisionValues, StepBoundedOnesAreExact) {
  // 1/3 + 1/3 + 1/3 is 1 whatever the roundings; P>=1 needs that.
  const DecisionProcess process = built({{{{1, 1.0 / 3}, {2, 1.0 / 3}, {3, 1.0 / 3}}}, {}, {}, {}});
  const Solution x = next_probability(process, Goal::minimise, testing::only(4, {1, 2, 3}));
  EXPECT_EQ(x.values[0], 1);
  EXPECT_EQ(x.bounds[0], 0);
}

/// A random process with a handful of states; the last two wait for ever.
DecisionProcess random_process(std::mt19937& random, std::uint32_t size) {
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  Rows rows(size);
  for (std::uint32_t s = 0; s + 2 < size; ++s) {
    const std::uint32_t choices = 1 + below(3);
    for (std::uint32_t c = 0; c < choices; ++c) {
      const std::uint32_t a = below(size), b = below(size);
      const double p = (1 + below(7)) / 8.0;
      rows[s].push_back(a == b ? std::vector<Entry>{{a, 1.0}}
                               : std::vector<Entry>{{a, p}, {b, 1 - p}});
    }
  }
  return built(rows);
}

/// Calls `visit` with the chain of every memoryless strategy and the choices it takes.
template <typename Visit>
void each_strategy(const DecisionProcess& process, Visit visit) {
  std::vector<std::uint32_t> choice(process.size());
  for (std::uint32_t s = 0; s < process.size(); ++s) choice[s] = process.first_choice(s);
  for (;;) {
    ChainBuilder builder(ChainKind::discrete);
    for (const std::uint32_t c : choice) {
      for (const Entry& entry : process.row(c)) builder.add(entry.column, entry.value);
      builder.end_row();
    }
    const auto chain = std::move(builder).finish();
    ASSERT_TRUE(chain.has_value());
    visit(*chain, choice);
    std::uint32_t s = 0;
    for (; s < process.size() && ++choice[s] == process.end_choice(s); ++s)
      choice[s] = process.first_choice(s);
    if (s == process.size()) return;
  }
}

TEST(DecisionValues, AgreeWithAllStrategiesOfSmallProcesses) {
  std::mt19937 random(20261130);
  for (int round = 0; round < 150; ++round) {
    const std::uint32_t size = 4 + static_cast<std::uint32_t>(random() % 4);
    const DecisionProcess process = random_process(random, size);
    std::vector<double> cost(process.choice_count());
    for (double& value : cost) value = static_cast<double>(random() % 3);
    const StateSet target = testing::only(size, {size - 1});
    for (const Goal goal : {Goal::minimise, Goal::maximise}) {
      const bool up = goal == Goal::maximise;
      const std::vector<double> start(size, up ? -1 : infinity);
      std::vector<double> probability = start, reward = start, total = start;
      const auto merge = [&](std::vector<double>& best, const Solution& solution) {
        for (std::uint32_t s = 0; s < size; ++s)
          best[s] =
              up ? std::max(best[s], solution.values[s]) : std::min(best[s], solution.values[s]);
      };
      each_strategy(process, [&](const Chain& chain, const std::vector<std::uint32_t>& choice) {
        std::vector<double> earned;
        for (const std::uint32_t c : choice) earned.push_back(cost[c]);
        merge(probability, reach_probability(chain, target));
        merge(reward, hitting_reward(chain, target, earned));
        merge(total, analytic::total_reward(chain, earned, {}));
      });
      SCOPED_TRACE(::testing::Message() << "round " << round << (up ? " max" : " min"));
      expect_solved(reach(process, goal, {size - 1}), probability, 1e-8);
      expect_solved(hitting_reward(process, goal, target, cost, {}), reward, 1e-8);
      expect_solved(total_reward(process, goal, cost, {}), total, 1e-8);
    }
  }
}

TEST(DecisionGraph, SureAndNever) {
  const DecisionProcess process = built(two_coins);
  const StateSet all(4, true), win = testing::only(4, {2}), either = testing::only(4, {2, 3});
  EXPECT_EQ(qualitative(process, Goal::maximise, all, win).never, testing::only(4, {3}));
  EXPECT_EQ(qualitative(process, Goal::minimise, all, either).surely, all);
  const DecisionProcess loop = built({{{{0, 1.0}}, {{1, 1.0}}}, {}});
  const StateSet both(2, true), end = testing::only(2, {1});
  EXPECT_EQ(qualitative(loop, Goal::maximise, both, end).surely, both);
  EXPECT_EQ(qualitative(loop, Goal::minimise, both, end).surely, end);
  EXPECT_EQ(qualitative(loop, Goal::minimise, both, end).never, testing::only(2, {0}));
}

TEST(DecisionGraph, EndComponents) {
  const DecisionProcess process = built({{{{1, 1.0}}, {{2, 0.4}, {3, 0.6}}},
                                         {{{0, 1.0}}, {{2, 0.3}, {3, 0.7}}},
                                         {{{2, 0.5}, {0, 0.5}}},
                                         {}});
  const EndComponents found = end_components(process, std::vector<bool>(6, true));
  EXPECT_EQ(found.count, 2u);
  EXPECT_EQ(found.of[0], found.of[1]);
  EXPECT_EQ(found.of[2], EndComponents::none);
  EXPECT_THAT(found.inside, ::testing::ElementsAre(true, false, true, false, false, true));
}

TEST(DecisionBuilder, RefusesWhatIsNoDistribution) {
  EXPECT_FALSE(make_decisions({{{{0, 0.5}}}}));
  EXPECT_FALSE(make_decisions({{{{1, 1.0}}}}));
  EXPECT_TRUE(make_decisions({{}}));  // waits
}

}  // namespace
}  // namespace brink::analytic
