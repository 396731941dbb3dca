// Partial exploration: what is known of a model whose states were not all expanded lies around the
// value of the whole model.
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "analytic/property_values.h"
#include "models/language/instantiate.h"
#include "models/language/parser.h"

namespace brink::analytic {
namespace {

ModelPtr model_of(const std::string& text) {
  const auto file = parse_model(make_source("test.prism", text));
  if (!file) throw std::runtime_error(render(file.error()));
  const auto model = instantiate(*file);
  if (!model) throw std::runtime_error(render(model.error()));
  return *model;
}

/// A gambler with 10 of 1000 who wins with probability 0.4; ruin is all but sure.
const std::string walk =
    "dtmc\nmodule m\n x : [0..1000] init 10;\n [] x=0 | x=1000 -> true;\n"
    " [] x>0 & x<1000 -> 0.6:(x'=x-1) + 0.4:(x'=x+1);\nendmodule\n"
    "rewards \"steps\" x>0 : 1; endrewards\n";

Answer ask(const std::string& model, const std::string& formula, std::uint64_t states) {
  const ModelPtr built = model_of(model);
  const auto file = parse_properties(make_source("test.props", formula));
  EXPECT_TRUE(file.has_value());
  const auto set = check_properties(*file, built);
  EXPECT_TRUE(set.has_value());
  BuildLimits limits;
  limits.states = states;
  limits.partial = true;
  const Property& property = set->properties.front();
  if (built->type == ModelType::mdp) {
    const auto decisions = build_decisions(built, limits);
    EXPECT_TRUE(decisions.has_value());
    return evaluate_property(*decisions, *set, property);
  }
  const auto chain = build_chain(built, limits);
  EXPECT_TRUE(chain.has_value());
  EXPECT_EQ(chain->complete(), states == 0);
  return evaluate_property(*chain, *set, property);
}

TEST(Partial, ProbabilitiesAreEnclosed) {
  // Gambler's ruin within 0..B from 10: (r^10 - r^B) / (1 - r^B) with r = 0.6 / 0.4 is the chance
  // of B, and what lies beyond B is not known.
  const double r = 1.5;
  for (const int states : {30, 60, 200}) {
    const Answer partial = ask(walk, "P=? [ F x=0 ]", static_cast<std::uint64_t>(states));
    ASSERT_EQ(partial.status, Answer::Status::solved) << partial.note;
    EXPECT_TRUE(partial.partial);
    const double far = states;  // one state beyond 0..states-1 was found
    const double miss = (std::pow(r, 10) - 1) / (std::pow(r, far) - 1);
    EXPECT_NEAR(partial.low, 1 - miss, 1e-12);
    EXPECT_NEAR(partial.high, 1, 1e-12);
  }
}

TEST(Partial, BoundsAreThreeValued) {
  EXPECT_TRUE(ask(walk, "P>=0.9 [ F x=0 ]", 60).truth);
  const Answer violated = ask(walk, "P<0.5 [ F x=0 ]", 60);
  EXPECT_EQ(violated.status, Answer::Status::solved);
  EXPECT_FALSE(violated.truth);
  EXPECT_EQ(ask(walk, "P>=1 [ F x=0 ]", 60).status, Answer::Status::undecided);
  EXPECT_EQ(ask(walk, "P<=0 [ F x=1000 ]", 60).status, Answer::Status::undecided);
  EXPECT_TRUE(ask(walk, "R{\"steps\"}>=40 [ F x=0 ]", 60).truth);
  EXPECT_EQ(ask(walk, "R{\"steps\"}<=60 [ F x=0 ]", 60).status, Answer::Status::undecided);
  const Answer too_long = ask(walk, "R{\"steps\"}<=40 [ F x=0 ]", 60);
  EXPECT_EQ(too_long.status, Answer::Status::solved);
  EXPECT_FALSE(too_long.truth);
}

TEST(Partial, RewardsHaveALowerBoundOnly) {
  // 10 / (0.6 - 0.4) steps to ruin without an upper end.
  const Answer steps = ask(walk, "R{\"steps\"}=? [ F x=0 ]", 100);
  ASSERT_EQ(steps.status, Answer::Status::solved) << steps.note;
  EXPECT_LE(steps.low, 50.0 + 1e-9);
  EXPECT_GT(steps.low, 49.99);
  EXPECT_TRUE(std::isinf(steps.high));
}

TEST(Partial, WhatNeedsAllStatesIsUndecided) {
  for (const char* formula : {"S=? [ x=0 ]", "R{\"steps\"}=? [ I=3 ]", "P=? [ F (G x=0) ]",
                              "filter(max, P=? [ F x=0 ])", "P=? [ F \"deadlock\" ]"})
    EXPECT_EQ(ask(walk, formula, 60).status, Answer::Status::undecided) << formula;
}

TEST(Partial, TimeWindowsAreEnclosed) {
  for (const char* formula : {"P=? [ F<=20 x=0 ]", "P=? [ F[5,30] x=0 ]", "P=? [ G<=12 x>0 ]",
                              "P=? [ X x=9 ]", "P=? [ x>5 U<=60 x=40 ]"}) {
    const Answer whole = ask(walk, formula, 0);
    ASSERT_EQ(whole.status, Answer::Status::solved) << formula;
    for (const int states : {12, 20, 40}) {
      const Answer part = ask(walk, formula, static_cast<std::uint64_t>(states));
      ASSERT_EQ(part.status, Answer::Status::solved) << formula << part.note;
      EXPECT_LE(part.low, whole.low + 1e-12) << formula << states;
      EXPECT_GE(part.high, whole.high - 1e-12) << formula << states;
    }
  }
}

TEST(Partial, DecisionsAreEnclosed) {
  const std::string mdp =
      "mdp\nmodule m\n x : [0..300] init 10;\n [] x=0 | x=300 -> true;\n"
      " [slow] x>0 & x<300 -> 0.6:(x'=x-1) + 0.4:(x'=x+1);\n"
      " [fast] x>1 & x<299 -> 0.5:(x'=x-2) + 0.5:(x'=x+2);\nendmodule\n";
  for (const char* formula : {"Pmax=? [ F x=0 ]", "Pmin=? [ F x=0 ]", "Pmax=? [ F<=15 x=0 ]"}) {
    const Answer whole = ask(mdp, formula, 0);
    const Answer part = ask(mdp, formula, 80);
    ASSERT_EQ(part.status, Answer::Status::solved) << formula << part.note;
    EXPECT_TRUE(part.partial);
    EXPECT_LE(part.low, whole.low + 1e-12) << formula;
    EXPECT_GE(part.high, whole.high - 1e-12) << formula;
  }
}

}  // namespace
}  // namespace brink::analytic
