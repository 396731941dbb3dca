// Claims for all values of constants, against what the models' own arguments say (each is a
// one-line proof by hand, given with it).
#include <gtest/gtest.h>

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
  expect_proved(for_all(page_frames, "A [ G buf<=N-MIN ]", {"N", "fix"}, "N>=8 & (fix=0 | fix=1)"));
  expect_proved(for_all(page_frames, "A [ G wb<=DMAX ]", {"N", "fix"}, "N>=8 & (fix=0 | fix=1)"));
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
  EXPECT_EQ(for_all(hysteresis, "A [ G (on => free+b<=N) ]", symbolic, marks).verdict,
            Verdict::violated);
}

}  // namespace
}  // namespace brink::solver
