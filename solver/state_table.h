// StateTable: the set of visited states of an explicit search, numbered in the order of insertion.
//
// Packed states lie one after the other in one array; an open-addressing table of 8-byte slots
// (number and 32 bits of the hash) finds them. A slot is prefetched for a whole batch of successors
// before any of them is looked up, since at millions of states a look-up is a cache miss. The
// order of numbers does not depend on the table's size, so results are the same on every machine.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace brink::solver {

class StateTable {
 public:
  explicit StateTable(std::size_t words);

  struct Found {
    std::uint32_t number;
    bool fresh;
  };

  static constexpr std::uint32_t kMaxStates = 0xfffffffeu;
  static constexpr std::uint32_t kNone = 0xffffffffu;

  std::uint64_t hash(const std::uint64_t* words) const;
  void prefetch(std::uint64_t hash) const { __builtin_prefetch(&slots_[hash & mask_]); }
  /// Number of the state, or kNone.
  std::uint32_t find(const std::uint64_t* words, std::uint64_t hash) const;
  /// Number of the state, inserted when new (BRINK_CHECK: below kMaxStates).
  Found insert(const std::uint64_t* words, std::uint64_t hash);

  std::uint32_t size() const { return size_; }
  std::span<const std::uint64_t> operator[](std::uint32_t number) const {
    return {words_.data() + number * width_, width_};
  }
  std::uint64_t bytes() const;

 private:
  struct Slot {
    std::uint32_t number = kNone;
    std::uint32_t tag = 0;
  };

  /// The slot that holds the state, or the empty one where it belongs.
  std::uint64_t slot_of(const std::uint64_t* words, std::uint64_t hash) const;
  void grow();

  std::size_t width_;
  std::uint32_t size_ = 0;
  std::uint64_t mask_ = 0;
  std::vector<std::uint64_t> words_;
  std::vector<Slot> slots_;
};

}  // namespace brink::solver
