// Explicit search is the reference; the symbolic engines must agree with it on verdicts and on the
// lengths of shortest traces, on all tiny models of a grammar and on random larger ones. The target
// `differential` (BRINK_DIFFERENTIAL=full) asks every engine about every tiny model of up to three
// commands and about thousands of random ones; the plain run takes samples of both.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <random>

#include "solver/auto.h"
#include "tests/unit/solver/models.h"

namespace brink::solver {
namespace {

const char* const guards[] = {"true", "x<2", "y=0", "x>y"};
const char* const updates[] = {"(x'=min(x+1,2))", "(y'=1-y)", "(x'=x-1)", "(x'=0)&(y'=1)",
                               "(x'=y)&(y'=min(x,1))"};
const char* const properties[] = {"A [ G x<2 ]", "E [ F (x=2 & y=1) ]", "A [ G (E [ F x=1 ]) ]",
                                  "A [ G !\"deadlock\" ]"};

bool full() {
  const char* const wanted = std::getenv("BRINK_DIFFERENTIAL");
  return wanted != nullptr && std::string_view(wanted) == "full";
}

std::string tiny(const std::vector<int>& commands) {
  std::string text = "mdp\nmodule m\n x:[0..2];\n y:[0..1];\n";
  constexpr int kinds = std::size(updates);
  for (const int c : commands)
    text += fmt::format(" [] {} -> {};\n", guards[c / kinds], updates[c % kinds]);
  return text + "endmodule\n";
}

std::string random_model(std::mt19937& random) {
  const char* const names[] = {"a", "b", "c"};
  std::string text = "mdp\nmodule m\n a:[0..6] init 3;\n b:[-2..2];\n c:bool;\n";
  const int commands = 3 + static_cast<int>(random() % 5);
  for (int i = 0; i < commands; ++i) {
    const int bound = static_cast<int>(random() % 6);
    const bool up = random() % 2 == 0;
    std::string guard = up ? fmt::format("a<{}", bound + 1) : fmt::format("a>{}", bound);
    if (random() % 3 == 0) guard += fmt::format(" & {}", random() % 2 == 0 ? "c" : "!c");
    if (random() % 3 == 0) guard += fmt::format(" & b!={}", static_cast<int>(random() % 5) - 2);
    std::string update = up ? "(a'=a+1)" : "(a'=a-1)";
    if (random() % 4 == 0) update += "&(c'=!c)";
    // Now and then without its bound: range errors must be found alike.
    if (random() % 3 == 0) update += random() % 3 == 0 ? "&(b'=b+1)" : "&(b'=mod(b+3,5)-2)";
    text += fmt::format(" [{}{}] {} -> {};\n", names[i % 3], i, guard, update);
  }
  return text + "endmodule\n";
}

/// Large models are searched only as deep as the reference's trace, or a few steps; there
/// "undecided" is an answer, too, unless the reference found something within that depth.
void compare(const std::string& text, const std::string& property, std::string_view engine,
             bool shallow = false) {
  const ModelPtr model = testing::model_of(text);
  const CheckResult reference = testing::run(model, property, "explicit");
  CheckOptions options;
  if (shallow) options.limits.depth = static_cast<std::uint32_t>(reference.length.value_or(6) + 1);
  const CheckResult other = testing::run(model, property, engine, options);
  const auto note = [&] {
    std::string out = text + property + " by " + std::string(engine);
    for (const auto& line : other.notes) out += "\n" + line;
    return out;
  };
  ASSERT_NE(other.verdict, Verdict::disagreement) << note();
  if (shallow && other.verdict == Verdict::unknown) {
    ASSERT_EQ(contradiction(reference, other).value_or(""), "") << note();
    return;
  }
  ASSERT_NE(other.verdict, Verdict::unknown) << note();
  // An erroneous move deeper than the answer is only seen by the one that searches everything.
  if (reference.verdict == Verdict::model_error && other.verdict != Verdict::model_error) {
    ASSERT_TRUE(other.verdict == Verdict::violated || other.verdict == Verdict::holds) << note();
    ASSERT_TRUE(!other.length || *other.length <= *reference.length ||
                other.verdict == Verdict::holds)
        << note();
    return;
  }
  ASSERT_EQ(verdict_name(other.verdict), verdict_name(reference.verdict)) << note();
  ASSERT_EQ(other.length, reference.length) << note();
  ASSERT_EQ(other.nested_length, reference.nested_length) << note();
  if (reference.trace && reference.trace->no_return && other.trace && other.trace->no_return) {
    ASSERT_EQ(*other.trace->no_return, *reference.trace->no_return) << note();
  }
}

TEST(Differential, AllTinyModelsOfTwoCommands) {
  constexpr int kinds = std::size(guards) * std::size(updates);
  int models = 0;
  for (int a = 0; a < kinds; ++a)
    for (int b = a; b < kinds; ++b) {
      const std::string text = tiny({a, b});
      // Each model meets one property in turn: the sum covers all of them many times.
      compare(text, properties[models % std::size(properties)], "bmc");
      ++models;
      if (HasFatalFailure()) return;
    }
  EXPECT_EQ(models, kinds * (kinds + 1) / 2);
}

/// How often an engine was asked, and how often it decided.
struct Tally {
  int asked = 0, decided = 0;
};

/// Every engine but the reference that supports the question. Engines may give up, within a second,
/// but not be wrong.
void compare_all(const std::string& text, const std::string& property,
                 std::map<std::string_view, Tally>& tally) {
  const ModelPtr model = testing::model_of(text);
  const PropertySet set = testing::properties_of(model, property);
  const Question question = ask(set, set.properties.front());
  Session session(model);
  const CheckResult reference = check(session, question, "explicit");
  ASSERT_NE(reference.verdict, Verdict::unknown) << text << property;
  for (const EngineInfo& engine : engines()) {
    if (engine.name == "explicit" || engine.name == "auto" || !engine.supports(question).empty())
      continue;
    CheckOptions options;
    options.limits.seconds = 1;
    options.limits.depth = static_cast<std::uint32_t>(reference.length.value_or(6) + 1);
    constexpr std::uint64_t few_steps = 2000;
    if (!engine.can_prove) options.limits.states = few_steps;
    Session own(model, options);
    const CheckResult other = check(own, question, engine.name);
    const auto where = fmt::format("{}{} by {}", text, property, engine.name);
    ASSERT_NE(other.verdict, Verdict::disagreement) << where << other.notes.front();
    ++tally[engine.name].asked;
    if (other.verdict == Verdict::unknown) {
      ASSERT_EQ(contradiction(reference, other).value_or(""), "") << where;
      continue;
    }
    ++tally[engine.name].decided;
    // A move in error beyond the answer is seen only by the one that searches everything.
    if (reference.verdict == Verdict::model_error && other.verdict != Verdict::model_error) {
      ASSERT_NE(other.verdict, Verdict::unsupported) << where;
      continue;
    }
    ASSERT_EQ(verdict_name(other.verdict), verdict_name(reference.verdict)) << where;
    // Shortest traces are as long; to an error of the model a run in blocks may take a detour.
    const bool detour = (reference.verdict == Verdict::model_error || !engine.shortest) &&
                        other.length && *other.length >= *reference.length;
    ASSERT_TRUE(!other.length || other.length == reference.length || detour) << where;
  }
}

void expect_decided(const std::map<std::string_view, Tally>& tally) {
  for (const auto& [engine, count] : tally) {
    ::testing::Test::RecordProperty(std::string(engine), count.decided);
    // Who only refutes has nothing to say where the property holds.
    const int least = find_engine(engine)->can_prove ? count.asked / 4 : 0;
    EXPECT_GT(count.decided, least) << engine << " hardly ever decides";
  }
  EXPECT_GE(tally.size(), 4u);
}

TEST(Differential, EveryEngineOnTinyModels) {
  constexpr int kinds = std::size(guards) * std::size(updates);
  const int stride = full() ? 1 : 97;
  std::map<std::string_view, Tally> tally;
  int models = 0;
  for (int a = 0; a < kinds; ++a)
    for (int b = a; b < kinds; ++b)
      for (int c = b; c < kinds; ++c) {
        if (models++ % stride != 0) continue;
        for (const char* property : properties) {
          compare_all(tiny({a, b, c}), property, tally);
          if (HasFatalFailure()) return;
        }
      }
  EXPECT_EQ(models, kinds * (kinds + 1) * (kinds + 2) / 6);
  expect_decided(tally);
}

// Found by the full run: the trace in blocks passed through a state another move of which is in
// error, which was called a disagreement.
TEST(Differential, ARunThroughAnErroneousStateEndsThere) {
  std::map<std::string_view, Tally> tally;
  compare_all(R"(mdp
module m
 a:[0..6] init 3;
 b:[-2..2];
 c:bool;
 [a0] a>2 & b!=-1 -> (a'=a-1)&(c'=!c);
 [b1] a<3 -> (a'=a+1);
 [c2] a<4 -> (a'=a+1);
 [a3] a<4 -> (a'=a+1)&(b'=b+1);
 [b4] a<3 -> (a'=a+1);
 [c5] a<2 & !c -> (a'=a+1)&(c'=!c)&(b'=mod(b+3,5)-2);
 [a6] a<3 & !c -> (a'=a+1)&(c'=!c);
endmodule
)",
              "A [ G !(a=0 & b>=0) ]", tally);
}

TEST(Differential, EveryEngineOnRandomModels) {
  std::mt19937 random(5);
  std::map<std::string_view, Tally> tally;
  for (int i = 0; i < (full() ? 3000 : 15); ++i) {
    const std::string text = random_model(random);
    const auto value = [&] { return std::to_string(random() % 7); };
    for (const std::string& property :
         {"A [ G !(a=" + value() + " & b>=0) ]", "E [ F (a=" + value() + " & !c) ]",
          "A [ G (E [ F a=" + value() + " ]) ]"}) {
      compare_all(text, property, tally);
      if (HasFatalFailure()) return;
    }
  }
  expect_decided(tally);
}

TEST(Differential, SomeTinyModelsOfThreeCommands) {
  std::mt19937 random(1);
  constexpr int kinds = std::size(guards) * std::size(updates);
  for (int i = 0; i < 40; ++i) {
    const std::string text =
        tiny({static_cast<int>(random() % kinds), static_cast<int>(random() % kinds),
              static_cast<int>(random() % kinds)});
    for (const char* property : properties) {
      compare(text, property, "bmc");
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Differential, RandomModels) {
  std::mt19937 random(2);
  for (int i = 0; i < 40; ++i) {
    const std::string text = random_model(random);
    const std::string value = std::to_string(random() % 7);
    const std::string property =
        i % 2 == 0 ? "A [ G !(a=" + value + " & b>=0) ]" : "E [ F (a=" + value + " & !c) ]";
    compare(text, property, i % 3 == 0 ? "induction" : "bmc", true);
    compare(text, fmt::format("A [ G (E [ F a={} ]) ]", random() % 7), "bmc", true);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace brink::solver
