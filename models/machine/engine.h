// Engine: the clock, the queue of future events, the CPUs and the processes that share them.
//
// Users: kernels (to spend CPU time, sleep, wake), the disk (to finish requests).
//
// Time moves only from event to event; events of the same instant are taken in the order in which
// they were asked for, so a run is a function of its inputs. Kernel code is not preempted: a
// process keeps its CPU until it sleeps, or offers the CPU with `offer`.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <queue>
#include <string>
#include <vector>

#include "models/machine/task.h"

namespace brink::machine {

/// Processes asleep until something happens. Woken in the order they went to sleep.
struct WaitQueue {
  std::vector<Process*> sleepers;
};

/// A spin lock: waiters keep their CPU, and get the lock in the order they asked for it.
struct SpinLock {
  Process* owner = nullptr;
  std::deque<Process*> spinners;
  std::deque<Time> since;
};

enum class Mode { user, system };

class Engine {
 public:
  Engine(int cpus, Time wake_ns);
  ~Engine();
  Engine(const Engine&) = delete;

  Time now() const { return now_; }

  /// The seed of the run; whoever draws random numbers makes a stream of its own from it.
  void set_seed(std::uint64_t seed) { seed_ = seed; }
  std::uint64_t seed() const { return seed_; }
  /// `offer` keeps the CPU until a process has had it for so long.
  void set_slice(Time slice_ns) { slice_ns_ = slice_ns; }
  /// Times a CPU went from one process to another, and processes that wait for a CPU.
  std::int64_t switches() const { return switches_; }
  std::size_t cpus() const { return on_cpu_.size(); }
  /// CPU time charged to processes so far, in all.
  Time user_ns() const { return user_ns_; }
  Time system_ns() const { return system_ns_; }
  std::size_t waiting() const { return ready_.size(); }

  /// Adds a process; it becomes ready at once. `urgent`: real-time class, first in the run queue.
  Process& spawn(std::string name, Co<void> code, bool urgent);

  struct NamedProcess {
    std::string name;
    Process process;
    Co<void> code;
  };
  const std::vector<std::unique_ptr<NamedProcess>>& processes() const { return processes_; }

  /// Calls `action(object, argument)` at time now + delay.
  using Action = void (*)(void* object, std::int64_t argument);
  void after(Time delay, Action action, void* object, std::int64_t argument);

  /// Runs until `root` is done, `limit` is reached, no event is left, or `interrupt` (may be null)
  /// becomes true.
  /// Between events, once the clock has reached what it returned last (at first: 0), `look` is
  /// called with the time. It only looks: it is no event, so a run is the same without it.
  using Look = Time (*)(void* object, Time now);
  void set_look(Look look, void* object) {
    look_ = look;
    looking_ = object;
  }

  enum class Stop { done, limit, nothing_left, interrupted };
  Stop run(Process& root, Time limit, const std::atomic<bool>* interrupt = nullptr);

  /// Length of time during which nobody else can act: the time until the next event.
  Time quiet_ns() const;

  struct Block {
    bool await_ready() const noexcept { return false; }
    template <typename P>
    void await_suspend(std::coroutine_handle<P> self) {
      Process& process = *self.promise().process;
      process.top = self;
      process.blocked = true;
      engine->park(process, *this);
    }
    bool await_resume() const { return process->woken; }

    enum class Why { cpu, offer, sleep, spin };
    Engine* engine;
    Process* process;
    Why why;
    Time ns = 0;
    WaitQueue* queue = nullptr;
    SpinLock* lock = nullptr;
  };

  /// Spends CPU time; the CPU is kept. `background` time is spent but charged to no one.
  Block spend(Process& process, Mode mode, Time ns);
  Block background(Process& process, Time ns);
  /// Lets others have the CPU if any waits for it and the slice is over.
  Block offer(Process& process) { return {this, &process, Block::Why::offer}; }
  /// Sleeps until woken; with timeout >= 0 at most that long. Result: woken before the time.
  Block sleep(Process& process, WaitQueue& queue, Time timeout = -1) {
    return {this, &process, Block::Why::sleep, timeout, &queue};
  }
  /// Waits for the lock without giving up the CPU. To be asked for when the lock is not free.
  Block spin(Process& process, SpinLock& lock) {
    return {this, &process, Block::Why::spin, 0, nullptr, &lock};
  }
  bool try_lock(Process& process, SpinLock& lock);
  void unlock(Process& process, SpinLock& lock);

  /// Wakes all sleepers of the queue.
  void wake(WaitQueue& queue);

 private:
  std::uint64_t seed_ = 1;
  Time slice_ns_ = 0;
  Look look_ = nullptr;
  void* looking_ = nullptr;
  Time look_at_ = 0;
  std::int64_t switches_ = 0;
  Time user_ns_ = 0, system_ns_ = 0;

  struct Event {
    Time at;
    std::uint64_t order;
    Action action;
    void* object;
    std::int64_t argument;
    bool operator>(const Event& other) const {
      return at != other.at ? at > other.at : order > other.order;
    }
  };

  void park(Process& process, const Block& block);
  void resume(Process& process);
  void make_ready(Process& process);
  void release_cpu(Process& process);
  void dispatch();
  void continue_at(Process& process, Time delay);
  static void on_continue(void* object, std::int64_t argument);
  static void on_timeout(void* object, std::int64_t argument);

  Time now_ = 0;
  Time wake_ns_;
  std::uint64_t order_ = 0;
  std::int64_t sleep_ids_ = 0;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::vector<Process*> on_cpu_;
  std::deque<Process*> ready_;
  std::vector<std::unique_ptr<NamedProcess>> processes_;
};

}  // namespace brink::machine
