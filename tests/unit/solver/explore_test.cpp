// The parts of the search: arrays, parents, watches, early ends, limits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "solver/session.h"
#include "tests/unit/solver/models.h"

namespace brink::solver {
namespace {

using testing::model_of;
using testing::properties_of;

TEST(BigArray, KeepsItsElementsWhileItGrowsAndNewOnesAreZero) {
  BigArray<std::uint64_t> array;
  for (std::uint64_t i = 0; i < 3'000'000; ++i) array.push_back(i * i);  // heap, then mapped
  array.resize(4'000'000);
  for (std::uint64_t i = 0; i < 3'000'000; ++i) ASSERT_EQ(array[i], i * i);
  for (std::uint64_t i = 3'000'000; i < array.size(); ++i) ASSERT_EQ(array[i], 0u);
  EXPECT_GE(array.bytes(), array.size() * 8);
  EXPECT_LE(array.bytes(), array.size() * 8 * 5 / 4);
}

TEST(ParentList, GivesBackWhatWasAppended) {
  std::mt19937 random(3);
  std::vector<std::uint32_t> parents;
  ParentList list;
  std::uint32_t parent = 0;
  for (int i = 0; i < 100'000; ++i) {
    if (random() % 3 == 0) parent += random() % 4;
    if (random() % 5000 == 0) parent += random() % 100'000;  // long runs without children
    parents.push_back(parent);
    list.append(parent);
  }
  ASSERT_EQ(list.size(), parents.size());
  for (std::uint32_t i = 0; i < list.size(); ++i) ASSERT_EQ(list[i], parents[i]);
}

/// 10^9 states; every one is reachable.
const char* const huge = R"(mdp
module m
  a : [0..999];
  b : [0..999];
  c : [0..999];
  [] a<999 -> (a'=a+1);
  [] b<999 -> (b'=b+1);
  [] c<999 -> (c'=c+1);
endmodule
)";

TEST(EarlyEnd, AShortViolationOfAHugeModelIsFound) {
  const ModelPtr model = model_of(huge);
  for (const char* property : {"A [ G a+b+c<5 ]", "E [ F a+b+c=5 ]"}) {
    const CheckResult r = testing::run(model, property);
    EXPECT_EQ(r.verdict, property[0] == 'A' ? Verdict::violated : Verdict::holds);
    EXPECT_EQ(r.length, 5u);
    EXPECT_LT(r.states, 2'000'000u);
    EXPECT_GE(r.states, kPatience);
    EXPECT_THAT(r.notes, ::testing::Contains(::testing::HasSubstr("not excluded")));
  }
}

TEST(EarlyEnd, ErroneousMovesOfASmallModelAreStillReported) {
  const ModelPtr model = model_of(R"(mdp
module m
  x : [0..100];
  [] true -> (x'=x+1);
endmodule
)");
  const CheckResult r = testing::run(model, "A [ G x<5 ]");
  EXPECT_EQ(r.verdict, Verdict::model_error);
  EXPECT_EQ(r.length, 100u);
}

TEST(EarlyEnd, TheNextQuestionGoesOnWhereTheLastOneEnded) {
  const ModelPtr model = model_of(huge);
  const PropertySet set = properties_of(model, "A [ G a<3 ]; A [ G b<200 ]; A [ G a+b+c<4 ];");
  CheckOptions options;
  options.limits.states = 3'000'000;
  Session session(model, options);
  const auto ask_nth = [&](std::size_t i) {
    return check(session, ask(set, set.properties[i]), "explicit");
  };
  const CheckResult first = ask_nth(0);
  EXPECT_EQ(first.length, 3u);
  const CheckResult second = ask_nth(1);  // needs more states
  EXPECT_EQ(second.verdict, Verdict::violated);
  EXPECT_EQ(second.length, 200u);
  EXPECT_GT(second.states, first.states);
  const CheckResult third = ask_nth(2);  // has been seen already
  EXPECT_EQ(third.length, 4u);
  EXPECT_EQ(third.states, second.states);
}

TEST(EarlyEnd, DeadlocksAndInitialStatesAreWatched) {
  const ModelPtr model = model_of(R"(mdp
module m
  x : [0..9];
  [] x<7 -> (x'=x+1);
endmodule
)");
  EXPECT_EQ(testing::run(model, "E [ F \"deadlock\" ]").length, 7u);
  EXPECT_EQ(testing::run(model, "A [ G !\"deadlock\" ]").length, 7u);
  EXPECT_EQ(testing::run(model, "A [ G (\"init\" | x>1) ]").length, 1u);
}

TEST(EarlyEnd, APropertyThatCannotBeEvaluatedIsAnError) {
  const ModelPtr model = model_of(R"(mdp
module m
  x : [0..9];
  [] x<7 -> (x'=x+1);
endmodule
)");
  const CheckResult r = testing::run(model, "A [ G mod(5,7-x)<5 ]");
  EXPECT_EQ(r.verdict, Verdict::model_error);
  EXPECT_EQ(testing::run(model, "A [ G (x=7 | mod(5,7-x)<5) ]").verdict, Verdict::violated);
}

TEST(SearchLimits, MemoryIsNotExceeded) {
  CheckOptions options;
  for (const std::uint64_t most : {std::uint64_t{1} << 20, std::uint64_t{40} << 20}) {
    options.limits.bytes = most;
    const CheckResult r = testing::run(model_of(huge), "A [ G a+b+c<2000 ]", "explicit", options);
    EXPECT_EQ(r.verdict, Verdict::unknown);
    EXPECT_LE(r.bytes, most + most / 16);  // parents come on top
    EXPECT_GE(r.bytes, most / 4);
    EXPECT_THAT(r.notes, ::testing::Contains(::testing::HasSubstr("memory limit")));
  }
}

TEST(SearchLimits, FewBytesAState) {
  // Without moves: 8 of the packed state, 4 for each slot of a table at least two fifths full,
  // parents.
  const StateGraph graph(testing::frames(32, 0), {}, {.edges = false});
  EXPECT_EQ(graph.size(), 179'611u);  // as in spin and rumur
  EXPECT_EQ(graph.transitions(), 1'193'345u);
  EXPECT_LE(graph.bytes(), graph.size() * std::uint64_t{24});
}

TEST(SearchLimits, ThreadsDoNotShow) {
  Limits limits;
  const StateGraph one(testing::frames(24, 0), limits);
  limits.threads = 2;
  const StateGraph two(testing::frames(24, 0), limits);
  ASSERT_EQ(one.size(), 50'505u);
  ASSERT_EQ(two.size(), one.size());
  EXPECT_EQ(two.transitions(), one.transitions());
  for (std::uint32_t s = 0; s < one.size(); ++s) {
    ASSERT_TRUE(std::ranges::equal(one.successors(s), two.successors(s)));
    ASSERT_EQ(one.depth(s), two.depth(s));
  }
}

}  // namespace
}  // namespace brink::solver
