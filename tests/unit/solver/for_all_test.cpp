// Claims for all values of constants, against what the models' own arguments say (each is a
// one-line proof by hand, given with it).
#include <gtest/gtest.h>

#include "solver/for_all/finite_trap.h"
#include "solver/for_all/obligations.h"
#include "tests/unit/solver/proofs.h"

namespace brink::solver {
namespace {

using testing::buffer_guard;
using testing::for_all;
using testing::hysteresis;
using testing::notes_of;
using testing::page_frames;

const std::string sane = "N>=1 & 0<=guard & guard<N & 0<=high & high<=N";

/// The verdict holds, with a certificate whose obligations a fresh Z3 answers again.
void expect_proved(const CheckResult& result) {
  EXPECT_EQ(result.verdict, Verdict::holds) << notes_of(result);
  ASSERT_TRUE(result.certificate.has_value()) << notes_of(result);
  EXPECT_TRUE(answer_by_z3(*result.certificate, 10).all_unsat());
}

TEST(ForAll, GrowthStopsAtTheGuard) {  // grow leaves free >= guard, the rest of N is not buffers
  expect_proved(for_all(buffer_guard, "A [ G buf<=N-guard ]", {"N", "guard", "high"}, sane));
}

TEST(ForAll, OneLessIsViolatedWithTheSmallestConstants) {
  const CheckResult result =
      for_all(buffer_guard, "A [ G buf<N-guard ]", {"N", "guard", "high"}, sane);
  ASSERT_EQ(result.verdict, Verdict::violated) << notes_of(result);
  EXPECT_EQ(result.length, 1u);  // N = 1, guard = 0: one grow
}

TEST(ForAll, RecoverableExactlyWhenReclaimPassesTheGuard) {
  const std::string property = "A [ G (E [ F free>guard ]) ]";
  expect_proved(for_all(buffer_guard, property, {"N", "guard", "high"}, sane + " & guard<high"));
  const CheckResult stuck =
      for_all(buffer_guard, property, {"N", "guard", "high"}, sane + " & guard>=high");
  EXPECT_EQ(stuck.verdict, Verdict::violated) << notes_of(stuck);
  // Not for some values: for all of them.
  EXPECT_EQ(stuck.for_all, "(" + sane + " & guard>=high)") << notes_of(stuck);
  ASSERT_TRUE(stuck.certificate.has_value());
  EXPECT_TRUE(answer_by_z3(*stuck.certificate, 10).all_unsat());
}

TEST(ForAll, TheLostStateIsReachedForAllMemorySizes) {
  expect_proved(for_all(buffer_guard, "E [ F (A [ G free<=guard ]) ]", {"N", "guard", "high"},
                        sane + " & guard>=high"));
}

TEST(ForAll, RoundedConstants) {  // MIN = floor(N/8), DMAX = floor(N/4) stay exact for every N
  for (const char* property : {"A [ G buf<=N-MIN ]", "A [ G wb<=DMAX ]"})
    expect_proved(
        for_all(page_frames, property, {"N", "fix"}, "N>=8 & (fix=0 | fix=1)", "auto", 90));
}

TEST(ForAll, WithoutAssumptionsIllegalConstantsDoNotCount) {
  // N < 0 has an empty range, so it is no model. (guard < 0 would be: grow then takes what is not
  // there, a range error.)
  const CheckResult result = for_all(buffer_guard, "A [ G free+buf+page=N ]",
                                     {"N", "guard", "high"}, "guard>=0 & high<=N");
  expect_proved(result);
}

TEST(ForAll, ARangeErrorIsNoProof) {
  const CheckResult result =
      for_all(testing::batch_reclaim, "A [ G free>=0 ]", {"N", "bug"}, "N>=3 & (bug=0 | bug=1)");
  EXPECT_EQ(result.verdict, Verdict::model_error) << notes_of(result);
  expect_proved(for_all(testing::batch_reclaim, "A [ G free>=0 ]", {"N", "bug"}, "N>=3 & bug=0"));
}

TEST(ForAll, FlagsAndMarks) {  // set on the way down, cleared at high
  const std::vector<std::string> symbolic = {"N", "low", "high", "b"};
  const std::string marks = "N>=1 & 0<=low & low<=high & high<=N & b>=1";
  expect_proved(for_all(hysteresis, "A [ G (!on => free>=low) ]", symbolic, marks));
  expect_proved(for_all(hysteresis, "A [ G (on => free<high) ]", symbolic, marks));
  // Without a free page only a batch is possible, and it fits.
  expect_proved(for_all(hysteresis, "A [ G (free=0 => A [ F free>0 ]) ]", symbolic,
                        marks + " & low>0 & b<=N"));
  EXPECT_EQ(for_all(hysteresis, "A [ G (on => free+b<=N) ]", symbolic, marks).verdict,
            Verdict::violated);
}

TEST(ForAll, OneStepAhead) {
  const std::vector<std::string> symbolic = {"N", "guard", "high"};
  // From no free page only a page that is given back leads on; with high = 0 nothing does.
  expect_proved(for_all(buffer_guard, "A [ G (free=0 => A [ X free<=1 ]) ]", symbolic, sane));
  expect_proved(for_all(buffer_guard, "A [ G (free>guard => E [ X buf>0 ]) ]", symbolic, sane));
  expect_proved(
      for_all(buffer_guard, "A [ G (free=0 => E [ X free>0 ]) ]", symbolic, sane + " & high>0"));
  EXPECT_EQ(for_all(buffer_guard, "A [ G (free=0 => E [ X free>0 ]) ]", symbolic, sane).verdict,
            Verdict::violated);
  expect_proved(for_all(buffer_guard, "E [ F (A [ X free=0 ]) ]", symbolic, sane + " & high=0"));
}

/// A hand that turns in five moves; one of them counts when it is switched on, which forgets.
const char* const hand = R"(mdp
const int N;
module m
  on : bool init false;
  h : [0..4] init 0;
  x : [0..N] init 0;
  turned : bool init false;
  [arm] !on -> (on'=true)&(x'=0);
  [up] on & h=0 & x<N -> (x'=x+1)&(h'=1);
  [full] on & h=0 & x=N -> (h'=1);
  [t1] h=1 -> (h'=2)&(turned'=true);
  [t2] h=2 -> (h'=3);
  [t3] h=3 -> (h'=4);
  [t4] h=4 -> (h'=0);
endmodule
)";

TEST(ForAll, AFifthMoveCounts) {  // no short cycle counts; it does once on, whatever the hand
  expect_proved(for_all(hand, "E [ F on & x=N ]", {"N"}, "N>=0"));
}

TEST(ForAll, ALongCycleGoesRoundForEver) {
  expect_proved(for_all(hand, "E [ F (E [ G x=N ]) ]", {"N"}, "N>=0"));
  // The hand passes 4 on every round.
  EXPECT_EQ(for_all(hand, "E [ F (E [ G (x=N & h<4) ]) ]", {"N"}, "N>=1").verdict,
            Verdict::violated);
}

TEST(ForAll, ARankingOfTwoComponents) {  // y falls, or x falls and y starts again at N
  const char* const clock = R"(mdp
const int N;
module m
  x : [0..N] init N;
  y : [0..N] init N;
  [minute] y>0 -> (y'=y-1);
  [hour] y=0 & x>0 -> (x'=x-1)&(y'=N);
endmodule
)";
  expect_proved(for_all(clock, "A [ F x=0 & y=0 ]", {"N"}, "N>=0"));
}

TEST(ForAll, FromSomeValueOn) {  // x reaches 5 from N = 5 on
  const char* const needs = R"(mdp
const int N;
module m
  x : [0..N] init 0;
  [up] x<N -> (x'=x+1);
  [down] x>0 -> (x'=x-1);
endmodule
)";
  const CheckResult result = for_all(needs, "E [ F x=5 ]", {"N"}, "N>=1");
  EXPECT_EQ(result.verdict, Verdict::violated) << notes_of(result);
  EXPECT_EQ(result.holds_from, "N>=5") << notes_of(result);
}

/// guard = high = 2, so that a full memory stays full; N is open.
std::string filled() {
  std::string text = buffer_guard;
  for (const char* name : {"guard", "high"}) {
    const std::string open = std::string("const int ") + name + ";";
    text.replace(text.find(open), open.size(), std::string("const int ") + name + " = 2;");
  }
  return text;
}

TEST(FiniteTrap, WhatFollowsWithoutTheLargeCounter) {
  auto file = parse_model(make_source("test.prism", filled()));
  InstantiateOptions options;
  options.symbolic = {"N"};
  auto model = instantiate(*file, {}, options);
  const PropertySet set = testing::properties_of(*model, "A [ G (E [ F free>guard ]) ]");
  const Question question = ask(set, set.properties.front());
  CounterBuilder builder(question);
  const Dnf goal = builder.formula(form_of(question).body, true);
  const auto no_pages = [](const FiniteTrap& trap) { return trap.dropped == "page, N"; };
  const auto any = [](const FiniteTrap&) { return true; };
  const auto trap = find_finite_trap(builder.system(), goal, {2, 0, 5}, {}, no_pages);
  ASSERT_TRUE(trap.has_value());
  EXPECT_EQ(trap->states.size(), 3u);  // free = 2, 1, 0 and no buffers
  EXPECT_FALSE(find_finite_trap(builder.system(), goal, {3, 0, 5}, {}, any).has_value());
  const auto instance = instance_of(question, {9});
  ASSERT_TRUE(instance.has_value());
  EXPECT_EQ(stays_in(*trap, instance->question, {2, 0, 7}), true);
  EXPECT_EQ(stays_in(*trap, instance->question, {4, 0, 5}), false);
}

TEST(FiniteTrap, MemoriesTooLargeToEnumerate) {
  const CheckResult result =
      for_all(filled(), "A [ G (E [ F free>guard ]) ]", {"N"}, "N>=1000", "auto", 40);
  EXPECT_EQ(result.verdict, Verdict::violated) << notes_of(result);
  EXPECT_EQ(result.for_all, "(N>=1000)") << notes_of(result);
  ASSERT_TRUE(result.certificate.has_value());
  EXPECT_TRUE(answer_by_z3(*result.certificate, 10).all_unsat());
}

TEST(ForAll, AnObligationForEveryMove) {  // start, four moves, goal
  const CheckResult result =
      for_all(buffer_guard, "A [ G buf<=N-guard ]", {"N", "guard", "high"}, sane);
  ASSERT_TRUE(result.certificate.has_value());
  EXPECT_EQ(answer_by_z3(*result.certificate, 10).queries, 6u);
}

}  // namespace
}  // namespace brink::solver
