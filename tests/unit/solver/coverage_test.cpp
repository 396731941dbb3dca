#include "solver/search/coverage.h"

#include "tests/unit/solver/models.h"

namespace brink::solver {
namespace {

// Worked out by hand: x goes 0, 1, 2 and back to 0; y counts to 1; nobody answers [alone], and the
// guard of [done] is true in no state.
TEST(Coverage, CommandsRangesModulesAndPremises) {
  const ModelPtr model = testing::model_of(R"(mdp
module a
  x : [0..5] init 0;
  [step] x<2 -> (x'=x+1);
  [] x=2 -> (x'=0);
  [alone] x=1 -> true;
  [done] x=3 -> true;
  [] x<6 -> true;
endmodule
module b
  y : [0..1] init 0;
  [step] true -> (y'=1);
  [alone] y>1 -> true;
endmodule
)");
  const StateGraph graph(model, {});
  const auto coverage = coverage_of(graph, {});
  ASSERT_TRUE(coverage);
  // (0,0) (1,1) (2,1) (0,1)
  EXPECT_EQ(coverage->states, 4u);
  const std::pair<std::uint64_t, std::uint64_t> expected[] = {{3, 3}, {1, 1}, {1, 0}, {0, 0},
                                                              {4, 4}, {4, 3}, {0, 0}};
  ASSERT_EQ(coverage->commands.size(), std::size(expected));
  for (std::size_t c = 0; c < std::size(expected); ++c) {
    EXPECT_EQ(coverage->commands[c].guard_true, expected[c].first) << c;
    EXPECT_EQ(coverage->commands[c].fired, expected[c].second) << c;
  }
  EXPECT_EQ(coverage->variables[0].low, 0);
  EXPECT_EQ(coverage->variables[0].high, 2);
  EXPECT_EQ(coverage->states_of_module, (std::vector<std::uint64_t>{3, 2}));

  const auto premise = [&](const char* text) {
    const PropertySet set = testing::properties_of(model, text);
    return vacuous_premise(graph, set, set.properties[0].root).value_or("");
  };
  EXPECT_EQ(premise("A [ G (x=3 => y=0) ]"), "x = 3");
  EXPECT_EQ(premise("A [ G (x=2 => y=1) ]"), "");
  EXPECT_EQ(premise("A [ G (x>2 => (F y=0)) ]"), "x>2");
  EXPECT_EQ(premise("A [ G x<3 ]"), "");
  EXPECT_EQ(premise("E [ F x=3 ]"), "");
}

}  // namespace
}  // namespace brink::solver
