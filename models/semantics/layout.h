// How a valuation (one int64 per variable) is packed into 64-bit words.
//
// Each variable takes the bits its range needs and never straddles a word; a bool takes one bit, a
// variable with one value none, an unbounded int 32. Equal valuations have equal words, unused bits
// are 0. Used by: explicit search, Markov building.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/language/model.h"

namespace brink {

class StateLayout {
 public:
  struct Field {
    std::uint32_t word = 0;
    std::uint8_t shift = 0;
    std::uint8_t bits = 0;
    std::int64_t low = 0;  ///< packed value = value - low
    std::int64_t high = 0;
  };

  /// BRINK_CHECK: all bounds of the model are numbers (no parameters in them).
  explicit StateLayout(const Model& model);

  std::size_t words() const { return words_; }
  std::uint32_t bits() const { return bits_; }  ///< in all, without padding
  std::span<const Field> fields() const { return fields_; }

  /// `words` has words() entries, `valuation` one per variable. The values must lie in their
  /// ranges.
  void pack(std::span<const std::int64_t> valuation, std::span<std::uint64_t> words) const;
  void unpack(std::span<const std::uint64_t> words, std::span<std::int64_t> valuation) const;

 private:
  std::vector<Field> fields_;
  std::size_t words_ = 0;
  std::uint32_t bits_ = 0;
};

}  // namespace brink
