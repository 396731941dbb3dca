// The property language: every form parses, has the right type and shape.
#include "tests/unit/language/helpers.h"

namespace brink::test {
namespace {

const char* kModel =
    "ctmc const int N = 3; const double r; formula busy = x>0;"
    "module m x : [0..N]; b : bool; [up] x<N -> 2:(x'=x+1); [down] busy -> 3:(x'=x-1); endmodule "
    "label \"full\" = x=N; rewards \"a\" true : x; endrewards rewards [up] true : 1; endrewards";

struct Form {
  const char* text;
  PropKind kind;
  Type type;
};

TEST(Properties, EveryFormHasItsKindAndType) {
  const ModelPtr m = load(kModel);
  const Form forms[] = {
      {"x+1", PropKind::atom, Type::integer},
      {"\"full\" & busy", PropKind::atom, Type::boolean},
      {"\"init\"", PropKind::init, Type::boolean},
      {"!\"deadlock\"", PropKind::apply, Type::boolean},
      {"P=? [ F \"full\" ]", PropKind::probability, Type::real},
      {"P>=0.5 [ x=0 U<=2.5 \"full\" ]", PropKind::probability, Type::boolean},
      {"Pmax=? [ (G F x=1) & !(X b) ]", PropKind::probability, Type::real},
      {"P min =? [ x=1 W b ]", PropKind::probability, Type::real},
      {"P=? [ x=1 R[1,2.5] b ]", PropKind::probability, Type::real},
      {"P=? [ G=2 b {x=1}{max} ]", PropKind::filter, Type::real},
      {"P>0.1 [ X b {\"full\"} ]", PropKind::filter, Type::boolean},
      {"S=? [ \"full\" ]", PropKind::steady, Type::real},
      {"S<0.1 [ x=0 ]", PropKind::steady, Type::boolean},
      {"R=? [ F \"full\" ]", PropKind::reward, Type::real},
      {"R{\"a\"}=? [ C<=3.5 ]", PropKind::reward, Type::real},
      {"R{2}max=? [ C ]", PropKind::reward, Type::real},
      {"R{\"a\"}/{2}=? [ S ]", PropKind::reward, Type::real},
      {"Rmin=? [ I=2 ]", PropKind::reward, Type::real},
      {"R<=4 [ F x=1 & (X b) ]", PropKind::reward, Type::boolean},
      {"R=? [ S ]", PropKind::reward, Type::real},
      {"R=? [ F S>0.5 [ b ] ]", PropKind::reward, Type::real},
      {"T=? [ F b ]", PropKind::reward, Type::real},
      {"P=? [ F^{rew{\"a\"}<=2} b ]", PropKind::probability, Type::real},
      {"E [ F b ]", PropKind::exists, Type::boolean},
      {"A [ G E [ F \"full\" ] ]", PropKind::forall, Type::boolean},
      {"1 + P=? [ F b ] * 2", PropKind::apply, Type::real},
      {"max(1, 2, R=? [ C<=1 ])", PropKind::apply, Type::real},
      {"floor(10*P=?[ F b ])", PropKind::apply, Type::integer},
      {"x>1 ? P=?[ F b ] : 0", PropKind::apply, Type::real},
      {"filter(count, x>1)", PropKind::filter, Type::integer},
      {"filter(+, x, \"full\")", PropKind::filter, Type::integer},
      {"filter(avg, x)", PropKind::filter, Type::real},
      {"filter(argmax, P=?[ F b ], x>0)", PropKind::filter, Type::boolean},
      {"filter(&, P>0 [ F b ], true)", PropKind::filter, Type::boolean},
      {"filter(|, b)", PropKind::filter, Type::boolean},
      {"filter(range, x)", PropKind::filter, Type::integer},
      {"filter(printall, filter(state, x, x=1))", PropKind::filter, Type::integer},
      {"multi(P>0.5 [ F b ], R{\"a\"}min=? [ C ])", PropKind::multi, Type::real},
  };
  for (const Form& form : forms) {
    const PropertySet set = properties(m, form.text);
    ASSERT_EQ(set.properties.size(), 1U) << form.text;
    const Property& p = set.properties[0];
    ASSERT_TRUE(p.errors.empty()) << form.text << "\n" << render(p.errors);
    EXPECT_EQ(set[p.root].kind, form.kind) << form.text;
    EXPECT_EQ(p.type, form.type) << form.text;
    EXPECT_EQ(p.text, form.text);
  }
}

TEST(Properties, WrongOnesAreReported) {
  const ModelPtr m = load(kModel);
  const std::pair<const char*, const char*> rows[] = {
      {"P=? [ F \"ful\" ]", "E0203"},
      {"P=? [ F nope ]", "E0201"},
      {"P>1.5 [ F b ]", "E0707"},
      {"P=? [ F<=-1 b ]", "E0707"},
      {"P=? [ F<=x b ]", "E0305"},
      {"R{\"b\"}=? [ C ]", "E0205"},
      {"R{3}=? [ C ]", "E0205"},
      {"S=? [ (F b) ]", "E0109"},
      {"P=? [ F x ]", "E0303"},
      {"filter(summ, x)", "E0703"},
      {"filter(min, b)", "E0301"},
      {"P=? [ x=1 & F b ]", "E0109"},
      {"P=? [ 1 + (F b) > 0 ]", "E0301"},
      {"x & b", "E0301"},
      {"<<1,2>> P>=1 [ F b ]", "E0110"},
      {"Pmaxmin=? [ F b ]", "E0110"},
      {"P=? [ F b", "E0101"},
      {"r > 1", "E0403"},
      {"\"p\": \"q\"; \"q\": \"p\"", "E0207 E0207"},
      {"\"p\": x; \"p\": b", "E0202"},
  };
  for (const auto& [text, code] : rows) EXPECT_EQ(property_codes(m, text), code) << text;
  const ModelPtr discrete = load("mdp module m x:[0..1]; endmodule");
  EXPECT_EQ(property_codes(discrete, "Pmax=? [ F<=1.5 x=1 ]"), "E0706");
  EXPECT_EQ(property_codes(discrete, "Rmax=? [ C ]"), "E0205");
}

TEST(Properties, OneWrongPropertyDoesNotSpoilTheOthers) {
  const ModelPtr m = load(kModel);
  const PropertySet set = properties(m, "const double T; P=? [ F<=T b ]; \"p\": x+1; 2*\"p\"");
  ASSERT_EQ(set.properties.size(), 3U);
  EXPECT_EQ(codes(set.properties[0].errors), "E0403");
  EXPECT_TRUE(set.properties[1].errors.empty());
  EXPECT_EQ(print(set, set.properties[2].root), "2 * (x + 1)");
  const PropertySet given =
      properties(m, "const double T; P=? [ F<=T b ]", *parse_constant_values("T=1/2"));
  EXPECT_TRUE(given.properties[0].errors.empty());
}

TEST(Properties, SemicolonsAreOptionalAndTheLongestMatchIsTaken) {
  const ModelPtr m = load(kModel);
  const PropertySet set = properties(m, "P=? [ F b ]\nx\n\"n\": x - 1\n-2");
  ASSERT_EQ(set.properties.size(), 3U);
  EXPECT_EQ(set.properties[2].name, "n");
  EXPECT_EQ(set.properties[2].text, "x - 1\n-2");
}

TEST(Properties, ResultsBelongToThePropertyBelow) {
  const ModelPtr m = load(kModel, *parse_constant_values("r=0.5"));
  const PropertySet set = properties(m,
                                     "// RESULT: 1/6\n\"one\": x;\n"
                                     "// RESULT: true (should be)\n\nx;\n"
                                     "const int K = 2;\n"
                                     "// words\n// RESULT (K=2,r=1/2): ~0.25 = 1/4\n"
                                     "// RESULT (K=3): [1, 2]\n// RESULT: ?\nx+K; // RESULT: 7\n"
                                     "b;");
  ASSERT_EQ(set.properties.size(), 4U);
  EXPECT_EQ(expected_result(set, set.properties[0])->value, "1/6");
  EXPECT_EQ(expected_result(set, set.properties[1]), nullptr);  // a blank line between
  ASSERT_EQ(set.properties[2].results.size(), 3U);
  EXPECT_EQ(expected_result(set, set.properties[2])->value, "~0.25");
  EXPECT_EQ(set.properties[2].results[1].value, "[1, 2]");
  EXPECT_EQ(expected_result(set, set.properties[3]), nullptr);
}

TEST(Properties, Annotations) {
  const auto file = parse_model(make_source("m",
                                            "const int N; const int K; module kswapd x : [0..9]; "
                                            "[go] x<9 -> (x'=x+1); endmodule"));
  ASSERT_TRUE(file);
  const auto m = instantiate(*file, *parse_constant_values("K=2"), {.symbolic = {"N"}});
  ASSERT_TRUE(m);
  const PropertySet set = properties(*m,
                                     "//@ assume N>=K & N<100\n//@ fair kswapd, [go]\n//@ "
                                     "strong-fair [go]\n//@ population x\ntrue");
  ASSERT_EQ(set.annotations.size(), 4U);
  EXPECT_EQ(print(**m, set.pool, set.annotations[0].condition), "N >= 2 & N < 100");
  EXPECT_EQ(set.annotations[1].modules, (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(set.annotations[1].actions, (std::vector<ActionId>{1}));
  EXPECT_EQ(set.annotations[2].kind, AnnotationKind::strong_fair);
  EXPECT_EQ(set.annotations[3].variables, (std::vector<std::uint32_t>{0}));
  for (const auto& [text, code] : {std::pair{"//@ fair kswpd\ntrue", "E0204"},
                                   {"//@ fair [og]\ntrue", "E0206"},
                                   {"//@ assume x>1\ntrue", "E0305"},
                                   {"//@ assume N>\ntrue", "E0101"},
                                   {"//@ fiar kswapd\ntrue", "E0114"}}) {
    EXPECT_EQ(property_codes(*m, text), code) << text;
  }
}

TEST(Properties, AFormulaOnTheCommandLineSeesThePropertyFile) {
  const ModelPtr m = load(kModel);
  const auto context = parse_properties(make_source(
      "p.props", "const int T = 4; label \"low\" = x<1; \"goal\": P>0.5 [ F<=T \"low\" ];"));
  const auto formula = parse_property("A [ G \"goal\" | \"low\" ]");
  ASSERT_TRUE(context && formula);
  const auto set = check_properties(*formula, *context, m);
  ASSERT_TRUE(set);
  ASSERT_EQ(set->properties.size(), 1U);
  EXPECT_TRUE(set->properties[0].errors.empty()) << render(set->properties[0].errors);
  EXPECT_EQ(codes(parse_property("true true").error()), "E0101");
}

TEST(Properties, ParametersStaySymbolic) {
  const auto file = parse_model(make_source(
      "m",
      "const int N; const int M = 2*N; module m x : [0..M] init N; [] x<M -> (x'=x+1); endmodule"));
  const auto m = instantiate(*file, {}, {.symbolic = {"N"}});
  ASSERT_TRUE(m);
  EXPECT_EQ((*m)->parameters.size(), 1U);
  EXPECT_FALSE((*m)->variables[0].high_value.has_value());
  EXPECT_EQ((*m)->variables[0].low_value, 0);
  EXPECT_EQ(print(**m, (*m)->variables[0].high.id), "2 * N");
  EXPECT_EQ(print(**m, (*m)->commands[0].guard.id), "x < 2 * N");
}

// The library's models give their sizes as defaults; a claim for all sizes is about those models.
TEST(Properties, DefaultsOfTheFileMayBeKeptSymbolic) {
  const auto file = parse_model(make_source(
      "m", "const int N = 3; module m x : [0..N] init N; [] x<N -> (x'=x+1); endmodule"));
  const auto m = instantiate(*file, {}, {.symbolic = {"N"}});
  ASSERT_TRUE(m);
  EXPECT_EQ((*m)->parameters.size(), 1U);
  EXPECT_EQ(print(**m, (*m)->commands[0].guard.id), "x < N");
  EXPECT_EQ(codes(instantiate(*file, {}, {.symbolic = {"N"}, .portable = true}).error()), "E0407");
}

}  // namespace
}  // namespace brink::test
