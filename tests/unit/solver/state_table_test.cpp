#include "solver/search/state_table.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace brink::solver {
namespace {

TEST(StateTable, AgreesWithAMap) {
  for (const std::size_t words : {std::size_t{1}, std::size_t{3}}) {
    StateTable table(words);
    std::map<std::vector<std::uint64_t>, std::uint32_t> known;
    std::mt19937_64 random(5);
    for (int i = 0; i < 50000; ++i) {
      std::vector<std::uint64_t> state(words);
      for (auto& word : state) word = random() % 40;
      if (words == 1) state[0] = random() % 20000;
      const std::uint64_t hash = table.hash(state.data());
      const auto at = known.find(state);
      EXPECT_EQ(table.find(state.data(), hash), at == known.end() ? StateTable::kNone : at->second);
      const auto found = table.insert(state.data(), hash);
      EXPECT_EQ(found.fresh, at == known.end());
      if (found.fresh) known.emplace(state, found.number);
      EXPECT_EQ(found.number, known.at(state));
    }
    EXPECT_EQ(table.size(), known.size());
    for (const auto& [state, number] : known)
      EXPECT_TRUE(std::equal(state.begin(), state.end(), table[number].begin()));
  }
}

TEST(StateTable, OneStateOfNoWords) {
  StateTable table(0);
  EXPECT_TRUE(table.insert(nullptr, table.hash(nullptr)).fresh);
  EXPECT_FALSE(table.insert(nullptr, table.hash(nullptr)).fresh);
}

}  // namespace
}  // namespace brink::solver
