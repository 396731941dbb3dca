#include "models/machine/engine.h"

#include <algorithm>
#include <limits>

#include "models/base/check.h"

namespace brink::machine {

Engine::Engine(int cpus, Time wake_ns)
    : wake_ns_(wake_ns), on_cpu_(static_cast<std::size_t>(cpus), nullptr) {}

Engine::~Engine() = default;

Process& Engine::spawn(std::string name, Co<void> code, bool urgent) {
  processes_.push_back(
      std::make_unique<NamedProcess>(NamedProcess{std::move(name), Process{}, std::move(code)}));
  NamedProcess& entry = *processes_.back();
  entry.code.start(entry.process);
  entry.process.engine = this;
  entry.process.urgent = urgent;
  make_ready(entry.process);
  return entry.process;
}

void Engine::after(Time delay, Action action, void* object, std::int64_t argument) {
  events_.push({now_ + delay, order_++, action, object, argument});
}

Engine::Stop Engine::run(Process& root, Time limit, const std::atomic<bool>* interrupt) {
  while (!root.done) {
    if (interrupt != nullptr && interrupt->load(std::memory_order_relaxed))
      return Stop::interrupted;
    if (events_.empty()) return Stop::nothing_left;
    const Event event = events_.top();
    if (event.at > limit) {
      now_ = limit;
      return Stop::limit;
    }
    events_.pop();
    now_ = event.at;
    if (look_ != nullptr && now_ >= look_at_) look_at_ = look_(looking_, now_);
    event.action(event.object, event.argument);
  }
  return Stop::done;
}

Time Engine::quiet_ns() const {
  return events_.empty() ? std::numeric_limits<Time>::max() : events_.top().at - now_;
}

Engine::Block Engine::spend(Process& process, Mode mode, Time ns) {
  (mode == Mode::user ? process.user_ns : process.system_ns) += ns;
  (mode == Mode::user ? user_ns_ : system_ns_) += ns;
  if (process.reclaiming) process.reclaim_ns += ns;
  return {this, &process, Block::Why::cpu, ns};
}

Engine::Block Engine::background(Process& process, Time ns) {
  return {this, &process, Block::Why::cpu, ns};
}

void Engine::park(Process& process, const Block& block) {
  BRINK_CHECK(process.cpu >= 0);
  switch (block.why) {
    case Block::Why::cpu:
      continue_at(process, block.ns);
      break;
    case Block::Why::offer:
      process.woken = false;
      if (ready_.empty() || (slice_ns_ > 0 && now_ / slice_ns_ == process.since / slice_ns_)) {
        process.blocked = false;
      } else {
        release_cpu(process);
        make_ready(process);
      }
      break;
    case Block::Why::sleep:
      process.woken = false;
      process.sleep_id = ++sleep_ids_;
      block.queue->sleepers.push_back(&process);
      process.asleep_on = block.queue;
      if (block.ns >= 0) after(block.ns, on_timeout, &process, process.sleep_id);
      release_cpu(process);
      break;
    case Block::Why::spin:
      block.lock->spinners.push_back(&process);
      block.lock->since.push_back(now_);
      break;
  }
}

bool Engine::try_lock(Process& process, SpinLock& lock) {
  if (lock.owner != nullptr) return false;
  lock.owner = &process;
  return true;
}

void Engine::unlock(Process& process, SpinLock& lock) {
  BRINK_CHECK(lock.owner == &process);
  lock.owner = nullptr;
  if (lock.spinners.empty()) return;
  Process& next = *lock.spinners.front();
  const Time waited = now_ - lock.since.front();
  lock.spinners.pop_front();
  lock.since.pop_front();
  next.system_ns += waited;
  next.spin_ns += waited;
  lock.owner = &next;
  continue_at(next, 0);
}

void Engine::wake(WaitQueue& queue) {
  for (Process* process : std::exchange(queue.sleepers, {})) {
    process->woken = true;
    make_ready(*process);
  }
}

void Engine::make_ready(Process& process) {
  process.asleep_on = nullptr;
  process.sleep_id = 0;
  if (process.urgent) {
    ready_.push_front(&process);
  } else {
    ready_.push_back(&process);
  }
  dispatch();
}

void Engine::release_cpu(Process& process) {
  on_cpu_[static_cast<std::size_t>(process.cpu)] = nullptr;
  process.cpu = -1;
  dispatch();
}

void Engine::dispatch() {
  for (std::size_t cpu = 0; cpu < on_cpu_.size() && !ready_.empty(); ++cpu) {
    if (on_cpu_[cpu] != nullptr) continue;
    Process& process = *ready_.front();
    ready_.pop_front();
    on_cpu_[cpu] = &process;
    ++switches_;
    process.cpu = static_cast<int>(cpu);
    process.since = now_;
    continue_at(process, wake_ns_);
  }
}

void Engine::continue_at(Process& process, Time delay) {
  process.blocked = true;
  after(delay, on_continue, &process, 0);
}

void Engine::on_continue(void* object, std::int64_t) {
  Process& process = *static_cast<Process*>(object);
  process.engine->resume(process);
}

void Engine::on_timeout(void* object, std::int64_t sleep_id) {
  Process& process = *static_cast<Process*>(object);
  if (process.sleep_id != sleep_id) return;
  std::erase(process.asleep_on->sleepers, &process);
  process.engine->make_ready(process);
}

void Engine::resume(Process& process) {
  process.blocked = false;
  while (!process.blocked && !process.done) process.top.resume();
  if (!process.done) return;
  if (process.error) std::rethrow_exception(process.error);
  release_cpu(process);
}

}  // namespace brink::machine
