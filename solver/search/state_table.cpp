#include "solver/search/state_table.h"

#include <algorithm>
#include <bit>

#include "models/base/check.h"

namespace brink::solver {
namespace {

constexpr std::uint64_t initial_slots = 1024;
/// States looked up together: enough that the first prefetches have arrived when the last are sent.
constexpr std::size_t block = 256;
/// States entered lately that are recognised without a look at the table, for each shard.
constexpr std::size_t recent_states = 2048;

/// A multiplicative mixer: the low bits choose the slot, the high ones the shard and the tag.
inline std::uint64_t mix(std::uint64_t x) {
  x *= 0xff51afd7ed558ccdULL;
  x ^= x >> 32;
  x *= 0xc4ceb9fe1a85ec53ULL;
  return x ^ (x >> 29);
}

/// W words, or `width` where W is 0.
template <std::size_t W>
inline std::uint64_t hash_of(const std::uint64_t* words, std::size_t width) {
  if constexpr (W == 1) return mix(words[0] + 0x9e3779b97f4a7c15ULL);
  std::uint64_t h = 0x9e3779b97f4a7c15ULL;
  const std::size_t count = W == 0 ? width : W;
  for (std::size_t i = 0; i < count; ++i) h = mix(h ^ words[i]) + 0x9e3779b97f4a7c15ULL * i;
  return h;
}

inline std::size_t recent_place(std::uint64_t hash) { return (hash >> 20) % recent_states; }

template <std::size_t W>
inline bool same(const std::uint64_t* a, const std::uint64_t* b, std::size_t width) {
  if constexpr (W == 1) return a[0] == b[0];
  const std::size_t count = W == 0 ? width : W;
  for (std::size_t i = 0; i < count; ++i)
    if (a[i] != b[i]) return false;
  return true;
}

}  // namespace

// Calls a member template with the width known at compile time where that is worth it.
#define BRINK_BY_WIDTH(call)       \
  do {                             \
    if (width_ == 1) {             \
      constexpr std::size_t W = 1; \
      call;                        \
    } else if (width_ == 2) {      \
      constexpr std::size_t W = 2; \
      call;                        \
    } else {                       \
      constexpr std::size_t W = 0; \
      call;                        \
    }                              \
  } while (false)

StateTable::StateTable(std::size_t words, unsigned shards) : width_(words), shards_(shards) {
  BRINK_CHECK(shards >= 1 && shards <= 64);
  enlarge(0);
  for (unsigned shard = 0; shard < shards; ++shard) {
    rebuild(shard);
    forget(shards_[shard]);
  }
}

std::uint64_t StateTable::hash(const std::uint64_t* words) const {
  BRINK_BY_WIDTH(return hash_of<W>(words, width_));
}

template <std::size_t W>
std::uint32_t StateTable::find_one(const std::uint64_t* words, std::uint64_t hash) const {
  const std::uint32_t* const slots = shards_[shard_of(hash)].slots.data();
  const std::uint32_t tag = tag_of(hash);
  for (std::uint64_t at = hash & slot_mask_; slots[at] != 0; at = (at + 1) & slot_mask_) {
    if ((slots[at] & ~number_mask_) != tag) continue;
    const std::uint32_t number = (slots[at] & number_mask_) - 1;
    if (same<W>(words, words_.data() + number * std::uint64_t{width_}, width_)) return number;
  }
  return kNone;
}

std::uint32_t StateTable::find(const std::uint64_t* words, std::uint64_t hash) const {
  BRINK_BY_WIDTH(return find_one<W>(words, hash));
}

template <std::size_t W>
void StateTable::find_chunk(const std::uint64_t* words, std::size_t count,
                            std::uint32_t* numbers) const {
  const std::size_t width = W == 0 ? width_ : W;
  std::uint64_t hashes[block];
  for (std::size_t first = 0; first < count; first += block) {
    const std::size_t n = std::min(block, count - first);
    const std::uint64_t* const from = words + first * width;
    for (std::size_t i = 0; i < n; ++i) {
      hashes[i] = hash_of<W>(from + i * width, width);
      __builtin_prefetch(&shards_[shard_of(hashes[i])].slots[hashes[i] & slot_mask_]);
    }
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t slot = shards_[shard_of(hashes[i])].slots[hashes[i] & slot_mask_];
      const std::uint64_t number = (slot & number_mask_) - std::uint64_t{1};
      if (slot != 0) __builtin_prefetch(words_.data() + number * width);
    }
    for (std::size_t i = 0; i < n; ++i) {
      numbers[first + i] = find_one<W>(from + i * width, hashes[i]);
      BRINK_CHECK(numbers[first + i] != kNone, "a successor is not in the table");
    }
  }
}

void StateTable::find_all(const std::uint64_t* words, std::size_t count,
                          std::uint32_t* numbers) const {
  BRINK_BY_WIDTH(find_chunk<W>(words, count, numbers));
}

StateTable::Found StateTable::insert(const std::uint64_t* words, std::uint64_t hash) {
  if (const std::uint32_t known = find(words, hash); known != kNone) return {known, false};
  BRINK_CHECK(size_ < kMaxStates);
  make_room(1);
  begin();
  const unsigned shard = shard_of(hash);
  enter(shard, words, nullptr, 0, 1, nullptr);
  commit([](std::uint32_t) { return true; });
  settle(shard);
  return {size_ - 1, true};
}

// Beyond four fifths the table grows. How many states of a chunk are new is not known beforehand,
// so all of them may be: even then a sixteenth of the slots stays empty.
std::uint64_t StateTable::slots_wanted(std::uint64_t count) const {
  std::uint64_t used = 0;
  for (const Shard& shard : shards_) used = std::max(used, shard.used);
  std::uint64_t slots = std::max(initial_slots, slot_mask_ + 1);
  while (used * 5 > slots * 4 || used + count > slots - slots / 16) slots *= 2;
  return slots;
}

std::uint64_t StateTable::room_bytes(std::uint64_t count) const {
  const std::uint64_t words = words_.bytes_for((size_ + count) * width_) - words_.bytes();
  const std::uint64_t slots = (slots_wanted(count) - slot_mask_ - 1) * shards_.size();
  return words + slots * sizeof(std::uint32_t);
}

void StateTable::enlarge(std::uint64_t count) {
  const std::uint64_t slots = slots_wanted(count);
  slot_mask_ = slots - 1;
  const int bits = std::bit_width(slots * shards_.size() - 1);
  number_mask_ = bits >= 32 ? ~std::uint32_t{0} : (std::uint32_t{1} << bits) - 1;
}

template <std::size_t W>
void StateTable::rebuild_shard(unsigned shard) {
  BigArray<std::uint32_t>& slots = shards_[shard].slots;
  slots.clear();  // first, so that old and new are never there at once
  slots.resize(slot_mask_ + 1);
  const std::size_t width = W == 0 ? width_ : W;
  std::uint64_t hashes[block];
  for (std::uint32_t first = 0; first < size_; first += block) {
    const std::uint32_t n = std::min<std::uint32_t>(block, size_ - first);
    for (std::uint32_t i = 0; i < n; ++i) {
      hashes[i] = hash_of<W>(words_.data() + (first + std::uint64_t{i}) * width, width);
      if (shard_of(hashes[i]) == shard) __builtin_prefetch(&slots[hashes[i] & slot_mask_], 1);
    }
    for (std::uint32_t i = 0; i < n; ++i) {
      if (shard_of(hashes[i]) != shard) continue;
      std::uint64_t at = hashes[i] & slot_mask_;
      while (slots[at] != 0) at = (at + 1) & slot_mask_;
      slots[at] = tag_of(hashes[i]) | (first + i + 1);
    }
  }
}

void StateTable::rebuild(unsigned shard) { BRINK_BY_WIDTH(rebuild_shard<W>(shard)); }

void StateTable::make_room(std::uint64_t count) {
  if (!wants_room(count)) return;
  enlarge(count);
  for (unsigned shard = 0; shard < shards(); ++shard) rebuild(shard);
}

template <std::size_t W>
void StateTable::enter_chunk(Shard& shard, const std::uint64_t* words, const std::uint32_t* at,
                             std::uint32_t offset, std::size_t count, std::uint32_t* numbers) {
  const std::size_t width = W == 0 ? width_ : W;
  std::uint32_t* const slots = shard.slots.data();
  const std::uint64_t slot_mask = slot_mask_;
  const std::uint32_t number_mask = number_mask_;
  const std::uint64_t* const known = words_.data();
  // Breadth first, a state is found again soon: a third of the successors of the page frames need
  // no look-up when their numbers do not matter (half with a memory 16 times as large, no faster).
  const bool drop = W == 1 && numbers == nullptr;
  std::uint64_t* const recent = shard.recent.data();
  std::uint64_t hashes[block];
  std::uint32_t lanes[block];
  for (std::size_t first = 0; first < count; first += block) {
    const std::size_t n = std::min(block, count - first);
    const std::uint64_t* const from = words + first * width;
    std::size_t left = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint64_t h = hash_of<W>(from + i * width, width);
      __builtin_prefetch(&slots[h & slot_mask]);
      hashes[left] = h;
      lanes[left] = static_cast<std::uint32_t>(i);
      if (drop) {
        std::uint64_t& last = recent[recent_place(h)];
        left += last != from[i] ? 1 : 0;
        last = from[i];
      } else {
        ++left;
      }
    }
    for (std::size_t j = 0; j < left; ++j) {
      const std::uint32_t slot = slots[hashes[j] & slot_mask];
      // A prefetch of nowhere is harmless: provisional numbers and empty slots need no branch.
      __builtin_prefetch(known + ((slot & number_mask) - std::uint64_t{1}) * width);
    }
    for (std::size_t j = 0; j < left; ++j) {
      const std::size_t i = lanes[j];
      const std::uint64_t* const state = from + i * width;
      const auto tag = static_cast<std::uint32_t>(hashes[j] >> 32) & ~number_mask;
      std::uint64_t place = hashes[j] & slot_mask;
      std::uint32_t number = kNone;
      for (std::uint32_t slot; (slot = slots[place]) != 0; place = (place + 1) & slot_mask) {
        if ((slot & ~number_mask) != tag) continue;
        number = (slot & number_mask) - 1;
        const std::uint64_t* const other =
            number < base_ ? known + number * std::uint64_t{width}
                           : shard.words.data() + (number - base_) * std::uint64_t{width};
        if (same<W>(state, other, width)) break;
        number = kNone;
      }
      if (number == kNone) {
        number = base_ + static_cast<std::uint32_t>(shard.places.size());
        slots[place] = tag | (number + 1);
        shard.places.push_back(place);
        const std::size_t nth = first + i;
        shard.positions.push_back(offset +
                                  (at == nullptr ? static_cast<std::uint32_t>(nth) : at[nth]));
        shard.words.insert(shard.words.end(), state, state + width);
      }
      if (numbers != nullptr) numbers[first + i] = number;
    }
  }
}

void StateTable::enter(unsigned shard, const std::uint64_t* words, const std::uint32_t* at,
                       std::uint32_t offset, std::size_t count, std::uint32_t* numbers) {
  BRINK_BY_WIDTH(enter_chunk<W>(shards_[shard], words, at, offset, count, numbers));
}

StateTable::Shard* StateTable::first_of(std::span<Shard> shards) {
  Shard* first = nullptr;
  for (Shard& shard : shards) {
    if (shard.all_numbered()) continue;
    if (first == nullptr || shard.next_position() < first->next_position()) first = &shard;
  }
  return first;
}

void StateTable::number_next(Shard& shard) {
  BRINK_CHECK(size_ < kMaxStates);
  words_.append(shard.words.data() + shard.numbers.size() * width_, width_);
  shard.numbers.push_back(size_++);
}

// The states that commit() did not number were the last to enter, so emptying their slots leaves
// every probe sequence as it was before.
void StateTable::settle(unsigned number) {
  Shard& shard = shards_[number];
  for (std::size_t i = 0; i < shard.places.size(); ++i) {
    std::uint32_t& slot = shard.slots[shard.places[i]];
    slot = i < shard.numbers.size() ? (slot & ~number_mask_) | (shard.numbers[i] + 1) : 0;
  }
  shard.used += shard.numbers.size();
  if (shard.numbers.size() != shard.places.size()) forget(shard);
}

/// Empties the memory of recent states: each place gets a word that does not belong there.
void StateTable::forget(Shard& shard) const {
  shard.recent.assign(recent_states, 0);
  const std::uint64_t zero = 0;
  const std::size_t place = recent_place(hash_of<1>(&zero, 1));
  std::uint64_t other = 1;
  while (recent_place(hash_of<1>(&other, 1)) == place) ++other;
  shard.recent[place] = other;
}

void StateTable::begin() {
  base_ = size_;
  for (Shard& shard : shards_) {
    shard.words.clear();
    shard.places.clear();
    shard.positions.clear();
    shard.numbers.clear();
  }
}

std::uint64_t StateTable::bytes() const {
  std::uint64_t total = words_.bytes();
  for (const Shard& shard : shards_) total += shard.slots.bytes();
  return total;
}

#undef BRINK_BY_WIDTH

}  // namespace brink::solver
