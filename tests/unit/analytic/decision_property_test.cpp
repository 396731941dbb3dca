#include <gmock/gmock.h>

#include <cmath>

#include "analytic/property_values.h"
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
  auto model = instantiate(*file);
  if (!model) {
    ADD_FAILURE() << render(model.error());
    return nullptr;
  }
  return *model;
}

Answer ask(const std::string& model_text, const std::string& property) {
  const ModelPtr model = model_of(model_text);
  auto decisions = build_decisions(model);
  if (!decisions) {
    ADD_FAILURE() << decisions.error().message;
    return {};
  }
  auto file = parse_properties(make_source("test.props", property));
  if (!file) {
    ADD_FAILURE() << render(file.error());
    return {};
  }
  auto set = check_properties(*file, model);
  if (!set) {
    ADD_FAILURE() << render(set.error());
    return {};
  }
  return evaluate_property(*decisions, *set, set->properties.front());
}

void expect_value(const std::string& model, const std::string& property, double expected) {
  const Answer a = ask(model, property);
  EXPECT_EQ(a.status, Answer::Status::solved) << property << ": " << a.note;
  EXPECT_FALSE(a.boolean);
  if (std::isinf(expected)) {
    EXPECT_EQ(a.low, expected) << property;
    return;
  }
  EXPECT_NEAR(a.low, expected, 1e-12 * std::abs(expected) + a.error_bound) << property;
  EXPECT_LE(a.error_bound, 1e-10 * (1 + std::abs(expected))) << property;
}

void expect_truth(const std::string& model, const std::string& property, bool expected) {
  const Answer a = ask(model, property);
  EXPECT_EQ(a.status, Answer::Status::solved) << property << ": " << a.note;
  EXPECT_TRUE(a.boolean);
  EXPECT_EQ(a.truth, expected) << property;
}

// Gambler's ruin from 3 of 10, who may stop betting one at a time and stake all he has instead, up
// to what is missing. With fair coins no stake changes the chance to win (a martingale); with a
// coin of 1/4 bold play is best (Dubins & Savage 1965) and timid play worst.
std::string gambler(const std::string& p) {
  return "mdp\nconst double p = " + p + R"(;
module m
  x : [0..10] init 3;
  [timid] x>0 & x<10 -> p:(x'=x+1) + 1-p:(x'=x-1);
  [bold] x>0 & x<=5 -> p:(x'=2*x) + 1-p:(x'=0);
  [bold] x>5 & x<10 -> p:(x'=10) + 1-p:(x'=2*x-10);
endmodule
rewards "tosses"
  [timid] true : 1;
  [bold] true : 1;
endrewards
rewards "wealth"
  true : x;
endrewards
)";
}

double timid(int from, int to, double p) {
  const double r = (1 - p) / p;
  return (std::pow(r, from) - 1) / (std::pow(r, to) - 1);
}

TEST(DecisionProperty, FairStakesDoNotMatter) {
  const std::string fair = gambler("0.5");
  expect_value(fair, "Pmax=? [ F x=10 ]", 0.3);
  expect_value(fair, "Pmin=? [ F x=10 ]", 0.3);
  expect_value(fair, "Pmax=? [ G x>0 ]", 0.3);
  expect_value(fair, "R{\"wealth\"}max=? [ I=3 ]", 3);
  expect_value(fair, "R{\"tosses\"}max=? [ F x=0 | x=10 ]", 21);  // always timid: 3 * 7
  expect_value(fair, "R{\"tosses\"}max=? [ C ]", 21);
  // Bold: 3 -> 6 -> 2 -> 4 -> 8 -> 6: e6 = 1 + e2/2, ... the cycle of four gives 2 tosses.
  expect_value(fair, "R{\"tosses\"}min=? [ F x=0 | x=10 ]", 2);
  expect_value(fair, "R{\"tosses\"}min=? [ F x=10 ]", INFINITY);
  expect_value(fair, "R{\"tosses\"}max=? [ F x=10 ]", INFINITY);
  expect_value(fair, "R{\"tosses\"}max=? [ C<=2 ]", 2);
  expect_value(fair, "Tmin=? [ F x=0 | x=10 ]", 2);
}

TEST(DecisionProperty, UnfairOnesDo) {
  const std::string unfair = gambler("0.25");
  expect_value(unfair, "Pmin=? [ F x=10 ]", timid(3, 10, 0.25));
  // Bold play: w3 = p w6, w6 = p + q w2, w2 = p w4, w4 = p w8, w8 = p + q w6.
  const double p = 0.25, q = 0.75;
  const double w6 = (p + q * p * p * p) / (1 - q * q * p * p);
  expect_value(unfair, "Pmax=? [ F x=10 ]", p * w6);
  expect_value(unfair, "Pmax=? [ F<=2 x=10 ]", p * p);
  expect_value(unfair, "Pmin=? [ F<=1 x=0 ]", 0);
  expect_value(unfair, "Pmax=? [ x<5 U x=6 ]", p);
  expect_value(unfair, "Pmax=? [ X x=4 ]", p);
  expect_value(unfair, "Pmin=? [ X x=4 ]", 0);
  expect_value(unfair, "Pmin=? [ x<10 W x=0 ]", 1 - p * w6);
}

TEST(DecisionProperty, BoundsSpeakOfAllStrategies) {
  const std::string unfair = gambler("0.25");  // between 0.0005 and 0.07
  expect_truth(unfair, "P>=0.01 [ F x=10 ]", false);
  expect_truth(unfair, "P<=0.01 [ F x=10 ]", false);
  expect_truth(unfair, "P<=0.1 [ F x=10 ]", true);
  expect_truth(unfair, "P>=1 [ F (x=0 | x=10) ]", true);
  expect_truth(unfair, "R{\"tosses\"}>=1.6 [ F (x=0 | x=10) ]", false);
  expect_truth(unfair, "R{\"tosses\"}<22 [ F (x=0 | x=10) ]", true);
  // States where every way of playing wins with a quarter at least: nine and ten.
  expect_truth(unfair, "filter(forall, P>=0.25 [ X x=10 ] | x<10)", true);
  expect_value(unfair, "filter(count, P>0.2 [ F x=10 ])", 2);
  expect_value(unfair, "filter(max, Pmax=? [ F x=10 ], x=10 | x=0)", 1);
  expect_truth(unfair, "P>=0.01 [ F x=10 ] | P>0 [ F P>=1 [ X x=0 ] ]", true);
}

// Knuth & Yao's die, where the first toss may be any of two coins and the second is fair.
const char* const die = R"(mdp
module die
  s : [0..7] init 0;
  d : [0..6] init 0;
  [fair] s=0 -> 0.5:(s'=1) + 0.5:(s'=2);
  [loaded] s=0 -> 0.75:(s'=1) + 0.25:(s'=2);
  [] s=1 -> 0.5:(s'=3) + 0.5:(s'=4);
  [] s=2 -> 0.5:(s'=5) + 0.5:(s'=6);
  [] s=3 -> 0.5:(s'=1) + 0.5:(s'=7)&(d'=1);
  [] s=4 -> 0.5:(s'=7)&(d'=2) + 0.5:(s'=7)&(d'=3);
  [] s=5 -> 0.5:(s'=7)&(d'=4) + 0.5:(s'=7)&(d'=5);
  [] s=6 -> 0.5:(s'=2) + 0.5:(s'=7)&(d'=6);
  [] s=7 -> true;
endmodule
rewards
  s<7 : 1;
endrewards
)";

TEST(DecisionProperty, LoadedDie) {
  // Each side of the tree gives its three faces a third each.
  expect_value(die, "Pmax=? [ F s=7 & d=1 ]", 0.25);
  expect_value(die, "Pmin=? [ F s=7 & d=1 ]", 1.0 / 6);
  expect_value(die, "Pmin=? [ F s=7 & d=6 ]", 1.0 / 12);
  expect_value(die, "Rmax=? [ F s=7 ]", 11.0 / 3);
  expect_value(die, "Rmin=? [ F s=7 ]", 11.0 / 3);
  expect_value(die, "Rmin=? [ C ]", 11.0 / 3);
  expect_value(die, "Rmax=? [ F s=8 ]", INFINITY);
  expect_value(die, "Pmax=? [ F s=8 ]", 0);
}

TEST(DecisionProperty, SeveralInitialStatesAndDeadlocks) {
  const std::string model = R"(mdp
module m
  x : [0..4];
  [a] x<3 -> (x'=x+1);
  [b] x=2 -> 0.5:(x'=4) + 0.5:(x'=3);
endmodule
init x<3 endinit
rewards
  true : x;
endrewards
)";
  const Answer a = ask(model, "Rmax=? [ C<=2 ]");
  ASSERT_EQ(a.status, Answer::Status::solved);
  EXPECT_NEAR(a.low, 0 + 1, 1e-12);     // from 0
  EXPECT_NEAR(a.high, 2 + 3.5, 1e-12);  // from 2: a deadlocked state earns on
  const Answer p = ask(model, "Pmax=? [ F x=4 ]");
  EXPECT_EQ(p.low, p.high);
  expect_truth(model, "P>=1 [ F \"deadlock\" ]", true);
}

TEST(DecisionProperty, BranchingTimeInside) {
  // 0 loops or goes to 1; 1 goes to 2 or 3; 2 goes back to 1; 3 ends.
  const std::string model = R"(mdp
module m
  x : [0..3];
  [] x=0 -> 0.5:true + 0.5:(x'=1);
  [] x=1 -> (x'=2);
  [] x=1 -> (x'=3);
  [] x=2 -> (x'=1);
endmodule
)";
  const auto count = [&](const std::string& formula, double expected) {
    expect_value(model, "filter(count, " + formula + ")", expected);
  };
  count("E [ F x=2 ]", 3);
  count("A [ F x=3 ]", 1);
  count("A [ F x=1 | x=3 ]", 3);  // 0 may loop for ever, though with probability 0
  count("E [ G x<3 ]", 3);
  count("A [ G x>0 ]", 3);
  count("E [ X x=1 ]", 2);
  count("A [ X x=1 ]", 1);
  count("A [ X x=3 ]", 1);  // the end repeats itself
  count("E [ x<2 U x=3 ]", 3);
  count("A [ x>0 U x=1 ]", 2);
  count("A [ x<2 W x=2 ]", 1);  // 0 and 1 may meet 3 first
  count("E [ x<2 W x=2 ]", 3);
  count("E [ x=3 R x>0 ]", 3);
  count("A [ x=3 R x>0 ]", 3);
  count("P>=1 [ F A [ G x=3 ] ]", 1);
  count("Pmax>=1 [ F A [ G x=3 ] ]", 4);
}

/// A cheap way that wins 1/2 a round and a dear one that wins at once.
TEST(DecisionProperty, BudgetsOfRewards) {
  const std::string ways =
      "mdp\nmodule m\n x:[0..1];\n [cheap] x=0 -> 0.5:(x'=1) + 0.5:(x'=0);\n [dear] x=0 -> "
      "(x'=1);\nendmodule\nrewards \"c\" [cheap] true : 1; [dear] true : 3; endrewards\n";
  expect_value(ways, "Pmax=? [ F^{rew{\"c\"}<=0} x=1 ]", 0);
  expect_value(ways, "Pmax=? [ F^{rew{\"c\"}<=2} x=1 ]", 0.75);
  expect_value(ways, "Pmax=? [ F^{rew{\"c\"}<=3} x=1 ]", 1);
  expect_value(ways, "Pmin=? [ F^{rew{\"c\"}<=2} x=1 ]", 0);
  expect_value(ways, "Pmin=? [ F^{rew{\"c\"}<=3} x=1 ]", 0.5);
}

TEST(DecisionProperty, WhatIsNotSolvedIsNamed) {
  const std::string fair = gambler("0.5");
  EXPECT_THAT(ask(fair, "Pmax=? [ G F<=3 x=0 ]").note, HasSubstr("LTL"));
  EXPECT_THAT(ask(fair, "R{\"wealth\"}max=? [ S ]").note, HasSubstr("mdp"));
  EXPECT_THAT(ask(fair, "S=? [ x=0 ]").note, HasSubstr("mdp"));
  for (const char* text : {"Pmax=? [ G F<=3 x=0 ]", "S=? [ x=0 ]", "R{\"wealth\"}max=? [ S ]"})
    EXPECT_EQ(ask(fair, text).status, Answer::Status::unsupported) << text;
}

TEST(DecisionBuilder, LimitsAndErrors) {
  const ModelPtr bad = model_of("mdp\nmodule m\n x:[0..2];\n [] true->(x'=x+1);\nendmodule\n");
  const auto failed = build_decisions(bad);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().kind, BuildFailure::Kind::model_error);
  EXPECT_EQ(failed.error().state, std::vector<std::int64_t>{2});
  BuildLimits limits;
  limits.states = 5000;
  const auto stopped = build_decisions(
      model_of("mdp\nmodule m\n x:[0..99999];\n [] x<99999->(x'=x+1);\nendmodule\n"), limits);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().kind, BuildFailure::Kind::limit);
  const auto chain = build_decisions(model_of("dtmc\nmodule m\n x:[0..1];\nendmodule\n"));
  ASSERT_FALSE(chain);
  EXPECT_EQ(chain.error().kind, BuildFailure::Kind::unsupported);
}

}  // namespace
}  // namespace brink::analytic
