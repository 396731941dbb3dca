// BigArray: an append-only array of plain values that grows to gigabytes without copying.
//
// A vector that doubles holds old and new at once, which for the arrays of an explicit search is
// the peak of the whole program, and leaves up to half of itself empty. Here an array beyond a
// megabyte is a mapping of its own: growing moves page tables (mremap), not bytes, so it may grow
// in small steps; the mapping is aligned and offered huge pages, since a search reads it at random.
// New elements are zero. Used by: the state
// table, the parents and edges of the state graph, the rows of chains.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

namespace brink {

/// The untyped part. Sizes in bytes.
class BigBlock {
 public:
  BigBlock() = default;
  ~BigBlock() { release(); }
  BigBlock(BigBlock&& other) noexcept { swap(other); }
  BigBlock& operator=(BigBlock&& other) noexcept {
    swap(other);
    return *this;
  }
  BigBlock(const BigBlock&) = delete;
  BigBlock& operator=(const BigBlock&) = delete;

  void* data() const { return data_; }
  std::uint64_t capacity() const { return capacity_; }
  /// Capacity of at least `bytes`; what is new is zero. Throws std::bad_alloc.
  void grow(std::uint64_t bytes);
  /// What grow(bytes) would make of the capacity.
  std::uint64_t capacity_for(std::uint64_t bytes) const;
  void release();
  void swap(BigBlock& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(capacity_, other.capacity_);
  }

 private:
  void* data_ = nullptr;
  std::uint64_t capacity_ = 0;
};

template <typename T>
class BigArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  std::uint64_t size() const { return size_; }
  std::uint64_t bytes() const { return block_.capacity(); }
  /// What bytes() would be after reserve(count).
  std::uint64_t bytes_for(std::uint64_t count) const {
    const std::uint64_t wanted = count * sizeof(T);
    return wanted > block_.capacity() ? block_.capacity_for(wanted) : block_.capacity();
  }
  T* data() { return static_cast<T*>(block_.data()); }
  const T* data() const { return static_cast<const T*>(block_.data()); }
  T& operator[](std::uint64_t i) { return data()[i]; }
  const T& operator[](std::uint64_t i) const { return data()[i]; }

  /// Room for `count` elements in all; their number does not change.
  void reserve(std::uint64_t count) {
    if (count * sizeof(T) > block_.capacity()) block_.grow(count * sizeof(T));
  }
  /// Grows only (new elements are zero) or gives up elements at the end.
  void resize(std::uint64_t count) {
    reserve(count);
    size_ = count;
  }
  void push_back(T value) {
    reserve(size_ + 1);
    data()[size_++] = value;
  }
  void append(const T* from, std::uint64_t count) {
    reserve(size_ + count);
    T* to = data() + size_;
    for (std::uint64_t i = 0; i < count; ++i) to[i] = from[i];
    size_ += count;
  }
  void clear() {
    block_.release();
    size_ = 0;
  }

 private:
  BigBlock block_;
  std::uint64_t size_ = 0;
};

}  // namespace brink
