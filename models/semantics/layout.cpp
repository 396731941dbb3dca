#include "models/semantics/layout.h"

#include <bit>

#include "models/base/check.h"

namespace brink {

StateLayout::StateLayout(const Model& model) {
  std::uint32_t word = 0;
  std::uint32_t used = 0;
  for (const Variable& variable : model.variables) {
    BRINK_CHECK(variable.low_value && variable.high_value, variable.name);
    Field field;
    field.low = *variable.low_value;
    field.high = *variable.high_value;
    // As unsigned, so that the difference of the extreme ints is right.
    const std::uint64_t span =
        static_cast<std::uint64_t>(field.high) - static_cast<std::uint64_t>(field.low);
    field.bits = static_cast<std::uint8_t>(std::bit_width(span));
    if (used + field.bits > 64) {
      ++word;
      used = 0;
    }
    field.word = word;
    field.shift = static_cast<std::uint8_t>(field.bits == 0 ? 0 : used);
    used += field.bits;
    bits_ += field.bits;
    fields_.push_back(field);
  }
  words_ = word + 1;
}

void StateLayout::pack(std::span<const std::int64_t> valuation,
                       std::span<std::uint64_t> words) const {
  for (std::size_t w = 0; w < words_; ++w) words[w] = 0;
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    const Field& f = fields_[i];
    words[f.word] |= (static_cast<std::uint64_t>(valuation[i]) - static_cast<std::uint64_t>(f.low))
                     << f.shift;
  }
}

void StateLayout::unpack(std::span<const std::uint64_t> words,
                         std::span<std::int64_t> valuation) const {
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    const Field& f = fields_[i];
    const std::uint64_t mask = f.bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << f.bits) - 1;
    const std::uint64_t packed = (words[f.word] >> f.shift) & mask;
    valuation[i] = static_cast<std::int64_t>(packed + static_cast<std::uint64_t>(f.low));
  }
}

}  // namespace brink
