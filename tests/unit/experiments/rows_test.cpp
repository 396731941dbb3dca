// Rows of a file as cases: what is said of many at once, and whole files through the machine. The
// formulas of the live reports in their closed forms.
#include <cmath>

#include "analytic/formulas.h"
#include "experiments/scenario/claims.h"
#include "tests/unit/experiments/helpers.h"

namespace brink {
namespace {

using testing_scenarios::Folder;

TEST(Rows, WhatIsSaidOfMany) {
  const Names s = summarise_rows({1, 2, 4}, {1.5, 2, 1}, {1, 2, 4});
  EXPECT_NEAR(s.at("mean_error_simulated"), 3.5 / 3, 1e-12);
  EXPECT_EQ(s.at("max_error_simulated"), 3);
  EXPECT_NEAR(s.at("mean_relative_simulated"), (0.5 + 0.75) / 3, 1e-12);
  EXPECT_EQ(s.at("max_relative_simulated"), 0.75);
  EXPECT_NEAR(s.at("max_decades_simulated"), std::log10(4), 1e-12);
  EXPECT_EQ(s.at("disorder_simulated"), 4) << "4 came out below 1";
  EXPECT_EQ(s.at("max_error_predicted"), 0);
  EXPECT_EQ(s.at("disorder_predicted"), 1);
  EXPECT_NEAR(s.at("mean_observed"), 7.0 / 3, 1e-12);
  const Names missing = summarise_rows({1, 2}, {1, std::nan("")}, {1, 2});
  EXPECT_FALSE(missing.contains("max_error_simulated")) << "a row without a value is no agreement";
}

constexpr const char* kScenario = R"(
title = "rows"
source = "a test"
[machine]
memory_bytes = "64 MiB"
page_bytes = "4 KiB"
block_bytes = "4 KiB"
reserved_bytes = "0 KiB"
held_pages = 0
cpus = 1
tick_ns = "10 ms"
time_limit_ns = "1000 s"
readahead_pages = 32
fault_ns = "1 us"
disk_null = 0
disk_rate_bytes_per_s = "100 MB/s"
disk_latency_ns = "50 us"
disk_request_slots = 100
disk_request_bytes = "128 KiB"
user_ns_per_kib = "0 ns/KiB"
read_ns_per_kib = "250 ns/KiB"
write_ns_per_kib = "250 ns/KiB"
list_entry_ns = "0 ns"
wake_ns = "0 ns"
[basis]
memory_bytes = { assumed = "a test" }
page_bytes = { assumed = "a test" }
block_bytes = { assumed = "a test" }
reserved_bytes = { assumed = "a test" }
held_pages = { assumed = "a test" }
cpus = { assumed = "a test" }
tick_ns = { assumed = "a test" }
time_limit_ns = { assumed = "a test" }
readahead_pages = { assumed = "a test" }
fault_ns = { assumed = "a test" }
disk_null = { assumed = "a test" }
disk_rate_bytes_per_s = { assumed = "a test" }
disk_latency_ns = { assumed = "a test" }
disk_request_slots = { assumed = "a test" }
disk_request_bytes = { assumed = "a test" }
user_ns_per_kib = { assumed = "a test" }
read_ns_per_kib = { assumed = "a test" }
write_ns_per_kib = { assumed = "a test" }
list_entry_ns = { assumed = "a test" }
wake_ns = { assumed = "a test" }
[kernel]
name = "linux-6"
[workload]
script = "place f 4 MiB ; access f 10 cyclic"
[metrics]
hits = { last = "hit_ratio", table = "access" }
[[rows]]
name = "files"
file = "rows.csv"
where = { kind = "!skip" }
only = "kb < 100000"
observed = "percent / 100"
metric = "hits"
[rows.set]
"kernel.tunables.memory_max" = "= limit_kb / 4"
"workload.script" = "place f {kb} KiB ; access f 1000 cyclic warm 4000"
[[claim]]
name = "all"
rows = "files"
metric = "max_error"
within = [0, 0]
)";

// A cyclic file hits always if it fits into the limit and never otherwise.
TEST(Rows, EveryRowIsARunOfItsOwn) {
  const Folder folder;
  folder.write("report.toml", kScenario);
  folder.write("rows.csv",
               "kind,kb,limit_kb,percent\na,400,4096,100\nb,8192,4096,0\nskip,1,1,50\nc,8192,16384,"
               "100\nd,200000,1,50\n");
  const auto file = read_scenario(folder.path() + "/report.toml");
  ASSERT_TRUE(file);
  const auto evaluation = evaluate_scenario(*file, {}, [](const std::string&) {});
  ASSERT_TRUE(evaluation) << evaluation.error().front().message;
  ASSERT_EQ(evaluation->rows.size(), 1u);
  EXPECT_EQ(evaluation->rows[0].table.rows.size(), 3u)
      << "one row is excluded by word, one by number";
  ASSERT_EQ(evaluation->claims.size(), 1u);
  EXPECT_TRUE(evaluation->claims[0].within);
}

TEST(Rows, MistakesAreNamed) {
  const Folder folder;
  folder.write("report.toml", kScenario);
  folder.write("rows.csv", "kind,kb,limit_kb,percent\nskip,400,4096,100\n");
  const auto file = read_scenario(folder.path() + "/report.toml");
  ASSERT_TRUE(file);
  const auto nothing = evaluate_scenario(*file, {}, [](const std::string&) {});
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().front().message, "rows `files`: no row is left");
}

double value(std::string_view formula, const analytic::FormulaInputs& inputs, std::size_t column) {
  const auto output = analytic::evaluate_formula(*analytic::find_formula(formula), inputs);
  EXPECT_TRUE(output) << output.error();
  return output ? output->rows.at(0).at(column) : std::nan("");
}

double hits(double pattern, double pages, double capacity, double alpha = 0, double hot = 0,
            double share = 0) {
  return value("page-reads",
               {{"pattern", pattern},
                {"pages", pages},
                {"capacity", capacity},
                {"alpha", alpha},
                {"hot_fraction", hot},
                {"hot_share", share}},
               0);
}

TEST(LiveFormulas, PageReads) {
  EXPECT_EQ(hits(0, 100, 99), 0);
  EXPECT_EQ(hits(0, 100, 100), 1);
  EXPECT_EQ(hits(1, 400, 100), 0.25);
  EXPECT_NEAR(hits(2, 1000, 250, 0), 0.25, 1e-3) << "exponent 0 is uniform";
  EXPECT_GT(hits(2, 1000, 250, 1), 0.6);
  // A hot set much smaller than the cache always hits, a scan never.
  EXPECT_NEAR(hits(3, 100000, 5000, 0, 0.001, 0.5), 0.5, 1e-6);
  EXPECT_LT(hits(3, 100000, 1000, 0, 0.05, 0.5), 0.2);
}

// Writers with 10 MB live: held up if the middle of the limits is below that, never written if even
// the lower one is above it, else written once.
TEST(LiveFormulas, PacedWriters) {
  const auto fraction = [](double ratio) {
    return value("paced-writers",
                 {{"dirtyable", 100e6},
                  {"ratio", ratio},
                  {"background_ratio", ratio / 2},
                  {"live", 10e6},
                  {"written", 100e6},
                  {"rate", 10e6},
                  {"cpu_s", 0.5}},
                 0);
  };
  EXPECT_EQ(fraction(13), 1);
  EXPECT_NEAR(fraction(14), 0.07, 1e-12);
  EXPECT_EQ(fraction(20), 0);
}

// 4 GiB without DMA and HIGHMEM: min is 4 sqrt(4 GiB in KiB) KiB = 8192 KiB = 2048 pages, but with
// huge pages 11 blocks of 512, 5632; kept is that and 3/8 of it.
TEST(LiveFormulas, LowmemCache) {
  const double pages = 1 << 20;
  const double cached = value("lowmem-cache",
                              {{"normal_managed", pages},
                               {"dma_managed", 0},
                               {"high_managed", 0},
                               {"normal_free", pages},
                               {"dma_free", 0},
                               {"cached", 0},
                               {"page_bytes", 4096}},
                              1);
  EXPECT_NEAR(cached, (pages - 5632 * 1.375) * 448 / 449, 1);
}

}  // namespace
}  // namespace brink
