#include "models/automata/deterministic.h"

#include <gtest/gtest.h>

#include <map>

#include "models/automata/good_prefixes.h"
#include "models/automata/history_trees.h"
#include "tests/unit/automata/words.h"

namespace brink::automata {
namespace {

using testing::Word;

/// Marks met for ever on the word, as one run.
template <typename Step>
std::uint64_t marks_for_ever(const Word& word, std::uint32_t state, Step step) {
  std::map<std::pair<std::uint32_t, std::size_t>, std::size_t> seen;
  std::vector<std::uint64_t> marks;
  for (std::size_t i = 0;; i = word.next(i)) {
    const auto [place, fresh] = seen.emplace(std::pair{state, i}, marks.size());
    if (!fresh) {
      std::uint64_t out = 0;
      for (std::size_t k = place->second; k < marks.size(); ++k) out |= marks[k];
      return out;
    }
    const auto [next, mark] = step(state, word.letters[i]);
    state = next;
    marks.push_back(mark);
  }
}

bool accepts(Deterministic& automaton, const Word& word) {
  return accepting(automaton.acceptance(),
                   marks_for_ever(word, automaton.initial(), [&](auto state, auto letter) {
                     const auto move = automaton.step(state, letter);
                     return std::pair{move.state, move.marks};
                   }));
}

TEST(Deterministic, AcceptsWhatTheFormulaSays) {
  std::mt19937 random(3);
  const auto words = testing::all_words(2, 2, 2);
  for (int round = 0; round < 400; ++round) {
    const auto tree = testing::random_tree(random, 2, 2 + round % 9);
    FormulaPool pool;
    const Formula f = tree->build(pool);
    auto automaton = Deterministic::make(pool, f);
    ASSERT_TRUE(automaton.has_value()) << tree->text();
    for (std::size_t i = round % 3; i < words.size(); i += 3)
      ASSERT_EQ(accepts(*automaton, words[i]), tree->holds(words[i]))
          << tree->text() << " = " << pool.text(f) << ", word " << i;
    EXPECT_EQ(automaton->problem(), "");
  }
}

/// History trees on their own: most formulas above have simpler automata.
TEST(Deterministic, HistoryTreesAcceptWhatTheAutomatonDoes) {
  std::mt19937 random(4);
  const auto words = testing::all_words(2, 2, 3);
  int used = 0;
  for (int round = 0; round < 300; ++round) {
    const auto tree = testing::random_tree(random, 2, 4 + round % 6);
    FormulaPool pool;
    const auto automaton = buchi(pool, tree->build(pool));
    ASSERT_TRUE(automaton.has_value());
    const Automaton single = degeneralised(*automaton);
    if (single.size() > 12 || (deterministic(single) && round % 4 != 0)) continue;
    ++used;
    HistoryTrees trees(single);
    for (std::size_t i = round % 11; i < words.size(); i += 11) {
      const std::uint64_t met = marks_for_ever(words[i], 0, [&](auto state, auto letter) {
        const auto move = trees.step(state, letter);
        return std::pair{move.state, std::uint64_t{1} << move.priority};
      });
      const int least = __builtin_ctzll(met);
      const bool idle = least + 1 == static_cast<int>(trees.priorities());
      ASSERT_EQ(least % 2 == 0 && !idle, tree->holds(words[i])) << tree->text() << ", word " << i;
    }
  }
  EXPECT_GT(used, 60);
}

TEST(Deterministic, UsualFormsAreSmall) {
  FormulaPool pool;
  const auto gf = [&](std::uint32_t i) { return pool.globally(pool.finally(pool.atom(i))); };
  const auto fg = [&](std::uint32_t i) { return pool.finally(pool.globally(pool.atom(i))); };
  const auto states = [&](Formula f, std::uint32_t atoms) {
    auto automaton = Deterministic::make(pool, f);
    EXPECT_TRUE(automaton.has_value());
    if (!automaton) return 0u;
    for (std::uint32_t q = 0; q < automaton->size(); ++q)
      for (std::uint64_t letter = 0; letter >> atoms == 0; ++letter) automaton->step(q, letter);
    return automaton->size();
  };
  EXPECT_EQ(states(gf(0), 1), 1u);
  // The negation G F !a with its marks read the other way; the sink of dead runs is never met.
  EXPECT_EQ(states(fg(0), 1), 1u);
  // Strong fairness of three processes: six parts of one state each.
  Formula fair = pool.constant(true);
  for (std::uint32_t i = 0; i < 6; i += 2)
    fair = pool.both(fair, pool.either(pool.negation(gf(i)), gf(i + 1)));
  EXPECT_EQ(states(fair, 6), 1u);
  // a U b: waiting, good, bad.
  EXPECT_EQ(states(pool.until(pool.atom(0), pool.atom(1)), 2), 3u);
  const Formula response =
      pool.globally(pool.either(pool.atom(0, true), pool.finally(pool.atom(1))));
  EXPECT_EQ(states(response, 2), 2u);
}

TEST(GoodPrefixes, CountsStepsWhereAsked) {
  // X X true: with counting a prefix of three letters is good, not one of two.
  FormulaPool counting(true);
  GoodPrefixes steps(counting, counting.next(counting.next(counting.constant(true))));
  std::uint32_t state = steps.initial();
  for (const bool good : {false, false, true}) {
    state = steps.step(state, 0);
    EXPECT_EQ(steps.good(state), good);
  }
  // !X true = X false can never be satisfied.
  FormulaPool other(true);
  GoodPrefixes never(other, other.negation(other.next(other.constant(true))));
  EXPECT_TRUE(never.bad(never.step(never.step(never.initial(), 0), 0)));
}

TEST(GoodPrefixes, KnowsTheFirstGoodLetter) {
  // p0 & F (p1 & X p0): good after the letter that completes it.
  FormulaPool pool;
  const Formula f =
      pool.both(pool.atom(0), pool.finally(pool.both(pool.atom(1), pool.next(pool.atom(0)))));
  GoodPrefixes prefixes(pool, f);
  std::uint32_t state = prefixes.initial();
  for (const auto& [letter, good] : std::vector<std::pair<std::uint64_t, bool>>{
           {1, false}, {2, false}, {2, false}, {1, true}, {0, true}}) {
    state = prefixes.step(state, letter);
    EXPECT_EQ(prefixes.good(state), good);
  }
  EXPECT_TRUE(prefixes.bad(prefixes.step(prefixes.initial(), 2)));
}

}  // namespace
}  // namespace brink::automata
