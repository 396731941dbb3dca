#include "models/automata/buchi.h"

#include <gtest/gtest.h>

#include "tests/unit/automata/words.h"

namespace brink::automata {
namespace {

using testing::Word;

Automaton made(FormulaPool& pool, Formula f) {
  auto out = buchi(pool, f);
  EXPECT_TRUE(out.has_value()) << pool.text(f);
  return out ? *out : Automaton{};
}

/// Random formulas against their definition, on all short words.
TEST(Buchi, AcceptsWhatTheFormulaSays) {
  std::mt19937 random(1);
  const auto words = testing::all_words(2, 2, 2);
  for (int round = 0; round < 250; ++round) {
    const auto tree = testing::random_tree(random, 2, 2 + round % 8);
    FormulaPool pool;
    const Formula f = tree->build(pool);
    const Automaton automaton = made(pool, f), single = degeneralised(automaton);
    ASSERT_EQ(single.acceptance_sets, 1u);
    for (std::size_t i = round % 5; i < words.size(); i += 5) {
      ASSERT_EQ(testing::accepts(automaton, words[i]), tree->holds(words[i]))
          << tree->text() << " = " << pool.text(f) << ", word " << i;
      ASSERT_EQ(testing::accepts(single, words[i]), tree->holds(words[i]))
          << tree->text() << ", one set, word " << i;
    }
  }
}

TEST(Buchi, NegationIsTheOtherWords) {
  std::mt19937 random(2);
  const auto words = testing::all_words(2, 1, 3);
  for (int round = 0; round < 60; ++round) {
    const auto tree = testing::random_tree(random, 2, 6);
    FormulaPool pool;
    const Automaton automaton = made(pool, pool.negation(tree->build(pool)));
    for (std::size_t i = round % 7; i < words.size(); i += 7)
      ASSERT_NE(testing::accepts(automaton, words[i]), tree->holds(words[i])) << tree->text();
  }
}

/// Sizes of the forms that people write; the smallest possible with acceptance on edges.
TEST(Buchi, UsualFormsAreSmall) {
  FormulaPool pool;
  const Formula a = pool.atom(0), b = pool.atom(1), c = pool.atom(2);
  const auto gf = [&](Formula f) { return pool.globally(pool.finally(f)); };
  const auto fg = [&](Formula f) { return pool.finally(pool.globally(f)); };
  EXPECT_EQ(made(pool, gf(a)).size(), 1u);
  EXPECT_EQ(made(pool, fg(a)).size(), 2u);
  EXPECT_EQ(made(pool, pool.both(gf(a), gf(b))).size(), 1u);
  EXPECT_EQ(made(pool, pool.both(gf(a), gf(b))).acceptance_sets, 2u);
  EXPECT_EQ(made(pool, pool.until(a, b)).size(), 2u);
  EXPECT_EQ(made(pool, pool.until(a, pool.until(b, c))).size(), 3u);
  const Formula response = pool.globally(pool.either(pool.negation(a), pool.finally(b)));
  EXPECT_EQ(made(pool, response).size(), 2u);
  EXPECT_TRUE(deterministic(made(pool, response)));
  EXPECT_FALSE(deterministic(made(pool, fg(a))));
  EXPECT_EQ(made(pool, pool.constant(true)).size(), 1u);
  EXPECT_TRUE(made(pool, pool.both(gf(a), fg(pool.negation(a)))).edges[0].empty());
}

TEST(Buchi, SimplifiesWhileItBuilds) {
  FormulaPool pool;
  const Formula a = pool.atom(0), b = pool.atom(1);
  const Formula gfa = pool.globally(pool.finally(a));
  EXPECT_EQ(pool.finally(gfa), gfa);
  EXPECT_EQ(pool.next(gfa), gfa);
  EXPECT_EQ(pool.until(b, gfa), gfa);
  EXPECT_EQ(pool.globally(pool.finally(pool.next(a))), gfa);
  EXPECT_EQ(pool.finally(pool.until(a, b)), pool.finally(b));
  EXPECT_EQ(pool.finally(pool.both(b, gfa)), pool.both(pool.finally(b), gfa));
  EXPECT_EQ(pool.either(gfa, pool.globally(pool.finally(b))),
            pool.globally(pool.finally(pool.either(a, b))));
  EXPECT_EQ(pool.both(pool.globally(a), pool.globally(b)), pool.globally(pool.both(a, b)));
  EXPECT_TRUE(pool.is_false(pool.both(gfa, pool.finally(pool.globally(pool.negation(a))))));
  EXPECT_TRUE(pool.is_true(pool.next(pool.constant(true))));
  FormulaPool counting(true);
  EXPECT_FALSE(counting.is_true(counting.next(counting.constant(true))));
}

TEST(Buchi, RefusesWhatIsTooLarge) {
  FormulaPool pool;
  Formula f = pool.constant(false);  // eight eventualities in any order
  for (std::uint32_t i = 0; i < 8; ++i) {
    const Formula g =
        pool.finally(pool.both(pool.atom(i), pool.next(pool.finally(pool.atom(i + 8)))));
    f = i == 0 ? g : pool.both(f, g);
  }
  const auto automaton = buchi(pool, f, 100);
  ASSERT_FALSE(automaton.has_value());
  EXPECT_NE(automaton.error().find("too large"), std::string::npos) << automaton.error();
}

}  // namespace
}  // namespace brink::automata
