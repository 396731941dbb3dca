// Explicit files: what they mean, and what is said about wrong ones.
#include "models/language/explicit_import.h"

#include <gmock/gmock.h>

#include "models/language/listed.h"
#include "tests/unit/language/helpers.h"

namespace brink::test {
namespace {

using testing::ElementsAre;

struct Texts {
  std::string tra, sta, lab, srew, trew;
};

Result<ModelPtr, Diagnostics> imported(const Texts& texts, std::optional<ModelType> as = {}) {
  const auto source = [](const char* name, const std::string& text) {
    return text.empty() ? nullptr : make_source(name, text);
  };
  ExplicitFiles files;
  files.transitions = source("m.tra", texts.tra);
  files.states = source("m.sta", texts.sta);
  files.labels = source("m.lab", texts.lab);
  if (!texts.srew.empty() || !texts.trew.empty()) {
    files.rewards.push_back({source("m.srew", texts.srew), source("m.trew", texts.trew)});
  }
  return import_explicit(files, as);
}

ModelPtr model_of(const Texts& texts, std::optional<ModelType> as = {}) {
  const auto model = imported(texts, as);
  if (!model) ADD_FAILURE() << render(model.error());
  return model ? *model : nullptr;
}

/// "CODE file:line" of the first error.
std::string refused(const Texts& texts, std::optional<ModelType> as = {}) {
  const auto model = imported(texts, as);
  if (model) return "accepted";
  const Diagnostic& d = model.error().front();
  return d.code + " " + d.source->name() + ":" + std::to_string(d.begin()->line);
}

// A die by a coin would do; this is smaller: 0 -> 1 or 2, 1 -> 1, 2 is a deadlock.
const Texts kCoin = {"3 4\n0 1 0.5\n0 2 0.5\n1 1 1\n2 2 1\n",
                     "(s,done)\n0:(-2,false)\n1:(7,true)\n2:(3,true)\n",
                     "0=\"init\" 1=\"deadlock\" 2=\"heads\"\n0: 0\n1: 2\n2: 1\n",
                     "3 2\n0 1.5\n1 -2\n", "3 1\n0 2 3\n"};

TEST(Explicit, AChainIsWhatItsFilesSay) {
  const ModelPtr m = model_of(kCoin);
  ASSERT_NE(m, nullptr);
  EXPECT_EQ(m->type, ModelType::dtmc);
  ASSERT_EQ(m->variables.size(), 3U);
  EXPECT_EQ(m->variables[0].low_value, -2);
  EXPECT_EQ(m->variables[0].high_value, 7);
  EXPECT_EQ(m->variables[1].type, Type::boolean);
  EXPECT_EQ(m->variables[2].name, "heads");
  EXPECT_THAT(*initial_states(*m), ElementsAre(Valuation{-2, 0, 0}));
  EXPECT_THAT(moves(m, {-2, 0, 0}),
              ElementsAre(Move{"", 0.5, {7, 1, 1}}, Move{"", 0.5, {3, 1, 0}}));
  EXPECT_THAT(moves(m, {7, 1, 1}), ElementsAre(Move{"", 1, {7, 1, 1}}));
  EXPECT_THAT(moves(m, {3, 1, 0}), ElementsAre());  // the loop of a deadlock is PRISM's repair
  EXPECT_EQ(reachable(m).size(), 3U);
  Evaluator evaluator(m);
  EXPECT_EQ(*evaluator.label(0, Valuation{7, 1, 1}), true);
  EXPECT_EQ(*evaluator.label(0, Valuation{3, 1, 0}), false);
  EXPECT_EQ(*evaluator.state_reward(0, Valuation{-2, 0, 0}), 1.5);
  EXPECT_EQ(*evaluator.state_reward(0, Valuation{7, 1, 1}), -2);
  // Half of the moves earn 3.
  EXPECT_EQ(*evaluator.transition_reward(0, kUnlabelled, Valuation{-2, 0, 0}), 1.5);
  EXPECT_THAT(moves(m, {0, 0, 0}), ElementsAre());  // no such state
}

TEST(Explicit, WithoutStatesAndLabels) {
  const ModelPtr m = model_of({.tra = "# a comment\n2 3\n1 0 2.5\n0 1 1e0\n\n0 0 .5\r\n"});
  ASSERT_NE(m, nullptr);
  EXPECT_EQ(m->type, ModelType::ctmc);  // 1.5 is no probability
  EXPECT_EQ(m->variables[0].name, "x");
  EXPECT_THAT(*initial_states(*m), ElementsAre(Valuation{0}));
  EXPECT_THAT(moves(m, {0}), ElementsAre(Move{"", 0.5, {0}}, Move{"", 1, {1}}));
  EXPECT_EQ(refused({.tra = "2 3\n1 0 2.5\n0 1 1\n0 0 .5\n"}, ModelType::dtmc), "E0805 m.tra:4");
  EXPECT_EQ(model_of({.tra = "1 1\n0 0 1\n"}, ModelType::ctmc)->type, ModelType::ctmc);
  // The state whose variables have their least values is the initial one.
  const ModelPtr least = model_of({.tra = "2 2\n0 1 1\n1 0 1\n", .sta = "(a)\n0:(5)\n1:(4)\n"});
  EXPECT_THAT(*initial_states(*least), ElementsAre(Valuation{4}));
}

TEST(Explicit, ChoicesActionsAndTheirRewards) {
  const Texts texts = {
      .tra = "2 4 5\n0 1 1 1 go\n0 0 0 0.5 go\n0 0 1 0.5 go\n0 2 0 1\n1 0 1 1 stay\n",
      .trew =
          "# Reward structure: \"cost\"\n# Transition rewards\n2 4 3\n"
          "0 0 0 2\n0 0 1 4\n0 1 1 7\n"};
  const ModelPtr m = model_of(texts);
  ASSERT_NE(m, nullptr);
  EXPECT_EQ(m->type, ModelType::mdp);
  EXPECT_THAT(moves(m, {0}), ElementsAre(Move{"go", 0.5, {0}}, Move{"go", 0.5, {1}},
                                         Move{"go#2", 1, {1}}, Move{"", 1, {0}}));
  EXPECT_EQ(m->rewards[0].name, "cost");
  Evaluator evaluator(m);
  const auto reward = [&](const char* action) {
    return *evaluator.transition_reward(0, *m->find_action(action), Valuation{0});
  };
  EXPECT_EQ(reward("go"), 3);
  EXPECT_EQ(reward("go#2"), 7);
  EXPECT_EQ(reward(""), 0);
  EXPECT_FALSE(evaluator.has_state_rewards(0));
  EXPECT_EQ(refused(texts, ModelType::dtmc), "E0804 m.tra:1");
}

TEST(Explicit, EqualTargetsAreSummedAndSeveralStatesAreInitial) {
  const ModelPtr m =
      model_of({.tra = "2 3\n0 1 0.25\n0 1 0.75\n1 1 1\n", .lab = "0=\"init\"\n1: 0\n0: 0\n"});
  EXPECT_THAT(moves(m, {0}), ElementsAre(Move{"", 1, {1}}));
  EXPECT_THAT(*initial_states(*m), ElementsAre(Valuation{0}, Valuation{1}));
}

TEST(Explicit, WrongFilesAreRefusedWithTheirLine) {
  const auto tra = [](const std::string& text) { return refused({.tra = text}); };
  EXPECT_EQ(tra("\n"), "E0803 m.tra:2");
  EXPECT_EQ(tra("2\n"), "E0803 m.tra:1");
  EXPECT_EQ(tra("2 x\n"), "E0803 m.tra:1");
  EXPECT_EQ(tra("0 0\n"), "E0804 m.tra:1");
  EXPECT_EQ(tra("99999999999999 0\n"), "E0804 m.tra:1");
  EXPECT_EQ(tra("4000000000 1\n0 0 1\n"), "E0804 m.tra:1");
  EXPECT_EQ(tra("2 1\n0 2 1\n"), "E0804 m.tra:2");
  EXPECT_EQ(tra("2 2\n0 1 1\n"), "E0804 m.tra:1");
  EXPECT_EQ(tra("2 1\n0 1 -1\n"), "E0805 m.tra:2");
  EXPECT_EQ(tra("2 1\n0 1 nan\n"), "E0805 m.tra:2");
  EXPECT_EQ(tra("2 1\n0 1 inf\n"), "E0805 m.tra:2");
  EXPECT_EQ(tra("2 1\n0 1 1 go home\n"), "E0803 m.tra:2");
  EXPECT_EQ(tra("2 1\n0 1\n"), "E0803 m.tra:2");
  EXPECT_EQ(tra("2 2 2\n0 0 1 0.5\n0 0 0 0.4\n"), "E0805 m.tra:3");
  EXPECT_EQ(tra("2 2 1\n0 1 1 1\n"), "E0804 m.tra:2");
  EXPECT_EQ(tra("2 1 2\n0 0 1 0.5 a\n0 0 0 0.5 b\n"), "E0804 m.tra:2");
  EXPECT_EQ(tra("2 5 1\n0 0 1 1\n"), "E0804 m.tra:1");
  const auto with = [](auto change) {
    Texts texts = kCoin;
    change(texts);
    return refused(texts);
  };
  const auto sta = [&](const std::string& text) { return with([&](Texts& t) { t.sta = text; }); };
  EXPECT_EQ(sta("s\n0:(0)\n"), "E0803 m.sta:1");
  EXPECT_EQ(sta("(s t)\n0:(0)\n1:(1)\n2:(2)\n"), "E0803 m.sta:1");
  EXPECT_EQ(sta("(s,s)\n0:(0,0)\n1:(1,1)\n2:(2,2)\n"), "E0804 m.sta:1");
  EXPECT_EQ(sta("(s)\n0:(0)\n1:(1)\n                \n"), "E0804 m.sta:1");
  EXPECT_EQ(sta("(s)\n0:(0)\n1:(1)\n1:(2)\n"), "E0804 m.sta:4");
  EXPECT_EQ(sta("(s)\n0:(0)\n1:(1,2)\n2:(2)\n"), "E0804 m.sta:3");
  EXPECT_EQ(sta("(s)\n0:(0)\n1:(true)\n2:(2)\n"), "E0803 m.sta:3");
  EXPECT_EQ(sta("(s)\n0:(0)\n1:(1)\n2:(0)\n"), "E0804 m.sta:1");
  EXPECT_EQ(sta("(s)\n0:(0)\n1:(1)\n3:(2)\n"), "E0804 m.sta:4");
  const auto lab = [&](const std::string& text) { return with([&](Texts& t) { t.lab = text; }); };
  EXPECT_EQ(lab("init\n"), "E0803 m.lab:1");
  EXPECT_EQ(lab("0=\"init\" 0=\"a\"\n"), "E0804 m.lab:1");
  EXPECT_EQ(lab("0=\"init\" 1=\"a\" 2=\"a\"\n"), "E0804 m.lab:1");
  EXPECT_EQ(lab("0=\"init\"\n0: 1\n"), "E0804 m.lab:2");
  EXPECT_EQ(lab("0=\"init\"\n3: 0\n"), "E0804 m.lab:2");
  EXPECT_EQ(lab("0=\"init\"\n"), "E0804 m.lab:1");
  EXPECT_EQ(with([](Texts& t) { t.srew = "4 1\n0 1\n"; }), "E0804 m.srew:1");
  EXPECT_EQ(with([](Texts& t) { t.srew = "3 2\n0 1\n"; }), "E0804 m.srew:1");
  EXPECT_EQ(with([](Texts& t) { t.srew = "3 1\n0 one\n"; }), "E0803 m.srew:2");
  EXPECT_EQ(with([](Texts& t) { t.trew = "3 1\n1 2 1\n"; }), "E0804 m.trew:2");
}

TEST(Explicit, AMillionStatesAreRead) {
  constexpr int kStates = 1'000'000;  // a ring with a way back to the start
  std::string tra = std::to_string(kStates) + " " + std::to_string(2 * kStates) + "\n";
  std::string sta = "(a,b)\n";
  for (int s = 0; s < kStates; ++s) {
    const std::string n = std::to_string(s);
    tra += n + " " + std::to_string((s + 1) % kStates) + " 0.5\n" + n + " 0 0.5\n";
    sta += n + ":(" + std::to_string(s / 1000) + "," + std::to_string(s % 1000) + ")\n";
  }
  tra.replace(0, tra.find('\n'), "1000000 2000000");
  const ModelPtr m = model_of({.tra = std::move(tra), .sta = std::move(sta)});
  ASSERT_NE(m, nullptr);
  EXPECT_EQ(m->listed->size(), 1'000'000U);
  EXPECT_THAT(moves(m, {123, 999}), ElementsAre(Move{"", 0.5, {0, 0}}, Move{"", 0.5, {124, 0}}));
}

}  // namespace
}  // namespace brink::test
