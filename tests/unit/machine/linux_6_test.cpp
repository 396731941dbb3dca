// linux-6: its rules in closed form, and its traps; each test fails when its trap is fallen into.
#include "models/kernels/linux_6.h"

#include <fmt/format.h>

#include "tests/unit/machine/watchers.h"

namespace brink::machine {
namespace {

struct Outcome {
  Rig rig;
  RunResult result;
  std::int64_t operator[](std::string_view name) const {
    return counter(rig, result.end_counters, name);
  }
  double hit_ratio(std::size_t access = 0) const {
    const AccessRun& run = result.accesses.at(access);
    return static_cast<double>(run.hits) / static_cast<double>(run.reads);
  }
  double elapsed(std::size_t test = 0) const {
    return static_cast<double>(result.tests.at(test).elapsed_ns) * 1e-9;
  }
};

Outcome outcome(Rig rig) {
  RunResult result = run(rig);
  return {std::move(rig), std::move(result)};
}

Outcome with(std::string script, const Tunables& tunables = {},
             std::int64_t memory_bytes = 64 << 20) {
  Rig rig = rig_6(std::move(script), memory_bytes);
  rig.tunables = tunables;
  return outcome(rig);
}

/// The counter's largest value at any event.
struct Largest : Observer {
  explicit Largest(int index) : index(index) {}
  void event(int, std::int64_t, Counters counters, Time) override {
    most = std::max(most, counters[static_cast<std::size_t>(index)]);
  }
  int index;
  std::int64_t most = 0;
};

std::int64_t largest(const Rig& rig, std::string_view name) {
  Largest watcher(row_index((*find_kernel(rig.kernel))->counters, name));
  Machine machine = make(rig);
  machine.observe(&watcher);
  machine.run();
  return watcher.most;
}

// --- Marks ---

// sqrt(16 * KiB of low memory); with huge pages 11 blocks of 512 pages a zone, at most 5 % of low
// memory, and nothing of it below 512 MiB. The pages are those of guests that were measured.
TEST(Linux6, MinFreeFollowsFromTheSizeOfMemory) {
  using linux_6::min_free_kb;
  EXPECT_EQ(min_free_kb(7316, 7316, 1, 4096, false), 684);
  EXPECT_EQ(min_free_kb(216037, 515012, 3, 4096, false), 3718);
  EXPECT_EQ(min_free_kb(216037, 515012, 3, 4096, true), 216037 / 20 * 4);
  EXPECT_EQ(min_free_kb(1 << 20, 1 << 20, 2, 4096, true), 2 * 11 * 512 * 4);
  EXPECT_EQ(min_free_kb(125732, 125732, 2, 4096, true), 2836) << "502928 KiB are too few";
}

// 64 MiB: min 256, low 320, high 384 pages. A stream leaves free memory between low and high, plus
// what the last round of kswapd, which doubles its reach each time, freed beyond it.
TEST(Linux6, KswapdKeepsFreeMemoryBetweenLowAndHigh) {
  const Outcome stream = with("fileset big 1 200 MiB; stream big");
  EXPECT_GE(stream["free_pages"], 320 - 32);
  EXPECT_LE(stream["free_pages"], 2 * 384);
}

// A tenth of memory between the marks: low = 256 + 1638, high = 256 + 2 * 1638.
TEST(Linux6, WatermarkScaleFactorSpreadsTheMarks) {
  const Outcome stream =
      with("fileset big 1 200 MiB; stream big", {{"watermark_scale_factor", 1000}});
  EXPECT_GE(stream["free_pages"], 1894 - 32);
  EXPECT_LE(stream["free_pages"], 2 * 3532);
}

TEST(Linux6, MinFreeKbytesMovesAllMarks) {
  const Outcome stream = with("fileset big 1 200 MiB; stream big", {{"min_free_kbytes", 8192}});
  EXPECT_GE(stream["free_pages"], 2048 + 512 - 32);
}

// Beyond 512 pages the kernel's own need a block of another kind; 5000 inodes are 1250 pages.
TEST(Linux6, FragmentationBoostsTheMarksUntilKswapdHasWorkedItOff) {
  const std::string script =
      "fileset many 5000 4 KiB; stream many; fileset big 1 80 MiB; stream big";
  Rig rig = rig_6(script);
  EXPECT_GE(largest(rig, "boost_pages"), 512);
  EXPECT_EQ(outcome(rig)["boost_pages"], 0);
  rig.tunables["watermark_boost_factor"] = 0;
  EXPECT_EQ(largest(rig, "boost_pages"), 0);
}

// --- Lists ---

TEST(Linux6, TheSecondReadActivatesAndAWriteIsNone) {
  EXPECT_EQ(with("fileset f 1 4 MiB; stream f")["active_file_pages"], 0);
  EXPECT_EQ(with("fileset f 1 4 MiB; stream f; stream f")["active_file_pages"], 1024);
  EXPECT_EQ(with("write f 4 MiB; read f")["active_file_pages"], 0) << "a write is no access";
  EXPECT_EQ(with("write f 4 MiB; read f; read f")["active_file_pages"], 1024);
}

TEST(Linux6, ReadingOnInOnePageIsOneAccess) {
  EXPECT_EQ(with("place f 4 KiB; access f 100 random")["active_file_pages"], 0);
  EXPECT_EQ(with("place f 8 KiB; access f 100 cyclic")["active_file_pages"], 2);
}

// 31 of 40 activations are done, 9 wait; on one CPU none waits.
TEST(Linux6, ActivationsAreGathered) {
  const std::string script = "place f 160 KiB; access f 80 cyclic";
  EXPECT_EQ(with(script)["active_file_pages"], 40);
  EXPECT_EQ(with(script, {{"activation_batch", 31}})["active_file_pages"], 31);
}

// A pages are active, I = M - A are left for the others. A cyclic file of D pages comes back after
// D - I evictions: at once active if that is at most A, so if D is at most M.
TEST(Linux6, RefaultDistanceIsMeasuredAgainstTheActiveList) {
  const auto activated = [](std::int64_t pages) {
    const Outcome run = with(
        fmt::format("fileset hot 1 4 MiB; stream hot; stream hot; place data {} KiB; access data 1 "
                    "cyclic warm {}",
                    pages * 4, pages + pages / 2),
        {{"memory_max", 4096}});
    return run["refaults_activated"];
  };
  EXPECT_GT(activated(3900), 500);
  EXPECT_EQ(activated(4300), 0);
}

TEST(Linux6, ACyclicFileHitsAlwaysOrNever) {
  const auto hits = [](std::int64_t kib) {
    return with(fmt::format("place data {} KiB; access data 9000 cyclic warm 9000", kib),
                {{"memory_max", 4096}})
        .hit_ratio();
  };
  EXPECT_EQ(hits(16000), 1);
  EXPECT_EQ(hits(16500), 0);
}

// Under random reads the hit ratio is the share of the file that is there.
TEST(Linux6, RandomReadsHitInProportion) {
  const Outcome run =
      with("place data 32 MiB; access data 40000 random warm 40000", {{"memory_max", 4096}});
  EXPECT_NEAR(run.hit_ratio(), 0.494, 0.01);
}

// --- Programs and swap ---

constexpr const char* kIdle =
    "program idle 20 MiB idle 100 %; place data {} MiB; access data {} random warm {}";

Outcome pressed(std::int64_t swappiness, std::int64_t swap_pages = 65536) {
  return with(fmt::format(kIdle, 16, 20000, 40000),
              {{"swappiness", swappiness}, {"swap_pages", swap_pages}}, 36 << 20);
}

TEST(Linux6, SwappinessZeroSwapsNothingAndMoreSwapsSooner) {
  const Outcome none = pressed(0), some = pressed(20), much = pressed(100);
  EXPECT_EQ(none["swap_outs"], 0);
  EXPECT_EQ(pressed(100, 0)["swap_outs"], 0) << "nowhere to swap";
  EXPECT_LT(none.hit_ratio(), some.hit_ratio());
  EXPECT_LT(some.hit_ratio(), much.hit_ratio());
}

// Cache trim: a stream refaults nothing and has inactive pages enough.
TEST(Linux6, AStreamSwapsNothingWhateverTheSwappiness) {
  const std::string script = "program idle 20 MiB idle 100 %; fileset big 1 200 MiB; stream big";
  for (const std::int64_t swappiness : {0, 60, 200}) {
    const Outcome run = with(script, {{"swappiness", swappiness}, {"swap_pages", 65536}});
    EXPECT_EQ(run["swap_outs"], 0) << swappiness;
  }
}

// A page that its program uses is spared and, used again, activated; an idle one goes.
TEST(Linux6, PagesInUseStayWhenIdleOnesGo) {
  const Outcome run = with(
      "program busy 4 MiB idle 0 % every 2 ms; program idle 16 MiB idle 100 %; place data 16 "
      "MiB; access data 20000 random warm 60000",
      {{"swappiness", 100}, {"swap_pages", 65536}}, 36 << 20);
  EXPECT_GT(run["swap_outs"], 500);
  EXPECT_LT(run["swap_ins"], run["swap_outs"] / 4);
  EXPECT_GT(run["active_anon_pages"], 500);
}

// --- The memory group ---

TEST(Linux6, AGroupNeverHoldsMoreThanItsLimit) {
  Rig rig = rig_6("fileset f 50 400 KiB to 800 KiB; stream f; write g 20 MiB");
  rig.tunables = {{"memory_max", 2048}};
  EXPECT_LE(largest(rig, "charged_pages"), 2048 + 2);
  EXPECT_GT(largest(rig, "charged_pages"), 1900);
}

TEST(Linux6, MemoryHighSlowsDownWhatMemoryMaxWouldStop) {
  const std::string script =
      "program big 16 MiB idle 100 %; test T { fileset f 1 8 MiB; stream f }";
  const Outcome free = with(script), slow = with(script, {{"memory_high", 3000}});
  EXPECT_GT(slow.elapsed(), 3 * free.elapsed());
  EXPECT_GT(slow["anon_pages"], 3000) << "it goes on above the limit";
}

// --- Dirty pages ---

// 16384 pages, all free but for the reserve of 384: 20 and 10 % of 16001.
TEST(Linux6, DirtyLimitsAreSharesOfDirtyableMemory) {
  const Outcome plain = with("pause 1 s");
  EXPECT_EQ(plain["dirty_limit_pages"], 3200);
  EXPECT_EQ(plain["background_limit_pages"], 1600);
  const Outcome bytes =
      with("pause 1 s", {{"dirty_bytes", 8 << 20}, {"dirty_background_bytes", 1 << 20}});
  EXPECT_EQ(bytes["dirty_limit_pages"], 2048) << "bytes win over ratios";
  EXPECT_EQ(bytes["background_limit_pages"], 256);
  EXPECT_EQ(with("pause 1 s", {{"dirty_background_ratio", 50}})["background_limit_pages"], 1600)
      << "a lower limit above the other one is half of it";
}

TEST(Linux6, BelowTheMiddleOfTheLimitsNobodyWaits) {
  // Live: 4 writers of 3 + 1 files of 256 KiB, 1024 pages; limits 3200 and 1600.
  const Outcome quiet = with("test T { churn 4 256 KiB rounds 40 keep 3 }");
  EXPECT_EQ(quiet["writer_pauses"], 0);
  EXPECT_EQ(quiet["pages_written"], 0) << "what is removed in time is never written";
  Rig rig = rig_6("test T { churn 4 256 KiB rounds 40 keep 3 }");
  rig.machine.disk_latency_ns = 0;
  rig.machine.disk_rate_bytes_per_s = 10'000'000;
  rig.tunables = {{"dirty_ratio", 2}, {"dirty_background_ratio", 1}};
  const Outcome held = outcome(rig);
  EXPECT_GT(held["writer_pauses"], 10);
  EXPECT_GT(held["pages_written"], 8000) << "of 10240";
  EXPECT_NEAR(held.elapsed() / (static_cast<double>(held["pages_written"]) * 4096 / 10e6), 1, 0.1)
      << "at the disk's rate";
}

TEST(Linux6, WhatIsOldIsWritten) {
  const auto written = [](const std::string& pause, const Tunables& tunables = {}) {
    return with("write g 4 MiB; sync; write f 1 MiB; pause " + pause, tunables)["pages_written"] -
           1024;
  };
  EXPECT_EQ(written("29 s"), 0);
  EXPECT_EQ(written("36 s"), 256);
  EXPECT_EQ(written("11 s", {{"dirty_expire_centisecs", 500}}), 256);
}

// A device that has never written anything has no share of the limits: once the flusher looks, it
// stops only when nothing is dirty.
TEST(Linux6, TheFirstFlushOfADeviceLeavesNothing) {
  EXPECT_EQ(with("write f 1 MiB; pause 6 s")["pages_written"], 256);
}

// --- Zones ---

Rig highmem(std::string script) {
  Rig rig = rig_6(std::move(script), 96 << 20);
  rig.machine.dma_bytes = 4 << 20;
  rig.machine.lowmem_bytes = 48 << 20;
  return rig;
}

TEST(Linux6, ARawDeviceIsCachedInLowMemoryOnly) {
  const Outcome raw = outcome(highmem("readfiles d until 90 MiB"));
  EXPECT_EQ(raw["free_high_pages"], 48 << 8);
  EXPECT_LT(raw["file_pages"], 48 << 8);
  const Outcome file = outcome(highmem("fileset f 1 40 MiB; stream f"));
  EXPECT_GT(file["free_normal_pages"], (44 << 8) - 200) << "files come from HIGHMEM first";
  EXPECT_LT(file["free_high_pages"], (8 << 8) + 100);
}

// DMA keeps 1/256 of NORMAL above its low mark: 12288 pages of low memory have min 221; DMA has
// 1/12 of it, 18, low 22; 11264 / 256 = 44.
TEST(Linux6, LowmemReserveKeepsDma) {
  const Outcome raw = outcome(highmem("readfiles d until 90 MiB"));
  EXPECT_GE(raw["free_dma_pages"], 18 + 44);
  EXPECT_LE(raw["free_dma_pages"], 22 + 44 + 40);
}

TEST(Linux6, KernelsWithoutRawDevicesSayWhere) {
  const auto made = make_machine(rig_2002("").machine, "linux-2.5.52", rig_2002("").tunables,
                                 "pause 1 s; readfiles d 1 MB", 1);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().message(),
            "1:12: readfiles: this kernel has files in pages, no raw devices");
}

// --- Slab, read-ahead ---

TEST(Linux6, VfsCachePressureDecidesAboutInodes) {
  const auto left = [](std::int64_t pressure) {
    return with("fileset many 20000 4 KiB; stream many; fileset big 1 400 MiB; stream big",
                {{"vfs_cache_pressure", pressure}})["inodes"];
  };
  EXPECT_EQ(left(0), 20001);
  EXPECT_LT(left(100), 19500);
  EXPECT_LT(left(1000), left(100) - 1000);
}

// 64 pages a node, 7 nodes a page: 3200 pages of a file take 50 nodes, 8 pages.
TEST(Linux6, TheIndexOfThePageCacheTakesPages) {
  const Outcome run = with("place f 12800 KiB; access f 3200 cyclic");
  EXPECT_EQ(run["file_pages"], 3200);
  EXPECT_EQ(run["buffer_pages"], 8);
  EXPECT_EQ(with("write f 12800 KiB; remove f")["buffer_pages"], 0);
}

// Windows of 4, 8, 16, 32, 32 pages: a file of 92 pages takes one miss, the rest comes ahead.
TEST(Linux6, ReadAheadGrowsAndRandomReadsHaveNone) {
  const Outcome ahead = with("place f 368 KiB; access f 92 cyclic ahead");
  EXPECT_EQ(ahead["pages_read"], 92);
  EXPECT_GE(ahead.result.accesses[0].hits, 60);
  const Outcome plain = with("place f 368 KiB; access f 92 cyclic");
  EXPECT_EQ(plain.result.accesses[0].hits, 0);
  EXPECT_EQ(with("place f 40 MiB; access f 1 random ahead")["pages_read"], 1);
}

// --- History ---

// Any run gives some hundreds of samples, evenly apart, each of all counters; uses add up in each.
TEST(History, IsThinnedToEvenDistances) {
  const Outcome run = with("repeat 40 { write f 1 MiB; remove f; pause 100 ms }");
  const auto& history = run.result.history;
  ASSERT_GT(history.size(), kMostHistory / 4);
  ASSERT_LE(history.size(), kMostHistory);
  const std::size_t counters = run.result.end_counters.size();
  for (std::size_t i = 0; i < history.size(); ++i) {
    ASSERT_EQ(history[i].counters.size(), counters) << i;
    EXPECT_TRUE(i == 0 || history[i - 1].at < history[i].at);
    const auto at = [&](std::string_view name) {
      return counter(run.rig, history[i].counters, name);
    };
    EXPECT_EQ(at("free_pages") + at("file_pages") + at("buffer_pages"), at("usable_pages")) << i;
  }
}

// --- All of it ---

TEST(Linux6, InvariantsHoldWithFaultsInjected) {
  Rig rig = rig_6(
      "program p 2 MiB text 400 KiB idle 50 % every 50 ms\n"
      "fileset f 20 20 KiB to 400 KiB; place d 6 MiB\n"
      "repeat 3 { stream f; access d 600 zipf; write w 2 MiB; churn 2 64 KiB rounds 3 keep 1; "
      "remove w; readfiles r 1 MiB }\n"
      "set swappiness 100; write w 6 MiB; access d 900 random ahead; sync",
      12 << 20);
  rig.machine.check_invariants = 1;
  rig.machine.fault_disk_ppm = 50'000;
  rig.machine.fault_delay_ns = 3'000'000;
  rig.machine.fault_alloc_ppm = 30'000;
  rig.tunables = {{"swap_pages", 65536}, {"memory_max", 2600}, {"activation_batch", 5}};
  const Outcome run = outcome(rig);
  EXPECT_EQ(run.result.ending, Ending::finished);
  EXPECT_EQ(run["dirty_pages"] + run["writeback_pages"], 0);
  EXPECT_EQ(outcome(rig).result.end_counters, run.result.end_counters) << "deterministic";
}

TEST(Linux6, LimitsOfDescriptionsAreNamed) {
  const auto error = [](Rig rig) {
    const auto made = make_machine(rig.machine, rig.kernel, rig.tunables, rig.script, 1);
    return made ? std::string() : made.error().message();
  };
  Rig rig = highmem("pause 1 s");
  rig.machine.dma_bytes = 50 << 20;
  EXPECT_EQ(error(rig), "machine dma_bytes: leaves nothing of zone NORMAL");
  rig = rig_6("pause 1 s");
  rig.tunables = {{"memory_max", 20}, {"group_kernel_pages", 30}};
  EXPECT_EQ(error(rig), "tunable memory_max: must exceed group_kernel_pages");
  rig.tunables = {{"swappyness", 60}};
  EXPECT_NE(error(rig).find("swappiness"), std::string::npos);
}

}  // namespace
}  // namespace brink::machine
