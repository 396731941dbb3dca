// The kernel of 2000, and the traps of its report; the elevator of that year.
#include "models/machine/disk.h"
#include "tests/unit/machine/watchers.h"

namespace brink::machine {
namespace {

std::string load(const std::string& seconds = "40 s", const std::string& old = "470") {
  return "fileset old " + old + " 1 MiB\nstream old\nbuffers 16 MiB\ndbench 32 3 MB for " + seconds;
}

double rate(const DbenchRun& run) {
  return static_cast<double>(run.written_bytes) / 1e6 /
         (static_cast<double>(run.elapsed_ns) * 1e-9);
}
double rate(const Rig& rig) { return rate(run(rig).dbench.at(0)); }

Rig with(std::int64_t subtract, std::int64_t nfract = 40) {
  Rig rig = rig_2000(load());
  rig.tunables["subtract"] = subtract;
  rig.tunables["nfract"] = nfract;
  return rig;
}

TEST(DirtyBalance, TheTwoRules) {
  const double fast = rate(with(0)), slow = rate(with(1));
  EXPECT_NEAR(fast, 42, 2);
  EXPECT_GT(fast / slow, 5);
}

// Trap B1: if the limit were a share of RAM, 95 % would cure it.
TEST(DirtyBalance, NinetyFivePercentDoesNotCure) {
  EXPECT_LT(rate(with(1, 95)), rate(with(0)) / 3);
}

// Trap B2: files that are deleted while dirty never reach the disk.
TEST(DirtyBalance, DeletionKeepsDataFromTheDisk) {
  const Rig rig = with(0);
  const RunResult result = run(rig);
  EXPECT_LT(counter(rig, result.end_counters, "pages_written"), 100);
  EXPECT_GT(result.dbench[0].written_bytes, std::int64_t{1} << 30);
}

// Trap B3: a writer waits for a pass of bdflush, not for its own data, so there are many pages
// written for each time a writer waits.
TEST(DirtyBalance, WritersWaitForPasses) {
  const Rig rig = with(1);
  struct Watch : Observer {
    int wait = 0, pass = 0;
    std::int64_t waits = 0, passes = 0;
    void event(int event, std::int64_t, Counters, Time) override {
      waits += event == wait;
      passes += event == pass;
    }
  } watch;
  watch.wait = event_id(rig, "writer.wait");
  watch.pass = event_id(rig, "bdflush.pass");
  Machine machine = make(rig);
  machine.observe(&watch);
  const RunResult result = machine.run();
  EXPECT_GT(watch.waits, watch.passes) << "a pass wakes every writer that waits";
  EXPECT_GT(counter(rig, result.end_counters, "pages_written"), 4 * watch.waits);
}

// Trap B5: T without the page cache falls with every page a writer takes; T with it does not.
TEST(DirtyBalance, TheBaseFallsWhileTheCacheFills) {
  for (const std::int64_t subtract : {0, 1}) {
    Rig rig = rig_2000("write a 100 MiB; sync");
    rig.tunables["subtract"] = subtract;
    Machine machine = make(rig);
    const int base = row_index((*find_kernel(rig.kernel))->counters, "dirty_base");
    const std::int64_t before = machine.counters()[base];
    const RunResult result = machine.run();
    EXPECT_EQ(before - result.end_counters[base], subtract * 100 * 256);
  }
}

// Trap B6: history decides. The same load with the same settings, before and after one big read.
TEST(DirtyBalance, TwoStableStates) {
  const Rig rig = rig_2000(
      "buffers 16 MiB\ndbench 32 3 MB for 30 s\nfileset old 440 1 MiB; stream old\n"
      "dbench 32 3 MB for 30 s; pause 100 s; dbench 32 3 MB for 60 s\nremove old\n"
      "dbench 32 3 MB for 30 s");
  const std::vector<DbenchRun> runs = run(rig).dbench;
  ASSERT_EQ(runs.size(), 4u);
  EXPECT_NEAR(rate(runs[0]), 42, 2);
  EXPECT_LT(rate(runs[1]), 10);
  EXPECT_LT(rate(runs[2]), 10) << "nothing has been read for minutes";
  EXPECT_NEAR(rate(runs[3]), 42, 4);
}

TEST(DirtyBalance, CountersAgreeAfterEveryEvent) {
  Rig rig =
      rig_2000("fileset f 6 1 MiB; stream f; buffers 200 KiB\ndbench 3 200 KiB for 500 ms; sync");
  rig.machine.memory_bytes = 5 << 20;
  rig.machine.reserved_bytes = 0;
  rig.machine.check_invariants = 1;
  rig.tunables["min"] = 10;
  rig.tunables["low"] = 20;
  rig.tunables["high"] = 30;
  for (const std::int64_t subtract : {0, 1}) {
    rig.tunables["subtract"] = subtract;
    EXPECT_EQ(run(rig).ending, Ending::finished);
  }
}

// The elevator of 2.3.46: a request behind the arm is passed over a bounded number of times.
struct Stream {
  Engine engine{1, 0};
  Disk disk;
  std::int64_t next = 100, served = 0, behind_after = -1;
  explicit Stream(const MachineDescription& m) : disk(m, engine, done, this) {}
  static void done(void* object, std::int64_t tag) {
    Stream& s = *static_cast<Stream*>(object);
    if (tag < 0) {
      s.behind_after = s.served - 10;
      return;
    }
    if (++s.served == 10) s.disk.submit(1, false, -1);
    s.next += 2;  // in front of the arm, never behind it
    if (s.served < 5000) s.disk.submit(s.next, false, 1);
  }
};

std::int64_t passed_over(std::int64_t elevator, std::int64_t bypass,
                         std::int64_t* seeks = nullptr) {
  MachineDescription m = rig_2000("sync").machine;
  m.disk_elevator = elevator;
  m.disk_read_bypass = bypass;
  Stream stream(m);
  stream.disk.submit(stream.next, false, 1);
  stream.next += 2;
  stream.disk.submit(stream.next, false, 1);
  WaitQueue queue;
  const auto idle = [](Engine& engine, WaitQueue& q) -> Co<> {
    Process& self = co_await this_process();
    co_await engine.sleep(self, q);
  };
  Process& root = stream.engine.spawn("idle", idle(stream.engine, queue), false);
  stream.engine.run(root, 1'000'000'000'000'000);
  if (seeks) *seeks = stream.disk.seeks();
  return stream.behind_after;
}

TEST(Elevator, PlainStarvesTheRequestBehindTheArm) { EXPECT_GE(passed_over(0, 0), 4900); }
TEST(Elevator, BoundedServesItInTime) {
  for (const std::int64_t bypass : {0, 1, 16, 128}) {
    const std::int64_t passed = passed_over(1, bypass);
    EXPECT_GE(passed, 0);
    EXPECT_LE(passed, bypass + 1) << bypass;
  }
}

// Faults: nothing is lost, whatever the disk and the allocator do.
TEST(Faults, InvariantsHoldUnderInjectedFaults) {
  for (const std::string_view kernel :
       {"linux-1.3.24", "linux-1.3.78", "linux-2.1.110", "linux-2.3.47", "linux-2.4.19",
        "linux-2.5.52", "linux-6"}) {
    Rig rig = rig_of(kernel);
    const bool paging = kernel.find("1.3") == std::string_view::npos;
    rig.machine.memory_bytes = 4 << 20;
    rig.machine.reserved_bytes = 0;
    rig.machine.held_pages = 0;
    rig.machine.check_invariants = 1;
    rig.machine.fault_disk_ppm = 200'000;
    rig.machine.fault_delay_ns = 30'000'000;
    rig.machine.fault_alloc_ppm = 100'000;
    for (auto& [name, value] : rig.tunables) {
      if (name == "min") value = 20;
      if (name == "low") value = 30;
      if (name == "high") value = 40;
      if (name == "guard") value = 40;
      if (name == "frames") value = 1024;
    }
    rig.script =
        std::string(paging ? "program p 1 MiB text 200 KiB idle 50 % every 100 ms\n" : "") +
        "write a 2 MiB; sync; write b 1 MiB; read a; copy b c; sync; remove a; read c; sync";
    for (const std::uint64_t seed : {1, 2}) {
      auto made = make_machine(rig.machine, rig.kernel, rig.tunables, rig.script, seed);
      ASSERT_TRUE(made) << made.error().message();
      const RunResult result = made->run();
      EXPECT_EQ(result.ending, Ending::finished) << kernel;
      if (paging) {
        EXPECT_EQ(counter(rig, result.end_counters, "dirty_pages"), 0) << kernel;
        EXPECT_EQ(counter(rig, result.end_counters, "writeback_pages"), 0) << kernel;
      }
    }
  }
}

TEST(Faults, RefusedAllocationsOfTheZonedKernel) {
  Rig rig = small_2001("readfiles d 6 MB");
  const RunResult plain = run(rig);
  rig.machine.fault_alloc_ppm = 50'000;
  const RunResult faulty = run(rig);
  EXPECT_EQ(plain.ending, Ending::finished);
  EXPECT_EQ(faulty.ending, Ending::finished);
  EXPECT_LT(counter(rig, faulty.end_counters, "free_dma"),
            counter(rig, plain.end_counters, "free_dma"))
      << "refused by NORMAL, served by DMA";
}

TEST(Faults, FailedRequestsCostTimeAndNothingElse) {
  const auto seconds = [](std::int64_t ppm) {
    Rig rig = rig_2000("fileset f 20 1 MiB; test T { stream f }");
    rig.machine.fault_disk_ppm = ppm;
    const RunResult result = run(rig);
    EXPECT_EQ(counter(rig, result.end_counters, "file_pages"), 20 * 256);
    return static_cast<double>(result.tests[0].elapsed_ns) * 1e-9;
  };
  EXPECT_GT(seconds(500'000), 1.5 * seconds(0));
}

}  // namespace
}  // namespace brink::machine
