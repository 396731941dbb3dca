#include "experiments/data/table.h"

#include <gtest/gtest.h>

#include "models/language/source.h"

namespace brink {
namespace {

Result<Table, Diagnostics> parse(const std::string& text) {
  return parse_csv(make_source("x.csv", text));
}

TEST(Csv, ReadsNumbersAndWords) {
  const auto table = parse("phase,elapsed_s\nbefore,8.37\nafter,2.04\n");
  ASSERT_TRUE(table);
  ASSERT_EQ(table->rows.size(), 2u);
  EXPECT_EQ(table->text(0, 0), "before");
  EXPECT_EQ(table->number(1, 1), 2.04);
}

TEST(Csv, WrittenAndReadAgainIsTheSame) {
  Table table{{"a", "b,c"}, {{1.5, std::string("say \"x\"")}, {1e-300, std::string("two\nlines")}}};
  const auto again = parse(to_csv(table));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->columns, table.columns);
  EXPECT_EQ(again->rows, table.rows);
}

TEST(Csv, RaggedRowsAreAnErrorWithTheLine) {
  const auto table = parse("a,b\n1,2\n3\n");
  ASSERT_FALSE(table);
  EXPECT_EQ(table.error().front().code, "E0911");
  EXPECT_EQ(table.error().front().begin()->line, 3u);
}

TEST(Csv, OpenQuotesAndEmptyFilesAreErrors) {
  EXPECT_FALSE(parse("a,b\n\"x,2\n"));
  EXPECT_FALSE(parse(""));
  EXPECT_FALSE(parse("\n\n"));
}

TEST(Select, KeepsTheRowsThatMatch) {
  const auto table = parse("disk,mb\nnull,1\nreal,2\nnull,3\n");
  ASSERT_TRUE(table);
  EXPECT_EQ(select(*table, {{"disk", "null"}}).rows.size(), 2u);
  EXPECT_EQ(select(*table, {{"mb", "2"}}).rows.size(), 1u);
  EXPECT_EQ(select(*table, {{"other", "x"}}).rows.size(), 0u);
}

}  // namespace
}  // namespace brink
