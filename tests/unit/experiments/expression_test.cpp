#include "experiments/scenario/expression.h"

#include <gtest/gtest.h>

namespace brink {
namespace {

Result<double, Diagnostics> value(const std::string& text, const Names& names = {}) {
  return evaluate_expression({text, {}}, names, make_source("s.toml", "x"));
}

TEST(Expression, IsThatOfTheModellingLanguage) {
  EXPECT_EQ(*value("1 + 2 * 3"), 7);
  EXPECT_EQ(*value("max(2, 3) - min(2, 3)"), 1);
  EXPECT_EQ(*value("7 / 2"), 3.5);  // division is real, as in PRISM
  EXPECT_EQ(*value("pow(2, 10)"), 1024);
  EXPECT_EQ(*value("mod(17, 5)"), 2);
  EXPECT_EQ(*value("rule = 3 ? 0 : 1", {{"rule", 3.0}}), 0);
}

TEST(Expression, ReadsNamesAsWholeOrRealNumbers) {
  const Names names = {{"memory_bytes", 17179869184.0}, {"speed", 1.2e6}, {"share", 0.25}};
  const auto pages = value("memory_bytes / 4096", names);
  ASSERT_TRUE(pages) << render(pages.error());
  EXPECT_EQ(*pages, 4194304);
  EXPECT_EQ(*value("memory_bytes * 1000", names), 17179869184000.0);
  EXPECT_DOUBLE_EQ(*value("speed * share", names), 3e5);
}

TEST(Expression, NamesItCannotReadAreNotInTheWay) {
  EXPECT_EQ(*value("x + 1", {{"rate", 2.0}, {"copy-time", 3.0}, {"x", 4.0}}), 5);
  EXPECT_TRUE(is_name("copy_time"));
  for (const char* name : {"rate", "max", "copy-time", "2x", "", "a b", "x'"})
    EXPECT_FALSE(is_name(name)) << name;
}

TEST(Expression, ErrorsNameTheText) {
  for (const char* text : {"", "1 +", "unknown + 1", "(1", "P=? [ F true ]", "1 2"}) {
    const auto result = value(text);
    ASSERT_FALSE(result) << text;
    EXPECT_FALSE(result.error().empty());
  }
  EXPECT_NE(render(value("unknown + 1").error()).find("unknown"), std::string::npos);
}

}  // namespace
}  // namespace brink
