// Random: a small generator whose stream is a function of seed and purpose only.
//
// Users: kernels and programs (file sizes, which page is touched), fault injection. SplitMix64
// [Steele, Lea, Flood 2014]: one addition and three mixing steps, no state but a counter.
#pragma once

#include <cstdint>

namespace brink::machine {

class Random {
 public:
  /// Streams of different `purpose` are independent though the seed is the same.
  Random(std::uint64_t seed, std::uint64_t purpose)
      : state_(seed * 0x9E3779B97F4A7C15u + purpose * 0xD1B54A32D192ED03u) {}

  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  /// Uniform in [0, bound); bound >= 1.
  std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(bound));
  }
  /// True `ppm` times of a million.
  bool chance(std::int64_t ppm) { return ppm > 0 && below(1'000'000) < ppm; }

 private:
  std::uint64_t state_;
};

}  // namespace brink::machine
