#include "models/semantics/state_table.h"

#include <algorithm>
#include <bit>

#include "models/base/check.h"

namespace brink {
namespace {

constexpr std::uint64_t initial_slots = 1024;
/// States looked up together: enough that the first prefetches have arrived when the last are sent.
constexpr std::size_t block = 256;

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

StateTable::StateTable(std::size_t words, unsigned shards, unsigned bits)
    : width_(words), bits_(bits), shards_(shards) {
  BRINK_CHECK(shards >= 1 && shards <= kMaxShards);
  BRINK_CHECK(bits <= 64);
  enlarge(0);
  for (unsigned shard = 0; shard < shards; ++shard) rebuild(shard);
}

std::uint64_t StateTable::hash(const std::uint64_t* words) const {
  BRINK_BY_WIDTH(return hash_of<W>(words, width_));
}

template <std::size_t W>
std::uint32_t StateTable::find_one(const std::uint64_t* words, std::uint64_t hash) const {
  const std::uint32_t* const slots = shards_[shard_of(words)].slots.data();
  const std::uint32_t tag = tag_of(hash);
  for (std::uint64_t at = hash & slot_mask_; slots[at] != 0; at = (at + 1) & slot_mask_) {
    if ((slots[at] & ~number_mask_) != tag) continue;
    const std::uint32_t number = (slots[at] & number_mask_) - 1;
    if (same<W>(words, words_.data() + number * std::uint64_t{width_}, width_)) return number;
  }
  return kNone;
}

std::uint32_t StateTable::find(const std::uint64_t* words, std::uint64_t hash) const {
  BRINK_CHECK(!holds_states_, "the table has no numbers now");
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
      __builtin_prefetch(&shards_[shard_of(from + i * width)].slots[hashes[i] & slot_mask_]);
    }
    for (std::size_t i = 0; i < n; ++i) {
      const BigArray<std::uint32_t>& slots = shards_[shard_of(from + i * width)].slots;
      const std::uint32_t slot = slots[hashes[i] & slot_mask_];
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
  BRINK_CHECK(!holds_states_, "the table has no numbers now");
  BRINK_BY_WIDTH(find_chunk<W>(words, count, numbers));
}

StateTable::Found StateTable::insert(const std::uint64_t* words, std::uint64_t hash) {
  if (const std::uint32_t known = find(words, hash); known != kNone) return {known, false};
  BRINK_CHECK(size_ < kMaxStates);
  make_room(1);
  begin();
  const unsigned shard = shard_of(words);
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
  // States are moved from old slots to new ones, numbers are entered again.
  const std::uint64_t old = holds_states_ && wants_room(count) ? 0 : slot_mask_ + 1;
  const std::uint64_t slots = (slots_wanted(count) - old) * shards_.size();
  return words + slots * sizeof(std::uint32_t);
}

void StateTable::enlarge(std::uint64_t count) {
  const std::uint64_t slots = slots_wanted(count);
  slot_mask_ = slots - 1;
  const int bits = std::bit_width(slots * shards_.size() - 1);
  number_mask_ = bits >= 32 ? ~std::uint32_t{0} : (std::uint32_t{1} << bits) - 1;
  holds_states_ = !numbers_wanted_ && states_fit(slots);
}

// Growing in place: old and new are never there at once, and half of the pages are warm.
void StateTable::empty_slots(BigArray<std::uint32_t>& slots) const {
  std::fill_n(slots.data(), slots.size(), 0);
  slots.resize(slot_mask_ + 1);
}

void StateTable::want_numbers(bool wanted) {
  numbers_wanted_ = wanted;
  if (!holds_states_ || !wanted) return;  // without numbers, slots change when the table grows
  enlarge(0);
  for (unsigned shard = 0; shard < shards(); ++shard) rebuild(shard);
}

template <std::size_t W>
void StateTable::rebuild_shard(unsigned shard) {
  BigArray<std::uint32_t>& slots = shards_[shard].slots;
  empty_slots(slots);
  const std::size_t width = W == 0 ? width_ : W;
  std::uint64_t hashes[block];
  bool mine[block];
  for (std::uint32_t first = 0; first < size_; first += block) {
    const std::uint32_t n = std::min<std::uint32_t>(block, size_ - first);
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint64_t* const state = words_.data() + (first + std::uint64_t{i}) * width;
      hashes[i] = hash_of<W>(state, width);
      mine[i] = shard_of(state) == shard;
      if (mine[i]) __builtin_prefetch(&slots[hashes[i] & slot_mask_], 1);
    }
    for (std::uint32_t i = 0; i < n; ++i) {
      if (!mine[i]) continue;
      std::uint64_t at = hashes[i] & slot_mask_;
      while (slots[at] != 0) at = (at + 1) & slot_mask_;
      slots[at] = tag_of(hashes[i]) | (first + i + 1);
    }
  }
}

void StateTable::rebuild(unsigned shard) {
  if (holds_states_) return rebuild_states(shard);
  shards_[shard].holds_states = false;
  shards_[shard].far.clear();
  BRINK_BY_WIDTH(rebuild_shard<W>(shard));
}

void StateTable::make_room(std::uint64_t count) {
  if (!wants_room(count)) return;
  enlarge(count);
  for (unsigned shard = 0; shard < shards(); ++shard) rebuild(shard);
}

void StateTable::fill(const std::uint64_t* words, std::uint32_t count) {
  BRINK_CHECK(size_ == 0);
  words_.append(words, count * width_);
  enlarge(count);
  for (unsigned shard = 0; shard < shards(); ++shard) shards_[shard].used = 0;
  for (std::uint32_t i = 0; i < count; ++i) ++shards_[shard_of(words + i * width_)].used;
  size_ = count;
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
  std::uint64_t hashes[block];
  for (std::size_t first = 0; first < count; first += block) {
    const std::size_t n = std::min(block, count - first);
    const std::uint64_t* const from = words + first * width;
    for (std::size_t i = 0; i < n; ++i) {
      hashes[i] = hash_of<W>(from + i * width, width);
      __builtin_prefetch(&slots[hashes[i] & slot_mask]);
    }
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t slot = slots[hashes[i] & slot_mask];
      // A prefetch of nowhere is harmless: provisional numbers and empty slots need no branch.
      __builtin_prefetch(known + ((slot & number_mask) - std::uint64_t{1}) * width);
    }
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint64_t* const state = from + i * width;
      const auto tag = static_cast<std::uint32_t>(hashes[i] >> 32) & ~number_mask;
      std::uint64_t place = hashes[i] & slot_mask;
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
  BRINK_CHECK(!holds_states_ || numbers == nullptr, "the table has no numbers now");
  if (holds_states_) return enter_states(shards_[shard], words, at, offset, count);
  BRINK_BY_WIDTH(enter_chunk<W>(shards_[shard], words, at, offset, count, numbers));
}

// Slots that hold states. The top bit says that there is one; the other bits are its distance from
// the place and, below, what the place does not tell of the mixed state.

namespace {

/// A bijection on the low `bits` (at least 2): multiplying by an odd number modulo a power of two
/// and adding high bits to low ones can both be undone.
struct Mixer {
  explicit Mixer(unsigned bits) : mask(~std::uint64_t{0} >> (64 - bits)), half((bits + 1) / 2) {}
  std::uint64_t operator()(std::uint64_t x) const {
    x = (x * 0xff51afd7ed558ccdULL) & mask;
    x ^= x >> half;
    x = (x * 0xc4ceb9fe1a85ec53ULL) & mask;
    return x ^ (x >> half);
  }
  std::uint64_t mask;
  unsigned half;
};

constexpr std::size_t window = 24;
constexpr std::uint32_t taken = 0x80000000u;
constexpr unsigned least_distance_bits = 7;

}  // namespace

bool StateTable::states_fit(std::uint64_t slots) const {
  const auto place_bits = static_cast<unsigned>(std::bit_width(slots - 1));
  return width_ == 1 && bits_ > place_bits && bits_ <= 31 - least_distance_bits + place_bits;
}

// The slots tell their states, and in their order the new places are two or more sequences.
void StateTable::move_states(Shard& shard) {
  BigArray<std::uint32_t> old;
  std::swap(old, shard.slots);
  shard.slots.resize(slot_mask_ + 1);
  std::uint32_t* const slots = shard.slots.data();
  const std::uint64_t mask = slot_mask_;
  const auto place_bits = static_cast<unsigned>(std::bit_width(mask));
  const auto old_place_bits = static_cast<unsigned>(std::bit_width(old.size() - 1));
  const unsigned rest_bits = bits_ - place_bits;
  const unsigned old_rest_bits = bits_ - old_place_bits;
  const std::uint32_t old_rest = (1u << old_rest_bits) - 1;
  for (std::uint64_t i = 0; i < old.size(); ++i) {
    if (old[i] == 0) continue;
    const std::uint64_t distance = (old[i] & ~taken) >> old_rest_bits;
    const std::uint64_t place = (i - distance) & (old.size() - 1);
    const std::uint64_t mixed = place | std::uint64_t{old[i] & old_rest} << old_place_bits;
    std::uint64_t at = mixed & mask;
    std::uint32_t entry = taken | static_cast<std::uint32_t>(mixed >> place_bits);
    for (; slots[at] != 0; at = (at + 1) & mask) entry += 1u << rest_bits;
    BRINK_CHECK(entry >= taken, "a distance that has been stored does not fit any more");
    slots[at] = entry;
  }
  const std::vector<std::uint64_t> far(shard.far.begin(), shard.far.end());
  shard.far.clear();
  for (const std::uint64_t state : far)
    place_states(shard, &state, 1, [](std::size_t, std::uint64_t) {});
}

void StateTable::rebuild_states(unsigned number) {
  Shard& shard = shards_[number];
  if (shard.holds_states) return move_states(shard);
  shard.holds_states = true;
  empty_slots(shard.slots);
  std::uint64_t mine[block];
  for (std::uint32_t first = 0; first < size_; first += block) {
    const std::uint32_t n = std::min<std::uint32_t>(block, size_ - first);
    std::size_t count = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
      mine[count] = words_[first + std::uint64_t{i}];
      count += shard_of(&mine[count]) == number ? 1 : 0;
    }
    place_states(shard, mine, count, [](std::size_t, std::uint64_t) {});
  }
}

/// Enters `count` <= block states of the shard; `fresh` is told the index and the place of each one
/// that was not there.
template <typename F>
void StateTable::place_states(Shard& shard, const std::uint64_t* states, std::size_t count,
                              F&& fresh) {
  const Mixer mixed(bits_);
  std::uint32_t* const slots = shard.slots.data();
  const std::uint64_t mask = slot_mask_;
  const auto place_bits = static_cast<unsigned>(std::bit_width(mask));
  const unsigned rest_bits = bits_ - place_bits;
  const std::uint32_t one_on = 1u << rest_bits;  // a distance of one
  std::uint64_t places[block];
  std::uint32_t wanted[block];
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t h = mixed(states[i]);
    places[i] = h & mask;
    wanted[i] = taken | static_cast<std::uint32_t>(h >> place_bits);
  }
  // What a core can have under way at a time is some twenty lines: a window keeps it at that while
  // it compares, where a burst for the whole block would have it wait first.
  for (std::size_t i = 0; i < std::min(count, window); ++i)
    __builtin_prefetch(&slots[places[i]], 1);
  for (std::size_t i = 0; i < count; ++i) {
    if (i + window < count) __builtin_prefetch(&slots[places[i + window]], 1);
    std::uint64_t place = places[i];
    std::uint32_t entry = wanted[i];
    // Most states are known, and near their place: those take one branch that is easy to foresee.
    if (place + 4 <= slot_mask_) {
      const std::uint32_t* const at = slots + place;
      if (static_cast<int>(at[0] == entry) | static_cast<int>(at[1] == entry + one_on) |
          static_cast<int>(at[2] == entry + 2 * one_on) |
          static_cast<int>(at[3] == entry + 3 * one_on))
        continue;
    }
    while (slots[place] != entry) {
      if (slots[place] == 0) {
        slots[place] = entry;
        fresh(i, place);
        break;
      }
      place = (place + 1) & mask;
      entry += one_on;
      if (entry >= taken) continue;
      if (shard.far.insert(states[i]).second) fresh(i, kFar);  // the distance has overflowed
      break;
    }
  }
}

void StateTable::enter_states(Shard& shard, const std::uint64_t* words, const std::uint32_t* at,
                              std::uint32_t offset, std::size_t count) {
  for (std::size_t first = 0; first < count; first += block) {
    const std::uint64_t* const states = words + first;
    place_states(
        shard, states, std::min(block, count - first), [&](std::size_t i, std::uint64_t place) {
          const std::size_t nth = first + i;
          shard.places.push_back(place);
          shard.positions.push_back(offset +
                                    (at == nullptr ? static_cast<std::uint32_t>(nth) : at[nth]));
          shard.words.push_back(states[i]);
        });
  }
}

// The states that commit() did not number were the last to enter, so emptying their slots leaves
// every probe sequence as it was before.
void StateTable::settle(unsigned number) {
  Shard& shard = shards_[number];
  for (std::size_t i = shard.numbered; i < shard.places.size(); ++i) {
    if (shard.places[i] == kFar)
      shard.far.erase(shard.words[i]);
    else
      shard.slots[shard.places[i]] = 0;
  }
  for (std::size_t i = 0; i < shard.numbers.size(); ++i) {
    std::uint32_t& slot = shard.slots[shard.places[i]];
    slot = (slot & ~number_mask_) | (shard.numbers[i] + 1);
  }
  shard.used += shard.numbered;
}

void StateTable::begin() {
  base_ = size_;
  for (Shard& shard : shards_) {
    shard.words.clear();
    shard.places.clear();
    shard.positions.clear();
    shard.numbers.clear();
    shard.numbered = 0;
  }
}

std::uint64_t StateTable::bytes() const {
  std::uint64_t total = words_.bytes();
  for (const Shard& shard : shards_) total += shard.slots.bytes();
  return total;
}

#undef BRINK_BY_WIDTH

}  // namespace brink
