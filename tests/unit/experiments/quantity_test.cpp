#include "experiments/data/quantity.h"

#include <gtest/gtest.h>

namespace brink {
namespace {

TEST(Quantity, ConvertsToCanonicalUnits) {
  EXPECT_EQ(parse_quantity("16 MiB")->value, 16.0 * 1024 * 1024);
  EXPECT_EQ(parse_quantity("1.2 MB/s")->value, 1.2e6);
  EXPECT_EQ(parse_quantity("11ms")->value, 11e6);
  EXPECT_EQ(parse_quantity("0.5 ms/KiB")->value, 0.5e6);
  EXPECT_EQ(parse_quantity(" 25 ")->dimension, Dimension::number);
}

TEST(Quantity, MegabytesAreNotMebibytes) {
  EXPECT_EQ(parse_quantity("1 MB")->value, 1e6);
  EXPECT_EQ(parse_quantity("1 MiB")->value, 1048576);
}

TEST(Quantity, RefusesAMissingUnit) {
  const auto size = parse_quantity("16", Dimension::bytes);
  ASSERT_FALSE(size);
  EXPECT_NE(size.error().find("no unit"), std::string::npos);
  EXPECT_TRUE(parse_quantity("16", Dimension::pages));
}

TEST(Quantity, RefusesTheWrongDimension) {
  const auto size = parse_quantity("16 ms", Dimension::bytes);
  ASSERT_FALSE(size);
  EXPECT_NE(size.error().find("bytes is needed"), std::string::npos);
}

TEST(Quantity, RefusesWhatIsNoNumber) {
  for (const char* text : {"", "MiB", "1e999", "nan", "inf MiB", "1 parsec", "--1 s"}) {
    EXPECT_FALSE(parse_quantity(text)) << text;
  }
}

}  // namespace
}  // namespace brink
