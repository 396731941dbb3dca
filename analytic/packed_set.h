// PackedSet: packed states numbered in order of insertion; open addressing over one array.
// The small sister of the explicit engine's table (analytic/ may not include solver/).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace brink::analytic {

class PackedSet {
 public:
  explicit PackedSet(std::size_t width) : width_(width), slots_(1024, none) {}

  struct Found {
    std::uint32_t number;
    bool fresh;
  };

  Found insert(const std::uint64_t* words) {
    std::size_t at = hash(words) & (slots_.size() - 1);
    for (; slots_[at] != none; at = (at + 1) & (slots_.size() - 1))
      if (std::equal(words, words + width_, (*this)[slots_[at]])) return {slots_[at], false};
    slots_[at] = size_;
    words_.insert(words_.end(), words, words + width_);
    if (++size_ * std::uint64_t{5} > slots_.size() * std::uint64_t{3}) grow();
    return {size_ - 1, true};
  }

  const std::uint64_t* operator[](std::uint32_t number) const {
    return words_.data() + number * width_;
  }
  std::uint32_t size() const { return size_; }
  std::uint64_t bytes() const { return words_.capacity() * 8 + slots_.capacity() * 4; }
  std::vector<std::uint64_t> release() && { return std::move(words_); }

 private:
  static constexpr std::uint32_t none = 0xffffffffu;

  std::uint64_t hash(const std::uint64_t* words) const {
    std::uint64_t h = 0;
    for (std::size_t i = 0; i < width_; ++i) {  // splitmix64's finaliser
      h += words[i] + 0x9e3779b97f4a7c15ULL;
      h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9ULL;
      h = (h ^ (h >> 27)) * 0x94d049bb133111ebULL;
      h ^= h >> 31;
    }
    return h;
  }

  void grow() {
    std::vector<std::uint32_t> bigger(slots_.size() * 2, none);
    for (std::uint32_t n = 0; n < size_; ++n) {
      std::size_t at = hash((*this)[n]) & (bigger.size() - 1);
      while (bigger[at] != none) at = (at + 1) & (bigger.size() - 1);
      bigger[at] = n;
    }
    slots_.swap(bigger);
  }

  std::size_t width_;
  std::uint32_t size_ = 0;
  std::vector<std::uint64_t> words_;
  std::vector<std::uint32_t> slots_;
};

}  // namespace brink::analytic
