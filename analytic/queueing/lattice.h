// All vectors of numbers of customers up to a population, in mixed-radix order, so that n - e_c
// comes before n. Used by: closed*.cpp.
#pragma once

#include <cstdint>
#include <vector>

namespace brink::queueing {

class Lattice {
 public:
  explicit Lattice(std::vector<std::int64_t> population) : population_(std::move(population)) {
    for (const std::int64_t count : population_) {
      stride_.push_back(size_);
      size_ *= static_cast<std::size_t>(count) + 1;
    }
  }
  std::size_t size() const { return size_; }
  std::size_t classes() const { return stride_.size(); }
  std::size_t stride(std::size_t c) const { return stride_[c]; }
  std::int64_t population(std::size_t c) const { return population_[c]; }

  /// Moves `n` to the next vector; false behind the last one.
  bool next(std::vector<std::int64_t>& n) const {
    for (std::size_t c = 0; c < n.size(); ++c) {
      if (n[c] < population_[c]) {
        ++n[c];
        return true;
      }
      n[c] = 0;
    }
    return false;
  }

 private:
  std::vector<std::int64_t> population_;
  std::vector<std::size_t> stride_;
  std::size_t size_ = 1;
};

}  // namespace brink::queueing
