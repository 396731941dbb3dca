// ParentList: the breadth-first parent of each state in two bits.
//
// States are numbered in breadth-first order, so their parents never decrease: the sequence is
// written in unary (as in Elias & Fano's code), a zero for each step of the parent and a one for
// each state. The parent of state s is the number of zeros before the s-th one; the place of every
// 256th one is kept. Used by: the state graph, for shortest traces.
#pragma once

#include <cstdint>

#include "models/base/big_array.h"

namespace brink::solver {

class ParentList {
 public:
  /// The parent of the next state, not less than the one before.
  void append(std::uint32_t parent) {
    zeros_ += parent - last_;
    last_ = parent;
    const std::uint64_t at = zeros_ + size_;
    bits_.resize(at / 64 + 1);
    bits_[at / 64] |= std::uint64_t{1} << (at % 64);
    if (size_ % sample == 0) places_.push_back(at);
    ++size_;
  }

  std::uint32_t size() const { return size_; }
  std::uint32_t operator[](std::uint32_t state) const {
    std::uint64_t word = places_[state / sample] / 64;
    std::uint64_t bits = bits_[word] & (~std::uint64_t{0} << (places_[state / sample] % 64));
    auto ones = static_cast<int>(state % sample);  // to pass before ours
    for (int here = __builtin_popcountll(bits); here <= ones; here = __builtin_popcountll(bits)) {
      ones -= here;
      bits = bits_[++word];
    }
    for (; ones > 0; --ones) bits &= bits - 1;
    return static_cast<std::uint32_t>(word * 64 + static_cast<unsigned>(__builtin_ctzll(bits)) -
                                      state);
  }
  std::uint64_t bytes() const { return bits_.bytes() + places_.bytes(); }

 private:
  static constexpr std::uint32_t sample = 256;

  BigArray<std::uint64_t> bits_;
  BigArray<std::uint64_t> places_;
  std::uint64_t zeros_ = 0;
  std::uint32_t last_ = 0;
  std::uint32_t size_ = 0;
};

}  // namespace brink::solver
