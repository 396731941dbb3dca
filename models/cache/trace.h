// PageTrace: a sequence of references to pages, numbered densely, which is what cache policies are
// run on. Read from files (read_trace.h), or made from a pattern (pattern.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace brink::cache {

struct PageTrace {
  std::vector<std::uint32_t> pages;  ///< of each reference: 0 .. distinct-1, by first appearance
  std::vector<bool> writes;          ///< of each reference; empty: all are reads
  std::uint32_t distinct = 0;

  std::uint64_t requests() const { return pages.size(); }
  bool has_writes() const { return !writes.empty(); }
};

/// Gives pages of 64-bit names their dense numbers. At most 2^32 - 16 of them (BRINK_CHECK).
class PageNumbers {
 public:
  std::uint32_t operator()(std::uint64_t name);
  std::uint32_t size() const { return static_cast<std::uint32_t>(count_); }
  std::uint64_t bytes() const { return slots_.size() * sizeof(Slot); }

 private:
  struct Slot {
    std::uint64_t name = 0;
    std::uint32_t number = kEmpty;
  };
  static constexpr std::uint32_t kEmpty = 0xffffffffu;

  void grow();
  std::size_t place_of(std::uint64_t name) const;

  std::vector<Slot> slots_;  // a power of two, at most half full
  std::uint64_t count_ = 0;
};

}  // namespace brink::cache
