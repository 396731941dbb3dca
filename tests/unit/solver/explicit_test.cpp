#include "solver/search/explicit.h"

#include <gmock/gmock.h>

#include "tests/unit/solver/models.h"

namespace brink::solver {
namespace {

using testing::frames;
using testing::model_of;
using testing::run;

// Counts of page_frames: equal in spin, rumur, PRISM and two explorers (case list page-frames).
TEST(Explicit, PageFramesCounts) {
  const CheckResult r = run(frames(16, 0), "A [ G free+buf+page+anon+dirty+wb=N ]");
  EXPECT_EQ(r.verdict, Verdict::holds);
  EXPECT_EQ(r.states, 9150u);
  EXPECT_EQ(r.transitions, 53433u);
  EXPECT_FALSE(r.trace);
}

TEST(Explicit, ShortestTraceToTheCrunch) {
  const CheckResult r = run(frames(16, 0), "A [ G !(free=0 & dirty=DMAX & anon>=HALF) ]");
  EXPECT_EQ(r.verdict, Verdict::violated);
  ASSERT_TRUE(r.trace);
  EXPECT_EQ(r.length, 20u);  // N + DMAX
  EXPECT_EQ(r.trace->length(), 20u);
  EXPECT_EQ(r.trace->state(20)[0], 0);
  EXPECT_EQ(r.trace->state(20)[4], 4);
}

TEST(Explicit, PointOfNoReturnOfTheBufferCache) {
  const CheckResult r = run(frames(16, 0), "A [ G (E [ F buf>KGOAL ]) ]");
  EXPECT_EQ(r.verdict, Verdict::violated);
  ASSERT_TRUE(r.doomed && r.trace && r.trace->no_return);
  EXPECT_EQ(r.doomed->count, 2145u);  // stuck states, same sources
  EXPECT_GE(r.doomed->traps, 1u);
  EXPECT_EQ(r.nested_length, r.length);
  // Doomed are the states with free+buf <= MIN+KGOAL and buf <= KGOAL; N-MIN-KGOAL steps lead in.
  EXPECT_EQ(r.length, 12u);
  EXPECT_EQ(r.trace->no_return->step, 12u);
  EXPECT_EQ(r.trace->no_return->goal, "buf>KGOAL");
  // Just before, free+buf = 5, free > MIN = 2: only bgrow keeps their sum, if room for it was left.
  EXPECT_GE(r.trace->no_return->ways_back, 1u);
  EXPECT_EQ(run(frames(16, 1), "A [ G (E [ F buf>KGOAL ]) ]").verdict, Verdict::holds);
}

TEST(Explicit, WaysBackAreCounted) {
  // At x=1 two commands lead on to the goal and one into the pit.
  const ModelPtr model = model_of(R"(mdp
module m
  x : [0..4];
  [go] x=0 -> (x'=1);
  [slip] x=1 -> (x'=4);
  [walk] x=1 -> (x'=2);
  [run] x=1 -> (x'=3);
  [on] x=2 | x=3 -> (x'=0);
  [stay] x=4 -> true;
endmodule
)");
  const CheckResult r = run(model, "A [ G (E [ F x=2 ]) ]");
  EXPECT_EQ(r.verdict, Verdict::violated);
  ASSERT_TRUE(r.trace && r.trace->no_return && r.doomed);
  EXPECT_EQ(r.trace->no_return->step, 2u);
  EXPECT_EQ(r.trace->no_return->ways_back, 2u);
  EXPECT_EQ(r.doomed->count, 1u);
  EXPECT_EQ(r.doomed->traps, 1u);
  EXPECT_EQ(r.doomed->smallest_trap, 1u);
}

TEST(Explicit, ReachableRangeErrorIsAModelErrorWithItsTrace) {
  const ModelPtr bad =
      model_of(testing::batch_reclaim, {{"N", std::int64_t{4}}, {"bug", std::int64_t{1}}});
  for (const char* property : {"A [ G free<=N ]", "E [ F free=0 ]", "E [ F \"deadlock\" ]"}) {
    const CheckResult r = run(bad, property);
    EXPECT_EQ(r.verdict, Verdict::model_error) << property;
    ASSERT_TRUE(r.trace && r.trace->fault && r.error);
    EXPECT_EQ(r.length, 1u);  // alloc, then batch at free=N-1
  }
  Session session(bad);
  const CheckResult range = check(session, ask_range(bad), "explicit");
  EXPECT_EQ(range.verdict, Verdict::violated);
  const ModelPtr good =
      model_of(testing::batch_reclaim, {{"N", std::int64_t{4}}, {"bug", std::int64_t{0}}});
  Session other(good);
  EXPECT_EQ(check(other, ask_range(good), "explicit").verdict, Verdict::holds);
}

TEST(Explicit, SeveralInitialStates) {
  const ModelPtr model = model_of(R"(mdp
module m
  x : [0..5];
  [up] x>=3 & x<5 -> (x'=x+1);
endmodule
init x=0 | x=3 endinit
)");
  EXPECT_EQ(run(model, "E [ F x=5 ]").verdict, Verdict::violated);  // not from x=0
  EXPECT_EQ(run(model, "E [ F x=5 | x=0 ]").verdict, Verdict::holds);
  const CheckResult r = run(model, "A [ G x<4 ]");
  EXPECT_EQ(r.verdict, Verdict::violated);
  EXPECT_EQ(r.length, 1u);
  EXPECT_EQ(run(model, "A [ G (\"init\" => x=0 | x=3) ]").verdict, Verdict::holds);
}

TEST(Explicit, DeadlockLabel) {
  const ModelPtr model = model_of("mdp\nmodule m\n x:[0..3];\n [] x<3 -> (x'=x+1);\nendmodule\n");
  const CheckResult r = run(model, "E [ F \"deadlock\" ]");
  EXPECT_EQ(r.verdict, Verdict::holds);
  EXPECT_EQ(r.length, 3u);
  // The repair: a deadlocked state repeats itself, and says so.
  const CheckResult always = run(model, "A [ F (A [ G x=3 ]) ]");
  EXPECT_EQ(always.verdict, Verdict::holds);
  EXPECT_THAT(always.assumptions, ::testing::Contains(::testing::HasSubstr("deadlock")));
}

TEST(Explicit, LassosRepeatForEver) {
  const ModelPtr model = model_of(R"(mdp
module m
  x : [0..3];
  [a] x<2 -> (x'=x+1);
  [b] x=2 -> (x'=1);
  [c] x=2 -> (x'=3);
endmodule
)");
  const CheckResult r = run(model, "A [ F x=3 ]");
  EXPECT_EQ(r.verdict, Verdict::violated);
  ASSERT_TRUE(r.trace && r.trace->loop_to);
  EXPECT_EQ(r.trace->state(*r.trace->loop_to), r.trace->state(r.trace->length()));
  const CheckResult stuck = run(model, "E [ G x<=2 ]");
  EXPECT_EQ(stuck.verdict, Verdict::holds);
  EXPECT_TRUE(stuck.trace && stuck.trace->loop_to);
}

TEST(Explicit, LimitsEndUndecidedWithWhatIsKnown) {
  CheckOptions options;
  options.limits.states = 100;
  const CheckResult r = run(frames(16, 0), "A [ G wb<=DMAX ]", "explicit", options);
  EXPECT_EQ(r.verdict, Verdict::unknown);
  EXPECT_THAT(r.notes, ::testing::Contains(::testing::HasSubstr("limit of 100 states")));
  // A violation that was seen is a violation.
  const CheckResult near = run(frames(16, 0), "A [ G buf<2 ]", "explicit", options);
  EXPECT_EQ(near.verdict, Verdict::violated);
  EXPECT_EQ(near.length, 2u);
}

TEST(Explicit, StopFlag) {
  const std::atomic<bool> stop{true};
  CheckOptions options;
  options.limits.stop = &stop;
  const CheckResult r = run(frames(16, 0), "A [ G wb<=DMAX ]", "explicit", options);
  EXPECT_EQ(r.verdict, Verdict::unknown);
  EXPECT_THAT(r.notes, ::testing::Contains(::testing::HasSubstr("interrupted")));
}

TEST(Explicit, UnsupportedIsNamed) {
  const ModelPtr model = frames(8, 0);
  const std::pair<const char*, const char*> cases[] = {
      {"Pmax=? [ F buf>1 ]", "operator P"},
      {"filter(count, buf>1)", "filter(count"},
  };
  for (const auto& [property, reason] : cases) {
    const CheckResult r = run(model, property);
    EXPECT_EQ(r.verdict, Verdict::unsupported) << property;
    EXPECT_THAT(r.notes, ::testing::Contains(::testing::HasSubstr(reason))) << property;
  }
}

TEST(Explicit, ParallelModulesSynchronise) {
  const ModelPtr model = model_of(R"(mdp
module a
  x : [0..2];
  [go] x<2 -> (x'=x+1);
endmodule
module b
  y : [0..2] init 1;
  [go] y<2 -> 0.5:(y'=y+1) + 0.5:true;
endmodule
)");
  const CheckResult r = run(model, "A [ G x<2 ]");
  EXPECT_EQ(r.verdict, Verdict::violated);
  EXPECT_EQ(r.length, 2u);
  // (0,1) (1,1) (1,2) (2,1) (2,2)
  EXPECT_EQ(r.states, 5u);
}

}  // namespace
}  // namespace brink::solver
