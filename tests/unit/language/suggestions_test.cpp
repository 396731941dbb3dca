// Every unknown name meets a suggestion, one mistake is one report, and reports stand in the order
// of the text.
#include <gmock/gmock.h>

#include "models/language/codes.h"
#include "tests/unit/language/helpers.h"

namespace brink::test {
namespace {

constexpr const char* kPool =
    "mdp\n"
    "const int Limit;\n"
    "formula total = counter + 1;\n"
    "module first\n"
    "  counter : [0..3];\n"
    "  [step] counter<Limit -> (counter'=counter+1);\n"
    "endmodule\n"
    "module second = first [counter=other] endmodule\n"
    "label \"full\" = counter=3;\n"
    "rewards \"steps\" [step] true : 1; endrewards\n";

/// "CODE help" of each error (of each warning when there is no error), in order.
std::vector<std::string> brief(const Diagnostics& diagnostics) {
  std::vector<std::string> out;
  for (const Diagnostic& d : diagnostics) out.push_back(d.code + " " + d.help);
  return out;
}

std::vector<std::string> model_brief(const std::string& text, const std::string& constants = "",
                                     const InstantiateOptions& options = {}) {
  const auto file = parse_model(make_source("m.prism", text));
  if (!file) return brief(file.error());
  const auto model = instantiate(*file, *parse_constant_values(constants), options);
  return brief(model ? (*model)->warnings : model.error());
}

std::vector<std::string> property_brief(const std::string& text) {
  const ModelPtr model = load(kPool, *parse_constant_values("Limit=3"));
  const auto file = parse_properties(make_source("p.props", text));
  if (!file) return brief(file.error());
  const auto set = check_properties(*file, model);
  if (!set) return brief(set.error());
  std::vector<std::string> out;
  for (const Property& p : set->properties) {
    for (const std::string& line : brief(p.errors)) out.push_back(line);
  }
  return out;
}

std::string changed(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

using testing::ElementsAre;

TEST(Suggestions, UnknownNamesOfAModel) {
  const std::string pool = kPool;
  const auto with = [&](const std::string& from, const std::string& to) {
    return model_brief(changed(pool, from, to), "Limit=3");
  };
  EXPECT_THAT(with("counter<Limit", "counter<Limti"),
              ElementsAre("E0201 a name like it is `Limit`"));
  EXPECT_THAT(with("(counter'", "(conter'"), ElementsAre("E0201 a name like it is `counter`"));
  EXPECT_THAT(with("counter=3", "totl=3"), ElementsAre("E0201 a name like it is `total`"));
  EXPECT_THAT(with("= first [", "= frist ["),
              ElementsAre("E0204 a module with a similar name is `first`"));
  EXPECT_THAT(with("[counter=other]", "[conter=other]"),
              ElementsAre("E0506 the renaming of `conter` may be meant"));
  EXPECT_THAT(with("[step] true", "[stpe] true"),
              ElementsAre("W0505 an action with a similar name is `step`"));
  EXPECT_THAT(with("counter + 1", "flor(1.5)"),
              ElementsAre("E0208 a function with a similar name is `floor`"));
  EXPECT_THAT(model_brief(pool + "system first || secnd endsystem", "Limit=3"),
              ElementsAre("E0204 a module with a similar name is `second`"));
  EXPECT_THAT(model_brief(pool + "system (first || second) / {setp} endsystem", "Limit=3"),
              ElementsAre("E0206 an action with a similar name is `step`"));
  EXPECT_THAT(model_brief(pool + "system \"al\" endsystem system \"all\" first || second endsystem",
                          "Limit=3"),
              ElementsAre("E0204 a system with a similar name is `all`"));
}

TEST(Suggestions, RenamingsAndResultsWithoutEffect) {
  EXPECT_THAT(model_brief(changed(kPool, "[counter=other]", "[counter=other, setp=go]"), "Limit=3"),
              ElementsAre("W0503 one like it is `step`"));
  // Actions, names that an earlier renaming gave, and functions are all right.
  EXPECT_EQ(model_codes("mdp module a x:[0..1]; [go] max(x,0)=0 -> true; endmodule "
                        "module b = a [x=y, go=run] endmodule "
                        "module c = b [y=z, run=walk, max=min] endmodule"),
            "");
  const ModelPtr model = load(kPool, *parse_constant_values("Limit=3"));
  const auto file = parse_properties(
      make_source("p.props",
                  "const int K = 1;\n// RESULT (Limti=3): true\n// RESULT (Limit=3,K=1): true\n"
                  "E [ F counter=1 ]"));
  const auto set = check_properties(*file, model);
  ASSERT_TRUE(set);
  EXPECT_THAT(brief(set->warnings), ElementsAre("W0506 a constant with a similar name is `Limit`"));
}

TEST(Suggestions, ConstantsFromOutside) {
  EXPECT_THAT(model_brief(kPool, "Limti=3"), ElementsAre("E0404 a constant like it is `Limit`"));
  EXPECT_THAT(model_brief(kPool, "Xyz=3,Limit=3"), ElementsAre("E0404 "));
  InstantiateOptions options;
  options.other_constants = {"Depth"};
  EXPECT_THAT(model_brief(kPool, "Limit=3,Dpeth=1", options),
              ElementsAre("E0404 a constant like it is `Depth`"));
  options.symbolic = {"Limti"};
  EXPECT_THAT(model_brief(kPool, "", options), ElementsAre("E0404 a constant like it is `Limit`"));
}

TEST(Suggestions, UnknownNamesOfProperties) {
  EXPECT_THAT(property_brief("E [ F countr=3 ]"), ElementsAre("E0201 a name like it is `counter`"));
  EXPECT_THAT(property_brief("E [ F counter=Limti ]"),
              ElementsAre("E0201 a name like it is `Limit`"));
  EXPECT_THAT(property_brief("E [ F totl=3 ]"), ElementsAre("E0201 a name like it is `total`"));
  EXPECT_THAT(property_brief("E [ F \"ful\" ]"),
              ElementsAre("E0203 a label with a similar name is \"full\""));
  EXPECT_THAT(property_brief("\"reach\": E [ F \"full\" ]; \"raech\""),
              ElementsAre("E0203 a label with a similar name is \"reach\""));
  EXPECT_THAT(property_brief("E [ F full ]"),
              ElementsAre("E0201 the label or property of this name is written `\"full\"`"));
  EXPECT_THAT(property_brief("R{\"stpes\"}max=? [ F \"full\" ]"),
              ElementsAre("E0205 one with a similar name is \"steps\""));
  EXPECT_THAT(property_brief("filter(sume, counter)"),
              ElementsAre("E0703 a filter with a similar name is `sum`"));
  EXPECT_THAT(property_brief("const int K = Limti; E [ F counter=1 ]"),
              ElementsAre("E0201 a name like it is `Limit`"));
  EXPECT_THAT(property_brief("label \"high\" = countr>2; E [ F counter=1 ]"),
              ElementsAre("E0201 a name like it is `counter`"));
  EXPECT_THAT(property_brief("//@ assume Limti>2\nE [ F counter=1 ]"),
              ElementsAre("E0201 a name like it is `Limit`"));
  EXPECT_THAT(property_brief("//@ fair frist, [setp]\nE [ F counter=1 ]"),
              ElementsAre("E0204 one with a similar name is `first`",
                          "E0206 one with a similar name is `step`"));
}

TEST(Suggestions, OneMistakeIsOneReport) {
  // The same unknown name in many places; a module that could not be renamed, and its users.
  EXPECT_EQ(model_codes("mdp module m x:[0..2]; [] y=0 -> (x'=y); [] y=1 -> (y'=2); endmodule "
                        "label \"l\" = y>0;"),
            "E0201");
  EXPECT_EQ(model_codes("mdp module m x:[0..2]; [] z=0 -> (x'=z); endmodule "
                        "module n = k [x=z] endmodule"),
            "E0204");
  EXPECT_EQ(model_codes("mdp module m x:[0..2]; y:[0..2]; [] x=y -> (x'=z); endmodule "
                        "module n = m [x=z] endmodule"),
            "E0506");
  EXPECT_EQ(model_codes("const int N; const int M = N+1; formula f = N+M; "
                        "module m x:[0..N]; [] x<M -> (x'=f); endmodule"),
            "E0403");
  // Two mistakes are two.
  EXPECT_EQ(model_codes("mdp module m x:[0..2]; [] y=0 -> (x'=z); endmodule"), "E0201 E0201");
}

TEST(Suggestions, ReportsStandInTheOrderOfTheText) {
  const auto file = parse_model(
      make_source("m.prism",
                  "mdp\nmodule m\n  x : [0..a];\n  [] b=1 -> true;\nendmodule\nlabel \"l\" = c;\n"
                  "const int N = d;\nformula f = e;\nmodule n = mm [x=y] endmodule\n"));
  ASSERT_TRUE(file);
  const auto model = instantiate(*file);
  ASSERT_FALSE(model);
  std::vector<std::uint32_t> lines;
  for (const Diagnostic& d : model.error()) lines.push_back(d.begin()->line);
  EXPECT_THAT(lines, ElementsAre(3, 4, 6, 7, 8, 9));
}

}  // namespace
}  // namespace brink::test
