#include "experiments/scenario/claims.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/experiments/helpers.h"

namespace brink {
namespace {

using testing_scenarios::Folder;
using testing_scenarios::scenario_text;

// The run times one copy. `rows` tells the sources apart: the machine has 1 row, the prediction 2,
// the mail 3.
const std::string kMetrics =
    "[metrics]\nrows = { count = \"elapsed_s\", table = \"timed\" }\n"
    "level = { value = \"rows * scale\" }\n"
    "absent = { mean = \"elapsed_s\", table = \"timed\", where = { phase = \"none\" } }\n"
    "[[observed]]\ntable = \"timed\"\nfile = \"observed.csv\"\n";

const std::string kPrediction =
    "[prediction]\nformula = \"copy-cycle\"\n[prediction.inputs]\n"
    "size_bytes = \"32 * 1024\"\nblock_bytes = \"block_bytes\"\nbuffers = \"40\"\nnfract = "
    "\"25\"\nndirty = \"500\"\n"
    "user_ns_per_kib = \"user_ns_per_kib\"\nsystem_ns_per_kib = \"read_ns_per_kib + "
    "write_ns_per_kib\"\n"
    "sleep_ns = \"sleep_ns\"\nbackground_ns_per_kib = \"background_ns_per_kib\"\n"
    "disk_rate_bytes_per_s = \"disk_rate_bytes_per_s\"\ndisk_latency_ns = \"disk_latency_ns\"\n"
    "[[prediction.row]]\nwords = { phase = \"one\" }\ninputs = {}\n"
    "[[prediction.row]]\nwords = { phase = \"two\" }\ninputs = {}\n";

/// `scale` is a number of the scenario for the metrics; it stands in a constant that nothing else
/// reads.
std::string text(const std::string& claims, std::string scale = "fs_held_buffers + 1") {
  std::string metrics = kMetrics;
  metrics.replace(metrics.find("scale"), 5, "(" + scale + ")");
  return scenario_text(metrics + kPrediction + claims);
}

Result<Evaluation, Diagnostics> evaluate(const std::string& scenario) {
  const Folder folder;
  folder.write("observed.csv", "phase,elapsed_s\none,1\none,2\none,3\n");
  const auto file = read_scenario(folder.write("scenario.toml", scenario));
  if (!file) return fail(file.error());
  return evaluate_scenario(*file, {}, [](const std::string&) {});
}

bool within(const std::string& claim) {
  const auto found = evaluate(text("[[claim]]\nname = \"c\"\n" + claim));
  if (!found) throw std::runtime_error(render(found.error()));
  EXPECT_EQ(found->all_within, found->claims.at(0).within);
  return found->claims.at(0).within;
}

TEST(Claims, HaveTheirOwnNumberFromEachSource) {
  const auto found =
      evaluate(text("[[claim]]\nname = \"c\"\nmetric = \"rows\"\nwithin = [1, 3]\n"
                    "of = [\"simulated\", \"predicted\", \"observed\"]\n"));
  ASSERT_TRUE(found) << render(found.error());
  EXPECT_EQ(found->claims[0].simulated, 1);
  EXPECT_EQ(found->claims[0].predicted, 2);
  EXPECT_EQ(found->claims[0].observed, 3);
  EXPECT_TRUE(found->all_within);
}

TEST(Claims, AColumnThatNoSourceHasIsAMistake) {
  std::string misspelt = text("[[claim]]\nname = \"c\"\nmetric = \"rows\"\nwithin = [1, 3]\n");
  misspelt.replace(misspelt.find("\"elapsed_s\""), 11, "\"elapsd_s\"");
  const auto found = evaluate(misspelt);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().front().code, "E0910");
  EXPECT_EQ(found.error().front().help, "did you mean `elapsed_s`?");
}

TEST(Claims, FailWhenANumberLiesOutside) {
  EXPECT_TRUE(within("metric = \"rows\"\nwithin = [1, 1]\n"));
  EXPECT_FALSE(within("metric = \"rows\"\nwithin = [1.01, 2]\n"));
  EXPECT_FALSE(within("metric = \"rows\"\nwithin = [0, 0.99]\n"));
  EXPECT_FALSE(within(
      "metric = \"rows\"\nwithin = [1, 2]\nof = [\"simulated\", \"observed\"]\n"));  // one of two
}

TEST(Claims, FailWhenTheFactorIsExceeded) {
  EXPECT_TRUE(within("metric = \"rows\"\nagainst = \"predicted\"\nfactor = 2\n"));
  EXPECT_FALSE(within("metric = \"rows\"\nagainst = \"predicted\"\nfactor = 1.9\n"));
  EXPECT_TRUE(
      within("metric = \"rows\"\nof = [\"observed\"]\nagainst = \"predicted\"\nfactor = 1.5\n"));
  EXPECT_FALSE(
      within("metric = \"rows\"\nof = [\"observed\"]\nagainst = \"predicted\"\nfactor = 1.4\n"));
}

TEST(Claims, FailWhenTheirNumberIsAbsent) {
  EXPECT_FALSE(within("metric = \"absent\"\nwithin = [-1e9, 1e9]\n"));
  EXPECT_FALSE(within("metric = \"absent\"\nagainst = \"observed\"\nfactor = 1e9\n"));
}

TEST(Claims, OverIsTheRatioToAVariant) {
  const std::string variant =
      "[[variant]]\nname = \"held\"\n[variant.set]\n\"machine.fs_held_buffers\" = 4\n";
  const auto found = evaluate(
      text(variant +
           "[[claim]]\nname = \"c\"\nmetric = \"level\"\nvariant = \"held\"\nover = \"base\"\n"
           "of = [\"simulated\", \"predicted\"]\nwithin = [5, 5]\n"));
  ASSERT_TRUE(found) << render(found.error());
  EXPECT_EQ(found->claims[0].simulated, 5);  // (4 + 1) / (0 + 1)
  EXPECT_TRUE(found->all_within);
}

TEST(Claims, WhatWasObservedIsNotTheVariants) {
  const std::string variant =
      "[[variant]]\nname = \"held\"\n[variant.set]\n\"machine.fs_held_buffers\" = 4\n";
  const auto found = evaluate(
      text(variant +
           "[[claim]]\nname = \"c\"\nmetric = \"rows\"\nvariant = \"held\"\nwithin = [0, 9]\n"
           "of = [\"observed\"]\n"));
  ASSERT_TRUE(found) << render(found.error());
  EXPECT_FALSE(found->claims[0].observed);
  EXPECT_FALSE(found->all_within);
}

TEST(Claims, OfChecksFailWhenTheVerdictIsAnother) {
  const auto check = [](const std::string& expect) {
    return evaluate(text("[[check]]\nname = \"frames\"\nproperty = \"frames\"\nexpect = \"" +
                         expect + "\"\n[[claim]]\nname = \"c\"\ncheck = \"frames\"\n"));
  };
  const auto right = check("HOLDS"), wrong = check("VIOLATED");
  ASSERT_TRUE(right && wrong);
  EXPECT_TRUE(right->all_within);
  EXPECT_EQ(right->claims[0].verdict, "HOLDS");
  EXPECT_FALSE(wrong->all_within);
  EXPECT_EQ(wrong->claims[0].verdict, "HOLDS");
}

TEST(Claims, OfAPropertyThatDoesNotExistAreErrors) {
  const auto found =
      evaluate(text("[[check]]\nname = \"x\"\nproperty = \"framse\"\nexpect = \"HOLDS\"\n"));
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().front().code, "E0918");
}

// The machine steps between 20 and 30, the prediction between 30 and 40 and is 10 % higher.
const std::string kSteps =
    "[[curve]]\nname = \"c\"\nsetting = \"machine.fs_held_buffers\"\nvalues = [10, 20, 30, 40, "
    "50]\nmetric = \"level\"\n";
const std::string kStepOf =
    "rows = 1 ? (fs_held_buffers < 25 ? 4 : 1) : (fs_held_buffers < 35 ? 2.2 : 0.55)";

TEST(Curves, FindEachStepAndTheErrorBesideThem) {
  const auto found = evaluate(text(kSteps, kStepOf));
  ASSERT_TRUE(found) << render(found.error());
  const Names& summary = found->curves.at(0).summary;
  EXPECT_EQ(found->curves[0].x, (std::vector<double>{10, 20, 30, 40, 50}));
  EXPECT_EQ(found->curves[0].simulated, (std::vector<double>{4, 4, 1, 1, 1}));
  EXPECT_DOUBLE_EQ(summary.at("step_simulated"), 25);
  EXPECT_DOUBLE_EQ(summary.at("step_predicted"), 35);
  EXPECT_DOUBLE_EQ(summary.at("ratio_simulated"), 4);
  EXPECT_DOUBLE_EQ(summary.at("ratio_predicted"), 4);
  EXPECT_NEAR(summary.at("step_error"), 0.4, 1e-12);
  EXPECT_NEAR(summary.at("error"), 0.1, 1e-12);  // without the point between the two steps
}

TEST(Curves, GiveClaimsThatCanFail) {
  const std::string claim =
      "[[claim]]\nname = \"c\"\ncurve = \"c\"\nmetric = \"step\"\nof = [\"predicted\"]\nagainst = "
      "\"simulated\"\nfactor = ";
  EXPECT_TRUE(evaluate(text(kSteps + claim + "1.41\n", kStepOf))->all_within);
  EXPECT_FALSE(evaluate(text(kSteps + claim + "1.39\n", kStepOf))->all_within);
}

TEST(Curves, DoNotDependOnTheNumberOfThreads) {
  const Folder folder;
  folder.write("observed.csv", "phase,elapsed_s\none,1\n");
  const auto file = read_scenario(folder.write("scenario.toml", text(kSteps, kStepOf)));
  ASSERT_TRUE(file);
  const Curve curve = file->interpret()->curves.at(0);
  const auto one = evaluate_curve(*file, curve, {}, 1, 1, true),
             four = evaluate_curve(*file, curve, {}, 1, 4, true);
  ASSERT_TRUE(one && four);
  EXPECT_EQ(one->simulated, four->simulated);
  EXPECT_EQ(one->predicted, four->predicted);
  EXPECT_EQ(one->summary, four->summary);
}

TEST(Curves, AWrongPointIsAnError) {
  const auto found =
      evaluate(text("[[curve]]\nname = \"c\"\nsetting = \"machine.fs_held_buffers\"\nvalues = [1, "
                    "1000]\nmetric = \"level\"\n"));
  EXPECT_FALSE(found);  // 1000 held buffers do not fit into 64 frames
}

}  // namespace
}  // namespace brink
