// pdr, abmc and certificates on models with all constants given; the explicit search is the
// reference.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <random>

#include "solver/for_all/obligations.h"
#include "solver/symbolic/accelerated.h"
#include "tests/unit/solver/proofs.h"

namespace brink::solver {
namespace {

using testing::frames;
using testing::notes_of;
using testing::run;

TEST(Abmc, ALongCounterexampleIsThreeBlocks) {
  // N frames leave free, DMAX of them are written: N + floor(N/4) steps, whatever N is.
  const CheckResult result =
      run(frames(1000, 0), "A [ G !(free=0 & dirty=DMAX & anon>=HALF) ]", "abmc");
  ASSERT_EQ(result.verdict, Verdict::violated) << notes_of(result);
  EXPECT_EQ(result.length, 1250u);
  EXPECT_LT(result.seconds, 20);
}

TEST(Abmc, ACycleOfCommandsIsRepeatedAsOne) {
  // SW times "out, fault" after N faults: N + 2 SW steps (swap_full of the suite).
  const ModelPtr model = testing::model_of(R"(mdp
module vm
  free : [0..3] init 3;
  swp : [0..400] init 0;
  [fault] free>0 -> (free'=free-1);
  [out] free=0 & swp<400 -> (swp'=swp+1)&(free'=free+1);
endmodule
)");
  const CheckResult result = run(model, "E [ F free=0 & swp=400 ]", "abmc");
  ASSERT_EQ(result.verdict, Verdict::holds) << notes_of(result);
  EXPECT_EQ(result.length, 803u);
}

TEST(Abmc, GuardsHoldInBetween) {
  // x jumps over 5 only if the guard were looked at first and last but not second.
  const ModelPtr model = testing::model_of(R"(mdp
module m
  x : [0..10] init 0;
  on : bool init true;
  [go] on -> (x'=x+2)&(on'=false);
  [again] !on & x>=2 & x<=3 -> (x'=x+1);
endmodule
)");
  EXPECT_EQ(run(model, "E [ F x>=5 ]", "abmc").verdict, Verdict::unknown);
  EXPECT_EQ(run(model, "E [ F x=4 ]", "abmc").length, 3u);
}

TEST(Pdr, AProofComesWithItsObligations) {
  const CheckResult result = run(frames(16, 0), "A [ G wb<=DMAX ]", "pdr");
  ASSERT_EQ(result.verdict, Verdict::holds) << notes_of(result);
  ASSERT_TRUE(result.certificate.has_value());
  const ScriptAnswer answer = answer_by_z3(*result.certificate, 10);
  EXPECT_TRUE(answer.all_unsat());
  EXPECT_EQ(answer.queries, 13u);  // start, 12 commands without the one for fix = 1, goal
}

TEST(Pdr, ARangeErrorIsFound) {
  const ModelPtr model = testing::model_of(testing::batch_reclaim,
                                           {{"N", std::int64_t{50}}, {"bug", std::int64_t{1}}});
  EXPECT_EQ(run(model, "A [ G free<=50 ]", "pdr").verdict, Verdict::model_error);
  EXPECT_EQ(run(model, "A [ G free<=50 ]", "abmc").verdict, Verdict::model_error);
}

TEST(Auto, GoesOnWhereTheStatesDoNotFit) {
  CheckOptions options;
  options.limits.states = 2000;
  options.limits.seconds = 20;
  const CheckResult deep =
      run(frames(1000, 0), "A [ G !(free=0 & dirty=DMAX & anon>=HALF) ]", "auto", options);
  EXPECT_EQ(deep.verdict, Verdict::violated) << notes_of(deep);
  EXPECT_EQ(deep.engine, "abmc");
  EXPECT_EQ(deep.length, 1250u);
}

/// A certificate with a weaker invariant or a wrong goal is refuted, not believed.
TEST(Certificate, TamperedOnesAreRefuted) {
  const CheckResult result = run(frames(16, 0), "A [ G wb<=DMAX ]", "pdr");
  ASSERT_TRUE(result.certificate.has_value());
  std::string script = *result.certificate;
  const std::size_t start = script.find("; goal");
  ASSERT_NE(start, std::string::npos);
  // The goal without the invariant: only the declarations and the negated property are left.
  script.insert(script.find("(check-sat)", start), "(push 1)(assert true)(check-sat)(pop 1)\n");
  EXPECT_TRUE(answer_by_z3(script, 10).all_unsat());  // a superfluous query changes nothing
  script.insert(script.rfind("(pop 1)"), "(pop 1)(push 1)(assert true)(check-sat)\n");
  std::vector<std::string> notes;
  EXPECT_EQ(check_script(script, 10, notes), Checked::refuted);
}

std::string random_model(std::mt19937& random) {
  std::string text = "mdp\nmodule m\n a:[0..6] init 3;\n b:[0..3] init 0;\n c:bool;\n";
  const int commands = 2 + static_cast<int>(random() % 4);
  const char* const guards[] = {"a<6",       "a>0", "a>2",      "b<3", "b>0",
                                "a<4 & b>0", "c",   "!c & a>1", "a>b", "a+b<=5 | c"};
  const char* const updates[] = {
      "(a'=a+1)", "(a'=a-1)", "(b'=b+1)",        "(a'=a-1)&(b'=b+1)",       "(c'=!c)",
      "(b'=0)",   "(a'=b)",   "(a'=min(a+2,6))", "(c'=a>b)&(b'=max(b-1,0))"};
  for (int i = 0; i < commands; ++i)
    text += fmt::format(" [] {} -> {};\n", guards[random() % std::size(guards)],
                        updates[random() % std::size(updates)]);
  return text + "endmodule\n";
}

TEST(Differential, PdrAndAbmcOnRandomModels) {
  std::mt19937 random(5);
  int decided = 0;
  for (int i = 0; i < 24; ++i) {
    const std::string text = random_model(random);
    const ModelPtr model = testing::model_of(text);
    const std::string property =
        i % 3 == 0   ? fmt::format("A [ G !(a={} & b={}) ]", random() % 7, random() % 4)
        : i % 3 == 1 ? fmt::format("E [ F (a={} & c) ]", random() % 7)
                     : std::string("A [ G !\"deadlock\" ]");
    const CheckResult reference = run(model, property, "explicit");
    for (const char* engine : {"pdr", "abmc"}) {
      CheckOptions options;
      options.limits.seconds = 0.5;
      options.limits.depth = 4;
      const CheckResult other = run(model, property, engine, options);
      ASSERT_NE(other.verdict, Verdict::disagreement) << text << property << notes_of(other);
      ASSERT_NE(other.verdict, Verdict::unsupported) << text << property << notes_of(other);
      if (other.verdict == Verdict::unknown) continue;
      ++decided;
      // An error that only the complete search sees may lie behind what the other found.
      if (reference.verdict == Verdict::model_error && other.trace) continue;
      ASSERT_EQ(verdict_name(other.verdict), verdict_name(reference.verdict))
          << text << property << " by " << engine << "\n"
          << notes_of(other);
      if (other.trace && reference.length) {
        ASSERT_GE(*other.length, *reference.length);
      }
    }
  }
  EXPECT_GT(decided, 20);
}

/// Random policies with a symbolic size: a claim that holds for all of them holds for each, and one
/// that is violated is so for some.
TEST(Differential, ForAllAgainstEachInstance) {
  std::mt19937 random(9);
  const char* const guards[] = {"a<N", "a>0", "a>1", "b<N", "b>0", "a>b", "a+b<N", "c", "!c"};
  const char* const updates[] = {"(a'=a+1)",          "(a'=a-1)", "(b'=b+1)", "(b'=b-1)",
                                 "(a'=a-1)&(b'=b+1)", "(c'=!c)",  "(c'=a>b)"};
  int proved = 0, violated = 0;
  for (int i = 0; i < 21; ++i) {
    std::string text =
        "mdp\nconst int N;\nmodule m\n a:[0..N] init N;\n b:[0..N] init 0;\n c:bool;\n";
    for (unsigned k = 0; k < 2 + random() % 3; ++k)
      text +=
          fmt::format(" [] {} & {} -> {};\n", guards[random() % std::size(guards)],
                      guards[random() % std::size(guards)], updates[random() % std::size(updates)]);
    text += "endmodule\n";
    const char* const properties[] = {"A [ G a>=b ]",          "E [ F (a=0 & b>0) ]",
                                      "A [ G (E [ F a=N ]) ]", "A [ F a<N ]",
                                      "E [ F (A [ G a=0 ]) ]", "A [ G (a=0 => E [ F b>0 ]) ]",
                                      "E [ F (E [ G a<N ]) ]"};
    const std::string property = properties[static_cast<std::size_t>(i) % std::size(properties)];
    const CheckResult claim = testing::for_all(text, property, {"N"}, "N>=1 & N<=9", "auto", 1);
    int holds = 0, fails = 0, errors = 0;
    for (std::int64_t n = 1; n <= 9; ++n) {
      const Verdict v = run(testing::model_of(text, {{"N", n}}), property, "explicit").verdict;
      holds += v == Verdict::holds ? 1 : 0;
      fails += v == Verdict::violated ? 1 : 0;
      errors += v == Verdict::model_error ? 1 : 0;
    }
    const std::string where = text + property + "\n" + notes_of(claim);
    ASSERT_NE(claim.verdict, Verdict::disagreement) << where;
    if (claim.verdict == Verdict::holds) {
      ++proved;
      ASSERT_EQ(holds, 9) << where;
    }
    if (claim.verdict == Verdict::violated) {
      ++violated;
      ASSERT_GT(fails, 0) << where;
      if (claim.for_all) {
        ASSERT_EQ(fails, 9) << where;
      }
    }
    if (claim.verdict == Verdict::model_error) {
      ASSERT_GT(errors, 0) << where;
    }
  }
  EXPECT_GT(proved + violated, 4);  // how many are decided in a second depends on the machine
}

}  // namespace
}  // namespace brink::solver
