#include "models/semantics/state_table.h"

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

/// Enters a chunk whose new states beyond the first `most` are dropped again, as the search does.
void enter_chunk(StateTable& table, const std::vector<std::uint64_t>& states, std::size_t most) {
  table.make_room(states.size());
  table.begin();
  for (unsigned shard = 0; shard < table.shards(); ++shard) {
    std::vector<std::uint64_t> words;
    std::vector<std::uint32_t> at;
    for (std::size_t i = 0; i < states.size(); ++i) {
      if (table.shard_of(&states[i]) != shard) continue;
      words.push_back(states[i]);
      at.push_back(static_cast<std::uint32_t>(i));
    }
    table.enter(shard, words.data(), at.data(), 0, words.size(), nullptr);
  }
  table.commit([&](std::uint32_t) { return most-- > 0; });
  for (unsigned shard = 0; shard < table.shards(); ++shard) table.settle(shard);
}

/// The same with a map.
void enter_reference(std::vector<std::uint64_t>& known, std::map<std::uint64_t, std::uint32_t>& at,
                     const std::vector<std::uint64_t>& states, std::size_t most) {
  for (const std::uint64_t state : states) {
    if (at.contains(state)) continue;
    if (most-- == 0) return;
    at.emplace(state, static_cast<std::uint32_t>(known.size()));
    known.push_back(state);
  }
}

// Chunks of random states, some cut off, with numbers wanted now and then: the table that holds
// states in its slots agrees with a map. With 10 bits there are more places than states; with 36
// slots begin to hold states only when there are more of them.
TEST(StateTable, SlotsThatHoldStatesAgreeWithAMap) {
  for (const unsigned bits : {10u, 12u, 17u, 30u, 34u, 36u}) {
    for (const unsigned shards : {1u, 2u, 3u}) {
      StateTable table(1, shards, bits);
      table.want_numbers(false);
      std::vector<std::uint64_t> known;
      std::map<std::uint64_t, std::uint32_t> numbers;
      std::mt19937_64 random(bits * 10 + shards);
      bool held_states = false;
      for (int chunk = 0; chunk < 60; ++chunk) {
        std::vector<std::uint64_t> states(random() % 5000);
        for (auto& state : states) {
          const bool again = !known.empty() && random() % 2 == 0;
          state = again ? known[random() % known.size()] : random() >> (64 - bits);
        }
        const std::size_t most = chunk % 7 == 3 ? states.size() / 5 : states.size();
        enter_chunk(table, states, most);
        enter_reference(known, numbers, states, most);
        ASSERT_EQ(table.size(), known.size()) << bits << " bits, chunk " << chunk;
        held_states = held_states || table.holds_states();
        if (chunk % 20 != 19) continue;
        table.want_numbers(true);
        ASSERT_FALSE(table.holds_states());
        for (const auto& [state, number] : numbers)
          ASSERT_EQ(table.find(&state, table.hash(&state)), number);
        table.want_numbers(false);
      }
      for (std::uint32_t i = 0; i < table.size(); ++i) ASSERT_EQ(table[i][0], known[i]);
      EXPECT_TRUE(held_states || bits < 17) << bits;
    }
  }
}

// 2048 slots, 15/16 of them taken, and seven bits for distances: some states do not fit.
TEST(StateTable, StatesTooFarFromTheirPlacesAreFoundAgain) {
  for (int seed = 0; seed < 20; ++seed) {
    StateTable table(1, 1, 35);
    table.want_numbers(false);
    std::vector<std::uint64_t> known;
    std::map<std::uint64_t, std::uint32_t> numbers;
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    std::vector<std::uint64_t> states;
    const auto enter = [&](std::size_t most) {
      enter_chunk(table, states, most);
      enter_reference(known, numbers, states, most);
      ASSERT_EQ(table.size(), known.size()) << seed;
    };
    for (int i = 0; i < 900; ++i) states.push_back(random() >> 29);
    enter(900);
    EXPECT_FALSE(table.holds_states());
    states.clear();
    for (int i = 0; i < 1020; ++i) states.push_back(random() >> 29);
    enter(1000);  // 20 are dropped, and come again
    EXPECT_TRUE(table.holds_states());
    enter(1020);
    enter(1020);  // the table grows
    EXPECT_EQ(table.size(), 1920u) << seed;
  }
}

TEST(StateTable, OneStateOfNoWords) {
  StateTable table(0);
  EXPECT_TRUE(table.insert(nullptr, table.hash(nullptr)).fresh);
  EXPECT_FALSE(table.insert(nullptr, table.hash(nullptr)).fresh);
}

}  // namespace
}  // namespace brink::solver
