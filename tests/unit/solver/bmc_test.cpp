#include "solver/symbolic/bmc.h"

#include <gmock/gmock.h>
#include <z3++.h>

#include "solver/symbolic/smt_watch.h"
#include "solver/symbolic/state_equation.h"
#include "tests/unit/solver/models.h"

namespace brink::solver {
namespace {

using testing::frames;
using testing::model_of;
using testing::run;

TEST(Bmc, ShortestTrace) {
  const CheckResult r = run(frames(8, 0), "A [ G !(free=0 & dirty=DMAX & anon>=HALF) ]", "bmc");
  EXPECT_EQ(r.verdict, Verdict::violated) << (r.notes.empty() ? "" : r.notes.front());
  EXPECT_EQ(r.length, 10u);  // N + DMAX
  EXPECT_EQ(run(frames(8, 0), "E [ F buf>KGOAL ]", "bmc").length, 2u);
}

TEST(Bmc, UndecidedAtTheBound) {
  CheckOptions options;
  options.limits.depth = 5;
  const CheckResult r = run(frames(8, 0), "A [ G wb<=DMAX ]", "bmc", options);
  EXPECT_EQ(r.verdict, Verdict::unknown);
  EXPECT_EQ(r.bound, 5u);
  EXPECT_THAT(r.notes, ::testing::Contains(::testing::HasSubstr("5 steps")));
}

TEST(Bmc, CompleteWhenNoNewStateFollows) {
  const ModelPtr model = model_of(
      "mdp\nmodule m\n x:[0..100];\n [] x<6 -> (x'=x+1);\n [] x=6 -> (x'=2);\nendmodule\n");
  const CheckResult r = run(model, "A [ G x<=6 ]", "bmc");
  EXPECT_EQ(r.verdict, Verdict::holds);
  EXPECT_EQ(r.bound, 6u);
  EXPECT_EQ(run(model, "E [ F x=7 ]", "bmc").verdict, Verdict::violated);
}

TEST(Bmc, RefutesDeepBecauseOfWhatMovesKeep) {
  // Without the sum, each depth has to refute by bits that more than N frames get into one counter.
  const CheckResult r = run(frames(24, 0), "A [ G !(free=0 & dirty=DMAX & anon>=HALF) ]", "bmc");
  EXPECT_EQ(r.length, 30u);
}

TEST(Bmc, SumsAreWrittenBesideTheInduction) {
  const CheckResult r = run(frames(8, 0), "A [ G dirty+wb<=DMAX ]", "induction");
  EXPECT_EQ(r.verdict, Verdict::holds);
  EXPECT_THAT(r.notes, ::testing::Contains(::testing::HasSubstr("with free+buf+page")));
  EXPECT_TRUE(r.assumptions.empty());
}

TEST(Bmc, SumOfWideAndNegativeRanges) {
  // a + 3 b = 5 is kept, with a far below zero; the last state is 4 moves away.
  const ModelPtr model = model_of(
      "mdp\nmodule m\n a:[-1000..1000] init 5;\n b:[-7..400] init 0;\n"
      " [] a>-7 & b<4 -> (a'=a-3)&(b'=b+1);\nendmodule\n");
  EXPECT_EQ(run(model, "A [ G b<4 ]", "bmc").length, 4u);
  EXPECT_EQ(run(model, "A [ G a+3*b=5 ]", "induction").verdict, Verdict::holds);
  EXPECT_EQ(run(model, "A [ G a+3*b=5 & a>-7 ]", "induction").verdict, Verdict::violated);
}

TEST(Bmc, MovesOutOfRangeAreStillFoundWhereTheSumIsKept) {
  const ModelPtr model = model_of(
      "mdp\nmodule m\n a:[0..3] init 3;\n b:[0..2] init 0;\n"
      " [] a>0 -> (a'=a-1)&(b'=b+1);\nendmodule\n");
  const CheckResult r = run(model, "A [ G a>=0 ]", "bmc");
  EXPECT_EQ(r.verdict, Verdict::model_error);
  EXPECT_EQ(r.length, 2u);
}

TEST(Abmc, StateEquationShowsThatNoTraceIsShorter) {
  const CheckResult r = run(frames(32, 0), "A [ G !(free=0 & dirty=DMAX & anon>=HALF) ]", "abmc");
  EXPECT_EQ(r.length, 40u);  // N + DMAX
  EXPECT_THAT(r.notes, ::testing::Contains("no trace is shorter (state equation)"));
}

TEST(Abmc, StateEquationBoundsTheLengthExactly) {
  const ModelPtr model = frames(32, 0);
  const PropertySet set =
      testing::properties_of(model, "A [ G !(free=0 & dirty=DMAX & anon>=HALF) ]");
  const Question question = ask(set, set.properties.front());
  CounterBuilder builder(question);
  const Dnf target = builder.target(form_of(question));
  const CounterSystem& system = builder.system();
  z3::context context;
  const SmtWatch watch(context, {});
  EXPECT_TRUE(no_run_below(context, watch, system, system.initial, target, 40));  // N + DMAX
  EXPECT_FALSE(no_run_below(context, watch, system, system.initial, target, 41));
}

TEST(Abmc, StateEquationLeavesOpenWhatGuardsLengthen) {
  // Two moves would do by the sums alone, but the guard asks for a detour over b = 2.
  const ModelPtr model = model_of(
      "mdp\nmodule m\n a:[0..1];\n b:[0..2];\n [] b=2 & a=0 -> (a'=1);\n [] b<2 -> (b'=b+1);\n"
      "endmodule\n");
  const CheckResult r = run(model, "A [ G a=0 ]", "abmc");
  EXPECT_EQ(r.length, 3u);
  EXPECT_THAT(r.notes, ::testing::Not(::testing::Contains(::testing::HasSubstr("equation"))));
}

TEST(Bmc, InductionProvesWithoutEnumerating) {
  // 10^27 states; the sum is 1-inductive.
  const ModelPtr model = model_of(R"(mdp
module m
  a : [0..1000000000] init 500000000;
  b : [0..1000000000] init 500000000;
  c : [0..1000000000];
  [ab] a>0 & b<1000000000 -> (a'=a-1)&(b'=b+1);
  [bc] b>1 & c<1000000000 -> (b'=b-1)&(c'=c+1);
  [ca] c>0 & a<1000000000 -> (c'=c-1)&(a'=a+1);
endmodule
)");
  const CheckResult r = run(model, "A [ G a+b+c=1000000000 ]", "induction");
  EXPECT_EQ(r.verdict, Verdict::holds);
  EXPECT_TRUE(r.assumptions.empty());  // the guards exclude erroneous moves by themselves
  CheckOptions options;
  options.limits.states = 1000;
  const CheckResult picked = run(model, "A [ G a+b+c=1000000000 ]", "auto", options);
  EXPECT_EQ(picked.verdict, Verdict::holds);
  EXPECT_EQ(picked.engine, "pdr");  // the sum is conserved, which is found before any search
}

TEST(Bmc, FindsDoomedStatesAndProvesThem) {
  const CheckResult r = run(frames(8, 0), "A [ G (E [ F buf>KGOAL ]) ]", "bmc");
  EXPECT_EQ(r.verdict, Verdict::violated);
  EXPECT_EQ(r.nested_length, 6u);  // N - MIN - KGOAL
  ASSERT_TRUE(r.trace && r.trace->no_return);
  EXPECT_EQ(r.trace->no_return->step, 6u);
}

TEST(Bmc, RecoverableIsProvedByPathSchemas) {
  const ModelPtr model = model_of(R"(mdp
module m
  x : [0..60000];
  y : bool;
  [up] x<60000 & !y -> (x'=x+1);
  [full] x>10 -> (y'=true);
  [drain] y -> (x'=0)&(y'=false);
endmodule
)");
  const CheckResult r = run(model, "A [ G (E [ F x=0 & !y ]) ]", "bmc");
  // From every x at most 11 steps up, then full, drain: one schema for each number of steps.
  EXPECT_EQ(r.verdict, Verdict::holds) << (r.notes.empty() ? "" : r.notes.front());
}

TEST(Bmc, RangeErrorsAreFound) {
  const ModelPtr bad =
      model_of(testing::batch_reclaim, {{"N", std::int64_t{16}}, {"bug", std::int64_t{1}}});
  const CheckResult r = run(bad, "E [ F free=0 ]", "bmc");
  EXPECT_EQ(r.verdict, Verdict::model_error);
  EXPECT_EQ(r.length, 1u);
  ASSERT_TRUE(r.trace && r.trace->fault);
  Session session(bad);
  EXPECT_EQ(check(session, ask_range(bad), "bmc").verdict, Verdict::violated);
  const ModelPtr good =
      model_of(testing::batch_reclaim, {{"N", std::int64_t{16}}, {"bug", std::int64_t{0}}});
  Session other(good);
  EXPECT_EQ(check(other, ask_range(good), "induction").verdict, Verdict::holds);
}

TEST(Bmc, TimeLimitEndsUndecided) {
  CheckOptions options;
  options.limits.seconds = 0.05;
  const CheckResult r =
      run(frames(64, 0), "A [ G !(free=0 & dirty=DMAX & anon>=HALF) ]", "bmc", options);
  EXPECT_EQ(r.verdict, Verdict::unknown);
  EXPECT_THAT(r.notes, ::testing::Contains(::testing::HasSubstr("time limit")));
  EXPECT_LT(r.seconds, 5);
}

TEST(Bmc, RefusesWhatItCannotEncode) {
  const ModelPtr model =
      model_of("mdp\nmodule m\n x:[0..5];\n [] mod(7,x+1)>0 -> (x'=0);\nendmodule\n");
  const CheckResult r = run(model, "A [ G x=0 ]", "bmc");
  EXPECT_EQ(r.verdict, Verdict::unsupported);
  EXPECT_THAT(r.notes, ::testing::Contains(::testing::HasSubstr("mod by a value")));
}

TEST(Engines, TableIsUsable) {
  for (const EngineInfo& row : engines()) {
    EXPECT_EQ(find_engine(row.name), &row);
    EXPECT_FALSE(row.summary.empty());
  }
  EXPECT_EQ(find_engine("spin"), nullptr);
}

}  // namespace
}  // namespace brink::solver
