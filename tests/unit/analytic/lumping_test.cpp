// Lumping: quotients known beforehand, and the same values with and without it on random chains in
// which likeness is planted.
#include "analytic/lumping.h"

#include <gtest/gtest.h>

#include <random>

#include "analytic/path_values.h"
#include "tests/unit/analytic/chains.h"

namespace brink::analytic {
namespace {

using testing::built;
using Rows = std::vector<std::vector<Entry>>;

TEST(Lumping, AlikeMachinesAreCounted) {
  // n machines that fail with rate 1 and are repaired with rate 2, each by itself: how many are up
  // is all that matters, so 2^n states become n + 1.
  constexpr std::uint32_t n = 6;
  Rows rows(1u << n);
  std::vector<double> up(1u << n, 0);
  for (std::uint32_t s = 0; s < rows.size(); ++s)
    for (std::uint32_t m = 0; m < n; ++m) {
      const bool works = ((s >> m) & 1) != 0;
      rows[s].push_back({s ^ (1u << m), works ? 1.0 : 2.0});
      up[s] += works ? 1 : 0;
    }
  const Chain chain = built(ChainKind::continuous, rows);
  const Lumped l = lump(chain, kinds_of({up}));
  ASSERT_EQ(l.chain.size(), n + 1);
  for (std::uint32_t c = 0; c < l.chain.size(); ++c) {
    const double works = l.down(up)[c];
    EXPECT_NEAR(l.chain.leaving(c), works * 1 + (n - works) * 2, 1e-12);
  }
  // On average two thirds of them are up.
  const Solution average = l.up(long_run_average(l.chain, l.down(up), {}));
  ASSERT_TRUE(average.converged);
  EXPECT_EQ(average.classes, n + 1);
  for (std::uint32_t s = 0; s < chain.size(); ++s) EXPECT_NEAR(average.values[s], 4.0, 1e-12);
}

TEST(Lumping, WhatIsAskedKeepsStatesApart) {
  const Chain chain = built(ChainKind::discrete, {{{1, 0.5}, {2, 0.5}}, {{1, 1.0}}, {{2, 1.0}}});
  EXPECT_EQ(lump(chain, {0, 0, 0}).chain.size(), 1u);
  EXPECT_EQ(lump(chain, {0, 1, 1}).chain.size(), 2u);
  EXPECT_EQ(lump(chain, {0, 1, 2}).chain.size(), 3u);
}

TEST(Lumping, MovesInsideAClassCountInStepsOnly) {
  // Both states of the cycle leave at the same rate, but only one of them also goes to the other.
  const Rows rows = {{{1, 3.0}, {2, 1.0}}, {{2, 1.0}}, {}};
  EXPECT_EQ(lump(built(ChainKind::continuous, rows), {0, 0, 1}).chain.size(), 2u);
  const Rows steps = {{{1, 0.75}, {2, 0.25}}, {{1, 0.5}, {2, 0.5}}, {}};
  EXPECT_EQ(lump(built(ChainKind::discrete, steps), {0, 0, 1}).chain.size(), 3u);
}

/// A random chain over `classes` classes, each state of which has `copies` copies; each copy
/// divides what its class sends to another one among that one's copies in its own way (powers of
/// two, so that sums are exact).
Rows planted(std::mt19937& random, std::uint32_t classes, std::uint32_t copies) {
  Rows rows;
  for (std::uint32_t c = 0; c < classes; ++c) {
    std::vector<std::uint32_t> to;
    for (int i = 0; i < 3; ++i) to.push_back(random() % classes);
    for (std::uint32_t k = 0; k < copies; ++k) {
      std::vector<Entry> row;
      const double shares[3] = {0.5, 0.25, 0.25};
      for (int i = 0; i < 3; ++i) {
        const std::uint32_t first = random() % copies, second = random() % copies;
        row.push_back({to[i] * copies + first, shares[i] / 2});
        row.push_back({to[i] * copies + second, shares[i] / 2});
      }
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

void expect_same(const Solution& plain, const Solution& lumped) {
  ASSERT_EQ(plain.converged, lumped.converged);
  for (std::size_t s = 0; s < plain.values.size(); ++s) {
    if (std::isinf(plain.values[s])) {
      EXPECT_EQ(plain.values[s], lumped.values[s]);
      continue;
    }
    EXPECT_LE(std::abs(plain.values[s] - lumped.values[s]),
              plain.bounds[s] + lumped.bounds[s] + 1e-15);
  }
}

TEST(Lumping, AgreesWithTheChainItself) {
  std::mt19937 random(20261201);
  for (int round = 0; round < 60; ++round) {
    const std::uint32_t classes = 3 + random() % 12, copies = 1 + random() % 5;
    const ChainKind kind = round % 2 == 0 ? ChainKind::discrete : ChainKind::continuous;
    const Chain chain = built(kind, planted(random, classes, copies));
    StateSet target(chain.size()), through(chain.size());
    std::vector<double> reward(chain.size());
    for (std::uint32_t c = 0; c < classes; ++c) {
      const bool inside = random() % 4 == 0, along = random() % 5 != 0;
      const double earned = static_cast<double>(random() % 3);
      for (std::uint32_t k = 0; k < copies; ++k) {
        target[c * copies + k] = inside;
        through[c * copies + k] = along;
        reward[c * copies + k] = earned;
      }
    }
    std::vector<std::vector<double>> facts = {
        {target.begin(), target.end()}, {through.begin(), through.end()}, reward};
    const Lumped l = lump(chain, kinds_of(facts));
    EXPECT_LE(l.chain.size(), classes);
    for (const Window& window : {Window{}, Window{0, 7.0}, Window{2, 9.0}})
      expect_same(until_within(chain, through, target, window, {}),
                  l.up(until_within(l.chain, l.down(through), l.down(target), window, {})));
    expect_same(hitting_reward(chain, target, reward, {}),
                l.up(hitting_reward(l.chain, l.down(target), l.down(reward), {})));
    expect_same(long_run_average(chain, reward, {}),
                l.up(long_run_average(l.chain, l.down(reward), {})));
  }
}

}  // namespace
}  // namespace brink::analytic
