#include "analytic/strategy.h"

#include <gmock/gmock.h>

#include <random>

#include "models/language/instantiate.h"
#include "models/language/parser.h"

namespace brink::analytic {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

ModelPtr model_of(const std::string& text) {
  auto file = parse_model(make_source("test.prism", text));
  auto model = file ? instantiate(*file) : Result<ModelPtr, Diagnostics>(fail(file.error()));
  if (!model) ADD_FAILURE() << render(model.error()) << text;
  return model ? *model : nullptr;
}

struct Asked {
  Answer answer;
  Result<Strategy, NoStrategy> strategy = fail(NoStrategy{});
  std::string text;
};

Asked ask(const ModelPtr& model, const std::string& property) {
  Asked out;
  const auto decisions = build_decisions(model);
  const auto file = parse_properties(make_source("test.props", property));
  const auto set = check_properties(*file, model);
  if (!decisions || !set) {
    ADD_FAILURE() << property;
    return out;
  }
  out.answer = evaluate_property(*decisions, *set, set->properties.front());
  out.strategy = best_strategy(*decisions, *set, set->properties.front());
  if (out.strategy) out.text = strategy_text(*decisions, *out.strategy, set->properties.front());
  return out;
}

/// Waiting loses nothing and wins nothing; [b] wins 2/3, [a] 1/3.
const char* const choice =
    "mdp\nmodule m\n x:[0..2];\n up:bool;\n [wait] x=0 -> true;\n"
    " [a] x=0 -> 1/3:(x'=1) + 2/3:(x'=2);\n"
    " [b] x=0 -> 2/5:(x'=0) + 2/5:(x'=1) + 1/5:(x'=2);\nendmodule\n"
    "rewards [a] true : 5; [b] true : 1; endrewards\n";

TEST(Strategy, SaysWhatToDoInTheModelsWords) {
  const ModelPtr model = model_of(choice);
  const Asked best = ask(model, "Pmax=? [ F x=1 ]");
  ASSERT_TRUE(best.strategy) << best.strategy.error().message;
  EXPECT_EQ(best.text,
            "# Pmax=? [ F x=1 ]\n# 1 of 3 states; the others are not met, or nothing is decided "
            "there any more\nx=0, up=false: module m, command 3 [b]\n");
  EXPECT_NEAR(best.strategy->low, 2.0 / 3, 1e-12);
  // Waiting for ever is the worst, and the cheapest way on is a round of [b].
  EXPECT_THAT(ask(model, "Pmin=? [ F x=1 ]").text, HasSubstr("[wait]"));
  EXPECT_THAT(ask(model, "Pmax=? [ G x!=1 ]").text, HasSubstr("[wait]"));
  EXPECT_THAT(ask(model, "Rmin=? [ F x>0 ]").text, HasSubstr("[b]"));
  EXPECT_THAT(ask(model, "Pmin=? [ x=0 W x=1 ]").text, HasSubstr("[a]"));
}

TEST(Strategy, RefusesWhatNeedsMemory) {
  const ModelPtr model = model_of(choice);
  for (const char* text : {"Pmax=? [ F<=3 x=1 ]", "Pmax=? [ G F x=0 ]", "Pmax=? [ X x=1 ]",
                           "Rmax=? [ C<=2 ]", "1 - Pmax=? [ F x=1 ]"}) {
    const Asked asked = ask(model, text);
    ASSERT_FALSE(asked.strategy) << text;
    EXPECT_FALSE(asked.strategy.error().disagrees) << asked.strategy.error().message;
  }
}

/// Random processes with cycles, ties and zero costs: the chain of the strategy attains the value
/// (best_strategy compares them; `disagrees` would be a wrong strategy).
TEST(Strategy, AttainsTheValue) {
  std::mt19937 random(8);
  for (int round = 0; round < 120; ++round) {
    std::string text = "mdp\nmodule m\n x:[0..7];\n";
    for (int c = 0; c < 14; ++c) {
      const auto number = [&] { return std::to_string(random() % 8); };
      text += " [] x=" + std::to_string(c % 7) + " -> 0.5:(x'=" + number() +
              ") + 0.25:(x'=" + number() + ") + 0.25:(x'=" + number() + ");\n";
    }
    text += "endmodule\nrewards x=1|x=2 : 1; endrewards\n";
    const ModelPtr model = model_of(text);
    for (const char* property : {"Pmax=? [ F x=6 ]", "Pmin=? [ F x=6 ]", "Pmin=? [ x<6 U x=6 ]",
                                 "Pmax=? [ G x!=5 ]", "Rmin=? [ F x=7 ]", "Rmax=? [ F x=7 ]"}) {
      const Asked asked = ask(model, property);
      ASSERT_EQ(asked.answer.status, Answer::Status::solved) << asked.answer.note;
      ASSERT_TRUE(asked.strategy) << property << ": " << asked.strategy.error().message << text;
      const bool infinite = std::isinf(asked.answer.low);
      EXPECT_EQ(std::isinf(asked.strategy->low), infinite) << property << text;
      if (infinite) continue;
      EXPECT_NEAR(asked.strategy->low, asked.answer.low, 1e-9) << property << text;
    }
  }
}

}  // namespace
}  // namespace brink::analytic
