// Invariants conjectured from small instances, against arguments by hand.
#include "solver/for_all/conjecture.h"

#include <gmock/gmock.h>

#include "solver/for_all/obligations.h"
#include "solver/for_all/suggest.h"
#include "tests/unit/solver/proofs.h"

namespace brink::solver {
namespace {

using testing::for_all;
using testing::model_of;
using testing::notes_of;
using testing::properties_of;

/// A pass looks at the entries that a list had when it began; while it runs, what it has freed and
/// what is left make up its length. The list may be of any length.
const char* const passes = R"(mdp
const int N;
module list
  free : [0..N] init 0;
  used : [0..N] init N;
  pass : [0..1] init 0;
  length : [0..N] init 0;
  left : [0..N] init 0;
  freed : [0..N] init 0;
  [use] pass=0 & free>0 -> (free'=free-1)&(used'=used+1);
  [begin] pass=0 & used>0 -> (pass'=1)&(length'=used)&(left'=used);
  [step] pass=1 & left>0 -> (left'=left-1)&(freed'=freed+1)&(used'=used-1)&(free'=free+1);
  [end] pass=1 & left=0 -> (pass'=0)&(length'=0)&(freed'=0);
endmodule
)";

struct System {
  PropertySet set;
  Question question;
  CounterBuilder builder;
  Dnf target;

  System(const ModelPtr& model, const std::string& property)
      : set(properties_of(model, property)),
        question(ask(set, set.properties.front())),
        builder(question),
        target(builder.target(form_of(question))) {}
};

ModelPtr symbolic(const char* text) {
  auto file = parse_model(make_source("test.prism", text));
  InstantiateOptions options;
  options.symbolic = {"N"};
  return *instantiate(*file, {}, options);
}

bool suggests(const Suggestions& all, const std::string& text, const CounterSystem& system) {
  return std::any_of(all.atoms.begin(), all.atoms.end(), [&](const Suggestion& s) {
    return print(s.atom, [&](std::uint32_t i) { return system.name(i); }) == text;
  });
}

TEST(Suggest, PartsAreWhatIsOnlySetToNumbers) {
  System s(symbolic(passes), "A [ G length=left+freed ]");
  const CounterSystem& system = s.builder.system();
  const auto states = small_states(s.question, system, {});
  ASSERT_FALSE(states.empty());
  const Suggestions all = suggest(system, states);
  ASSERT_EQ(all.control.size(), 1u);
  EXPECT_EQ(system.name(all.control[0]), "pass");
  EXPECT_EQ(all.parts.size(), 2u);
  EXPECT_TRUE(suggests(all, "length>=left", system));
}

TEST(Conjecture, ExcludesWhatCannotBe) {
  System s(symbolic(passes), "A [ G length=left+freed ]");
  const auto found =
      conjecture_invariant(s.question, s.builder.system(), s.target, formula_of(dnf_true()), {});
  ASSERT_TRUE(found.has_value());
  EXPECT_TRUE(found->excludes);
}

TEST(Conjecture, DropsWhatOnlySmallInstancesHave) {  // y stays 0 until N is 20
  std::string late = passes;
  late.insert(late.find("  [use]"), "  y : [0..N];\n  [late] N>=20 & y<N -> (y'=y+1);\n");
  System s(symbolic(late.c_str()), "A [ G length=left+freed ]");
  const auto found =
      conjecture_invariant(s.question, s.builder.system(), s.target, formula_of(dnf_true()), {});
  ASSERT_TRUE(found.has_value());
  EXPECT_TRUE(found->excludes);
  System wrong(symbolic(late.c_str()), "A [ G y=0 ]");
  const auto none = conjecture_invariant(wrong.question, wrong.builder.system(), wrong.target,
                                         formula_of(dnf_true()), {});
  EXPECT_FALSE(none && none->excludes);
}

TEST(Conjecture, NeverExcludesWhatCan) {  // step lets left and freed be equal when N is even
  System s(symbolic(passes), "A [ G (pass=1 => left>freed) ]");
  const auto found =
      conjecture_invariant(s.question, s.builder.system(), s.target, formula_of(dnf_true()), {});
  EXPECT_FALSE(found && found->excludes);
  const CheckResult result = for_all(passes, "A [ G (pass=1 => left>freed) ]", {"N"}, "N>=1");
  EXPECT_EQ(result.verdict, Verdict::violated) << notes_of(result);
}

TEST(Conjecture, ProvesForAllValues) {
  const CheckResult result = for_all(passes, "A [ G length-left<=freed ]", {"N"}, "N>=1");
  EXPECT_EQ(result.verdict, Verdict::holds) << notes_of(result);
  ASSERT_TRUE(result.certificate.has_value());
  EXPECT_TRUE(answer_by_z3(*result.certificate, 10).all_unsat());
}

}  // namespace
}  // namespace brink::solver
