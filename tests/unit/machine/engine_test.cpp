#include "models/machine/engine.h"

#include <gtest/gtest.h>

#include <list>
#include <random>

#include "models/base/check.h"
#include "models/machine/disk.h"
#include "models/machine/links.h"

namespace brink::machine {
namespace {

using Log = std::vector<std::pair<Time, std::string>>;

Co<> worker(Engine& engine, Log& log, std::string name, Time ns, int turns) {
  Process& self = co_await this_process();
  for (int turn = 0; turn < turns; ++turn) {
    co_await engine.spend(self, Mode::system, ns);
    log.emplace_back(engine.now(), name);
    co_await engine.offer(self);
  }
}

TEST(Engine, OneCpuIsSharedTwoAreNot) {
  for (const int cpus : {1, 2}) {
    Engine engine(cpus, 0);
    Log log;
    engine.spawn("a", worker(engine, log, "a", 10, 3), false);
    Process& b = engine.spawn("b", worker(engine, log, "b", 10, 3), false);
    EXPECT_EQ(engine.run(b, 1000), Engine::Stop::done);
    const Log alone{{10, "a"}, {10, "b"}, {20, "a"}, {20, "b"}, {30, "a"}, {30, "b"}};
    const Log shared{{10, "a"}, {20, "b"}, {30, "a"}, {40, "b"}, {50, "a"}, {60, "b"}};
    EXPECT_EQ(log, cpus == 1 ? shared : alone);
    EXPECT_EQ(b.system_ns, 30);
  }
}

Co<> sleeper(Engine& engine, WaitQueue& queue, Time timeout, Log& log) {
  Process& self = co_await this_process();
  const bool woken = co_await engine.sleep(self, queue, timeout);
  log.emplace_back(engine.now(), woken ? "woken" : "late");
}

Co<> waker(Engine& engine, WaitQueue& queue, Time after) {
  Process& self = co_await this_process();
  co_await engine.spend(self, Mode::system, after);
  engine.wake(queue);
  co_await engine.spend(self, Mode::system, 1000);
}

TEST(Engine, SleepEndsByWakeUpOrTime) {
  Engine engine(2, 0);
  WaitQueue queue;
  Log log;
  engine.spawn("early", sleeper(engine, queue, 50, log), false);
  engine.spawn("late", sleeper(engine, queue, 500, log), false);
  Process& last = engine.spawn("waker", waker(engine, queue, 100), false);
  EXPECT_EQ(engine.run(last, 10'000), Engine::Stop::done);
  EXPECT_EQ(log, (Log{{50, "late"}, {100, "woken"}}));
}

TEST(Engine, NothingLeftIsSeen) {
  Engine engine(1, 0);
  WaitQueue queue;
  Log log;
  Process& forever = engine.spawn("s", sleeper(engine, queue, -1, log), false);
  EXPECT_EQ(engine.run(forever, 10'000), Engine::Stop::nothing_left);
}

Co<> holder(Engine& engine, SpinLock& lock, Time work, Log& log, std::string name) {
  Process& self = co_await this_process();
  if (!engine.try_lock(self, lock)) co_await engine.spin(self, lock);
  co_await engine.spend(self, Mode::system, work);
  log.emplace_back(engine.now(), name);
  engine.unlock(self, lock);
}

TEST(Engine, SpinningTakesCpuTimeAndIsServedInOrder) {
  Engine engine(3, 0);
  SpinLock lock;
  Log log;
  engine.spawn("a", holder(engine, lock, 100, log, "a"), false);
  Process& b = engine.spawn("b", holder(engine, lock, 10, log, "b"), false);
  Process& c = engine.spawn("c", holder(engine, lock, 1, log, "c"), false);
  EXPECT_EQ(engine.run(c, 10'000), Engine::Stop::done);
  EXPECT_EQ(log, (Log{{100, "a"}, {110, "b"}, {111, "c"}}));
  EXPECT_EQ(b.spin_ns, 100);
  EXPECT_EQ(b.system_ns, 110);
  EXPECT_EQ(c.spin_ns, 110);
}

Co<int> one() { co_return 1; }
Co<int> deep(int depth) {
  if (depth == 0) co_return 0;
  co_return co_await deep(depth - 1) + co_await one();
}
Co<> root(int& sum) {
  for (int i = 0; i < 100'000; ++i) sum += co_await one();
  sum += co_await deep(1000);
}
Co<> throws() {
  BRINK_CHECK(false, "on purpose");
  co_return;
}
Co<> calls_throws() { co_await throws(); }

TEST(Engine, CallsNeedNoStackAndErrorsComeOut) {
  Engine engine(1, 0);
  int sum = 0;
  Process& process = engine.spawn("p", root(sum), false);
  engine.run(process, 10);
  EXPECT_EQ(sum, 101'000);
  Process& bad = engine.spawn("bad", calls_throws(), false);
  EXPECT_THROW(engine.run(bad, 10), InternalError);
}

// Latency 1 ms, 1000 bytes per ms, blocks of 1000 bytes, 4 slots, requests of 3 blocks.
MachineDescription disk_description() {
  MachineDescription m;
  m.block_bytes = 1000;
  m.disk_rate_bytes_per_s = 1'000'000;
  m.disk_latency_ns = 1'000'000;
  m.disk_request_slots = 4;
  m.disk_request_bytes = 3000;
  return m;
}

struct Finished {
  Engine* engine;
  std::vector<std::pair<Time, std::int64_t>> log;  ///< ms, tag
  static void done(void* object, std::int64_t tag) {
    auto& self = *static_cast<Finished*>(object);
    self.log.emplace_back(self.engine->now() / 1'000'000, tag);
  }
};

TEST(Disk, MergesWhatIsAdjacentAndSweepsOneWay) {
  Engine engine(1, 0);
  Finished finished{&engine, {}};
  const MachineDescription m = disk_description();
  Disk disk(m, engine, Finished::done, &finished);
  for (const std::int64_t block : {50, 51, 10, 52, 53}) disk.submit(block, true, block);
  WaitQueue never;
  Log log;
  Process& p = engine.spawn("s", sleeper(engine, never, 1'000'000'000, log), false);
  engine.run(p, 2'000'000'000);
  // From block 0 upwards: 10 (seek + 1), 50..52 merged (seek + 3), 53 continues without a seek.
  const std::vector<std::pair<Time, std::int64_t>> expected{
      {2, 10}, {6, 50}, {6, 51}, {6, 52}, {7, 53}};
  EXPECT_EQ(finished.log, expected);
}

TEST(Disk, WritesHoldTwoThirdsOfTheSlots) {
  Engine engine(1, 0);
  Finished finished{&engine, {}};
  const MachineDescription m = disk_description();
  Disk disk(m, engine, Finished::done, &finished);
  disk.submit(10, true, 10);
  disk.submit(20, true, 20);
  EXPECT_FALSE(disk.accepts(30, true));  // 2 of 4 slots, two thirds rounded down
  EXPECT_TRUE(disk.accepts(11, true));   // merges
  EXPECT_TRUE(disk.accepts(30, false));
}

TEST(Links, RotatingARunIsRotatingOneByOne) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    const int n = 1 + static_cast<int>(random() % 20);
    Links links(40, 2);
    std::list<std::int32_t> reference;
    for (int i = 0; i < n; ++i) {
      const auto item = static_cast<std::int32_t>((i * 7) % 40);
      if (links.list_of(item) != Links::none) continue;
      links.push_back(1, item);
      reference.push_back(item);
    }
    for (int step = 0; step < 10 && !reference.empty(); ++step) {
      const auto run = 1 + random() % reference.size();
      std::int32_t last = Links::none;
      for (std::size_t i = 0; i < run; ++i) {
        last = reference.front();
        reference.splice(reference.end(), reference, reference.begin());
      }
      links.rotate_past(1, last);
      if (step % 3 == 0) {
        links.remove(reference.front());
        reference.pop_front();
      }
      std::list<std::int32_t> got;
      for (auto i = links.front(1); i != Links::none; i = links.after(i)) got.push_back(i);
      ASSERT_EQ(got, reference);
      ASSERT_EQ(links.count(1), static_cast<std::int32_t>(reference.size()));
    }
  }
}

}  // namespace
}  // namespace brink::machine
