// A thousand broken models: every one is either still a model or is refused with a diagnostic that
// has a place, in bounded work. The mutants are the same in every run.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "models/language/lexer.h"
#include "tests/unit/language/helpers.h"

namespace brink::test {
namespace {

std::vector<std::string> originals(const std::string& extension) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(BRINK_SOURCE_DIR) + "/models/library")) {
    if (entry.path().extension() == extension) paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  std::vector<std::string> texts;
  for (const auto& path : paths) {
    std::ifstream in(path);
    std::stringstream text;
    text << in.rdbuf();
    texts.push_back(text.str());
  }
  texts.push_back(
      extension == ".prism"
          ? "ctmc\nconst int N = 3; const double r;\nformula busy = x>0 & (b | !b);\n"
            "global g : bool;\nmodule Pool\n x : [0..N] init 1; b : bool;\n"
            " [up] x<N -> r:(x'=x+1) + 2*r:(x'=N)&(b'=!b);\n [] busy -> mod(x,2)+1:(g'=true);\n"
            "endmodule\nmodule Copy = Pool [x=y, b=c, up=down] endmodule\n"
            "label \"full\" = x=N | y=N;\nrewards \"w\" [up] true : 1; x>1 : x/2; endrewards\n"
            "system (Pool ||| Copy) / {down} {up<-go} endsystem\n"
          : "const double t = 2.5;\nlabel \"low\" = x<2;\n\"p\": P>=0.5 [ F<=t (x=1 & b) ];\n"
            "R{\"w\"}=? [ C<=t {x=0}{max} ]; filter(max, S=? [ x=0 | \"p\" ], \"low\");\n"
            "A [ G (E [ F x=2 ] ) ]; P=? [ (G F x=1) => (X[1,2] b) ]\n");
  return texts;
}

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  std::string mutate(std::string text) {
    const int rounds = 1 + below(3);
    for (int i = 0; i < rounds; ++i) text = once(std::move(text));
    return text;
  }

 private:
  int below(std::size_t n) { return static_cast<int>(random_() % std::max<std::size_t>(1, n)); }

  static std::string repeat(const std::string& part, int count) {
    std::string out;
    for (int i = 0; i < count; ++i) out += part;
    return out;
  }

  std::string once(std::string text) {
    const std::vector<LexedToken> tokens =
        lex(text, {0, static_cast<std::uint32_t>(text.size())}).tokens;
    const Span a = tokens[static_cast<std::size_t>(below(tokens.size()))].span;
    const Span b = tokens[static_cast<std::size_t>(below(tokens.size()))].span;
    const auto replace = [&](Span span, const std::string& by) {
      return text.substr(0, span.begin) + by + text.substr(span.end);
    };
    const auto insert = [&](const std::string& what) { return replace({a.begin, a.begin}, what); };
    const std::string other = text.substr(b.begin, b.end - b.begin);
    constexpr const char* kSymbols[] = {"+", "-",  "*",  "/", "&",  "|",  "=>", "=",  "<",
                                        "(", ")",  "[",  "]", "{",  "}",  "..", ":",  ";",
                                        "'", "->", "<-", "?", "!=", "]]", "^",  "min"};
    switch (below(16)) {
      case 0:
        return replace(a, "");
      case 1:
        return replace(a, other);
      case 2:
        return insert(other + " ");
      case 3:
        return replace(a, kSymbols[below(std::size(kSymbols))]);
      case 4:
        return replace(a, repeat("9", 1 + below(60)));
      case 5:
        return replace(a, "1e" + repeat("9", 1 + below(5)));
      case 6:
        return text.substr(0, static_cast<std::size_t>(below(text.size())));
      case 7: {
        for (int i = 1 + below(8); i > 0 && !text.empty(); --i) {
          text[static_cast<std::size_t>(below(text.size()))] = static_cast<char>(below(256));
        }
        return text;
      }
      case 8:
        return insert(std::string(1 + below(3), '\0'));
      case 9:
        return insert("\"");
      case 10:
        return insert("// ");
      case 11:
        return replace(a, repeat("long", 1 + below(20000)));
      case 12: {
        constexpr const char* kOpen[] = {"(", "!", "-", "min(", "P>=1 [ ", "A [ ", "F ", "x=>("};
        return insert(repeat(kOpen[below(std::size(kOpen))], 1 << below(18)));
      }
      case 13: {
        std::string many;
        for (int i = 0; i < 1 << below(12); ++i) {
          const std::string n = std::to_string(i);
          many += i == 0 ? "formula f0 = 1;"
                         : "formula f" + n + " = f" + std::to_string(i - 1) +
                               (below(2) == 0 ? "+" : "*") + "f" +
                               std::to_string(below(std::size_t(i))) + ";";
          many += "const double c" + n + (i == 0 ? ";" : " = c0+" + n + ";");
        }
        return many + text;
      }
      case 14:
        return text.substr(static_cast<std::size_t>(below(text.size())));
      default:
        return text + text;
    }
  }

  std::mt19937_64 random_;
};

void expect_places(const Diagnostics& errors, std::uint64_t seed) {
  EXPECT_FALSE(errors.empty()) << "seed " << seed;
  EXPECT_LE(errors.size(), kMaxDiagnostics) << "seed " << seed;
  for (const Diagnostic& d : errors) {
    EXPECT_TRUE(d.begin().has_value()) << "seed " << seed << ": " << d.message;
    EXPECT_LT(d.message.size(), 500U) << "seed " << seed;
    EXPECT_LE(d.span.begin, d.span.end) << "seed " << seed;
    EXPECT_LE(d.span.end, d.source->text().size()) << "seed " << seed;
  }
  EXPECT_LT(render(errors).size(), 40000U) << "seed " << seed;
}

/// Reads it, builds it, prints it, expands its initial state; true when it is a model.
bool digest_model(const std::string& text, std::uint64_t seed) {
  const auto file = parse_model(make_source("mutant.prism", text));
  if (!file) return expect_places(file.error(), seed), false;
  ConstantValues values;
  for (const std::string& name : undefined_constants(*file)) values[name] = std::int64_t{1};
  const auto model = instantiate(*file, values);
  if (!model) return expect_places(model.error(), seed), false;
  EXPECT_FALSE(print(**model).empty());
  Evaluator evaluator(*model);
  if ((*model)->init) return true;  // finding the states may take as long as it takes
  for_each_initial_state(**model, [&](std::span<const std::int64_t> state) {
    Expansion expansion;
    evaluator.successors(state, expansion);
    return false;
  });
  return true;
}

TEST(Mutation, ModelsAreReadOrRefusedWithAPlace) {
  const std::vector<std::string> texts = originals(".prism");
  int models = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    models += digest_model(Mutator(seed).mutate(texts[seed % texts.size()]), seed) ? 1 : 0;
  }
  EXPECT_GT(models, 30);   // some are still models,
  EXPECT_LT(models, 500);  // most are not
}

TEST(Mutation, PropertiesAreReadOrRefusedWithAPlace) {
  const std::vector<std::string> texts = originals(".props");
  const ModelPtr model = load(originals(".prism").back(), *parse_constant_values("r=2"));
  ASSERT_NE(model, nullptr);
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const std::string text = Mutator(seed).mutate(texts[seed % texts.size()]);
    const auto file = parse_properties(make_source("mutant.props", text));
    if (!file) {
      expect_places(file.error(), seed);
      continue;
    }
    const auto set = check_properties(*file, model);
    if (!set) {
      expect_places(set.error(), seed);
      continue;
    }
    for (const Property& p : set->properties) {
      if (!p.errors.empty()) expect_places(p.errors, seed);
      if (p.errors.empty()) {
        EXPECT_FALSE(print(*set, p.root).empty());
      }
    }
  }
}

std::string chain(int count, const std::function<std::string(int)>& part) {
  std::string out;
  for (int i = 0; i < count; ++i) out += part(i);
  return out;
}

// Each of these would take minutes or all memory if work grew with the expanded size.
std::string number(int i) { return std::to_string(i); }

TEST(Bounds, FormulasAndConstantsThatDouble) {
  const std::string tail = "module m x:[0..9]; [] f99=f98 -> (x'=1); endmodule";
  for (const std::string op : {"+", "*", "-"}) {
    EXPECT_EQ(model_codes("formula f0 = x;" +
                          chain(99,
                                [&](int i) {
                                  return "formula f" + number(i + 1) + "=f" + number(i) + op + "f" +
                                         number(i) + ";";
                                }) +
                          tail),
              "");
  }
  EXPECT_EQ(model_codes("const double c0=1/3;" +
                        chain(20000,
                              [&](int i) {
                                return "const double c" + number(i + 1) + "=c" + number(i) + "*c" +
                                       number(i) + ";";
                              }) +
                        "module m x:[0..1]; endmodule"),
            "");
}

TEST(Bounds, ExactReadingsOfPowers) {  // each of a thousand digits and more
  EXPECT_EQ(model_codes(chain(20000,
                              [&](int i) {
                                return "const double c" + number(i) + "=" + number(i + 3) +
                                       ".123456789^" + number(60 + i % 200) + ";";
                              }) +
                        "module m x:[0..1]; endmodule"),
            "");
}

TEST(Bounds, TwentyThousandModulesAreFew) {
  EXPECT_EQ(model_codes(chain(20000,
                              [&](int i) {
                                return "module m" + number(i) + " x" + number(i) + ":[0..1]; [a" +
                                       number(i) + "] true -> true; [] true -> true; endmodule ";
                              })),
            "");
}

TEST(Bounds, WaysToSynchroniseAreCounted) {  // 2^22 of them
  EXPECT_EQ(model_codes(
                "module m0 x0:bool; [a] x0 -> true; [b] !x0 -> true; endmodule " +
                chain(22,
                      [&](int i) {
                        return "module m" + number(i + 1) + "=m0[x0=x" + number(i + 1) +
                               "] endmodule ";
                      }) +
                "system " +
                chain(23, [&](int i) { return (i == 0 ? "m" : " || m") + number(i) + "{b<-a}"; }) +
                " endsystem"),
            "E0510");
}

TEST(Bounds, RenamedModulesAreCounted) {  // 300 commands, 300 times: 90,000 of them
  const std::string text =
      "module m0 x0:[0..9]; " +
      chain(300, [&](int i) { return "[] x0>" + number(i) + " -> (x0'=0);"; }) + " endmodule " +
      chain(300, [&](int i) {
        return "module m" + number(i + 1) + "=m0[x0=x" + number(i + 1) + "] endmodule ";
      });
  EXPECT_EQ(model_codes(text), "");
  for (const ExpansionLimits limits :
       {ExpansionLimits{.expressions = 50'000}, ExpansionLimits{.command_parts = 100'000},
        ExpansionLimits{.reading = 100'000}}) {
    InstantiateOptions options;
    options.limits = limits;
    EXPECT_EQ(model_codes(text, {}, options), "E0512");
  }
}

TEST(Bounds, OperatorsThatWait) {
  EXPECT_EQ(model_codes("module m x:[0..1]; [] " +
                        chain(999, [](int) { return "(a|b&c=d<e+f*g^"; }) + "x"),
            "E0106");
}

TEST(Bounds, UnknownNamesAmongManyLongOnes) {
  const std::string stem(190, 'n');
  EXPECT_EQ(
      model_codes(
          chain(20000, [&](int i) { return "const int " + stem + number(100000 + i) + "=1;"; }) +
          "module m x:[0..1]; [] " +
          chain(30, [&](int i) { return stem + number(900000 + i) + "=1|"; }) +
          "true -> true; endmodule")
          .size(),
      20 * 6 - 1U);
}

}  // namespace
}  // namespace brink::test
