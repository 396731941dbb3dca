// StateTable: the set of visited states of an explicit search, numbered in the order of insertion.
//
// Packed states lie one after the other in one array; open-addressing tables of 4-byte slots find
// them. A slot holds a number, and in the bits that numbers do not need yet a piece of the hash,
// so that looking at the wrong state is rare. States are entered by the chunk: slots and then the
// states they name are prefetched for a block of successors before any of them is compared, since
// at millions of states a look-up is two cache misses.
//
// As long as nobody asks for numbers (a search without edges), and a state is one word of few
// enough bits, a slot holds the state itself instead (Cleary 1984): a mixer that is a bijection on
// the bits of a state gives the place by its low bits, the other bits and the distance from that
// place are what is stored, and a look-up is one cache miss. The table becomes one of numbers again
// when they are asked for.
//
// The table is split into shards by the hash, so that threads enter states without locks: within a
// chunk each shard keeps its new states to itself (their numbers are provisional), and commit()
// numbers them in the order of their positions. Numbers depend neither on the size of the table nor
// on the number of shards. Used by: the state graph, the explorer of chains.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

#include "models/base/big_array.h"
#include "models/base/check.h"

namespace brink {

class StateTable {
 public:
  static constexpr unsigned kMaxShards = 64;

  /// States of `words` words each; of one word only the low `bits` are used. BRINK_CHECK:
  /// 1 <= shards <= kMaxShards.
  explicit StateTable(std::size_t words, unsigned shards = 1, unsigned bits = 64);

  struct Found {
    std::uint32_t number;
    bool fresh;
  };

  static constexpr std::uint32_t kMaxStates = 0xfffffffeu;
  static constexpr std::uint32_t kNone = 0xffffffffu;
  static constexpr std::uint64_t kFar = ~std::uint64_t{0};  ///< place of a state in Shard::far

  std::uint64_t hash(const std::uint64_t* words) const;
  unsigned shards() const { return static_cast<unsigned>(shards_.size()); }
  unsigned shard_of(const std::uint64_t* words) const {
    if (shards_.size() == 1) return 0;
    std::uint64_t h = 0;
    for (std::size_t i = 0; i < width_; ++i) h = h * 31 + words[i];
    return static_cast<unsigned>((((h * 0x9e3779b97f4a7c15ULL) >> 32) * shards_.size()) >> 32);
  }
  /// Are numbers of states asked for, beside whether they are known? They are at the beginning.
  void want_numbers(bool wanted);
  /// Slots hold the states themselves: find, insert and numbers in enter() are BRINK_CHECKs.
  bool holds_states() const { return holds_states_; }

  /// Number of the state, or kNone.
  std::uint32_t find(const std::uint64_t* words, std::uint64_t hash) const;
  /// Number of the state, inserted when new (BRINK_CHECK: below kMaxStates).
  Found insert(const std::uint64_t* words, std::uint64_t hash);
  /// find() for `count` states, all of which are known (BRINK_CHECK).
  void find_all(const std::uint64_t* words, std::size_t count, std::uint32_t* numbers) const;

  // A chunk of states: make_room, begin, then enter for every shard (one thread for each), commit
  // (one thread), settle for every shard.

  /// Does the table have to be rebuilt before `count` states more can be entered?
  bool wants_room(std::uint64_t count) const { return slots_wanted(count) > slot_mask_ + 1; }
  /// Bytes that rebuilding for them would add.
  std::uint64_t room_bytes(std::uint64_t count) const;
  /// Enlarges the slots without filling them; rebuild() each shard after it.
  void enlarge(std::uint64_t count);
  void rebuild(unsigned shard);
  void make_room(std::uint64_t count);

  /// The states of an empty table, all different, in the order of their numbers.
  void fill(const std::uint64_t* words, std::uint32_t count);

  /// A new chunk begins: all states so far have their final numbers.
  void begin();
  /// Enters `count` states, all of this shard, into it. State i has position `offset` + at[i] (i
  /// where `at` is null); positions increase from call to call within a chunk. numbers[i], unless
  /// null, receives what settled() turns into the number.
  void enter(unsigned shard, const std::uint64_t* words, const std::uint32_t* at,
             std::uint32_t offset, std::size_t count, std::uint32_t* numbers);
  /// Numbers the new states of all shards in the order of their positions, as long as `fresh`,
  /// asked with each position, says true; the others are forgotten again.
  template <typename F>
  void commit(F&& fresh);
  /// Writes the final numbers into the shard.
  void settle(unsigned shard);
  /// What enter() wrote, as a number; kNone when commit() has dropped the state. Valid until the
  /// next chunk.
  std::uint32_t settled(unsigned shard, std::uint32_t number) const {
    if (number < base_) return number;
    const auto& numbers = shards_[shard].numbers;
    return number - base_ < numbers.size() ? numbers[number - base_] : kNone;
  }

  std::uint32_t size() const { return size_; }
  const std::uint64_t* data() const { return words_.data(); }
  std::size_t width() const { return width_; }
  std::span<const std::uint64_t> operator[](std::uint32_t number) const {
    return {words_.data() + number * std::uint64_t{width_}, width_};
  }
  /// The states alone; the table is of no use after it.
  BigArray<std::uint64_t> release() && { return std::move(words_); }
  std::uint64_t bytes() const;  ///< of states and slots, as allocated

 private:
  struct Shard {
    BigArray<std::uint32_t> slots;
    std::uint64_t used = 0;
    bool holds_states = false;              ///< the slots as they are
    std::unordered_set<std::uint64_t> far;  ///< states too far from their place for their slots
    // Of the chunk at hand: states not numbered yet, in the order of their positions.
    std::vector<std::uint64_t> words;
    std::vector<std::uint64_t> places;  ///< of their slots
    std::vector<std::uint32_t> positions;
    std::vector<std::uint32_t> numbers;  ///< of the first ones, unless slots hold states
    std::size_t numbered = 0;            ///< how many of them commit() has accepted
  };

  template <std::size_t W>
  void enter_chunk(Shard& shard, const std::uint64_t* words, const std::uint32_t* at,
                   std::uint32_t offset, std::size_t count, std::uint32_t* numbers);
  template <typename F>
  void place_states(Shard& shard, const std::uint64_t* states, std::size_t count, F&& fresh);
  void enter_states(Shard& shard, const std::uint64_t* words, const std::uint32_t* at,
                    std::uint32_t offset, std::size_t count);
  void rebuild_states(unsigned shard);
  void move_states(Shard& shard);
  void empty_slots(BigArray<std::uint32_t>& slots) const;
  template <std::size_t W>
  std::uint32_t find_one(const std::uint64_t* words, std::uint64_t hash) const;
  template <std::size_t W>
  void find_chunk(const std::uint64_t* words, std::size_t count, std::uint32_t* numbers) const;
  template <std::size_t W>
  void rebuild_shard(unsigned shard);
  /// Slots of each shard that entering `count` states more needs.
  std::uint64_t slots_wanted(std::uint64_t count) const;
  /// Position of the shard's next state not numbered yet, kNone when there is none.
  static std::uint32_t head_of(const Shard& shard) {
    return shard.numbered < shard.positions.size() ? shard.positions[shard.numbered] : kNone;
  }

  /// Can slots hold states, with this many of them in each shard?
  bool states_fit(std::uint64_t slots) const;
  /// The part of the hash that a slot keeps.
  std::uint32_t tag_of(std::uint64_t hash) const {
    return static_cast<std::uint32_t>(hash >> 32) & ~number_mask_;
  }

  std::size_t width_;
  unsigned bits_;
  bool numbers_wanted_ = true;
  bool holds_states_ = false;
  std::uint32_t size_ = 0;
  std::uint32_t base_ = 0;         ///< states before this number are final
  std::uint64_t slot_mask_ = 0;    ///< of each shard
  std::uint32_t number_mask_ = 0;  ///< bits of a slot that hold a number + 1
  BigArray<std::uint64_t> words_;
  std::vector<Shard> shards_;
};

template <typename F>
void StateTable::commit(F&& fresh) {
  // A merge of the shards' positions, each shard with its next one; it is the one part of a chunk
  // that a single thread does for all, so the common case is a few instructions a state.
  const std::size_t count = shards_.size();
  std::uint32_t heads[kMaxShards];
  std::uint64_t entered = 0;
  for (std::size_t k = 0; k < count; ++k) {
    heads[k] = head_of(shards_[k]);
    entered += shards_[k].positions.size();
  }
  BRINK_CHECK(size_ + entered <= kMaxStates);
  words_.reserve((size_ + entered) * width_);
  while (true) {
    std::size_t first = 0;
    for (std::size_t k = 1; k < count; ++k) first = heads[k] < heads[first] ? k : first;
    if (heads[first] == kNone || !fresh(heads[first])) return;
    Shard& shard = shards_[first];
    words_.append(shard.words.data() + shard.numbered * width_, width_);
    if (!holds_states_) shard.numbers.push_back(size_);
    ++size_;
    ++shard.numbered;
    heads[first] = head_of(shard);
  }
}

}  // namespace brink
