// LTL, bounds, costs and fairness over explored graphs: against CTL, against all short lassos, and
// closed forms of small models.
#include "solver/search/ltl.h"

#include <fmt/core.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <random>

#include "solver/lasso_word.h"
#include "solver/search/ctl.h"
#include "tests/unit/solver/models.h"

namespace brink::solver {
namespace {

using testing::model_of;
using testing::properties_of;
using testing::run;

/// Random moves on 0 .. size-1; every state an initial one.
ModelPtr random_model(std::mt19937& random, int size) {
  std::string out = fmt::format("mdp\nmodule m\n x:[0..{}];\n", size - 1);
  for (int s = 0; s < size; ++s)
    for (std::uint32_t e = random() % 4; e > 0; --e)
      out += fmt::format(" [{}] x={} -> (x'={});\n", random() % 2 == 0 ? "a" : "b", s,
                         random() % static_cast<unsigned>(size));
  out += "endmodule\ninit true endinit\n";
  for (const char* name : {"p", "q"}) {
    std::string states = "false";
    for (int s = 0; s < size; ++s)
      if (random() % 2 == 0) states += fmt::format(" | x={}", s);
    out += fmt::format("label \"{}\" = {};\n", name, states);
  }
  return model_of(out);
}

StateSet set_of(const StateGraph& graph, const std::string& text, const FairMoves* fair = nullptr) {
  const PropertySet set = properties_of(graph.model(), text);
  const auto sets = evaluate_ctl(graph, set, set.properties[0].root, {fair, {}});
  EXPECT_TRUE(sets) << text << ": " << (sets ? "" : sets.error().none.reason);
  return sets ? (*sets)[set.properties[0].root.index] : StateSet{};
}

TEST(Ltl, AutomataAgreeWithLabelling) {
  // (path & true) is no CTL operator, so the second of each pair goes through an automaton.
  const std::vector<std::string> paths = {"X \"p\"",
                                          "F \"p\"",
                                          "G \"p\"",
                                          "\"p\" U \"q\"",
                                          "\"p\" W \"q\"",
                                          "\"p\" R \"q\"",
                                          "F<=3 \"p\"",
                                          "G<=3 \"p\"",
                                          "F>=2 \"p\"",
                                          "\"p\" U<=2 \"q\"",
                                          "\"p\" U[1,3] \"q\"",
                                          "\"p\" W<=2 \"q\"",
                                          "\"p\" R<3 \"q\"",
                                          "G>=2 \"p\"",
                                          "\"p\" U>1 \"q\"",
                                          "\"p\" R>=1 \"q\""};
  std::mt19937 random(3);
  for (int round = 0; round < 40; ++round) {
    const StateGraph graph(random_model(random, 6), {});
    for (const std::string& path : paths)
      for (const char quantifier : {'E', 'A'}) {
        const StateSet direct = set_of(graph, fmt::format("{} [ {} ]", quantifier, path));
        const StateSet product =
            set_of(graph, fmt::format("{} [ ({}) & (F \"p\" | true) ]", quantifier, path));
        ASSERT_EQ(direct, product) << quantifier << " " << path;
      }
  }
}

/// Is there a lasso of at most `most` edges from a state that satisfies the path? The edges are
/// walked, and the run is judged by its definition alone, as the gate does.
bool some_lasso(const StateGraph& graph, const Question& question, std::uint32_t from,
                std::size_t most) {
  std::vector<std::uint32_t> path{from};
  Evaluator evaluator(graph.model());
  const std::function<bool()> extend = [&] {
    const auto satisfied = [&](std::size_t loop_to) {
      CheckResult result;
      result.verdict = Verdict::holds;
      result.trace = graph.trace_of(path, "");
      result.trace->loop_to = loop_to;
      return lasso_problem(result, question, evaluator).empty();
    };
    if (graph.deadlock(path.back())) return satisfied(path.size() - 1);
    for (std::size_t i = 0; i + 1 < path.size(); ++i)
      if (path[i] == path.back() && satisfied(i)) return true;
    if (path.size() > most) return false;
    for (const std::uint32_t to : graph.successors(path.back())) {
      path.push_back(to);
      const bool found = extend();
      path.pop_back();
      if (found) return true;
    }
    return false;
  };
  return extend();
}

std::string random_formula(std::mt19937& random, int depth) {
  const char* const atoms[] = {"\"p\"", "\"q\"", "!\"p\"", "x=0"};
  if (depth == 0 || random() % 5 == 0) return atoms[random() % 4];
  const auto sub = [&] { return "(" + random_formula(random, depth - 1) + ")"; };
  switch (random() % 9) {
    case 0:
      return "X " + sub();
    case 1:
      return "F " + sub();
    case 2:
      return "G " + sub();
    case 3:
      return sub() + " U " + sub();
    case 4:
      return sub() + " W " + sub();
    case 5:
      return sub() + " R " + sub();
    case 6:
      return sub() + " & " + sub();
    case 7:
      return sub() + " => " + sub();
    default:
      return "G F " + sub();
  }
}

// Found lassos are judged inside check(); those that are not found must not be there, and E and A
// of the negation exclude each other. Graphs of four states have all they need in seven edges or
// more rarely in longer ones, which is why only one direction is a claim.
TEST(Ltl, AgreesWithAllShortLassos) {
  std::mt19937 random(17);
  int found = 0, absent = 0;
  for (int round = 0; round < 150; ++round) {
    const ModelPtr model = random_model(random, 4);
    const StateGraph graph(model, {});
    const std::string path = random_formula(random, 3);
    const std::string text = fmt::format("E [ ({}) & (true U true) ]", path);
    const StateSet some = set_of(graph, text);
    const StateSet none = set_of(graph, fmt::format("A [ !({}) ]", path));
    const PropertySet set = properties_of(model, text);
    const Question question = ask(set, set.properties[0]);
    for (std::uint32_t s = 0; s < graph.size(); ++s) {
      ASSERT_NE(some[s], none[s]) << path;
      ASSERT_TRUE(some[s] != 0 || !some_lasso(graph, question, s, 6)) << path;
      ++(some[s] != 0 ? found : absent);
    }
    const CheckResult result = run(model, fmt::format("A [ !({}) ]", path));
    ASSERT_NE(result.verdict, Verdict::disagreement) << path << result.notes.front();
  }
  EXPECT_GT(found, 100);
  EXPECT_GT(absent, 100);
}

/// Two processes and a bit that whoever comes first takes.
const char* const lock = R"(mdp
module a
  a : [0..2] init 0;
  [] a=0 -> (a'=1);
  [inA] a=1 & b!=2 -> (a'=2);
  [outA] a=2 -> (a'=0);
endmodule
module b
  b : [0..2] init 0;
  [] b=0 -> (b'=1);
  [inB] b=1 & a!=2 -> (b'=2);
  [outB] b=2 -> (b'=0);
  [idle] true -> true;
endmodule
)";

struct FairCase {
  const char* fair;
  const char* property;
  bool holds;
};

// Without fairness the other process runs alone; weak fairness makes whoever is in leave, but the
// bit may be gone whenever a asks; strong fairness of its command is what it takes.
TEST(Fairness, WeakAndStrongOnALock) {
  const FairCase cases[] = {
      {"", "A [ G (a=2 => A [ F a=0 ]) ]", false},
      {"//@ fair a", "A [ G (a=2 => A [ F a=0 ]) ]", true},
      {"//@ fair [outA]", "A [ G (a=2 => A [ F a=0 ]) ]", true},
      {"//@ fair [outB]", "A [ G (a=2 => A [ F a=0 ]) ]", false},
      {"//@ fair a, [outB], [inB]", "A [ G (a=1 => (F a=2)) ]", false},
      {"//@ fair a, [outB], [inB]\n//@ strong-fair [inA]", "A [ G (a=1 => (F a=2)) ]", true},
      {"//@ strong-fair [inA]", "A [ G (a=1 => (F a=2)) ]", false},  // b=2 for ever
      {"//@ strong-fair a, [outB]", "A [ G F a=2 ]", true},
      {"//@ strong-fair a, b", "A [ G F a=2 ]", false},  // b idles in b=2: a cannot move
      {"//@ fair a, b", "E [ G a=0 ]", false},
      {"//@ fair b", "E [ G a=0 ]", true},
      {"//@ fair a, b", "E [ F (a=2 & b=1) ]", true},
      {"//@ fair a, b", "A [ G (E [ F a=2 ]) ]", true},
      {"//@ fair a", "A [ (G F b=2) => (G F a=1) ]", true},
  };
  for (const FairCase& c : cases) {
    const CheckResult result = run(model_of(lock), fmt::format("{}\n{}\n", c.fair, c.property));
    EXPECT_EQ(result.verdict, c.holds ? Verdict::holds : Verdict::violated)
        << c.fair << " " << c.property << " " << (result.notes.empty() ? "" : result.notes.front());
  }
}

TEST(Fairness, TheLoopIsFairAndSaysWhatItAssumes) {
  const CheckResult result =
      run(model_of(lock), "//@ fair a, b, [outA]\n//@ strong-fair [inB]\nA [ F G a!=1 ]\n");
  ASSERT_EQ(result.verdict, Verdict::violated);
  ASSERT_TRUE(result.trace && result.trace->loop_to);
  EXPECT_THAT(result.assumptions, ::testing::Contains("weak fairness of [outA]"));
  EXPECT_THAT(result.assumptions, ::testing::Contains("strong fairness of [inB]"));
  Evaluator evaluator(model_of(lock));
  // The same loop without the step of a group is not fair to it: idling alone leaves a out.
  Trace idle = *result.trace;
  idle.steps.resize(0);
  TraceStep step;
  step.after = idle.initial;
  Expansion expansion;
  ASSERT_FALSE(evaluator.successors(idle.initial, expansion));
  ASSERT_TRUE(find_move(expansion, step));
  idle.steps.push_back(step);
  idle.loop_to = 0;
  const PropertySet set = properties_of(model_of(lock), "//@ fair a\nA [ F a=1 ]\n");
  EXPECT_EQ(unfair_to(idle, fair_groups(set), evaluator), "a");
}

// Fair CTL by brute force: E [ G p ] under weak fairness of label a, on random graphs, is an
// all-short-lassos question as well.
TEST(Fairness, AgreesWithAllShortLassos) {
  std::mt19937 random(29);
  int found = 0, absent = 0;
  for (int round = 0; round < 150; ++round) {
    const ModelPtr model = random_model(random, 4);
    if (std::ranges::find(model->actions, "a") == model->actions.end()) continue;
    const StateGraph graph(model, {});
    const bool strong = round % 2 == 0;
    const std::string text =
        fmt::format("//@ {} [a]\nE [ F G \"p\" ]\n", strong ? "strong-fair" : "fair");
    const PropertySet set = properties_of(model, text);
    const FairMoves fair = fair_moves(graph, fair_groups(set));
    const StateSet some = set_of(graph, text, &fair);
    const Question question = ask(set, set.properties[0]);
    for (std::uint32_t s = 0; s < graph.size(); ++s) {
      ASSERT_TRUE(some[s] != 0 || !some_lasso(graph, question, s, 6));
      ++(some[s] != 0 ? found : absent);
    }
    ASSERT_NE(run(model, text).verdict, Verdict::disagreement);
  }
  EXPECT_GT(found, 50);
  EXPECT_GT(absent, 50);
}

// A call frees a page after visiting some entries: one to three in good states, no end of them when
// it may go round.
TEST(Cost, DearestAndCheapestPaths) {
  const auto model = [](bool round) {
    return model_of(fmt::format(R"(mdp
module reclaim
  x : [0..4] init 0;
  [visit] x=0 -> (x'=1);
  [visit] x=1 -> (x'=2);
  [free] x=1 -> (x'=4);
  [visit] x=2 -> (x'=3);
  [free] x=3 -> (x'=4);
  [again] {} -> (x'=1);
  [rest] x=4 -> (x'=0);
endmodule
rewards "visited"
  [visit] true : 1;
endrewards
rewards "held"
  x=2 : 0.5;
endrewards
)",
                                round ? "x=2" : "false"));
  };
  const std::tuple<bool, const char*, bool> cases[] = {
      {false, "A [ F^{rew{\"visited\"}<=3} x=4 ]", true},
      {false, "A [ F^{rew{\"visited\"}<3} x=4 ]", false},
      {false, "A [ F^{rew{\"visited\"}<=2} x=4 ]", false},
      {false, "E [ F^{rew{\"visited\"}<=1} x=4 ]", true},
      {false, "E [ F^{rew{\"visited\"}<=0} x=4 ]", false},
      {false, "A [ G (x=0 => A [ F^{rew{\"visited\"}<=3} x=4 ]) ]", true},
      {true, "A [ F^{rew{\"visited\"}<=1000000} x=4 ]", false},
      {true, "E [ F^{rew{\"visited\"}<=1} x=4 ]", true},
      {false, "A [ F^{rew{\"held\"}<=0.5} x=4 ]", true},
      {false, "A [ F^{rew{\"held\"}<0.5} x=4 ]", false},
      {true, "E [ x<3 U^{rew{\"visited\"}<=1} x=4 ]", true},
      {true, "E [ x!=1 U^{rew{\"visited\"}<=9} x=4 ]", false},
      {true, "E [ F^{rew{\"visited\"}<=2} x=3 ]", false},
      {true, "E [ F^{rew{\"visited\"}<=3} x=3 ]", true},
  };
  for (const auto& [round, property, holds] : cases)
    EXPECT_EQ(run(model(round), property).verdict, holds ? Verdict::holds : Verdict::violated)
        << round << property;
}

TEST(Ltl, RefusalsAreNamed) {
  const ModelPtr model = model_of("ctmc\nmodule m\n x:[0..1];\n [] true -> (x'=1-x);\nendmodule\n");
  const CheckResult bound = run(model, "E [ F<=2 x=1 ]");
  EXPECT_EQ(bound.verdict, Verdict::unsupported);
  EXPECT_THAT(bound.notes, ::testing::Contains(::testing::HasSubstr("continuous time")));
  const CheckResult large = run(model_of(lock), "A [ G (a=1 => (F<=5000 a=2)) ]");
  EXPECT_EQ(large.verdict, Verdict::unsupported);
  EXPECT_THAT(large.notes, ::testing::Contains(::testing::HasSubstr("1000 steps")));
}

}  // namespace
}  // namespace brink::solver
