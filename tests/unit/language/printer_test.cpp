// parse . print . parse = parse, on texts that are written here and on generated trees.
#include <filesystem>
#include <random>

#include "tests/unit/language/helpers.h"

namespace brink::test {
namespace {

using syntax::Expression;
using syntax::Node;
using syntax::NodeKind;
using syntax::Tree;

/// Everything that is not a place in the text.
std::string shape(const Tree& tree, const Expression& e) {
  std::string out;
  for (syntax::NodeId id = e.first; e.valid() && id <= e.root; ++id) {
    const Node& n = tree.nodes[id];
    out += std::to_string(static_cast<int>(n.kind)) + ":" +
           (n.kind == NodeKind::apply ? std::to_string(static_cast<int>(n.op)) : "") + "," +
           std::to_string(static_cast<int>(n.relation)) +
           std::to_string(static_cast<int>(n.optimum)) + std::to_string(n.lower_strict) +
           std::to_string(n.upper_strict) + std::to_string(n.equal_bound) +
           std::to_string(n.old_style) + std::to_string(n.elapsed) +
           std::to_string(n.reward_bound) + "(" + std::string(tree.text(n)) + "," +
           (n.text2 == kNone ? "" : tree.texts[n.text2]);
    for (std::uint32_t i = 0; i < n.child_count; ++i) {
      const syntax::NodeId child = tree.child(n, i);
      out += "," + (child == kNone ? "-" : std::to_string(child - e.first));
    }
    out += ")";
  }
  return out;
}

/// Random formulas as text, with more parentheses than needed or fewer, chosen by the generator.
class Writer {
 public:
  explicit Writer(std::uint64_t seed) : random_(seed) {}

  std::string state(int depth) { return depth <= 0 ? leaf() : compound(depth - 1); }

  std::string property(int depth) {
    switch (pick(7)) {
      case 0:
        return "P" + bound() + " [ " + path(depth - 1) + filter() + " ]";
      case 1:
        return "Pmin=? [ " + path(depth - 1) + " ]";
      case 2:
        return "R" + reward() + bound() + " [ " + contents(depth - 1) + filter() + " ]";
      case 3:
        return "A [ " + path(depth - 1) + " ]";
      case 4:
        return "S" + bound() + " [ " + state(depth - 1) + " ]";
      case 5:
        return "filter(" + any({"min", "+", "&", "count", "print"}) + ", " + property(depth - 1) +
               any({"", ", x>1"}) + ")";
      default:
        return "(" + property(depth - 1) + any({" & ", " + ", " => ", " = ", " ? b : "}) +
               wrap(state(depth - 1)) + ")";
    }
  }

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }
  std::string any(std::vector<std::string> list) {
    return list[static_cast<std::size_t>(pick(static_cast<int>(list.size())))];
  }
  std::string leaf() {
    return any({"x", "y", "3", "0", "0.5", "1e-3", "true", "false", "b", "\"low\"", "(x)"});
  }

  std::string compound(int depth) {
    const std::string a = state(depth);
    const std::string b = state(depth);
    switch (pick(8)) {
      case 0:
        return "!" + wrap(a);
      case 1:
        return "-" + ("(" + a + ")");
      case 2:
        return wrap(a) + " ? " + wrap(b) + " : " + state(depth);
      case 3:
        return any({"min", "max"}) + "(" + a + ", " + b + any({"", ", 1"}) + ")";
      case 4:
        return any({"floor", "ceil", "round"}) + "(" + a + ")";
      case 5:
        return "func(pow, " + a + ", " + b + ")";
      default:
        return "(" + a + ")" +
               any({" + ", " - ", " * ", " / ", " ^ ", " & ", " | ", " => ", " <=> ", " = ",
                    " != ", " < ", " <= ", " > ", " >= "}) +
               "(" + b + ")";
    }
  }

  static std::string wrap(const std::string& text) { return "(" + text + ")"; }
  std::string bound() { return any({"=?", ">=0.5", "<x+1", ">1/3", "<=p"}); }
  std::string reward() { return any({"", "{\"r\"}", "{2}", "{\"r\"}/{\"s\"}", "{1+1}"}); }
  std::string filter() { return any({"", "", " {x=1}", " {b}{min}", " {b}{min}{max}"}); }
  std::string time() {
    return any({"", "", "<=5", "<t ", ">=(t+1)", "[1,t]", "=3", "=(t)", "^{rew{\"r\"}<=3}", ">2"});
  }

  std::string path(int depth) {
    if (depth <= 0) return state(1);
    switch (pick(5)) {
      case 0:
        return any({"X", "F", "G"}) + time() + " (" + path(depth - 1) + ")";
      case 1:
        return "(" + path(depth - 1) + ") " + any({"U", "W", "R"}) + time() + " (" +
               path(depth - 1) + ")";
      case 2:
        return "(" + path(depth - 1) + ") & !(" + path(depth - 1) + ")";
      case 3:
        return any({"G F ", "X X ", "F G "}) + leaf();
      default:
        return property(depth - 1);
    }
  }

  std::string contents(int depth) {
    return any({"C", "C<=t+1", "I=3", "S", "F " + wrap(path(depth))});
  }

  std::mt19937_64 random_;
};

TEST(Printer, GeneratedPropertiesComeBackTheSame) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const std::string text = Writer(seed).property(4);
    const auto first = parse_property(text);
    ASSERT_TRUE(first) << "seed " << seed << ": " << text << "\n" << render(first.error());
    const std::string printed = print(first->tree, first->properties[0].value);
    const auto second = parse_property(printed);
    ASSERT_TRUE(second) << "seed " << seed << ": " << text << "\n" << render(second.error());
    ASSERT_EQ(shape(first->tree, first->properties[0].value),
              shape(second->tree, second->properties[0].value))
        << "seed " << seed << ": " << text << "\n"
        << printed;
  }
}

const char* kWhole =
    "dtmc\nconst int N = 3;\nconst double p;\nconst bool flag = true;\nformula f = x+1;\n"
    "global g : [0..N] init 1;\n"
    "module Pool\n  x : [0..N] init 0;\n  b : bool init flag;\n  u : int;\n"
    "  [go] x < N & !b -> p : (x'=x + 1) & (b'=true) + 1 - p : true;\n  [] b -> "
    "(g'=0);\nendmodule\n"
    "module Copy = Pool [x=y, b=c, u=v, go=stay, min=max] endmodule\n"
    "label \"done\" = x = N;\nrewards \"r\"\n  [go] true : 2;\n  [] b : 1;\n  x > 0 : x / "
    "2;\nendrewards\n"
    "system \"s\" Pool |[go]| (Copy / {stay}) endsystem\nsystem \"s\" {go<-gone} endsystem\n";

TEST(Printer, AWholeModelComesBackTheSame) {
  const auto file = parse_model(make_source("m", kWhole));
  ASSERT_TRUE(file) << render(file.error());
  const std::string once = print(*file);
  const auto again = parse_model(make_source("m", once));
  ASSERT_TRUE(again) << render(again.error());
  EXPECT_EQ(print(*again), once);
  EXPECT_EQ(again->modules[1].renames.size(), 5U);
  for (const std::string part : {"global g : [0..N] init 1;", "u : int;",
                                 "[go] x < N & !b -> p : (x'=x + 1) & (b'=true) + 1 - p : true;",
                                 "module Copy = Pool [x=y, b=c, u=v, go=stay, min=max] endmodule",
                                 "Pool |[go]| Copy / {stay}"}) {
    EXPECT_NE(once.find(part), std::string::npos) << part << "\n" << once;
  }
}

TEST(Printer, ACheckedModelIsAModelWithTheSameBehaviour) {
  const ModelPtr m = load(kWhole, *parse_constant_values("p=1/3"));
  ASSERT_NE(m, nullptr);
  const ModelPtr again = load(print(*m));
  ASSERT_NE(again, nullptr) << print(*m);
  const Valuation start = initial_states(*m)->front();
  EXPECT_EQ(moves(m, start), moves(again, start));
  EXPECT_EQ(reachable(m), reachable(again));
  EXPECT_EQ(print(*m), print(*again));
}

TEST(Printer, EveryModelOfTheLibraryComesBackTheSame) {
  int models = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(BRINK_SOURCE_DIR) + "/models/library")) {
    if (entry.path().extension() != ".prism") continue;
    const auto m = load_model(entry.path().string());
    ASSERT_TRUE(m) << render(m.error());
    const std::string once = print(**m);
    const ModelPtr again = load(once);
    ASSERT_NE(again, nullptr) << entry.path();
    EXPECT_EQ(print(*again), once) << entry.path();
    ++models;
  }
  EXPECT_GT(models, 0);
}

// The choice is folded away and leaves an int read as a double: pow of ints would be an error.
TEST(Printer, ArithmeticOfConvertedIntsStaysReal) {
  const ModelPtr m = load(
      "mdp module m x:[0..3] init 2; [] pow(true?x:0.5,x-3)<1 -> true; "
      "[] (true?x:0.5)*(true?x:1.5)>1 -> true; endmodule");
  const std::string text = print(*m);
  EXPECT_NE(text.find("pow((x * 1.0), x - 3)"), std::string::npos) << text;
  EXPECT_NE(text.find("(x * 1.0) * x > 1"), std::string::npos) << text;
  EXPECT_EQ(moves(load(text), {2}).size(), 2U);
  EXPECT_EQ(moves(m, {2}).size(), 2U);
}

TEST(Printer, OnlyTheParenthesesThatAreNeeded) {
  const std::pair<const char*, const char*> rows[] = {
      {"((x+y))*2", "(x + y) * 2"},
      {"x+(y+1)", "x + (y + 1)"},
      {"(x-y)-1", "x - y - 1"},
      {"!(x=1)&(b)", "!x = 1 & b"},
      {"(2^3)^2", "(2 ^ 3) ^ 2"},
      {"2^(3^2)", "2 ^ 3 ^ 2"},
      {"x<(-1)", "x < -1"},
      {"-(-(x))", "--x"},
      {"(b?x:y)+1", "(b ? x : y) + 1"},
      {"b=>(b=>b)", "b => b => b"},
      {"(b=>b)=>b", "(b => b) => b"},
      {"b?1:(b?2:3)", "b ? 1 : b ? 2 : 3"},
      {"A[G (F b) ]", "A [ G F b ]"},
      {"A[(b U b) U b]", "A [ (b U b) U b ]"},
  };
  for (const auto& [text, expected] : rows) {
    const auto file = parse_property(text);
    ASSERT_TRUE(file) << text << render(file.error());
    EXPECT_EQ(print(file->tree, file->properties[0].value), expected);
  }
}

}  // namespace
}  // namespace brink::test
