// Formulas from samples, and regions of settings with both proofs. The regions of these small
// policies are argued by hand in one line each.
#include "solver/for_all/region.h"

#include <gtest/gtest.h>

#include "solver/for_all/obligations.h"
#include "tests/unit/solver/proofs.h"

namespace brink::solver {
namespace {

using testing::buffer_guard;
using testing::hysteresis;

std::vector<Sample> grid(std::int64_t low, std::int64_t high,
                         const std::function<bool(std::int64_t, std::int64_t)>& holds) {
  std::vector<Sample> out;
  for (std::int64_t a = low; a <= high; ++a)
    for (std::int64_t b = low; b <= high; ++b) out.push_back({{a, b}, holds(a, b), false});
  return out;
}

std::string learned(const std::vector<Sample>& samples) {
  const auto guesses = learn(samples, {false, false}, Atoms::all, 1);
  return guesses.empty() ? "none" : print(guesses.front().inside, {"a", "b"}, {false, false});
}

TEST(Learn, OneAtom) {
  EXPECT_EQ(learned(grid(0, 6, [](auto a, auto b) { return a < b; })), "a<b");
  EXPECT_EQ(learned(grid(0, 6, [](auto a, auto) { return a >= 3; })), "a>=3");
  EXPECT_EQ(learned(grid(0, 6, [](auto a, auto b) { return a + 2 <= b; })), "a+2<=b");
  EXPECT_EQ(learned(grid(0, 6, [](auto a, auto b) { return a <= 2 * b; })), "a<=2*b");
}

TEST(Learn, EverythingAndNothing) {
  EXPECT_EQ(learned(grid(0, 3, [](auto, auto) { return true; })), "true");
  EXPECT_EQ(learned(grid(0, 3, [](auto, auto) { return false; })), "false");
}

TEST(Learn, TwoAndThreeAtoms) {
  for (const auto& holds : std::vector<std::function<bool(std::int64_t, std::int64_t)>>{
           [](auto a, auto b) { return a >= 2 && b >= 3; },
           [](auto a, auto b) { return a == 0 || b >= 4; },
           [](auto a, auto b) { return a >= 1 && (b >= 4 || a >= b); },
           [](auto a, auto b) { return a == 0 || (b >= 2 && a < b); }}) {
    const auto samples = grid(0, 6, holds);
    const auto guesses = learn(samples, {false, false}, Atoms::all, 4);
    ASSERT_FALSE(guesses.empty());
    for (const Guess& guess : guesses)
      for (const Sample& s : samples) EXPECT_EQ(guess.contains(s.values), s.holds);
  }
}

TEST(Learn, TheOutsideIsTheComplement) {
  const auto guesses = learn(grid(0, 5, [](auto a, auto b) { return a == 0 || (b >= 2 && a < b); }),
                             {false, false}, Atoms::all, 3);
  ASSERT_FALSE(guesses.empty());
  for (const Guess& guess : guesses)
    for (std::int64_t a = -3; a < 9; ++a)
      for (std::int64_t b = -3; b < 9; ++b) {
        const Guess outside{guess.outside, guess.inside, 0};
        EXPECT_NE(guess.contains({a, b}), outside.contains({a, b})) << a << " " << b;
      }
}

TEST(Learn, WhatNoFormulaSaysIsNotSaid) {  // a checkerboard
  EXPECT_EQ(learned(grid(0, 6, [](auto a, auto b) { return (a + b) % 2 == 0; })), "none");
}

TEST(Learn, Switches) {
  std::vector<Sample> samples;
  for (std::int64_t a = 0; a < 2; ++a)
    for (std::int64_t b = 0; b < 5; ++b) samples.push_back({{a, b}, a == 0 && b >= 2, false});
  const auto guesses = learn(samples, {true, false}, Atoms::all, 1);
  ASSERT_EQ(guesses.size(), 1u);
  EXPECT_EQ(print(guesses.front().inside, {"fast", "b"}, {true, false}), "!fast & b>=2");
}

Region region_of(const std::string& model_text, const std::string& property,
                 const std::vector<std::string>& symbolic, const std::string& assumption) {
  auto file = parse_model(make_source("test.prism", model_text));
  InstantiateOptions options;
  options.symbolic = symbolic;
  auto model = instantiate(*file, {}, options);
  auto set = with_assumptions(testing::properties_of(*model, property), {assumption});
  Limits limits;
  limits.seconds = 40;
  return synthesize(ask(*set, set->properties.front()), limits);
}

const std::string sane = "N>=1 & 0<=guard & guard<N & 0<=high & high<=N";

void expect_region(const Region& region, const std::string& formula) {
  std::string notes;
  for (const std::string& note : region.notes) notes += note + "\n";
  ASSERT_TRUE(region.formula.has_value()) << notes;
  EXPECT_EQ(*region.formula, formula) << notes;
  EXPECT_TRUE(region.proved()) << notes;
  EXPECT_TRUE(answer_by_z3(region.certificate, 10).all_unsat());
}

TEST(Regions, ReclaimMustPassTheGuard) {  // free rises to high at most, growth needs free > guard
  const Region region =
      region_of(buffer_guard, "A [ G (E [ F free>guard ]) ]", {"N", "guard", "high"}, sane);
  expect_region(region, "guard<high");
  ASSERT_TRUE(region.tight.has_value());
  EXPECT_EQ(*region.tight, (std::vector<std::int64_t>{1, 0, 0}));
  EXPECT_EQ(region.tight_result.verdict, Verdict::violated);
  ASSERT_TRUE(region.tight_result.trace.has_value());
  EXPECT_EQ(region.tight_result.trace->length(), 1u);  // one page is read: free = 0 for good
}

TEST(Regions, BatchesThatFit) {  // with low > 0 reclaim is switched on, and b frames must fit
  expect_region(region_of(hysteresis, "A [ G (on => E [ F !on ]) ]", {"N", "low", "high", "b"},
                          "N>=1 & 0<=low & low<=high & high<=N & b>=1"),
                "low=0 | b<=N");
}

TEST(Regions, ErrorsOfTheModelCountAsViolated) {  // bug = 1 gives back one frame too many
  expect_region(
      region_of(testing::batch_reclaim, "A [ G free>=0 ]", {"N", "bug"}, "N>=3 & (bug=0 | bug=1)"),
      "bug=0");
}

TEST(Regions, WhatIsNotProvedIsNotCalledARegion) {  // the form is refused before anything is proved
  const Region region =
      region_of(buffer_guard, "E [ (E [ F buf=1 ]) U free=0 ]", {"N", "guard", "high"}, sane);
  EXPECT_FALSE(region.proved());
  EXPECT_TRUE(region.certificate.empty());
}

TEST(FromOn, TheBoundIsTheLastThatFails) {
  const char* const needs = R"(mdp
const int N;
module m
  x : [0..N] init 0;
  done : bool init false;
  [up] x<N -> (x'=x+1);
  [down] x>0 -> (x'=x-1);
  [enough] x>=5 -> (done'=true);
endmodule
)";
  auto file = parse_model(make_source("test.prism", needs));
  InstantiateOptions options;
  options.symbolic = {"N"};
  auto model = instantiate(*file, {}, options);
  auto set = with_assumptions(testing::properties_of(*model, "A [ G (E [ F done ]) ]"), {"N>=1"});
  Limits limits;
  limits.seconds = 20;
  const auto from = holds_from(ask(*set, set->properties.front()), limits);
  ASSERT_TRUE(from.has_value());
  EXPECT_EQ(from->bound, "N>=5");
  EXPECT_EQ(from->below, std::vector<std::int64_t>{4});
  EXPECT_TRUE(answer_by_z3(from->certificate, 10).all_unsat());
}

}  // namespace
}  // namespace brink::solver
