// FileStore: which blocks of the disk belong to which file, and which frame caches which page.
//
// Users: the 1.3 kernels. A file has data blocks and one indirect block per group of blocks behind
// the first twelve (the double indirect block, bitmaps and inodes are left out). Both are handed
// out first-fit from a goal. Indirect blocks have an area of their own in front of the data, so
// that in a pass of the disk arm they form a request of their own that comes after the data; ext2
// puts them between their groups, where one in ten passes would write them in mid-stream.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

namespace brink::machine {

struct File {
  bool exists = false;
  std::int64_t bytes = 0;
  std::vector<std::int64_t> blocks;     ///< disk block of each data block
  std::vector<std::int64_t> indirects;  ///< disk block of each indirect block
  std::vector<std::int32_t> pages;      ///< frame that caches each page, or -1
};

class FileStore {
 public:
  static constexpr std::int64_t direct_blocks = 12;  ///< ext2
  static constexpr std::int64_t indirect_start = 0;
  static constexpr std::int64_t data_start = std::int64_t{1} << 17;

  /// An indirect block holds block_bytes / 4 block numbers.
  explicit FileStore(std::int64_t block_bytes) : per_indirect_(block_bytes / 4) {}

  File& operator[](int file) {
    if (static_cast<std::size_t>(file) >= files_.size()) files_.resize(file + 1);
    return files_[file];
  }
  const File* find(int file) const {
    return static_cast<std::size_t>(file) < files_.size() ? &files_[file] : nullptr;
  }

  /// Group of data block `index`: -1 for a direct block.
  std::int64_t group(std::int64_t index) const {
    return index < direct_blocks ? -1 : (index - direct_blocks) / per_indirect_;
  }

  /// First free block at or behind `goal`, now in use.
  std::int64_t allocate(std::int64_t goal) {
    auto block = static_cast<std::size_t>(goal);
    while (block < used_.size() && used_[block]) ++block;
    if (block >= used_.size()) used_.resize(block + 1, false);
    used_[block] = true;
    return static_cast<std::int64_t>(block);
  }
  void release(std::int64_t block) { used_[static_cast<std::size_t>(block)] = false; }

 private:
  std::int64_t per_indirect_;
  std::deque<File> files_;  ///< references stay valid while it grows
  std::vector<bool> used_;
};

}  // namespace brink::machine
