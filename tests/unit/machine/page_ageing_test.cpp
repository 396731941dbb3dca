// The kernel of 1998, and the traps of its report: each test fails when its trap is fallen into.
#include <set>

#include "tests/unit/machine/watchers.h"

namespace brink::machine {
namespace {

// The mail's load with a fifth of its files.
std::string load(const std::string& before_boot_files = "") {
  return "program X 7 MiB text 2 MiB idle 60 % every 1 s\n"
         "program netscape 8 MiB text 4 MiB idle 70 % every 60 s\n"
         "program rest 11 MiB text 4 MiB split 20 idle 75 % every 30 s\n" +
         before_boot_files +
         "\nfileset boot 40 250 KiB to 400 KiB\nstream boot\nbuffers 4292 KiB\n"
         "fileset mp3 50 3 MiB to 4.8 MiB\nvmstat 10 s\npause 20 s\nstream mp3\npause 10 s";
}

double swapped_mb(std::int64_t ageings, std::uint64_t seed = 1, const std::string& tunable = "",
                  std::int64_t value = 0) {
  Rig rig = rig_1998(load(), ageings);
  if (!tunable.empty()) rig.tunables[tunable] = value;
  auto made = make_machine(rig.machine, rig.kernel, rig.tunables, rig.script, seed);
  const RunResult result = made->run();
  return static_cast<double>(counter(rig, result.end_counters, "swap_outs")) / 256;
}

// Trap 13: ages that are spread evenly never make the clock fail, so nothing is ever swapped.
TEST(PageAgeing, OnlyACohortOfEqualAgeSwaps) {
  EXPECT_EQ(swapped_mb(1, 1, "spread_ages", 1), 0);
  EXPECT_EQ(swapped_mb(3, 1, "spread_ages", 1), 0);
  EXPECT_GT(swapped_mb(1), 10);
}

// Trap 23: the order of the means, not one number.
TEST(PageAgeing, MoreAgeingsSwapLess) {
  double out[4] = {0, 0, 0, 0};
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    for (int ageings = 1; ageings <= 3; ++ageings) out[ageings] += swapped_mb(ageings, seed);
  }
  EXPECT_GT(out[1], out[2]);
  EXPECT_GT(out[2], out[3]);
}

// Trap 15: beginning with the clock every time is 2.1.108, and swaps less.
TEST(PageAgeing, TheStateIsSticky) { EXPECT_LT(swapped_mb(1, 1, "clock_first", 1), swapped_mb(1)); }

// Trap 21 and the mail: floors are reached exactly, and the sum never moves.
TEST(PageAgeing, FloorAndConstantSum) {
  const RunResult result = run(rig_1998(load()));
  std::int64_t least = 1 << 30;
  std::set<std::int64_t> sums;
  for (const VmstatLine& line : result.vmstat) {
    least = std::min(least, line.buffer_kib);
    sums.insert(line.free_kib + line.buffer_kib + line.cache_kib - line.swapped_kib);
  }
  EXPECT_EQ(least, 1964) << "3 % of 16384 pages";
  EXPECT_EQ(sums.size(), 1u);
}

// Trap 17: 75 % is no cap, and 30 % is exceeded for good.
TEST(PageAgeing, TheMaximaAreNoCaps) {
  const Rig rig = rig_1998(load());
  std::int64_t most = 0;
  for (const VmstatLine& line : run(rig).vmstat) most = std::max(most, line.cache_kib);
  EXPECT_GT(most, 65536 * 75 / 100);
}

// Trap 18: the jumps of free memory are disposed inodes, not reclaim.
TEST(PageAgeing, InodesAreDisposedOnlyIn2_1_110) {
  for (const std::int64_t dispose : {0, 1}) {
    Rig rig = rig_1998(load());
    rig.tunables["dispose"] = dispose;
    const RunResult result = run(rig);
    EXPECT_EQ(counter(rig, result.end_counters, "inodes_disposed") > 0, dispose == 1);
  }
}

// Trap 22: a page that is swapped out is page cache until it has been written and the clock comes.
TEST(PageAgeing, SwapOutFreesNothingAtOnce) {
  const Rig rig = rig_1998(load());
  struct Watch : Observer {
    int event_id, free, cache;
    std::int64_t before = 0, outs = 0, moved = 0;
    void event(int event, std::int64_t, Counters counters, Time) override {
      if (event == event_id) {
        ++outs;
        moved += counters[free] != before;
      }
      before = counters[free];
    }
  } watch;
  watch.event_id = event_id(rig, "swap.out");
  watch.free = row_index((*find_kernel(rig.kernel))->counters, "free_pages");
  Machine machine = make(rig);
  machine.observe(&watch);
  machine.run();
  EXPECT_GT(watch.outs, 1000);
  EXPECT_EQ(watch.moved, 0);
}

TEST(PageAgeing, SeedsDifferAndRepeat) {
  const auto text = [](std::uint64_t seed) {
    const Rig rig = rig_1998(load());
    auto made = make_machine(rig.machine, rig.kernel, rig.tunables, rig.script, seed);
    return run_text(made->run());
  };
  EXPECT_EQ(text(3), text(3));
  EXPECT_NE(text(3), text(4));
}

TEST(PageAgeing, ListsAndCountersAgreeAfterEveryEvent) {
  Rig rig = rig_1998(
      "program p 2 MiB text 500 KiB split 5 idle 50 % every 200 ms\nbuffers 300 KiB\n"
      "fileset f 40 300 KiB\nrepeat 2 { stream f }\nwrite a 1 MiB; copy a b; sync; remove a");
  rig.machine.memory_bytes = 5 << 20;
  rig.machine.reserved_bytes = 0;
  rig.machine.check_invariants = 1;
  rig.tunables["frames"] = 1280;
  rig.tunables["min"] = 10;
  rig.tunables["low"] = 20;
  rig.tunables["high"] = 30;
  EXPECT_EQ(run(rig).ending, Ending::finished);
}

}  // namespace
}  // namespace brink::machine
