// Traces with the fewest different commands, against models where that is plain, and against all
// sets of commands of random ones.
#include "solver/search/simplest.h"

#include <gmock/gmock.h>

#include <bit>
#include <random>
#include <set>

#include "tests/unit/solver/models.h"

namespace brink::solver {
namespace {

using testing::model_of;

CheckResult simplest(const ModelPtr& model, const std::string& property) {
  CheckOptions options;
  options.simplest = true;
  return testing::run(model, property, "explicit", options);
}

std::set<std::uint32_t> commands_of(const Trace& trace) {
  std::set<std::uint32_t> out;
  for (const TraceStep& step : trace.steps) out.insert(step.commands.begin(), step.commands.end());
  return out;
}

/// 4 is reached in two steps by two commands, or in four by one.
const char* const two_ways = R"(mdp
module m
  x : [0..4];
  [one] x<4 -> (x'=x+1);
  [three] x=0 -> (x'=3);
  [back] x=3 -> (x'=0);
endmodule
)";

TEST(Simplest, LongerWithOneCommand) {
  const CheckResult shortest = testing::run(model_of(two_ways), "A [ G x<4 ]");
  EXPECT_EQ(shortest.length, 2u);
  const CheckResult simple = simplest(model_of(two_ways), "A [ G x<4 ]");
  EXPECT_EQ(simple.length, 4u);
  EXPECT_EQ(simple.kinds, 1u);
  EXPECT_EQ(commands_of(*simple.trace), (std::set<std::uint32_t>{0}));
  EXPECT_THAT(simple.notes, ::testing::Contains("no trace has fewer different commands"));
}

TEST(Simplest, WaysIntoAStuckState) {
  const ModelPtr model = model_of(R"(mdp
module m
  x : [0..6];
  [one] x<4 -> (x'=x+1);
  [two] x=0 -> (x'=2);
  [lose] x=2 -> (x'=5);
  [stay] x=5 -> (x'=6);
endmodule
)");
  const CheckResult result = simplest(model, "A [ G (E [ F x=4 ]) ]");
  EXPECT_EQ(result.verdict, Verdict::violated);
  EXPECT_EQ(result.kinds, 2u);
  EXPECT_EQ(result.length, 2u);  // two or one, then lose; two is the shorter
  ASSERT_TRUE(result.trace->no_return.has_value());
  EXPECT_EQ(result.trace->no_return->step, 2u);
}

TEST(Simplest, NothingAtAllWhereTheStartIsEnough) {
  const CheckResult result = simplest(model_of(two_ways), "E [ F x=0 ]");
  EXPECT_EQ(result.kinds, 0u);
  EXPECT_EQ(result.length, 0u);
}

TEST(Simplest, AutoDoesNotTakeLengthForDisagreement) {
  CheckOptions options;
  options.simplest = true;
  const CheckResult result = testing::run(model_of(two_ways), "A [ G x<4 ]", "auto", options);
  EXPECT_EQ(result.verdict, Verdict::violated);
  EXPECT_EQ(result.length, 4u);
}

/// The fewest commands of this model with which `target` is reached, by trying all sets.
std::size_t by_enumeration(const StateGraph& graph, const StateSet& target, std::size_t commands) {
  Evaluator evaluator(graph.model());
  Expansion expansion;
  Valuation state;
  std::vector<std::uint64_t> words;
  std::size_t best = commands + 1;
  for (std::uint32_t mask = 0; mask < (1u << commands); ++mask) {
    std::vector<bool> seen(graph.size(), false);
    std::vector<std::uint32_t> queue{0};
    seen[0] = true;
    bool found = false;
    for (std::size_t head = 0; head < queue.size(); ++head) {
      found = found || target[queue[head]] != 0;
      graph.valuation(queue[head], state);
      EXPECT_FALSE(evaluator.successors(state, expansion));
      for (const Choice& choice : expansion.choices) {
        if ((mask >> expansion.commands_of(choice)[0] & 1) == 0) continue;
        const std::uint32_t to = graph.number_of(expansion.target(choice.first_branch), words);
        if (!seen[to]) queue.push_back(to);
        seen[to] = true;
      }
    }
    if (found) best = std::min<std::size_t>(best, static_cast<std::size_t>(std::popcount(mask)));
  }
  return best;
}

TEST(Simplest, AsFewAsByTryingAllSets) {
  std::mt19937 random(11);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  for (int round = 0; round < 60; ++round) {
    std::string text = "mdp\nmodule m\n x:[0..7]; y:[0..7];\n";
    constexpr std::size_t commands = 8;
    for (std::size_t c = 0; c < commands; ++c)
      text += " [] x=" + std::to_string(below(8)) + " | y<" + std::to_string(1 + below(3)) +
              " -> (x'=mod(x+" + std::to_string(below(3)) + ",8))&(y'=mod(y+" +
              std::to_string(below(3)) + ",8));\n";
    const ModelPtr model = model_of(text + "endmodule\n");
    const StateGraph graph(model, {});
    StateSet target(graph.size(), 0);
    target[graph.size() - 1] = 1;  // the state that is farthest away
    const auto run = simplest_run(graph, target, {});
    ASSERT_TRUE(run.has_value()) << text;
    EXPECT_TRUE(run->fewest);
    EXPECT_EQ(run->commands.size(), by_enumeration(graph, target, commands)) << text;
    const Trace trace = trace_of(graph, *run, "");
    Evaluator evaluator(model);
    EXPECT_TRUE(replay(trace, evaluator).has_value());
    for (const std::uint32_t c : commands_of(trace))
      EXPECT_THAT(run->commands, ::testing::Contains(c));
  }
}

}  // namespace
}  // namespace brink::solver
