#include "analytic/graph.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>
#include <random>

#include "tests/unit/analytic/chains.h"

namespace brink::analytic {
namespace {

TEST(Graph, ComponentsAgreeWithBoost) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    const std::uint32_t size = 1 + static_cast<std::uint32_t>(random() % 30);
    std::vector<std::vector<Entry>> rows(size);
    boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS> graph(size);
    for (std::size_t e = random() % (2 * size + 1); e > 0; --e) {
      const auto from = static_cast<std::uint32_t>(random() % size);
      const auto to = static_cast<std::uint32_t>(random() % size);
      rows[from].push_back({to, 1});
      add_edge(from, to, graph);
    }
    const Chain chain = testing::built(ChainKind::continuous, rows);
    const Components ours = strong_components(chain);
    std::vector<int> theirs(size);
    const int count = boost::strong_components(graph, theirs.data());
    ASSERT_EQ(ours.members.size(), static_cast<std::size_t>(count));
    for (std::uint32_t a = 0; a < size; ++a)
      for (std::uint32_t b = 0; b < size; ++b)
        ASSERT_EQ(ours.of[a] == ours.of[b], theirs[a] == theirs[b]);
    for (std::uint32_t s = 0; s < size; ++s)
      for (const Entry& entry : chain.row(s)) ASSERT_GE(ours.of[s], ours.of[entry.column]);
  }
}

TEST(Graph, DeepChainNeedsNoStack) {
  constexpr std::uint32_t size = 500'000;
  std::vector<std::vector<Entry>> rows(size);
  for (std::uint32_t s = 0; s + 1 < size; ++s) rows[s].push_back({s + 1, 1});
  const Components c = strong_components(testing::built(ChainKind::continuous, rows));
  EXPECT_EQ(c.members.size(), size);
  EXPECT_TRUE(c.bottom[c.of[size - 1]]);
  EXPECT_FALSE(c.bottom[c.of[0]]);
}

TEST(Graph, SureAndNever) {
  // 0 -> {1, 2}; 1 is the target; 2 loops; 3 -> 1 only.
  const Chain chain =
      testing::built(ChainKind::continuous, {{{1, 1}, {2, 1}}, {{2, 1}}, {}, {{1, 1}}});
  const Sure sure = qualitative(chain, StateSet(4, true), testing::only(4, {1}));
  EXPECT_EQ(sure.surely, testing::only(4, {1, 3}));
  EXPECT_EQ(sure.never, testing::only(4, {2}));
}

}  // namespace
}  // namespace brink::analytic
