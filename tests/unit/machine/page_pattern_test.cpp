// The order of reads is that of the program that measured the live kernels: the numbers below were
// printed by it (`wl trace`), the last one after 60000 reads.
#include "models/workloads/page_pattern.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace brink::machine {
namespace {

void expect_sequence(const PatternSpec& spec, std::int64_t pages,
                     const std::vector<std::int64_t>& first, std::int64_t last) {
  PagePattern pattern(spec, pages);
  std::int64_t page = -1;
  for (std::size_t i = 0; i < 60000; ++i) {
    page = pattern.next();
    if (i < first.size()) {
      EXPECT_EQ(page, first[i]) << "read " << i;
    }
    ASSERT_TRUE(page >= 0 && page < pages);
  }
  EXPECT_EQ(page, last);
}

TEST(PagePattern, IsTheMeasuringProgramsOwn) {
  using Kind = PatternSpec::Kind;
  expect_sequence({.kind = Kind::random}, 4096,
                  {3759, 2134, 2611, 3362, 261, 934, 985, 3938, 1358, 792}, 3381);
  expect_sequence({.kind = Kind::zipf, .alpha = 0.9}, 8192,
                  {4232, 4118, 5403, 3707, 0, 5196, 1966, 1625, 2551, 5079}, 2349);
  expect_sequence({.kind = Kind::scanhot, .hot_fraction = 0.0625, .hot_share = 0.5}, 32768,
                  {2048, 2049, 2050, 2051, 467, 1969, 396, 1397, 2052, 1651}, 588);
  expect_sequence({.kind = Kind::hot}, 1024, {631, 167, 46, 196, 39, 139, 22, 573, 48, 51}, 167);
  expect_sequence({.kind = Kind::cyclic}, 3, {0, 1, 2, 0, 1, 2}, 2);
}

TEST(PagePattern, SeedsDiffer) {
  PagePattern one({.seed = 1}, 1 << 20), two({.seed = 2}, 1 << 20);
  int same = 0;
  for (int i = 0; i < 100; ++i) same += one.next() == two.next();
  EXPECT_LT(same, 3);
}

TEST(PagePattern, FilesOfOnePage) {
  for (const PatternRow& row : pattern_rows()) {
    PagePattern pattern({.kind = row.kind}, 1);
    for (int i = 0; i < 10; ++i) EXPECT_EQ(pattern.next(), 0) << row.name;
  }
}

}  // namespace
}  // namespace brink::machine
