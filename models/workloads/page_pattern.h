// PagePattern: the order in which the pages of one file are read.
//
// Users: the statement `access` (run_script.cpp), tests. The sequence is a function of the
// pattern's words and its seed alone, the same as that of the program that read the files on the
// live kernels (experiments/reports/live-*): a generator xorshift64* [Vigna 2016] from which
// fractions of 53 bits are drawn.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace brink::machine {

struct PatternSpec {
  enum class Kind { cyclic, random, zipf, hot, scanhot };
  Kind kind = Kind::random;
  double alpha = 0.9;         ///< zipf: the exponent
  double hot_fraction = 0.2;  ///< hot, scanhot: share of the pages that are hot
  double hot_share = 0.8;     ///< hot, scanhot: share of the reads that go there
  std::uint64_t seed = 1;
};

struct PatternRow {
  std::string_view name;
  std::string_view meaning;
  PatternSpec::Kind kind;
};
std::span<const PatternRow> pattern_rows();

class PagePattern {
 public:
  /// `pages` >= 1: of the file.
  PagePattern(const PatternSpec& spec, std::int64_t pages);

  /// The next page read, in [0, pages).
  std::int64_t next();

 private:
  std::uint64_t draw();
  double fraction();
  std::int64_t below(std::int64_t bound);

  PatternSpec spec_;
  std::int64_t pages_, hot_pages_, position_ = 0, scan_;
  std::uint64_t state_, stride_ = 1;
  std::vector<double> cumulated_;  ///< zipf: share of the reads up to each rank
};

}  // namespace brink::machine
