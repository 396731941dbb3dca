// What a user sees: rendering, recovery, limits, hostile input.
#include <gmock/gmock.h>

#include "tests/unit/language/helpers.h"

namespace brink::test {
namespace {

Diagnostics model_errors(const std::string& text) {
  const auto file = parse_model(make_source("m.prism", text));
  if (!file) return file.error();
  const auto model = instantiate(*file);
  return model ? Diagnostics{} : model.error();
}

TEST(Diagnostics, LookLikeThoseOfRustc) {
  const Diagnostics errors = model_errors(
      "mdp\nmodule pool\n  free : [0..4];\n  [] fre>0 -> (free'=free-1);\nendmodule\n");
  EXPECT_EQ(render(errors),
            "error[E0201]: the name `fre` is not declared\n"
            " --> m.prism:4:6\n"
            "  |\n"
            "4 |   [] fre>0 -> (free'=free-1);\n"
            "  |      ^^^\n"
            "  = help: a name like it is `free`\n");
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].begin(), (Position{4, 6}));
  EXPECT_EQ(errors[0].end(), (Position{4, 9}));
}

TEST(Diagnostics, CaretsStandUnderTheSmallestSpan) {
  const auto caret = [](const std::string& text) {
    const Diagnostics errors = model_errors(text);
    return errors.empty() ? std::string{} : std::string(errors[0].source->slice(errors[0].span));
  };
  EXPECT_EQ(caret("mdp module m x:[0..3]; [] x=1 & x+1 -> true; endmodule"), "x+1");
  EXPECT_EQ(caret("mdp module m x:[0..3]; [] (x=1) + 2 > 0 -> true; endmodule"), "(x=1)");
  EXPECT_EQ(caret("mdp module m x:[0..3]; [] true -> (y'=1); endmodule"), "y'");
  EXPECT_EQ(caret("mdp module m x:[0..3] init 1+3; endmodule"), "1+3");
}

TEST(Diagnostics, ReadingGoesOnAndEachCauseIsReportedOnce) {
  const std::string text =
      "mdp\n"
      "const int N = ;\n"
      "module m\n"
      "  x : [0..N;\n"
      "  y : [0..3];\n"
      "  [] y=1 -> (y=2);\n"
      "  [] y=2 & -> (y'=3);\n"
      "  [] y=3 -> 0.5:(y'=0) + 0.5(y'=1);\n"
      "endmodule\n"
      "label full = y=3;\n"
      "rewards \"r\" y=1 : ; endrewards\n"
      "module last z : bool; endmodule\n";
  const Diagnostics errors = model_errors(text);
  std::vector<std::uint32_t> lines;
  for (const Diagnostic& d : errors) lines.push_back(d.begin()->line);
  EXPECT_THAT(lines, testing::ElementsAre(2, 4, 6, 7, 8, 10, 11));
  // A name that does not exist is one error, not one more for everything built on it.
  EXPECT_EQ(
      model_codes(
          "formula f = nope+1; formula g = f*2; module m x:[0..g]; [] g>f -> (x'=f+g); endmodule"),
      "E0201");
}

TEST(Diagnostics, StopAtTwenty) {
  std::string text = "mdp module m x:[0..1]; ";
  for (int i = 0; i < 100; ++i) text += "[] y" + std::to_string(i) + "=1 -> true;\n";
  EXPECT_EQ(model_errors(text + "endmodule").size(), kMaxDiagnostics);
  text = "mdp module m x:[0..1]; ";
  for (int i = 0; i < 100; ++i) text += "[] -> true;\n";
  EXPECT_EQ(model_errors(text + "endmodule").size(), kMaxDiagnostics);
  text = "mdp global g:[0..1]; module m x:[0..1]; ";
  for (int i = 0; i < 100; ++i) text += "[a] x=1 -> (g'=1);\n";
  EXPECT_EQ(load(text + "endmodule")->warnings.size(), kMaxDiagnostics);
}

TEST(Diagnostics, DeepInputIsRefusedAtALimit) {
  const auto nested = [](int depth, const std::string& open, const std::string& close) {
    std::string text = "mdp module m x:[0..1]; [] ";
    for (int i = 0; i < depth; ++i) text += open;
    text += "x=1";
    for (int i = 0; i < depth; ++i) text += close;
    return text + " -> true; endmodule";
  };
  EXPECT_EQ(model_codes(nested(kMaxNesting, "(", ")")), "");
  EXPECT_EQ(model_codes(nested(kMaxNesting + 1, "(", ")")), "E0106");
  EXPECT_EQ(model_codes(nested(100'000, "(", ")")), "E0106");
  EXPECT_EQ(model_codes(nested(100'000, "!", "")), "E0106");
  EXPECT_EQ(model_codes(nested(100'000, "0<-", "")), "E0108");
  EXPECT_EQ(model_codes(nested(100'000, "0< - ", "")),
            "E0301");  // a chain of comparisons, not a nest
  EXPECT_EQ(model_codes(nested(100'000, "min(", ")")), "E0106");
  std::string system = "system ";
  for (int i = 0; i < 100'000; ++i) system += "(";
  EXPECT_EQ(model_codes("mdp module m x:[0..1]; endmodule " + system), "E0106");
  const ModelPtr m = load("mdp module m x:[0..1]; endmodule");
  std::string property;
  for (int i = 0; i < 100'000; ++i) property += "A [ G ";
  EXPECT_EQ(property_codes(m, property), "E0106");
}

TEST(Diagnostics, LongChainsAreNoNests) {
  const auto chain = [](const std::string& first, const std::string& link) {
    std::string text = first;
    for (int i = 0; i < 100'000; ++i) text += link;
    return text;
  };
  for (const std::string& guard :
       {chain("x=1", " & x<9"), chain("x=1", " | x>9"), chain("x", "+1") + ">0",
        chain("x=1", " => x=2"), chain("", "x=0?true:") + "false"}) {
    const ModelPtr m = load("mdp module m x:[0..9]; [] " + guard + " -> true; endmodule");
    ASSERT_NE(m, nullptr);
    EXPECT_LE(moves(m, {1}).size(), 1U);
    EXPECT_NE(print(*m), "");
  }
}

TEST(Diagnostics, NoInputCrashes) {
  EXPECT_EQ(model_codes(""), "E0113");
  EXPECT_EQ(model_codes("\n\n// nothing\n"), "E0113");
  EXPECT_EQ(
      model_codes("const int N = 123456789012345678901234567890; module m x:[0..N]; endmodule"),
      "E0104");
  EXPECT_EQ(model_codes("const double d = 1e999999999999; module m x:[0..1]; endmodule"), "E0104");
  EXPECT_EQ(model_codes("const double d = 1e-999999999999; module m x:[0..1]; endmodule"), "");
  EXPECT_EQ(model_codes("module m x:[-9223372036854775807..9223372036854775807]; endmodule"), "");
  std::uint32_t seed = 1;
  for (int round = 0; round < 300; ++round) {
    std::string text = round % 2 == 0 ? "" : "mdp module m x:[0..3]; [] x<3 -> (x'=x+1); endmodule";
    for (int i = 0; i < 40; ++i) {
      seed = seed * 1664525 + 1013904223;
      const char byte = static_cast<char>(seed >> 24);
      if (text.size() > 20 && round % 2 == 1) {
        text[(seed >> 8) % text.size()] = byte;
      } else {
        text += byte;
      }
    }
    const auto file = parse_model(make_source("garbage", text));
    if (!file) {
      EXPECT_FALSE(file.error().empty());
      EXPECT_NE(render(file.error()), "");
      EXPECT_LE(file.error().size(), kMaxDiagnostics);
    }
    const auto properties = parse_properties(make_source("garbage", text));
    if (!properties) {
      EXPECT_NE(render(properties.error()), "");
    }
  }
}

TEST(Diagnostics, LongLinesAndStrangeBytesAreCutAndMadeVisible) {
  const std::string text =
      "mdp module m x:[0..1]; [] " + std::string(5000, ' ') + "nope\x01\x02 -> true; endmodule";
  const std::string shown = render(model_errors(text));
  EXPECT_LT(shown.size(), 700U);
  EXPECT_EQ(shown.find('\x01'), std::string::npos);
  EXPECT_NE(shown.find("..."), std::string::npos);
}

TEST(Diagnostics, UnsupportedThingsAreReportedOnceWithTheirPlace) {
  for (const char* text : {"pta module m x:[0..1]; endmodule",
                           "pomdp observables x endobservables module m x:[0..1]; endmodule",
                           "mdp module m c : clock; endmodule", "smg module m x:[0..1]; endmodule",
                           "mdp module m x:[0..1]; invariant x=1 endinvariant endmodule",
                           "dtmc module m x:[0..1]; [] true -> [0.1,0.2]:(x'=1); endmodule"}) {
    const Diagnostics errors = model_errors(text);
    ASSERT_FALSE(errors.empty()) << text;
    EXPECT_EQ(errors[0].code, "E0110") << text;
    EXPECT_TRUE(errors[0].begin().has_value());
  }
}

TEST(Diagnostics, NearestNames) {
  EXPECT_EQ(nearest_name("fre", {"buf", "free", "dirty"}), "free");
  EXPECT_EQ(nearest_name("Free", {"free"}), "free");
  EXPECT_EQ(nearest_name("ditry", {"dirty"}), "dirty");
  EXPECT_EQ(nearest_name("x", {"y"}), "");
  EXPECT_EQ(nearest_name("kswapd", {"bdflush"}), "");
}

TEST(Constants, AreGivenAsText) {
  const auto values = parse_constant_values(" N=16, p = 1/3 ,b=true,d=1e-3 ");
  ASSERT_TRUE(values);
  EXPECT_EQ(std::get<std::int64_t>(values->at("N")), 16);
  EXPECT_EQ(std::get<RealText>(values->at("p")).text, "1/3");
  EXPECT_EQ(std::get<bool>(values->at("b")), true);
  EXPECT_EQ(codes(parse_constant_values("N").error()), "E0401");
  EXPECT_EQ(codes(parse_constant_values("N=1:2").error()), "E0401");
  EXPECT_EQ(codes(parse_constant_values("N=1/0").error()), "E0401");
  EXPECT_EQ(codes(parse_constant_values("N=1,N=2").error()), "E0402");
  EXPECT_TRUE(parse_constant_values("N=1,N=1"));
  EXPECT_TRUE(parse_constant_values("")->empty());
}

}  // namespace
}  // namespace brink::test
