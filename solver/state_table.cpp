#include "solver/state_table.h"

#include <algorithm>

#include "models/base/check.h"

namespace brink::solver {
namespace {

constexpr std::size_t initial_slots = 1024;

/// Finaliser of MurmurHash3 (public domain): every input bit moves every output bit.
std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdULL;
  x ^= x >> 33;
  x *= 0xc4ceb9fe1a85ec53ULL;
  x ^= x >> 33;
  return x;
}

}  // namespace

StateTable::StateTable(std::size_t words)
    : width_(words), mask_(initial_slots - 1), slots_(initial_slots) {}

std::uint64_t StateTable::hash(const std::uint64_t* words) const {
  std::uint64_t h = 0x9e3779b97f4a7c15ULL;
  for (std::size_t i = 0; i < width_; ++i) h = mix(h ^ words[i]) + 0x9e3779b97f4a7c15ULL * i;
  return h;
}

std::uint64_t StateTable::slot_of(const std::uint64_t* words, std::uint64_t hash) const {
  const auto tag = static_cast<std::uint32_t>(hash >> 32);
  std::uint64_t at = hash & mask_;
  for (; slots_[at].number != kNone; at = (at + 1) & mask_) {
    if (slots_[at].tag != tag) continue;
    if (std::equal(words, words + width_, words_.data() + slots_[at].number * width_)) break;
  }
  return at;
}

std::uint32_t StateTable::find(const std::uint64_t* words, std::uint64_t hash) const {
  return slots_[slot_of(words, hash)].number;
}

StateTable::Found StateTable::insert(const std::uint64_t* words, std::uint64_t hash) {
  const std::uint64_t at = slot_of(words, hash);
  if (slots_[at].number != kNone) return {slots_[at].number, false};
  BRINK_CHECK(size_ < kMaxStates);
  const std::uint32_t number = size_++;
  slots_[at] = {number, static_cast<std::uint32_t>(hash >> 32)};
  words_.insert(words_.end(), words, words + width_);
  if (size_ * std::uint64_t{5} > slots_.size() * std::uint64_t{3}) grow();
  return {number, true};
}

void StateTable::grow() {
  std::vector<Slot> bigger(slots_.size() * 2);
  mask_ = bigger.size() - 1;
  for (std::uint32_t number = 0; number < size_; ++number) {
    const std::uint64_t h = hash(words_.data() + number * width_);
    std::uint64_t at = h & mask_;
    while (bigger[at].number != kNone) at = (at + 1) & mask_;
    bigger[at] = {number, static_cast<std::uint32_t>(h >> 32)};
  }
  slots_.swap(bigger);
}

std::uint64_t StateTable::bytes() const {
  return words_.capacity() * sizeof(std::uint64_t) + slots_.capacity() * sizeof(Slot);
}

}  // namespace brink::solver
