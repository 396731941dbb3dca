#include <gmock/gmock.h>

#include <random>

#include "analytic/exact/evaluation.h"
#include "models/language/instantiate.h"
#include "models/language/parser.h"

namespace brink::analytic {
namespace {

using ::testing::HasSubstr;

ModelPtr model_of(const std::string& text) {
  auto file = parse_model(make_source("test.prism", text));
  if (!file) {
    ADD_FAILURE() << render(file.error());
    return nullptr;
  }
  InstantiateOptions options;
  options.exact = true;
  auto model = instantiate(*file, {}, options);
  if (!model) {
    ADD_FAILURE() << render(model.error());
    return nullptr;
  }
  return *model;
}

PropertySet properties_of(const ModelPtr& model, const std::string& text) {
  auto file = parse_properties(make_source("test.props", text));
  if (!file) {
    ADD_FAILURE() << render(file.error());
    return {};
  }
  auto set = check_properties(*file, model);
  if (!set) ADD_FAILURE() << render(set.error());
  return std::move(*set);
}

Answer ask(const std::string& model_text, const std::string& property) {
  const ModelPtr model = model_of(model_text);
  const auto exact = build_exact(model);
  if (!exact) {
    ADD_FAILURE() << exact.error().message;
    return {};
  }
  const PropertySet set = properties_of(model, property);
  return evaluate_exactly(*exact, set, set.properties.front());
}

std::string value(const std::string& model, const std::string& property) {
  const Answer answer = ask(model, property);
  EXPECT_EQ(answer.status, Answer::Status::solved) << property << ": " << answer.note;
  EXPECT_EQ(answer.exact_low, answer.exact_high) << property;
  return answer.exact_low;
}

bool holds(const std::string& model, const std::string& property) {
  const Answer answer = ask(model, property);
  EXPECT_EQ(answer.status, Answer::Status::solved) << property << ": " << answer.note;
  EXPECT_TRUE(answer.boolean) << property;
  return answer.truth;
}

/// Ruin with win probability p from 3 of 10; r = (1-p)/p: P(10) = (1 - r^3) / (1 - r^10).
std::string gambler(const std::string& p) {
  return "dtmc\nconst double p = " + p +
         ";\nmodule m\n x:[0..10] init 3;\n"
         " [toss] x>0 & x<10 -> p:(x'=x+1) + 1-p:(x'=x-1);\n [] x=0|x=10 -> true;\nendmodule\n"
         "rewards \"tosses\" [toss] true : 1; endrewards\n"
         "rewards \"wealth\" true : x/10; endrewards\n";
}

TEST(Exact, ClosedForms) {
  // r = 2: 7 / 1023.
  EXPECT_EQ(value(gambler("1/3"), "P=? [ F x=10 ]"), "7/1023");
  EXPECT_EQ(value(gambler("0.5"), "P=? [ F x=10 ]"), "3/10");
  EXPECT_EQ(value(gambler("0.5"), "R{\"tosses\"}=? [ F x=0|x=10 ]"), "21");
  // (3 - 10 P(10)) / (q - p), with p = 1/3.
  EXPECT_EQ(value(gambler("1/3"), "R{\"tosses\"}=? [ F x=0|x=10 ]"), "2999/341");
  EXPECT_EQ(value(gambler("0.5"), "R{\"tosses\"}=? [ C ]"), "21");
  EXPECT_EQ(value(gambler("1/3"), "P=? [ F<=3 x=0 ]"), "8/27");
  EXPECT_EQ(value(gambler("1/3"), "P=? [ G<=2 x>1 ]"), "5/9");
  EXPECT_EQ(value(gambler("1/3"), "P=? [ F[5,5] x=0 ]"), "40/81");
  EXPECT_EQ(value(gambler("1/3"), "P=? [ X x=4 ]"), "1/3");
  EXPECT_EQ(value(gambler("1/3"), "R{\"wealth\"}=? [ I=1 ]"), "4/15");
  EXPECT_EQ(value(gambler("1/3"), "R{\"wealth\"}=? [ C<=2 ]"), "17/30");
  EXPECT_EQ(value(gambler("0.5"), "S=? [ x=10 ]"), "3/10");
  EXPECT_EQ(value(gambler("0.5"), "P=? [ G F x=10 ]"), "3/10");
  EXPECT_EQ(value(gambler("0.5"), "R{\"tosses\"}=? [ X X true ]"), "2");
  EXPECT_EQ(value(gambler("0.5"), "R{\"tosses\"}=? [ F x=10 ]"), "inf");
  EXPECT_EQ(value(gambler("0.5"), "filter(sum, P=? [ F x=10 ])"), "11/2");
}

TEST(Exact, BoundsAreDecided) {
  EXPECT_TRUE(holds(gambler("0.5"), "P>=0.3 [ F x=10 ]"));
  EXPECT_FALSE(holds(gambler("0.5"), "P>0.3 [ F x=10 ]"));
  EXPECT_TRUE(holds(gambler("0.5"), "P<=0.3 [ F x=10 ] & !(P<0.3 [ F x=10 ])"));
  // One part in 10^40 more than a half, far below what a double can tell.
  EXPECT_TRUE(holds(gambler("0.5 + pow(0.1,40)"), "P>0.3 [ F x=10 ]"));
}

/// M/M/1/3 with load 1/2: probabilities 8, 4, 2, 1 of 15; the mean time from 0 to 3 with rates 1
/// and 2 is 1 + 3 + 7 = 11.
const char* const queue =
    "ctmc\nmodule q\n n:[0..3];\n [] n<3 -> 1:(n'=n+1);\n [] n>0 -> 2:(n'=n-1);\nendmodule\n"
    "rewards true : 1; endrewards\nrewards \"arrivals\" [] n<3 : 0; endrewards\n";

TEST(Exact, ContinuousTime) {
  EXPECT_EQ(value(queue, "S=? [ n=0 ]"), "8/15");
  EXPECT_EQ(value(queue, "R{1}=? [ F n=3 ]"), "11");
  EXPECT_EQ(value(queue, "P=? [ X n=1 ]"), "1");
  EXPECT_EQ(value(queue, "filter(state, P=? [ X n=2 ], n=1)"), "1/3");
  EXPECT_EQ(ask(queue, "P=? [ F<=1 n=3 ]").status, Answer::Status::unsupported);
  EXPECT_THAT(ask(queue, "P=? [ F<=1 n=3 ]").note, HasSubstr("ctmc"));
}

/// Two ways to a goal: 1/3 at once, or a loop that wins 2/5 and loses 1/5 a round (2/3 in all).
const char* const choice =
    "mdp\nmodule m\n x:[0..2];\n [a] x=0 -> 1/3:(x'=1) + 2/3:(x'=2);\n"
    " [b] x=0 -> 2/5:(x'=0) + 2/5:(x'=1) + 1/5:(x'=2);\n [wait] x=0 -> true;\nendmodule\n"
    "rewards [a] true : 5; [b] true : 1; endrewards\n";

TEST(Exact, Strategies) {
  EXPECT_EQ(value(choice, "Pmax=? [ F x=1 ]"), "2/3");
  EXPECT_EQ(value(choice, "Pmin=? [ F x=1 ]"), "0");
  EXPECT_EQ(value(choice, "Pmin=? [ x=0 W x=1 ]"), "1/3");
  EXPECT_EQ(value(choice, "Rmin=? [ F x>0 ]"), "5/3");
  EXPECT_EQ(value(choice, "Rmax=? [ F x>0 ]"), "inf");
  EXPECT_EQ(value(choice, "Rmax=? [ C<=2 ]"), "5");
  EXPECT_EQ(value(choice, "Pmax=? [ F<=2 x=1 ]"), "14/25");
  EXPECT_EQ(value(choice, "Pmax=? [ (F G x=1) & (X x=0) ]"), "2/3");
  EXPECT_TRUE(holds(choice, "P<=2/3 [ F x=1 ]"));
  EXPECT_FALSE(holds(choice, "P<2/3 [ F x=1 ]"));
}

TEST(Exact, WhatIsNotRationalIsRefused) {
  const std::string model =
      "dtmc\nmodule m\n x:[0..1];\n [] x=0 -> pow(2,-0.5):(x'=1) + "
      "1-pow(2,-0.5):(x'=0);\nendmodule\n";
  const auto exact = build_exact(model_of(model));
  ASSERT_FALSE(exact);
  EXPECT_EQ(exact.error().kind, BuildFailure::Kind::unsupported);
}

TEST(Exact, ProbabilitiesSumToExactlyOne) {
  const std::string model =
      "dtmc\nmodule m\n x:[0..1];\n [] x=0 -> 0.333333:(x'=0) + 0.666666:(x'=1);\nendmodule\n";
  const auto exact = build_exact(model_of(model));
  ASSERT_FALSE(exact);
  EXPECT_EQ(exact.error().kind, BuildFailure::Kind::model_error);
  EXPECT_THAT(exact.error().message, HasSubstr("999999/1000000"));
}

/// Random models with synchronised modules: the same states, moves and values as the usual solvers.
TEST(Exact, AgreesWithTheUsualSolvers) {
  std::mt19937 random(7);
  for (int round = 0; round < 60; ++round) {
    const auto number = [&](int n) { return std::to_string(random() % n); };
    std::string text = round % 3 == 0 ? "dtmc\n" : round % 3 == 1 ? "ctmc\n" : "mdp\n";
    for (const std::string name : {"a", "b"}) {
      text += "module " + name + "\n " + name + ":[0..3];\n";
      for (int c = 0; c < 4; ++c)
        text += " [" + std::string(c == 0 ? "go" : "") + "] " + name + "=" + number(4) +
                " -> 0.25:(" + name + "'=" + number(4) + ") + 0.75:(" + name + "'=mod(" + name +
                "+1," + number(3) + "+1));\n";
      text += "endmodule\n";
    }
    text += "rewards a*0.5 < b : a/3; [go] true : 1/7; endrewards\n";
    const ModelPtr model = model_of(text);
    const auto exact = build_exact(model);
    ASSERT_TRUE(exact) << text;
    const bool choices = model->type == ModelType::mdp;
    const std::string best = choices ? (round % 2 ? "max" : "min") : "";
    std::vector<std::string> asked = {"P" + best + "=? [ F a=2 & b=3 ]",
                                      "P" + best + "=? [ (G F a=1) & (F b=2) ]",
                                      "R" + best + "=? [ F a=3 ]"};
    if (!choices) asked.push_back("S=? [ a>b ]");
    for (const std::string& question : asked) {
      const PropertySet set = properties_of(model, question);
      const Answer a = evaluate_exactly(*exact, set, set.properties.front());
      Answer b;
      if (choices) {
        const auto usual = build_decisions(model);
        ASSERT_TRUE(usual);
        EXPECT_EQ(usual->size(), exact->size());
        EXPECT_EQ(usual->transitions(), exact->transitions());
        b = evaluate_property(*usual, set, set.properties.front());
      } else {
        const auto usual = build_chain(model);
        ASSERT_TRUE(usual);
        EXPECT_EQ(usual->size(), exact->size());
        b = evaluate_property(*usual, set, set.properties.front());
      }
      ASSERT_EQ(a.status, Answer::Status::solved) << a.note << "\n" << text;
      ASSERT_EQ(b.status, Answer::Status::solved) << b.note << "\n" << text;
      if (a.exact_low == "inf")
        EXPECT_EQ(b.low, a.low) << text << question;
      else
        EXPECT_NEAR(b.low, a.low, b.error_bound + 1e-15) << text << question;
    }
  }
}

}  // namespace
}  // namespace brink::analytic
