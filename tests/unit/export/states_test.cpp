// Formats that list the states, and the circuit, simulated.
#include <deque>
#include <set>
#include <sstream>

#include "experiments/export/circuit.h"
#include "solver/search/state_graph.h"
#include "tests/unit/export/helpers.h"

namespace brink::exports {
namespace {

const std::string& file(const Exported& exported, std::string_view suffix) {
  static const std::string none;
  for (const File& f : exported.files) {
    if (f.suffix == suffix) return f.text;
  }
  ADD_FAILURE() << "no file " << suffix;
  return none;
}

// Two overlapping commands in state 0: each is taken with probability 1/2 (PRISM), so 0 -> 1 has
// 1/2 * 1/4 and 0 -> 2 has 1/2 * 3/4 + 1/2 = 7/8, whose mean reward is (3/8 * 4 + 1/2 * 0) / (7/8)
// = 12/7.
TEST(Explicit, ChainByHand) {
  const Asked asked =
      ask("dtmc\nmodule m\nx:[0..2]; b:bool;\n"
          "[a] x=0 -> 0.25:(x'=1) + 0.75:(x'=2);\n[] x=0 -> (x'=2);\n[] x=1 -> "
          "(b'=true)&(x'=0);\nendmodule\n"
          "label \"one\" = x=1;\nrewards \"r\"\n x>0 : x*1.5;\n [a] true : 4;\nendrewards");
  const Exported out = written("explicit", asked);
  EXPECT_EQ(file(out, ".sta"),
            "(x,b)\n0:(0,false)\n1:(0,true)\n2:(1,false)\n3:(1,true)\n4:(2,false)\n5:(2,true)\n");
  EXPECT_EQ(file(out, ".tra"),
            "6 8\n0 2 0.125\n0 4 0.875\n1 3 0.125\n1 5 0.875\n2 1 1\n3 1 1\n4 4 1\n5 5 1\n");
  EXPECT_EQ(file(out, ".lab"),
            "0=\"init\" 1=\"deadlock\" 2=\"one\"\n0: 0\n2: 2\n3: 2\n4: 1\n5: 1\n");
  EXPECT_EQ(file(out, ".srew"),
            "# Reward structure: \"r\"\n# State rewards\n6 4\n2 1.5\n3 1.5\n4 3\n5 3\n");
  std::istringstream rows(file(out, ".trew"));
  std::string line;
  std::getline(rows, line);
  std::getline(rows, line);
  std::getline(rows, line);
  EXPECT_EQ(line, "6 4");
  double from = 0, to = 0, reward = 0;
  rows >> from >> to >> reward;
  EXPECT_EQ(std::tuple(from, to, reward), std::tuple(0.0, 2.0, 4.0));
  rows >> from >> to >> reward;
  EXPECT_EQ(std::tuple(from, to), std::tuple(0.0, 4.0));
  EXPECT_NEAR(reward, 12.0 / 7, 1e-12);
}

TEST(Explicit, DecisionsHaveChoicesAndActions) {
  const Exported out =
      written("explicit", ask("mdp\nmodule m\nx:[0..1];\n[a] x=0 -> 0.5:true + 0.5:(x'=1);\n"
                              "[] x=0 -> (x'=1);\nendmodule"));
  EXPECT_EQ(file(out, ".tra"), "2 3 4\n0 0 1 1\n0 1 0 0.5 a\n0 1 1 0.5 a\n1 0 1 1\n")
      << "moves without an action come first, as in PRISM";
  EXPECT_EQ(file(out, ".lab"), "0=\"init\" 1=\"deadlock\"\n0: 0\n1: 1\n");
  EXPECT_EQ(out.files.size(), 3U) << "no rewards, no files of rewards";
}

TEST(Explicit, RatesAddUp) {
  const Exported out = written(
      "explicit", ask("ctmc\nmodule m\nx:[0..1];\n[] x=0 -> 2:(x'=1);\n[] x=0 -> 3:(x'=1);\n"
                      "[] x=1 -> 0.5:(x'=0);\nendmodule"));
  EXPECT_EQ(file(out, ".tra"), "2 2\n0 1 5\n1 0 0.5\n");
}

TEST(Explicit, FaultsOfTheModelAreErrors) {
  const std::string message =
      refusal("explicit", ask("mdp\nmodule m\nx:[0..1];\n[] true -> (x'=x+1);\nendmodule"));
  EXPECT_NE(message.find("x"), std::string::npos) << message;
}

TEST(Dot, HasEveryStateAndEveryEdge) {
  const Asked asked = ask(kPair);
  const solver::StateGraph graph(asked.job.model, {});
  const std::string text = written("dot", asked).files[0].text;
  EXPECT_EQ(occurrences(text, "x="), graph.size());
  EXPECT_EQ(occurrences(text, " -> "), graph.transitions());
  EXPECT_EQ(occurrences(text, "peripheries=2"), 1U);
  EXPECT_GT(occurrences(text, "label=\"go\""), 0U);
  EXPECT_GT(occurrences(text, "label=\"b.2\""), 0U) << text;
}

TEST(Dot, TooManyStatesIsALimit) {
  Asked asked = ask("mdp\nmodule m\nx:[0..5000];\n[] x<5000 -> (x'=x+1);\nendmodule");
  auto outcome = write_dot(asked.job);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error()[0].code, "E0802");
  asked.job.limits.states = 6000;
  outcome = write_dot(asked.job);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(occurrences(outcome->files[0].text, "x="), 5001U);
}

std::int64_t value_of(const Bits& bits) {
  std::int64_t value = 0;
  for (std::size_t i = 0; i < bits.size(); ++i) value += static_cast<std::int64_t>(bits[i]) << i;
  return bits.back() == 1 ? value - (std::int64_t{1} << bits.size()) : value;
}

TEST(Circuit, ArithmeticOfConstants) {
  Circuit c(0, 8);
  for (std::int64_t a = -11; a <= 11; ++a) {
    for (std::int64_t b = -11; b <= 11; ++b) {
      EXPECT_EQ(value_of(c.add(c.number(a), c.number(b))), a + b);
      EXPECT_EQ(value_of(c.subtract(c.number(a), c.number(b))), a - b);
      EXPECT_EQ(value_of(c.multiply(c.number(a), c.number(b))), a * b);
      EXPECT_EQ(c.less(c.number(a), c.number(b)), a < b ? 1U : 0U);
      EXPECT_EQ(c.equal(c.number(a), c.number(b)), a == b ? 1U : 0U);
      if (b == 0) continue;
      const std::int64_t rest = value_of(c.modulo(c.number(a), b));  // a = q b + rest, sign of b
      EXPECT_EQ((a - rest) % b, 0) << a << " mod " << b;
      EXPECT_TRUE(b > 0 ? rest >= 0 && rest < b : rest <= 0 && rest > b)
          << a << " mod " << b << " = " << rest;
    }
  }
  EXPECT_TRUE(c.gates().empty()) << "constants need no gate";
}

/// A binary AIGER file, read by its format's description (Biere, Heljanko, Wieringa 2011).
struct Aiger {
  std::uint32_t inputs = 0, latches = 0, ands = 0, bad = 0;
  std::vector<std::uint32_t> next;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> gates;

  explicit Aiger(const std::string& text) {
    std::istringstream in(text);
    std::string word;
    std::uint32_t most = 0, outputs = 0, bads = 0;
    in >> word >> most >> inputs >> latches >> outputs >> ands >> bads;
    EXPECT_EQ(word, "aig");
    EXPECT_EQ(most, inputs + latches + ands);
    EXPECT_EQ(outputs + 1, bads);
    next.resize(latches);
    for (auto& literal : next) in >> literal;
    in >> bad;
    in.get();
    const auto number = [&] {
      std::uint32_t value = 0;
      for (unsigned shift = 0;; shift += 7) {
        const int byte = in.get();
        value |= static_cast<std::uint32_t>(byte & 0x7f) << shift;
        if ((byte & 0x80) == 0) return value;
      }
    };
    for (std::uint32_t i = 0; i < ands; ++i) {
      const std::uint32_t left = 2 * (inputs + latches + 1 + i) - number();
      gates.emplace_back(left, left - number());
    }
  }

  /// The next state, and whether bad holds before the step.
  std::pair<std::vector<bool>, bool> step(const std::vector<bool>& state,
                                          std::uint32_t input) const {
    std::vector<bool> value{false};
    for (std::uint32_t i = 0; i < inputs; ++i) value.push_back(((input >> i) & 1) != 0);
    value.insert(value.end(), state.begin(), state.end());
    const auto at = [&](std::uint32_t literal) {
      return value[literal / 2] != ((literal & 1) != 0);
    };
    for (const auto& [a, b] : gates) value.push_back(at(a) && at(b));
    std::vector<bool> after;
    for (const std::uint32_t literal : next) after.push_back(at(literal));
    return {after, at(bad)};
  }

  /// Number of states, and of steps to the first bad one (-1: none).
  std::pair<std::size_t, int> explore() const {
    std::set<std::vector<bool>> seen;
    std::deque<std::pair<std::vector<bool>, int>> queue;
    queue.emplace_back(std::vector<bool>(latches, false), 0);
    seen.insert(queue.front().first);
    int first_bad = -1;
    for (; !queue.empty(); queue.pop_front()) {
      for (std::uint32_t input = 0; input < (1U << inputs); ++input) {
        const auto [after, is_bad] = step(queue.front().first, input);
        if (is_bad && first_bad < 0) first_bad = queue.front().second;
        if (seen.insert(after).second) queue.emplace_back(after, queue.front().second + 1);
      }
    }
    return {seen.size(), first_bad};
  }
};

TEST(Aiger, CircuitHasTheModelsStates) {
  const char* clock = R"(mdp
module m
  x : [3..9] init 5; y : [-3..3] init 2; b : bool init true;
  [] b -> (x'=min(9,x+1)) & (y'=mod(y-2,-3)) & (b'=false);
  [] !b & x*x > 30 -> (x'=max(3,x-2)) & (b'=y!=0);
  [] y > -3 & (b <=> x<6) -> (y'=(x=7 ? -y : y-1)) & (x'=y<0 ? 3 : x);
endmodule
)";
  for (const char* text : {clock, kPair}) {
    const Asked asked = ask(text);
    const solver::StateGraph graph(asked.job.model, {});
    ASSERT_TRUE(graph.complete());
    const Aiger circuit(written("aiger", asked).files[0].text);
    EXPECT_EQ(circuit.explore(), std::pair(std::size_t{graph.size()}, -1));
  }
}

TEST(Aiger, BadIsReachedAfterAsManySteps) {
  const char* count = "mdp\nmodule m\nx:[0..5] init 2;\n[] true -> (x'=x+1);\nendmodule";
  EXPECT_EQ(Aiger(written("aiger", ask(count, "A [ G x<4 ]")).files[0].text).explore().second, 2);
  EXPECT_EQ(Aiger(written("aiger", ask(count, "E [ F x=5 ]")).files[0].text).explore().second, 3);
  EXPECT_EQ(Aiger(written("aiger", ask(count)).files[0].text).explore(),
            std::pair(std::size_t{4}, 3))
      << "the move to 6 leaves the range; it is not taken";
}

}  // namespace
}  // namespace brink::exports
