// Random walks: what they meet is a run, and nothing is ever proved.
#include "solver/search/walk.h"

#include <gmock/gmock.h>

#include "tests/unit/solver/models.h"

namespace brink::solver {
namespace {

using testing::model_of;
using testing::run;

/// 10^30 states; each counter leaves 0 at once, and stays below 1000 until it is put back.
const char* const wide = R"(mdp
module m
  a : [0..1000000000];
  b : [0..1000000000];
  c : [0..1000000000];
  [] a<1000000000 -> (a'=a+1);
  [] b<1000000000 -> (b'=b+1);
  [] c<1000000000 -> (c'=c+1);
  [] a>100 -> (a'=0);
endmodule
)";

TEST(Walk, MeetsWhatIsCommon) {
  const CheckResult result = run(model_of(wide), "A [ G a+b<90 ]", "walk");
  EXPECT_EQ(result.verdict, Verdict::violated);
  ASSERT_TRUE(result.trace.has_value());
  EXPECT_GE(*result.length, 90u);
  EXPECT_EQ(run(model_of(wide), "E [ F c>30 ]", "walk").verdict, Verdict::holds);
}

TEST(Walk, IsTheSameEveryTime) {
  const CheckResult first = run(model_of(wide), "A [ G a+b<90 ]", "walk");
  EXPECT_EQ(first.trace, run(model_of(wide), "A [ G a+b<90 ]", "walk").trace);
}

TEST(Walk, ProvesNothing) {
  CheckOptions options;
  options.limits.states = 10'000;
  const CheckResult result = run(model_of(wide), "A [ G a<=1000000000 ]", "walk", options);
  EXPECT_EQ(result.verdict, Verdict::unknown);
  EXPECT_THAT(result.notes, ::testing::Contains(::testing::HasSubstr("nothing met in")));
}

TEST(Walk, MovesInErrorEndIt) {
  const ModelPtr model = model_of(
      "mdp\nmodule m\n x:[0..9];\n [] true -> (x'=x+1);\n [] x>0 -> (x'=x-1);\nendmodule\n");
  const CheckResult result = run(model, "A [ G x>=0 ]", "walk");
  EXPECT_EQ(result.verdict, Verdict::model_error);
  EXPECT_EQ(result.length, 9u);  // up only, once the ways back and forth are cut out
}

TEST(Walk, ComesBeforeTheSymbolicEngines) {
  CheckOptions options;
  options.limits.states = 1000;
  options.limits.seconds = 10;
  const CheckResult result = run(model_of(wide), "A [ G a*b<2000 ]", "auto", options);
  EXPECT_EQ(result.verdict, Verdict::violated);
  EXPECT_EQ(result.engine, "walk");
}

}  // namespace
}  // namespace brink::solver
