// Text formats: what is written, and what is refused with its reason.
#include "solver/search/state_graph.h"
#include "tests/unit/export/helpers.h"

namespace brink::exports {
namespace {

TEST(Formats, AreFoundByTheirNames) {
  for (const Format& format : formats()) EXPECT_EQ(find_format(format.name), &format);
  EXPECT_EQ(find_format("word"), nullptr);
}

TEST(Prism, FlatTextHasTheSameStates) {
  for (const char* name : {"linux-1.3.24", "linux-1.3.78", "linux-2.4-zones"}) {
    const auto model =
        load_model(std::string(BRINK_SOURCE_DIR "/models/library/") + name + ".prism", {}, {});
    ASSERT_TRUE(model) << name;
    Job job;
    job.model = *model;
    const auto text = write_prism(job);
    ASSERT_TRUE(text);
    const ModelPtr again = model_of(text->files[0].text);
    solver::Limits limits;
    limits.states = 20'000;  // breadth first, so the first states say enough
    const solver::StateGraph before(*model, limits), after(again, limits);
    EXPECT_EQ(before.size(), after.size()) << name;
    EXPECT_EQ(before.transitions(), after.transitions()) << name;
  }
}

TEST(Promela, MovesTogetherAreOneOption) {
  const std::string text = written("promela", ask(kPair)).files[0].text;
  EXPECT_EQ(occurrences(text, ":: d_step {"), 3U);
  EXPECT_NE(
      text.find("/* go */ ((x < 2) && (!y)) -> assert(0 <= (x + 1) && (x + 1) <= 2); x = (x + "
                "1); y = true }"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("short z = -1;"), std::string::npos);
  EXPECT_EQ(text.find("dir/"), std::string::npos) << "exported text depends on the model's folder";
}

TEST(Promela, ValuesThatAreExchangedGoThroughHiddenOnes) {
  const std::string text =
      written(
          "promela",
          ask("mdp\nmodule m\nx:[0..3] init 1; y:[0..3];\n[] true -> (x'=y)&(y'=x);\nendmodule"))
          .files[0]
          .text;
  EXPECT_NE(text.find("hidden int new1;"), std::string::npos) << text;
  EXPECT_NE(text.find("new0 = y; new1 = x; x = new0; y = new1 }"), std::string::npos) << text;
}

TEST(Promela, PropertiesAreAssertionsAndLtl) {
  const std::string text =
      written("promela",
              ask(kPair, "\"inv\": A [ G x <= 2 ]; \"ev\": A [ F G y | x = 1 ]; A [ y W x>0 ];"))
          .files[0]
          .text;
  EXPECT_NE(text.find(":: d_step { /* property inv */ !((x <= 2)) -> assert((x <= 2)) }"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("ltl ltl_ev { (<> "), std::string::npos) << text;
  EXPECT_NE(text.find("ltl ltl_3 { ([] prop"), std::string::npos) << text;
}

// spin reads `!!` as an operator of channels.
TEST(Promela, NegationsOfNegationsHaveParentheses) {
  const std::string text =
      written("promela", ask(kPair, "\"live\": A [ G !\"deadlock\" ]; A [ G !!y ];")).files[0].text;
  EXPECT_EQ(text.find("!!"), std::string::npos) << text;
}

TEST(Promela, FairnessIsARemark) {
  const Exported out = written("promela", ask(kPair, "//@ fair [go]\nA [ F x=2 ]"));
  ASSERT_EQ(out.remarks.size(), 1U);
  EXPECT_NE(out.remarks[0].find("fairness"), std::string::npos);
}

TEST(Names, KeywordsOfTheOtherLanguageAreAvoided) {
  const char* model =
      "mdp\nmodule m\n do : [0..1]; do_ : [0..1]; _pid : bool; mod2 : bool; end : bool;\n"
      "[] do=0 -> (do'=1); [] end -> (do_'=0);\nendmodule";
  const std::string promela = written("promela", ask(model)).files[0].text;
  EXPECT_NE(promela.find(
                "byte do_ = 0;\nbyte do__ = 0;\nbool v_pid = 0;\nbool mod2 = 0;\nbool end_ = 0;\n"),
            std::string::npos)
      << promela;
  const std::string murphi = written("murphi", ask(model)).files[0].text;
  EXPECT_NE(
      murphi.find(
          "  do_: 0..1;\n  do__: 0..1;\n  v_pid: boolean;\n  mod2: boolean;\n  end_: boolean;\n"),
      std::string::npos)
      << murphi;
}

TEST(Murphi, RulesAndClaims) {
  const std::string text =
      written("murphi",
              ask(kPair, "\"i\": A [ G x<=2 ]; \"c\": E [ F y ]; \"l\": A [ G (E [ F x=0 ]) ];"))
          .files[0]
          .text;
  EXPECT_EQ(occurrences(text, "\nrule \""), 3U);
  EXPECT_NE(text.find("invariant \"i\"\n  (x <= 2);"), std::string::npos) << text;
  EXPECT_NE(text.find("cover \"c\"\n  y;"), std::string::npos) << text;
  EXPECT_NE(text.find("liveness \"l\"\n  (x = 0);"), std::string::npos) << text;
  EXPECT_NE(text.find("z: (-1)..0;"), std::string::npos) << text;
}

TEST(Smt2, OneQuestionAFile) {
  const std::string range = written("smt2", ask(kPair)).files[0].text;
  EXPECT_EQ(occurrences(range, "leaves a range"), 3U)
      << range;  // x+1, x:=0, -1-z; the bools have no range
  const std::string always = written("smt2", ask(kPair, "A [ G x<=2 ]")).files[0].text;
  EXPECT_EQ(occurrences(always, "leaves a range\n"), 0U);
  EXPECT_NE(always.find("(not (<= x 2))) false"), std::string::npos) << always;
  const std::string possible = written("smt2", ask(kPair, "E [ F \"deadlock\" ]")).files[0].text;
  EXPECT_NE(possible.find("sat: it does not hold, unsat: it holds"), std::string::npos) << possible;
}

TEST(Smt2, WeightsAreLeftOutWithARemark) {
  const auto out = written(
      "smt2",
      ask("dtmc\nmodule m\nx:[0..2];\n[] x=0 -> 0.5:(x'=1) + 0.5:(x'=2) + 0:(x'=0);\nendmodule"));
  ASSERT_EQ(out.remarks.size(), 1U);
  EXPECT_EQ(occurrences(out.files[0].text, "(reachable 1)"), 1U) << out.files[0].text;
  EXPECT_EQ(occurrences(out.files[0].text, "(reachable 0)"), 0U) << "a branch of probability 0";
}

struct Refused {
  const char* format;
  const char* model;
  const char* properties;
  const char* words;  ///< in the message
};

class Refusals : public testing::TestWithParam<Refused> {};

TEST_P(Refusals, NameTheReason) {
  const Refused& row = GetParam();
  const std::string message = refusal(row.format, ask(row.model, row.properties));
  EXPECT_NE(message.find(row.words), std::string::npos) << message;
}

constexpr const char* kCoin =
    "dtmc\nmodule m\nx:[0..1];\n[] true -> 0.5:(x'=0) + 0.5:(x'=1);\nendmodule";
constexpr const char* kUnbounded = "mdp\nmodule m\nx:int;\n[] x<5 -> (x'=x+1);\nendmodule";
constexpr const char* kReal = "mdp\nmodule m\nx:[0..9];\n[] x/3<2 -> (x'=x+1);\nendmodule";
constexpr const char* kLargeSums =
    "mdp\nmodule m\nx:[0..2000000000];\n[] x+x<9 -> (x'=x+1);\nendmodule";
constexpr const char* kModByState =
    "mdp\nmodule m\nx:[0..9];y:[0..9];\n[] mod(x,y)=0 -> (x'=1);\nendmodule";
constexpr const char* kSlow = "ctmc\nmodule m\nx:[0..1];\n[] x=0 -> 2.5:(x'=1);\nendmodule";
constexpr const char* kTwoStarts =
    "mdp\nmodule m\nx:[0..1];\n[] x=0 -> (x'=1);\nendmodule\ninit true endinit";
constexpr const char* kBoth =
    "mdp\nglobal g:[0..2];\nmodule a\n[t] true -> (g'=1);\nendmodule\n"
    "module b\ny:bool;\n[t] true -> (g'=y?1:2);\nendmodule";

INSTANTIATE_TEST_SUITE_P(
    Table, Refusals,
    testing::Values(Refused{"promela", kCoin, "", "Promela has no probabilities"},
                    Refused{"murphi", kCoin, "", "Murphi has no probabilities"},
                    Refused{"murphi", kSlow, "", "Murphi has no rates"},
                    Refused{"aiger", kCoin, "", "AIGER has no probabilities"},
                    Refused{"promela", kUnbounded, "", "`x` has no bounds"},
                    Refused{"murphi", kUnbounded, "", "`x` has no bounds"},
                    Refused{"promela", kReal, "", "Promela has no real numbers"},
                    Refused{"murphi", kReal, "", "Murphi has no real numbers"},
                    Refused{"smt2", kReal, "", "smt2 has no real numbers"},
                    Refused{"aiger", kReal, "", "AIGER has no real numbers"},
                    Refused{"promela", kLargeSums, "", "more than the 31 bits of Promela"},
                    Refused{"promela", kModByState, "", "mod by a value that may be zero"},
                    Refused{"smt2", kModByState, "", "mod by a value that may be zero"},
                    Refused{"aiger", kTwoStarts, "", "more than 1 initial states"},
                    Refused{"promela", kBoth, "", "two commands of one move write `g`"},
                    Refused{"promela", kPair, "A [ G (E [ F y ]) ]", "cannot be said in Promela"},
                    Refused{"promela", kPair, "A [ X y ]", "cannot be said in Promela: X"},
                    Refused{"murphi", kPair, "A [ F y ]", "cannot be said in Murphi"},
                    Refused{"murphi", kPair, "Pmax=? [ F y ]", "the operator P"},
                    Refused{"smt2", kPair, "A [ G (E [ F y ]) ]", "it branches"},
                    Refused{"aiger", kPair, "A [ F y ]", "cannot be said in AIGER"}));

TEST(Refusals, PointAtThePlace) {
  const auto outcome = write_murphi(ask(kReal).job);
  ASSERT_FALSE(outcome);
  const Diagnostic& error = outcome.error().front();
  EXPECT_EQ(error.code, "E0801");
  ASSERT_TRUE(error.source);
  EXPECT_EQ(error.source->slice(error.span), "x/3<2");
}

TEST(LeftOut, IsARemarkWhenNobodyAskedForIt) {
  Asked asked = ask(kPair, "\"l\": A [ G (E [ F y ]) ]; \"i\": A [ G x<=2 ];");
  asked.job.chosen = false;
  const Exported out = written("promela", asked);
  ASSERT_EQ(out.remarks.size(), 1U);
  EXPECT_NE(out.remarks[0].find("property l cannot be said in Promela"), std::string::npos);
  EXPECT_NE(out.files[0].text.find(out.remarks[0]), std::string::npos) << "the file says so, too";
}

}  // namespace
}  // namespace brink::exports
