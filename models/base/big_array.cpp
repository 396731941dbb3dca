#include "models/base/big_array.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace brink {
namespace {

constexpr std::uint64_t huge_page = std::uint64_t{2} << 20;
constexpr std::uint64_t mapped_from = std::uint64_t{1} << 20;  // smaller blocks lie on the heap
constexpr std::uint64_t smallest = 1024;

bool is_mapped(std::uint64_t capacity) { return capacity > mapped_from; }

/// Zeroed pages at a multiple of the size of a huge page, so that huge pages move as a whole.
char* map_aligned(std::uint64_t size) {
  void* raw = mmap(nullptr, size + huge_page, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (raw == MAP_FAILED) throw std::bad_alloc();
  char* const begin = static_cast<char*>(raw);
  const std::uint64_t over = reinterpret_cast<std::uintptr_t>(begin) % huge_page;
  char* const aligned = over == 0 ? begin : begin + (huge_page - over);
  if (aligned != begin) munmap(begin, static_cast<std::size_t>(aligned - begin));
  char* const end = begin + size + huge_page;
  if (aligned + size != end) munmap(aligned + size, static_cast<std::size_t>(end - aligned) - size);
  madvise(aligned, size, MADV_HUGEPAGE);  // a wish: its failure changes nothing
  return aligned;
}

}  // namespace

// Twice as much while small, an eighth more when large.
std::uint64_t BigBlock::capacity_for(std::uint64_t bytes) const {
  if (bytes <= mapped_from) {
    std::uint64_t size = std::max(capacity_, smallest);
    while (size < bytes) size *= 2;
    return size;
  }
  const std::uint64_t wanted = std::max(bytes, capacity_ + capacity_ / 8);
  return (wanted + huge_page - 1) / huge_page * huge_page;
}

void BigBlock::grow(std::uint64_t bytes) {
  const std::uint64_t size = capacity_for(bytes);
  if (!is_mapped(size)) {
    void* const bigger = std::realloc(data_, size);
    if (bigger == nullptr) throw std::bad_alloc();
    std::memset(static_cast<char*>(bigger) + capacity_, 0, size - capacity_);
    data_ = bigger;
    capacity_ = size;
    return;
  }
  char* const bigger = map_aligned(size);
  if (is_mapped(capacity_)) {
    if (mremap(data_, capacity_, capacity_, MREMAP_MAYMOVE | MREMAP_FIXED, bigger) == MAP_FAILED) {
      munmap(bigger, size);
      throw std::bad_alloc();
    }
  } else {
    if (capacity_ != 0) std::memcpy(bigger, data_, capacity_);
    std::free(data_);
  }
  data_ = bigger;
  capacity_ = size;
}

void BigBlock::release() {
  if (is_mapped(capacity_))
    munmap(data_, capacity_);
  else
    std::free(data_);
  data_ = nullptr;
  capacity_ = 0;
}

}  // namespace brink
