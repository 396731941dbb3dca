// Passages against closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "experiments/scenario/predict.h"
#include "tests/unit/experiments/helpers.h"

namespace brink {
namespace {

using testing_scenarios::Folder;
using testing_scenarios::scenario_text;

/// A scenario about `model` with one [[passage]].
Result<PassageResult, Diagnostics> solve(const std::string& model, const std::string& passage,
                                         const Names& estimates = {}) {
  const Folder folder;
  const std::string path = folder.write("m.prism", model);
  std::string text = scenario_text("[[passage]]\nname = \"p\"\n" + passage);
  const std::size_t file = text.find("[model]\n"), workload = text.find("[workload]");
  text.replace(file, workload - file, "[model]\nfile = \"m.prism\"\n");
  const std::size_t tunables = text.find("[kernel.tunables]"), end = text.find("[model]");
  text.replace(tunables, end - tunables,
               "[kernel.tunables]\nmin = \"4\"\nlow = \"6\"\nhigh = \"8\"\nguard = \"8\"\nslack = "
               "\"1\"\neffort = \"6\"\n"
               "interval_ticks = \"25\"\nfree_enough = \"100\"\nnfract = \"25\"\nndirty = "
               "\"8\"\nnrefill = \"8\"\nbatch = \"1\"\n"
               "eager = \"0\"\n");
  const auto scenario_file = read_scenario(folder.write("scenario.toml", text));
  if (!scenario_file) return fail(scenario_file.error());
  const auto scenario = scenario_file->interpret();
  if (!scenario) return fail(scenario.error());
  const auto prepared = prepare(*scenario);
  if (!prepared) return fail(prepared.error());
  return solve_passage(*prepared, prepared->scenario.passages.at(0), estimates);
}

const std::string kTwoStates =
    "mdp\nmodule m\n x : [0..1] init 0;\n [go] x=0 -> (x'=1);\n [back] x=1 -> (x'=0);\nendmodule\n";
const std::string kClimb =
    "mdp\nconst int a = 2;\nmodule m\n x : [0..2] init 0;\n [go] x<2 -> (x'=x+1);\n [back] x=1 -> "
    "(x'=0);\nendmodule\n";

TEST(Passage, OfTwoStatesIsTheMeanOfAnExponential) {
  const auto found =
      solve(kTwoStates, "target = \"x=1\"\n[passage.rates]\ngo = \"4\"\nback = \"1\"\n");
  ASSERT_TRUE(found) << render(found.error());
  ASSERT_TRUE(found->converged) << found->note;
  EXPECT_EQ(found->states, 2u);
  EXPECT_NEAR(found->seconds, 0.25, 1e-12);
}

TEST(Passage, OfAClimbWithAFallIsItsClosedForm) {
  // h0 = 1/a + h1 and h1 = 1/(a+b) + b/(a+b) h0 give h0 = (2a+b)/a^2.
  const auto found =
      solve(kClimb, "target = \"x=2\"\n[passage.rates]\ngo = \"a\"\nback = \"a + 1\"\n");
  ASSERT_TRUE(found) << render(found.error());
  ASSERT_TRUE(found->converged) << found->note;
  EXPECT_NEAR(found->seconds, 7.0 / 4, 1e-12);
  EXPECT_LE(std::abs(found->seconds - 7.0 / 4), found->error_bound + 1e-15);
}

TEST(Passage, StartsWhereItIsToldWorstFirst) {
  const std::string rates = "[passage.rates]\ngo = \"2\"\nback = \"3\"\n";
  EXPECT_NEAR(solve(kClimb, "target = \"x=2\"\nfrom = \"x=1\"\n" + rates)->seconds, 1.25,
              1e-12);  // 7/4 - 1/2
  EXPECT_NEAR(solve(kClimb, "target = \"x=2\"\nfrom = \"x>=0\"\n" + rates)->seconds, 1.75, 1e-12);
  EXPECT_NEAR(solve(kClimb, "target = \"x=0\"\n" + rates)->seconds, 0, 1e-12);  // already there
  EXPECT_FALSE(solve(kClimb, "target = \"x=2\"\nfrom = \"x=7\"\n" + rates));
}

TEST(Passage, TakesATargetOfBranchingTime) {
  // "x can no longer be 0" is the trap x=2.
  const auto found =
      solve(kClimb, "target = \"!(E [ F x=0 ])\"\n[passage.rates]\ngo = \"2\"\nback = \"3\"\n");
  ASSERT_TRUE(found) << render(found.error());
  EXPECT_NEAR(found->seconds, 1.75, 1e-12);
}

TEST(Passage, IsInfiniteWhenTheTargetCanBeMissed) {
  const auto found = solve(
      "mdp\nmodule m\n x : [0..2] init 0;\n [go] x=0 -> (x'=1);\n [lose] x=0 -> "
      "(x'=2);\nendmodule\n",
      "target = \"x=1\"\n[passage.rates]\ngo = \"1\"\nlose = \"0.001\"\n");
  ASSERT_TRUE(found) << render(found.error());
  EXPECT_TRUE(std::isinf(found->seconds));
}

TEST(Passage, InventsNoRate) {
  const auto missing = solve(kClimb, "target = \"x=2\"\n[passage.rates]\ngo = \"2\"\n");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().front().code, "E0917");
  EXPECT_NE(missing.error().front().message.find("back"), std::string::npos);
  EXPECT_FALSE(solve(
      kClimb,
      "target = \"x=2\"\n[passage.rates]\ngo = \"2\"\nback = \"3\"\nup = \"1\"\n"));  // no such
                                                                                      // command
  EXPECT_FALSE(solve(kClimb, "target = \"x=2\"\n[passage.rates]\ngo = \"0-2\"\nback = \"3\"\n"));
}

TEST(Passage, TakesEstimatesForWhatIsNotGiven) {
  const auto found =
      solve(kClimb, "target = \"x=2\"\nestimated = true\n[passage.rates]\ngo = \"2\"\n",
            {{"back", 3.0}, {"go", 99.0}});
  ASSERT_TRUE(found) << render(found.error());
  EXPECT_NEAR(found->seconds, 1.75, 1e-12);
}

}  // namespace
}  // namespace brink
