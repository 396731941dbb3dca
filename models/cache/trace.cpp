#include "models/cache/trace.h"

#include "models/base/check.h"

namespace brink::cache {

std::size_t PageNumbers::place_of(std::uint64_t name) const {
  std::uint64_t h = (name ^ (name >> 32)) * 0x9e3779b97f4a7c15ULL;
  const std::size_t mask = slots_.size() - 1;
  std::size_t place = (h ^ (h >> 29)) & mask;
  while (slots_[place].number != kEmpty && slots_[place].name != name) place = (place + 1) & mask;
  return place;
}

void PageNumbers::grow() {
  std::vector<Slot> old(slots_.empty() ? 1024 : slots_.size() * 2);
  old.swap(slots_);
  for (const Slot& slot : old)
    if (slot.number != kEmpty) slots_[place_of(slot.name)] = slot;
}

std::uint32_t PageNumbers::operator()(std::uint64_t name) {
  if (count_ * 2 >= slots_.size()) grow();
  Slot& slot = slots_[place_of(name)];
  if (slot.number == kEmpty) {
    BRINK_CHECK(count_ < 0xfffffff0u);
    slot = {name, static_cast<std::uint32_t>(count_++)};
  }
  return slot.number;
}

}  // namespace brink::cache
