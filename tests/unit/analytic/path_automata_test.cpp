#include "analytic/path_automata.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/analytic/chains.h"
#include "tests/unit/automata/words.h"

namespace brink::analytic {
namespace {

using automata::PathFormula;
using automata::testing::Tree;
using automata::testing::Word;

/// State 0 leads to the first letter of each word; a word is a chain of its own. Letters of state 0
/// are empty, so formulas are asked as X f there.
struct Fan {
  std::vector<std::vector<Entry>> rows = {{}};
  Letters letters = {0};
  std::vector<std::uint32_t> heads;

  explicit Fan(const std::vector<Word>& words) {
    for (const Word& word : words) {
      const auto head = static_cast<std::uint32_t>(rows.size());
      heads.push_back(head);
      for (std::size_t i = 0; i < word.letters.size(); ++i) {
        rows.push_back({{head + static_cast<std::uint32_t>(word.next(i)), 1}});
        letters.push_back(word.letters[i]);
      }
    }
  }

  Chain chain() const {
    auto out = rows;
    for (const std::uint32_t head : heads)
      out[0].push_back({head, 1.0 / static_cast<double>(heads.size())});
    return testing::built(ChainKind::discrete, out);
  }

  DecisionProcess process() const {
    std::vector<std::vector<std::vector<Entry>>> out;
    for (const auto& row : rows) out.push_back({row});
    out[0].clear();
    for (const std::uint32_t head : heads) out[0].push_back({{head, 1}});
    auto made = make_decisions(out);
    if (!made) ADD_FAILURE() << made.error();
    return std::move(*made);
  }
};

PathFormula made(const Tree& tree, bool count_steps = false) {
  PathFormula out{automata::FormulaPool(count_steps), {}, {}};
  out.root = tree.build(out.pool);
  return out;
}

double value(const PathSolution& solution) {
  if (!solution) ADD_FAILURE() << solution.error().message;
  EXPECT_TRUE(solution && solution->converged);
  return solution && solution->converged ? solution->values[0] : -1;
}

/// Random formulas on random fans of words: the probability is the share of the words that satisfy
/// the formula by its definition, and strategies choose a word.
TEST(FormulaProbability, CountsWordsThatSatisfy) {
  std::mt19937 random(5);
  const auto words = automata::testing::all_words(2, 2, 2);
  for (int round = 0; round < 300; ++round) {
    std::vector<Word> chosen;
    for (int i = 0; i < 8; ++i) chosen.push_back(words[random() % words.size()]);
    const Fan fan(chosen);
    Tree next;
    next.op = 'X';
    next.a = automata::testing::random_tree(random, 2, 2 + round % 8);
    int good = 0;
    for (const Word& word : chosen) good += next.a->holds(word) ? 1 : 0;
    StateSet wanted(fan.rows.size(), false);
    wanted[0] = true;
    PathFormula formula = made(next);
    EXPECT_NEAR(value(formula_probability(fan.chain(), formula, fan.letters, wanted, {})),
                good / 8.0, 1e-12)
        << next.text();
    const DecisionProcess process = fan.process();
    for (const Goal goal : {Goal::maximise, Goal::minimise}) {
      PathFormula again = made(next);
      const bool expected = goal == Goal::maximise ? good > 0 : good == 8;
      EXPECT_EQ(value(formula_probability(process, goal, again, fan.letters, wanted, {})),
                expected ? 1.0 : 0.0)
          << next.text();
    }
    PathFormula some = made(next);
    const auto exists = some_path(fan.chain(), some, fan.letters, {});
    ASSERT_TRUE(exists.has_value());
    EXPECT_EQ((*exists)[0], good > 0) << next.text();
  }
}

/// A formula and its negation go through different automata and share all of the probability.
TEST(FormulaProbability, NegationHasTheRest) {
  std::mt19937 random(6);
  for (int round = 0; round < 150; ++round) {
    constexpr std::uint32_t size = 6;
    std::vector<std::vector<Entry>> rows(size);
    Letters letters;
    for (std::uint32_t s = 0; s < size; ++s) {
      const auto a = static_cast<std::uint32_t>(random() % size);
      const auto b = static_cast<std::uint32_t>(random() % size);
      rows[s] = {{a, 0.25}, {b, 0.75}};
      letters.push_back(random() % 4);
    }
    const Chain chain = testing::built(ChainKind::discrete, rows);
    const StateSet all(size, true);
    const auto tree = automata::testing::random_tree(random, 2, 3 + round % 7);
    PathFormula f = made(*tree), g = made(*tree);
    g.root = g.pool.negation(g.root);
    const auto p = formula_probability(chain, f, letters, all, {});
    const auto q = formula_probability(chain, g, letters, all, {});
    ASSERT_TRUE(p && q) << tree->text();
    for (std::uint32_t s = 0; s < size; ++s)
      EXPECT_NEAR(p->values[s] + q->values[s], 1, 1e-12) << tree->text();
  }
}

Tree atom(std::uint32_t number) { return {'p', number, nullptr, nullptr}; }
Tree op(char name, const Tree& a) { return {name, 0, std::make_shared<Tree>(a), nullptr}; }
Tree op(char name, const Tree& a, const Tree& b) {
  return {name, 0, std::make_shared<Tree>(a), std::make_shared<Tree>(b)};
}

/// Two loops, a strategy may go round either or change between them: both goals for ever are
/// possible, one goal and from some point on never the other as well, at least one is certain.
TEST(FormulaProbability, StrategiesMixLoops) {
  const auto process =
      make_decisions({{{{1, 0.5}, {2, 0.5}}, {{0, 1}}}, {{{0, 1}}}, {{{0, 1}}, {{2, 1}}}});
  ASSERT_TRUE(process.has_value());
  const Letters letters = {0, 1, 2};  // p0 in state 1, p1 in state 2
  const auto ask = [&](const Tree& tree, Goal goal) {
    PathFormula formula = made(tree);
    return value(formula_probability(*process, goal, formula, letters, StateSet(3, true), {}));
  };
  const Tree often0 = op('G', op('F', atom(0))), often1 = op('G', op('F', atom(1)));
  const Tree never0 = op('F', op('G', op('!', atom(0))));
  EXPECT_EQ(ask(op('&', often0, often1), Goal::maximise), 1);
  EXPECT_EQ(ask(op('&', often1, never0), Goal::maximise), 1);
  EXPECT_EQ(ask(op('|', often0, often1), Goal::minimise), 0);
  // Rounds with state 2 leave it at once or not; state 1 without state 2 happens with no positive
  // probability for ever.
  EXPECT_EQ(ask(op('&', often0, op('F', op('G', op('!', atom(1))))), Goal::maximise), 0);
  // The first round ends in state 1 with probability 1/2.
  const Tree first = op('&', op('!', atom(1)), op('U', op('!', atom(1)), atom(0)));
  EXPECT_NEAR(ask(op('&', first, often1), Goal::maximise), 0.5, 1e-12);
}

/// Rewards until a run of two heads of a fair coin: 6 tosses.
TEST(FormulaReward, WaitsForTheFirstGoodPrefix) {
  const Chain coin =
      testing::built(ChainKind::discrete, {{{0, 0.5}, {1, 0.5}}, {{0, 0.5}, {1, 0.5}}});
  const Letters letters = {0, 1};
  const Tree two = op('F', op('&', atom(0), op('X', atom(0))));
  PathFormula formula = made(two, true);
  const std::vector<double> one(2, 1);
  // From state 0 (a tail): the prefix ends in the second head, whose own reward does not count.
  EXPECT_NEAR(value(formula_reward(coin, formula, letters, one, StateSet(2, true), {})), 6, 1e-9);
  PathFormula never = made(op('G', atom(0)), true);
  const auto refused = formula_reward(coin, never, letters, one, StateSet(2, true), {});
  ASSERT_FALSE(refused.has_value());
  EXPECT_TRUE(refused.error().unsupported);
}

TEST(Product, StopsAtItsLimits) {
  const Chain coin =
      testing::built(ChainKind::discrete, {{{0, 0.5}, {1, 0.5}}, {{0, 0.5}, {1, 0.5}}});
  SolveOptions options;
  options.bytes = 1;
  PathFormula formula = made(op('G', op('F', atom(0))));
  const auto out = formula_probability(coin, formula, {0, 1}, StateSet(2, true), options);
  ASSERT_FALSE(out.has_value());
  EXPECT_FALSE(out.error().unsupported);
  EXPECT_NE(out.error().message.find("memory limit"), std::string::npos);
}

}  // namespace
}  // namespace brink::analytic
