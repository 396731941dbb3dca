#include "models/language/listed.h"

#include <algorithm>
#include <bit>

namespace brink {

/// Where the valuation is, or the empty slot where it would be.
std::size_t ListedStates::slot_of(std::span<const std::int64_t> valuation) const {
  std::uint64_t hash = 0x9e3779b97f4a7c15ULL;
  for (std::size_t v = 0; v < key; ++v) {
    hash = (hash ^ static_cast<std::uint64_t>(valuation[v])) * 0xff51afd7ed558ccdULL;
    hash ^= hash >> 32;
  }
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    if (slots_[at] == 0) return at;
    const std::span<const std::int64_t> there = state(slots_[at] - 1);
    if (std::equal(there.begin(), there.begin() + static_cast<std::ptrdiff_t>(key),
                   valuation.begin())) {
      return at;
    }
  }
}

std::optional<std::uint32_t> ListedStates::index() {
  slots_.assign(std::bit_ceil(std::size_t{2} * size() + 2), 0);
  for (std::uint32_t s = 0; s < size(); ++s) {
    std::uint32_t& slot = slots_[slot_of(state(s))];
    if (slot != 0) return s;
    slot = s + 1;
  }
  return std::nullopt;
}

std::optional<std::uint32_t> ListedStates::find(std::span<const std::int64_t> valuation) const {
  const std::uint32_t found = slots_[slot_of(valuation)];
  if (found == 0 || !std::ranges::equal(state(found - 1), valuation)) return std::nullopt;
  return found - 1;
}

std::optional<std::uint64_t> ListedStates::branch_to(std::uint64_t c, std::uint32_t target) const {
  const auto at = [&](std::uint64_t b) { return targets.begin() + static_cast<std::ptrdiff_t>(b); };
  const auto end = at(first_branch[c + 1]);
  const auto found = std::lower_bound(at(first_branch[c]), end, target);
  if (found == end || *found != target) return std::nullopt;
  return static_cast<std::uint64_t>(found - targets.begin());
}

}  // namespace brink
