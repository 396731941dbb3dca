#include "analytic/property_values.h"

#include <gmock/gmock.h>

#include <cmath>

#include "models/language/instantiate.h"
#include "models/language/parser.h"

namespace brink::analytic {
namespace {

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
  auto chain = build_chain(model);
  if (!chain) {
    ADD_FAILURE() << chain.error().message;
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
  return evaluate_property(*chain, *set, set->properties.front());
}

void expect_value(const std::string& model, const std::string& property, double expected) {
  const Answer a = ask(model, property);
  EXPECT_EQ(a.status, Answer::Status::solved) << property << ": " << a.note;
  EXPECT_FALSE(a.boolean);
  if (std::isinf(expected))
    EXPECT_EQ(a.low, expected) << property;
  else
    EXPECT_NEAR(a.low, expected, 1e-12 * std::abs(expected) + a.error_bound) << property;
  EXPECT_LE(a.error_bound, 1e-10 * (1 + std::abs(expected))) << property;
}

void expect_truth(const std::string& model, const std::string& property, bool expected) {
  const Answer a = ask(model, property);
  EXPECT_EQ(a.status, Answer::Status::solved) << property << ": " << a.note;
  EXPECT_TRUE(a.boolean);
  EXPECT_EQ(a.truth, expected) << property;
}

// Gambler's ruin from 3 of 10 with a fair coin.
const char* const gambler = R"(dtmc
module m
  x : [0..10] init 3;
  [toss] x>0 & x<10 -> 0.5:(x'=x+1) + 0.5:(x'=x-1);
  [] x=0 | x=10 -> true;
endmodule
rewards "tosses"
  [toss] true : 1;
endrewards
rewards "wealth"
  true : x;
endrewards
)";

TEST(PropertyValues, DiscreteReachabilityAndRewards) {
  expect_value(gambler, "P=? [ F x=10 ]", 0.3);
  expect_value(gambler, "P=? [ G x>0 ]", 0.3);
  expect_value(gambler, "P=? [ x<5 U x=5 ]", 0.6);
  expect_value(gambler, "P=? [ F<=1 x=2 ]", 0.5);
  expect_value(gambler, "P=? [ F<4 x=0 ]", 0.125);
  expect_value(gambler, "P=? [ F>=4 x=0 ]", 0.7);
  // At the lower bound itself the left side need not hold any more: 3 -> 4 -> 5.
  expect_value(gambler, "P=? [ x<5 U[2,2] x=5 ]", 0.25);
  expect_value(gambler, "P=? [ x<5 U>=2 x=5 ]", 0.6);
  expect_value(gambler, "T=? [ F x=0 | x=10 ]", 21);
  expect_value(gambler, "P=? [ X x=4 ]", 0.5);
  expect_value(gambler, "P=? [ x=3 ]", 1);
  expect_value(gambler, "P=? [ (x<10) W (x=0) ]", 0.7);
  expect_value(gambler, "R{\"tosses\"}=? [ F x=0 | x=10 ]", 21);  // 3 * 7
  expect_value(gambler, "R{\"tosses\"}=? [ C ]", 21);
  expect_value(gambler, "R{\"tosses\"}=? [ C<=2 ]", 2);
  expect_value(gambler, "R{\"tosses\"}=? [ F x=10 ]", INFINITY);
  expect_value(gambler, "R{\"wealth\"}=? [ I=2 ]", 3);  // a fair game
  expect_value(gambler, "R{\"wealth\"}=? [ S ]", 3);
  expect_value(gambler, "S=? [ x=0 ]", 0.7);
}

TEST(PropertyValues, NestedBoundsFiltersAndArithmetic) {
  expect_truth(gambler, "P>=1 [ F (x=0 | x=10) ]", true);
  expect_truth(gambler, "P>0.3001 [ F x=10 ]", false);
  expect_value(gambler, "P=? [ F P>0.85 [ F x=10 ] ]", 1.0 / 3);  // x = 9 or 10: from 3, 3/9
  expect_value(gambler, "1 - P=? [ F x=10 ] * 2", 0.4);
  expect_value(gambler, "filter(max, P=? [ F x=10 ], x<5)", 0.4);
  expect_value(gambler, "filter(count, P>=0.45 [ F x=10 ])", 6);
  expect_value(gambler, "filter(avg, x, x>0)", 5.5);
  expect_truth(gambler, "filter(forall, P>=1 [ F x>5 ] | x<10)", true);
  expect_truth(gambler, "filter(exists, x=7 & P<0.71 [ F x=10 ])", true);
}

TEST(PropertyValues, WholeNumbersWhereTheErrorAllows) {
  expect_value(gambler, "ceil(P=? [ F x=10 ]) + 1", 2);
  expect_value(gambler, "floor(10.5*P=? [ F x=10 ])", 3);
  expect_value(gambler, "round(10*P=? [ F x=10 ])", 3);
  // 3, but for the error: 2 and 3 are both possible.
  EXPECT_EQ(ask(gambler, "floor(10*P=? [ F x=10 ])").status, Answer::Status::unsupported);
}

TEST(PropertyValues, ValuesOnTheirBoundAreUndecided) {
  const Answer a = ask(gambler, "P>=0.3 [ F x=10 ]");
  EXPECT_EQ(a.status, Answer::Status::undecided);
  EXPECT_FALSE(a.note.empty());
}

// M/M/1/4 with arrival rate 1 and service rate 2.
const char* const queue = R"(ctmc
module m
  n : [0..4];
  [in] n<4 -> 1:(n'=n+1);
  [out] n>0 -> 2:(n'=n-1);
endmodule
rewards "served"
  [out] true : 1;
endrewards
rewards "present"
  true : n;
endrewards
)";

TEST(PropertyValues, ContinuousTime) {
  const double total = 1 + 0.5 + 0.25 + 0.125 + 0.0625;
  expect_value(queue, "S=? [ n=0 ]", 1 / total);
  expect_value(queue, "R{\"present\"}=? [ S ]", (0.5 + 0.5 + 0.375 + 0.25) / total);
  expect_value(queue, "R{\"served\"}=? [ S ]", 2 * (1 - 1 / total));
  expect_value(queue, "P=? [ F n=4 ]", 1);
  // First passage 0 -> 4: t_k = 1 + 2 t_(k-1): 1, 3, 7, 15.
  expect_value(queue, "R{\"present\"}=? [ F n=1 ]", 0);
  expect_value(queue, "P=? [ n<1 U<=0.5 n=1 ]", 1 - std::exp(-0.5));
  expect_value(queue, "P=? [ n<1 U[0.25,0.5] n=1 ]", std::exp(-0.25) - std::exp(-0.5));
  expect_value(queue, "P=? [ G<=0.5 n=0 ]", std::exp(-0.5));
}

const char* const time_model = R"(ctmc
module m
  n : [0..4];
  [] n<4 -> 1:(n'=n+1);
  [] n>0 -> 2:(n'=n-1);
endmodule
rewards
  true : 1;
endrewards
)";

TEST(PropertyValues, ExpectedTimes) {
  expect_value(time_model, "R=? [ F n=4 ]", 1 + 3 + 7 + 15);
  expect_value(time_model, "R=? [ C<=2.5 ]", 2.5);
  expect_value(time_model, "R=? [ C ]", INFINITY);
}

TEST(PropertyValues, SeveralInitialStatesGiveARange) {
  const std::string several =
      std::string(gambler).replace(std::string(gambler).find(" init 3"), 7, "") +
      "init x>=2 & x<=4 endinit\n";
  const Answer a = ask(several, "P=? [ F x=10 ]");
  ASSERT_EQ(a.status, Answer::Status::solved);
  EXPECT_NEAR(a.low, 0.2, 1e-15);
  EXPECT_NEAR(a.high, 0.4, 1e-15);
}

TEST(PropertyValues, UnsupportedIsNamed) {
  EXPECT_THAT(ask(gambler, "P=? [ G F<=3 x=0 ]").note, ::testing::HasSubstr("LTL"));
  EXPECT_THAT(ask(gambler, "R{\"tosses\"}=? [ G X x=0 ]").note, ::testing::HasSubstr("co-safe"));
  EXPECT_EQ(ask(gambler, "P=? [ G F<=3 x=0 ]").status, Answer::Status::unsupported);
}

TEST(PropertyValues, LinearTemporalLogic) {
  // Ruin ends in 0 or 10 and stays: G F and F G of the ends have the probabilities of reaching
  // them.
  expect_value(gambler, "P=? [ G F x=10 ]", 0.3);
  expect_value(gambler, "P=? [ F G x=0 ]", 0.7);
  expect_value(gambler, "P=? [ (F G x=0) & (G x<10) ]", 0.7);
  expect_value(gambler, "1 - P=? [ (F x=0) | (F x=10) ]", 0);
  // Up and up again (1/4) is the only way to meet x=5 two steps from the start.
  expect_value(gambler, "P=? [ X X x=5 ]", 0.25);
  expect_truth(gambler, "P>=1 [ F (x=0 | x=10) & (true | (X true)) ]", true);
  expect_truth(gambler, "E [ G F x=3 ] & !A [ F G (x=0 | x=10) ] & P<=0 [ G F x=3 ]", true);
  // Nested: from how many states does one go on for ever with probability above 1/2?
  expect_value(gambler, "filter(count, P>0.55 [ G F x=10 ])", 5);
  // One toss more than until the ends are met: 3 * 7 tosses, then X.
  expect_value(gambler, "R{\"tosses\"}=? [ F (x=0 | x=10) ]", 21);
  expect_value(gambler, "R{\"tosses\"}=? [ X X true ]", 2);
}

/// Two tosses; the state after the first one pays 2 or 3 points on leaving, each with 1/2.
const char* const points =
    "dtmc\nmodule m\n t:[0..2];\n three:bool;\n"
    " [] t<2 -> 0.5:(t'=t+1)&(three'=false) + 0.5:(t'=t+1)&(three'=true);\n [] t=2 -> true;\n"
    "endmodule\nrewards \"p\" t>0 & !three : 2; t>0 & three : 3; endrewards\n"
    "rewards \"half\" t>0 : 0.5; endrewards\nrewards \"moves\" [] t<2 : 1; endrewards\n";

TEST(PropertyValues, BudgetsOfRewards) {
  expect_value(points, "P=? [ F^{rew{\"p\"}<=2} t=2 ]", 0.5);
  expect_value(points, "P=? [ F^{rew{\"p\"}<2} t=2 ]", 0);
  expect_value(points, "P=? [ F^{rew{\"p\"}<=3} t=2 ]", 1);
  expect_value(points, "P=? [ G^{rew{\"p\"}<=2} t<2 ]", 0.5);
  expect_value(points, "P=? [ t<2 U^{rew{\"p\"}<=2.5} t=2 & three ]", 0.25);
  expect_truth(points, "P>=0.4 [ F^{rew{\"p\"}<=2} t=2 ]", true);
  EXPECT_NE(ask(points, "P=? [ F^{rew{\"half\"}<=2} t=2 ]").status, Answer::Status::solved);
  EXPECT_NE(ask(points, "P=? [ F^{rew{\"moves\"}<=2} t=2 ]").status, Answer::Status::solved);
  EXPECT_THAT(ask(gambler, "P=? [ F^{rew{\"tosses\"}<=2} x=5 ]").note,
              ::testing::HasSubstr("moves in a chain"));
}

/// What the graph decides is exact, so bounds 0 and 1 are no matter of rounding.
TEST(PropertyValues, BoundsZeroAndOneAreDecided) {
  expect_value(gambler, "filter(count, P>0 [ F<=2 x=0 ])", 3);
  expect_value(gambler, "filter(count, P<=0 [ F<=2 x=0 ])", 8);
  expect_value(gambler, "filter(count, P>=1 [ F<=1 x<=1 | x>=9 ])", 4);
  expect_value(gambler, "filter(count, P>0 [ F[2,3] x=0 ])", 4);
  expect_value(gambler, "filter(count, R{\"tosses\"}>0 [ C<=2 ])", 9);
  expect_value(gambler, "filter(count, R{\"wealth\"}<=0 [ I=1 ])", 1);
}

TEST(ChainBuilder, RefusesDecisionProcesses) {
  const auto chain =
      build_chain(model_of("mdp\nmodule m\n x:[0..1];\n [] true->true;\nendmodule\n"));
  ASSERT_FALSE(chain);
  EXPECT_EQ(chain.error().kind, BuildFailure::Kind::unsupported);
  EXPECT_THAT(chain.error().message, ::testing::HasSubstr("decision process"));
}

TEST(ChainBuilder, ReachableErrorsAndLimits) {
  const ModelPtr bad = model_of("ctmc\nmodule m\n x:[0..2];\n [] true->(x'=x+1);\nendmodule\n");
  const auto failed = build_chain(bad);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().kind, BuildFailure::Kind::model_error);
  EXPECT_EQ(failed.error().state, std::vector<std::int64_t>{2});
  const ModelPtr big =
      model_of("ctmc\nmodule m\n x:[0..999999];\n [] x<999999->(x'=x+1);\nendmodule\n");
  BuildLimits limits;
  limits.states = 5000;
  const auto stopped = build_chain(big, limits);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().kind, BuildFailure::Kind::limit);
}

TEST(ChainBuilder, OverlappingGuardsShareInDiscreteTimeAndRaceInContinuous) {
  const std::string body = "module m\n x:[0..2];\n [] x=0->(x'=1);\n [] x=0->(x'=2);\nendmodule\n";
  const auto discrete = build_chain(model_of("dtmc\n" + body));
  ASSERT_TRUE(discrete);
  EXPECT_THAT(discrete->chain().row(0), ::testing::ElementsAre(Entry{1, 0.5}, Entry{2, 0.5}));
  EXPECT_TRUE(discrete->deadlock(1));
  const auto continuous = build_chain(model_of("ctmc\n" + body));
  ASSERT_TRUE(continuous);
  EXPECT_THAT(continuous->chain().row(0), ::testing::ElementsAre(Entry{1, 1.0}, Entry{2, 1.0}));
}

}  // namespace
}  // namespace brink::analytic
