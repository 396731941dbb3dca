// Every format read from files written here, and what is said of broken ones.
#include "models/cache/read_trace.h"

#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace brink::cache {
namespace {

using Pages = std::vector<std::uint32_t>;

class ReadTrace : public ::testing::Test {
 protected:
  std::string write(const std::string& content) {
    const auto path = std::filesystem::path(::testing::TempDir()) /
                      ("trace" + std::to_string(::testing::UnitTest::GetInstance()->random_seed()) +
                       ::testing::UnitTest::GetInstance()->current_test_info()->name());
    std::ofstream(path, std::ios::binary) << content;
    return path_ = path.string();
  }
  void TearDown() override { std::filesystem::remove(path_); }

  Pages pages(const std::string& content, const TraceOptions& options = {}) {
    const auto trace = read_trace(write(content), options);
    EXPECT_TRUE(trace) << (trace ? "" : trace.error().message);
    return trace ? trace->pages : Pages{};
  }
  std::string problem(const std::string& content, const TraceOptions& options = {}) {
    const auto trace = read_trace(write(content), options);
    EXPECT_FALSE(trace);
    return trace ? "" : trace.error().message;
  }

 private:
  std::string path_;
};

TEST_F(ReadTrace, Text) {
  EXPECT_EQ(pages("7\n8\n*\n7\r\n\n  9 \n"), (Pages{0, 1, 0, 2}));
  EXPECT_EQ(problem("7\n8x\n"), "line 2: expected one page number");
  EXPECT_EQ(problem("7\n99999999999999999999999\n"), "line 2: expected one page number");
  EXPECT_EQ(problem(""), "the trace is empty");
  EXPECT_EQ(problem("*\n"), "the trace has no references");
}

TEST_F(ReadTrace, Records) {
  std::string two;
  for (const char id : {'\x05', '\x06', '\x05'}) {
    std::string record(24, '\0');
    record[4] = id;
    two += record;
  }
  EXPECT_EQ(pages(two, {.format = "oracle"}), (Pages{0, 1, 0}));
  EXPECT_EQ(problem(two + "abc", {.format = "oracle"}),
            "byte 72: the last record has 3 bytes, not 24");
  const std::string numbers("\0\0\1\0\0\1\0\0\0\0\1\0", 12);
  EXPECT_EQ(pages(numbers, {.format = "int32be"}), (Pages{0, 1, 0}));
  EXPECT_EQ(problem(numbers), "the content does not tell its format");
}

TEST_F(ReadTrace, AddressesAndBlocksNeedAPage) {
  const std::string addresses = "l 0x1000 1\ns 0x1fff 2\nl 0x2000 1\n";
  EXPECT_NE(problem(addresses).find("the size of a page is not given"), std::string::npos);
  const auto trace = read_trace(write(addresses), {.page_bytes = 4096});
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->pages, (Pages{0, 0, 1}));
  EXPECT_EQ(trace->writes, (std::vector<bool>{false, true, false}));
  EXPECT_EQ(problem("l 0x1000 1\nx 12\n", {.page_bytes = 4096}),
            "line 2: expected `l 0xADDRESS CYCLES` or `s 0xADDRESS CYCLES`");
}

// A request of 8 KiB from byte 6144 on touches bytes 6144 .. 14335: pages 1, 2 and 3 of 4 KiB.
TEST_F(ReadTrace, RequestsAreSplitIntoPages) {
  const std::string csv =
      "1,hm,0,Write,6144,8192,5\n2,hm,0,Read,4096,4096,5\n3,hm,0,Read,0,1,5\n4,hm,0,Read,5,0,5\n";
  const auto trace = read_trace(write(csv), {.page_bytes = 4096});
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->pages, (Pages{0, 1, 2, 0, 3}));
  EXPECT_EQ(trace->writes, (std::vector<bool>{true, true, true, false, false}));
  EXPECT_NE(problem("1,hm,0,Write,0,99999999999999,5\n", {.page_bytes = 512})
                .find("line 1: a request of 99999999999999 bytes"),
            std::string::npos);
  EXPECT_EQ(problem("1,hm,0,Erase,0,4096,5\n", {.page_bytes = 512}),
            "line 1: expected Read or Write in the fourth field");
}

TEST_F(ReadTrace, LimitsAndFilesThatAreNot) {
  std::string many;
  for (int i = 0; i < 200000; ++i) many += std::to_string(i) + "\n";
  const auto limited = read_trace(write(many), {.limit_bytes = 1u << 20});
  ASSERT_FALSE(limited);
  EXPECT_TRUE(limited.error().limit);
  const auto absent = read_trace("/nowhere/at/all", {});
  ASSERT_FALSE(absent);
  EXPECT_TRUE(absent.error().environment);
  EXPECT_NE(problem(std::string(1u << 20, '1')).find("line 1 is longer"), std::string::npos);
}

std::string compressed(const std::string& content) {
  std::string out(content.size() + 4096, '\0');
  std::size_t used = 0;
  archive* const file = archive_write_new();
  archive_write_add_filter_gzip(file);
  archive_write_set_format_raw(file);
  archive_write_open_memory(file, out.data(), out.size(), &used);
  archive_entry* const entry = archive_entry_new();
  archive_entry_set_filetype(entry, AE_IFREG);
  archive_write_header(file, entry);
  archive_write_data(file, content.data(), content.size());
  archive_entry_free(entry);
  archive_write_close(file);
  archive_write_free(file);
  out.resize(used);
  return out;
}

TEST_F(ReadTrace, CompressedAndCutOff) {
  std::string text;
  for (int i = 0; i < 50000; ++i) text += std::to_string(i * 7919 % 10007) + "\n";
  const std::string packed = compressed(text);
  const Pages whole = pages(text);
  EXPECT_EQ(pages(packed), whole);
  const auto cut = read_trace(write(packed.substr(0, packed.size() / 2)), {});
  ASSERT_FALSE(cut);
  EXPECT_NE(cut.error().message.find("byte"), std::string::npos) << cut.error().message;
}

}  // namespace
}  // namespace brink::cache
