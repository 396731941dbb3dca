// The 2001 report: where the barrier is, what it looks like, which rules have it, and the traps of
// the domain notes (A1-A11), each with a test that fails when it is fallen into.
#include "models/kernels/linux_2_4.h"

#include "tests/unit/machine/watchers.h"

namespace brink::machine {
namespace {

std::string seconds_of(int n) { return "readfiles /dev/ddisk for " + std::to_string(n) + " s"; }

Rig real_disk(Rig rig) {
  rig.machine.disk_null = 0;
  rig.script = seconds_of(36);
  return rig;
}

double mb_s(const ReadfilesLine& line) { return line.bytes_per_second * 1e-6; }
double mb(const ReadfilesLine& line) { return static_cast<double>(line.position_bytes) * 1e-6; }

// Position at which the rate first falls below 10 MB/s, or -1: between the line before and this.
double barrier(const RunResult& result) {
  for (std::size_t i = 1; i < result.lines.size(); ++i) {
    if (mb_s(result.lines[i]) < 10) return mb(result.lines[i - 1]);
  }
  return -1;
}
double slowest(const RunResult& result) {
  double least = 1e9;
  for (const ReadfilesLine& line : result.lines) least = std::min(least, mb_s(line));
  return least;
}

Rig with_memory(Rig rig, std::int64_t mib, std::int64_t min_high) {
  rig.machine.memory_bytes = mib << 20;
  set_marks(rig, "high", min_high);
  rig.tunables["freepages_high"] = 384 + 765 + 3 * min_high;
  return rig;
}

void expect_barrier(const RunResult& result, double least, double most) {
  EXPECT_GE(barrier(result), least);
  EXPECT_LE(barrier(result), most);
  EXPECT_GE(mb_s(result.lines.back()), 0.22);  // the plateau, 65 ns per entry
  EXPECT_LE(mb_s(result.lines.back()), 0.45);
}

TEST(Report2001, BarrierShelfAndPlateauOnTheNullDisk) {
  const RunResult result = run(rig_2001(seconds_of(20)));
  EXPECT_GE(barrier(result), 784);
  EXPECT_LE(barrier(result), 814);
  const double observed[] = {211.754, 192.866, 175.188, 163.017};
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(mb_s(result.lines[i]), observed[i], 0.03 * observed[i]);
  // A shelf of one to two and a half MB/s for 8 to 20 MB, then a quarter of it or less.
  double first = 0, last = 0;
  for (const ReadfilesLine& line : result.lines) {
    if (mb_s(line) > 0.9 && mb_s(line) < 2.5) last = mb(line);
    if (first == 0 && last > 0) first = last;
  }
  EXPECT_GT(last - first, 8);
  EXPECT_LT(last - first, 20);
  EXPECT_NEAR(mb_s(result.lines.back()), 0.325, 0.03);  // observed 0.320-0.330
}

TEST(Report2001, RealDiskHasTheSameBarrierAndPlateau) {
  const RunResult result = run(real_disk(rig_2001("")));
  expect_barrier(result, 784, 814);
  for (int i = 1; i < 20; ++i) {
    EXPECT_GE(mb_s(result.lines[i]), 36);
    EXPECT_LE(mb_s(result.lines[i]), 39);
  }
}

TEST(Report2001, OneGigabyteHasItAtTheSamePlace) {
  const Rig rig = with_memory(rig_2001(seconds_of(22)), 1024, 255);
  expect_barrier(run(rig), 784, 830);
  expect_barrier(run(real_disk(rig)), 784, 830);
}

TEST(Report2001, NineHundredMegabytesAreFastNineHundredFiftyAreNot) {
  const RunResult fast = run(with_memory(rig_2001(seconds_of(15)), 900, 20));
  EXPECT_GT(slowest(fast), 100);
  EXPECT_GT(mb(fast.lines.back()), 1500);
  const RunResult slow = run(with_memory(rig_2001(seconds_of(22)), 950, 108));
  EXPECT_GT(barrier(slow), 700);
  EXPECT_LT(slowest(slow), 0.45);
}

// Trap A8: the place follows from buffer heads and reservation. One head per page: later.
TEST(Traps2001, FourKilobyteBlocksMoveTheBarrier) {
  Rig rig = rig_2001(seconds_of(22));
  rig.machine.block_bytes = 4096;
  rig.machine.read_burst_blocks = 16;
  const RunResult result = run(rig);
  EXPECT_NEAR(barrier(result), 857, 12);
  // Closed form of the distance: lowmem for buffers = pages (1 + heads per page * 96 / 4096).
  const double expected = (1 + 4 * 96 / 4032.) / (1 + 96 / 4032.);
  EXPECT_NEAR(barrier(result) / barrier(run(rig_2001(seconds_of(7)))), expected, 0.015);
}

// A1, S7: at the barrier the global predicate is blind (a GB is free), NORMAL sits at its minimum
// and DMA one below it with an inactive shortage of 257 = 384 - 127, as measured on 18 July 2001.
// A3, A4: no allocation fails, yet entries per page are of the size of the list.
// A6: an allocation succeeds exactly at min (">="), so no zone is ever more than one below.
TEST(Traps2001, StateOfThePlateau) {
  const Rig rig = rig_2001(seconds_of(20));
  const RunResult result = run(rig);
  const auto at = [&](std::size_t back, std::string_view name) {
    const Sample& sample = result.samples[result.samples.size() - 1 - back];
    return counter(rig, sample.counters, name);
  };
  EXPECT_GT(at(0, "free_total"), 100 * rig.tunables.at("freepages_high"));
  EXPECT_GE(at(0, "free_normal"), 254);
  EXPECT_LE(at(0, "free_normal"), 255);
  EXPECT_EQ(at(0, "free_dma"), 127);
  EXPECT_EQ(at(0, "list_dma"), 0);
  EXPECT_EQ(rig.tunables.at("high_dma") - at(0, "free_dma") - at(0, "list_dma"), 257);
  EXPECT_EQ(at(0, "alloc_fails"), 0);
  const double pages = static_cast<double>(at(1, "pages_laundered") - at(3, "pages_laundered"));
  const double entries = static_cast<double>(at(1, "entries_walked") - at(3, "entries_walked"));
  EXPECT_GT(entries / pages, 0.9 * static_cast<double>(at(0, "list_length")));
  EXPECT_GE(at(0, "list_length"), 185'000);
  EXPECT_LE(at(0, "list_length"), 200'000);
  // Somebody is always walking: daemons "go mad".
  EXPECT_GT(result.tasks[1].reclaim_ns + result.tasks[0].reclaim_ns, 10'000'000'000);
}

// One page per pass over the list while kswapd walks all the time and the program waits for the
// lock.
TEST(Report2001, PlateauIsOnePagePerPass) {
  const Rig rig = rig_2001(seconds_of(20));
  const RunResult result = run(rig);
  const auto length = static_cast<double>(counter(rig, result.end_counters, "list_length"));
  EXPECT_NEAR(mb_s(result.lines.back()), 4096 / (length * 65e-9) * 1e-6, 0.01);
}

// Without kswapd the program walks by itself, and a pass that leaves DMA short is repeated: two
// passes per page.
TEST(Report2001, WithoutKswapdTwoPassesPerPage) {
  const Rig rig = rig_2001(seconds_of(32));
  Machine machine = make(rig);
  Decider decider;
  decider.answers[site_id(rig, "kswapd_works")] = false;
  machine.observe(&decider);
  const RunResult result = machine.run();
  const auto length = static_cast<double>(counter(rig, result.end_counters, "list_length"));
  EXPECT_NEAR(mb_s(result.lines.back()), 4096 / (2 * length * 65e-9) * 1e-6, 0.01);
  EXPECT_EQ(counter(rig, result.end_counters, "entries_walked_kswapd"), 0);
}

// The pass for DMA comes first: a pass for NORMAL with DMA short comes right behind one for DMA.
TEST(Traps2001, DmaIsLaunderedFirst) {
  const Rig rig = small_2001("readfiles d until 20 MB");
  struct Order : Decider {
    int last = -1;
    std::int64_t wrong = 0, right = 0;
    void event(int event, std::int64_t, Counters c, Time) override {
      if (event == linux24::kScanBegin + linux24::kNormal && c[linux24::kFree] < 8) {
        ++(last == linux24::kScanEnd + linux24::kDma ? right : wrong);
      }
      const bool scan = event >= linux24::kScanBegin && event < linux24::kHeadsUse;
      if (scan) last = event;
      if (event == linux24::kScanBegin + linux24::kDma && c[linux24::kFree + 1] < 16) ++both;
    }
    std::int64_t both = 0;
  } order;
  order.answers[site_id(rig, "kswapd_works")] = false;
  Machine machine = make(rig);
  machine.observe(&order);
  (void)machine.run();
  EXPECT_EQ(order.wrong, 0);
  EXPECT_GT(order.both, 10);  // DMA begins while NORMAL is short too
}

// A2: without a DMA zone worth the name there is no long walk.
TEST(Traps2001, WithoutDmaNoBarrier) {
  Rig rig = rig_2001(seconds_of(10));
  rig.machine.dma_bytes = rig.machine.dma_reserved_bytes = 4096;
  const RunResult result = run(rig);
  EXPECT_GT(slowest(result), 30);
  const std::int64_t entries = counter(rig, result.end_counters, "entries_walked");
  const std::int64_t pages = counter(rig, result.end_counters, "pages_laundered");
  EXPECT_GT(pages, 10'000);
  EXPECT_LT(entries, 2 * pages);
}

// A5: pages allocated under pressure that go back to the scanned list let it recover by itself.
TEST(Traps2001, ReadmittedPagesHideThePlateau) {
  Rig rig = rig_2001(seconds_of(12));
  rig.tunables["readmit"] = 1;
  EXPECT_GT(slowest(run(rig)), 10);
}

// A9: 2.4.7 is fast because it frees far more than is asked for.
TEST(Traps2001, Rule247IsFastAndOverFrees) {
  Rig rig = rig_2001(seconds_of(9));
  rig.tunables["rule"] = 0;
  Machine machine = make(rig);
  struct Least : Observer {
    std::int64_t least = 1 << 30;
    void event(int event, std::int64_t, Counters c, Time) override {
      if (event >= linux24::kLaunderFree && event < linux24::kLaunderFree + 3) {
        least = std::min(least, c[linux24::kListLength]);
      }
    }
  } watch;
  machine.observe(&watch);
  const RunResult result = machine.run();
  EXPECT_GT(slowest(result), 150);
  EXPECT_LT(watch.least, 5000);  // of 190,000
}

TEST(Report2001, TheOtherRules) {
  Rig high = rig_2001(seconds_of(14));
  for (const char* zone : {"dma", "normal", "high"}) {
    high.tunables["target_" + std::string(zone)] = high.tunables["high_" + std::string(zone)];
  }
  const RunResult with_high = run(high);
  for (std::size_t i = 5; i < with_high.lines.size(); ++i) {
    EXPECT_GE(mb_s(with_high.lines[i]), 30);
    EXPECT_LE(mb_s(with_high.lines[i]), 150);
  }
  Rig no_skip = rig_2001(seconds_of(14));
  no_skip.tunables["skip"] = 0;
  const RunResult without = run(no_skip);
  EXPECT_GT(slowest(without), 64);
  double most = 0, least = 1e9;  // saw-tooth after the barrier
  for (std::size_t i = 5; i < without.lines.size(); ++i) {
    most = std::max(most, mb_s(without.lines[i]));
    least = std::min(least, mb_s(without.lines[i]));
  }
  EXPECT_GT(most, 1.15 * least);
  Rig pre7 = rig_2001(seconds_of(10));
  pre7.tunables["rule"] = 2;
  for (const char* zone : {"dma", "normal", "high"}) {
    pre7.tunables["total_" + std::string(zone)] = pre7.tunables["low_" + std::string(zone)];
  }
  EXPECT_GT(slowest(run(pre7)), 30);
}

// A10, A11: with one processor, or with a kswapd that is always there in time, the bug is hidden.
TEST(Traps2001, KswapdMustLag) {
  Rig instant = rig_2001(seconds_of(7));
  instant.machine.kswapd_pass_ns = 10'000;
  instant.machine.wake_ns = 2'000;
  EXPECT_GT(slowest(run(instant)), 100);
  Rig one = rig_2001(seconds_of(10));
  one.machine.cpus = 1;
  EXPECT_GT(slowest(run(one)), 5);
}

TEST(Small2001, InvariantsHoldUnderEveryRule) {
  for (const std::int64_t rule : {0, 1, 2}) {
    for (const std::int64_t disk_null : {0, 1}) {
      Rig rig = small_2001("readfiles d until 20 MB");
      rig.tunables["rule"] = rule;
      rig.machine.disk_null = disk_null;
      rig.machine.time_limit_ns = 150'000'000;
      const RunResult result = run(rig);
      EXPECT_NE(result.ending, Ending::stuck);
      EXPECT_GT(counter(rig, result.end_counters, "buffer_pages"), 1000);
    }
  }
}

TEST(Small2001, CountersChangeOnlyWithEventsAndOneEventIsOneChange) {
  for (const std::int64_t rule : {0, 1, 2}) {
    Rig rig = small_2001("readfiles d until 20 MB");
    rig.tunables["rule"] = rule;
    rig.machine.check_invariants = 0;
    Bookkeeper books(rig, {"entries_walked", "entries_walked_reader", "entries_walked_kswapd"}, {});
    Machine machine = make(rig);
    books.last.assign(machine.counters().begin(), machine.counters().end());
    machine.observe(&books);
    const RunResult watched = machine.run();
    EXPECT_TRUE(books.problems.empty()) << testing::PrintToString(books.problems);
    EXPECT_EQ(books.last, watched.end_counters);
    EXPECT_GT(books.events[event_id(rig, "launder.free.normal")], 100);
    EXPECT_EQ(watched.end_ns, run(rig).end_ns);  // watching changes nothing
  }
}

// Whatever an observer answers, the machine neither breaks nor hangs.
TEST(Small2001, EveryDecisionCanBeForced) {
  for (int site = 0; site < linux24::kSites; ++site) {
    for (const bool answer : {false, true}) {
      Rig rig = small_2001("readfiles d until 13 MB");
      rig.machine.time_limit_ns = 80'000'000;
      rig.machine.check_invariants = 0;
      Machine machine = make(rig);
      Decider decider;
      decider.answers[site] = answer;
      machine.observe(&decider);
      const RunResult result = machine.run();
      EXPECT_NE(result.ending, Ending::stuck) << site << answer;
    }
  }
}

// The hook decides: told that every zone may be taken, the allocator never launders.
TEST(Small2001, DecisionsAreObeyed) {
  Rig rig = small_2001("readfiles d until 10 MB");
  const std::int64_t limit = counter(rig, run(rig).end_counters, "free_normal");
  Machine machine = make(rig);
  Decider decider;
  decider.answers[site_id(rig, "take_low_normal")] = true;
  machine.observe(&decider);
  const RunResult result = machine.run();
  EXPECT_GE(limit, 15);
  EXPECT_LT(counter(rig, result.end_counters, "free_normal"), 15);
}

// Walking up to the next event in one go is the same as waking up at every entry: a machine that is
// disturbed all the time by events that do nothing must end in the same state.
struct Metronome {
  Engine& engine;
  Time period;
  static void tick(void* object, std::int64_t) {
    auto& self = *static_cast<Metronome*>(object);
    self.engine.after(self.period, tick, object, 0);
  }
};

Co<> read_all(Kernel& kernel, std::int64_t bytes) {
  Process& self = co_await this_process();
  for (std::int64_t at = 0; at < bytes; at += 65536) {
    co_await kernel.device()->read_device(self, at, 65536);
  }
}

std::vector<std::int64_t> end_state(const Rig& rig, Time period, Time& end) {
  const KernelRow& row = **find_kernel(rig.kernel);
  Engine engine(2, rig.machine.wake_ns);
  Probe probe(engine, row.counters.size());
  const auto tunables = read_tunables(row.tunables, rig.tunables);
  auto kernel = row.make(rig.machine, *tunables, engine, probe);
  Process& root = engine.spawn("r", read_all(**kernel, 16'000'000), false);
  (*kernel)->boot();
  Metronome metronome{engine, period};
  if (period > 0) Metronome::tick(&metronome, 0);
  EXPECT_EQ(engine.run(root, 60'000'000'000), Engine::Stop::done);
  end = engine.now();
  return probe.counters();
}

TEST(Small2001, RunsOfEntriesAreTheSameAsSingleEntries) {
  Rig rig = small_2001("readfiles d 1 MB");
  rig.machine.page_ns = 10'010;  // multiples of the entry cost and of the metronome's period
  rig.machine.page_ns_per_1000_cached = 0;
  rig.machine.list_entry_ns = 65;
  rig.machine.kswapd_pass_ns = 20'020;
  rig.machine.wake_ns = 2'015;
  rig.machine.kreclaimd_pass_ns = 1'950;
  Time free_end = 0, disturbed_end = 0;
  const auto free = end_state(rig, 0, free_end);
  const auto disturbed = end_state(rig, 65, disturbed_end);
  EXPECT_GT(free[linux24::kEntriesWalked], 10'000);
  EXPECT_EQ(free, disturbed);
  EXPECT_EQ(free_end, disturbed_end);
}

}  // namespace
}  // namespace brink::machine
