#include "models/machine/disk.h"

#include <algorithm>
#include <utility>

#include "models/base/check.h"

namespace brink::machine {

Disk::Disk(const MachineDescription& description, Engine& engine, Engine::Action done, void* object,
           std::int64_t block_bytes)
    : engine_(engine),
      done_(done),
      object_(object),
      block_bytes_(block_bytes > 0 ? block_bytes : description.block_bytes),
      rate_(description.disk_rate_bytes_per_s),
      latency_(description.disk_latency_ns),
      slots_(description.disk_request_slots),
      max_blocks_(std::max<std::int64_t>(1, description.disk_request_bytes / block_bytes_)),
      bypass_{description.disk_read_bypass, description.disk_write_bypass},
      retry_ppm_(description.fault_disk_ppm),
      delay_ns_(description.fault_delay_ns),
      null_(description.disk_null != 0),
      bounded_(description.disk_elevator != 0),
      random_(engine.seed(), 1) {}

Disk::Queue::const_iterator Disk::mergeable(std::int64_t block, bool write) const {
  auto next = queue_.upper_bound(block);
  if (next == queue_.begin()) return queue_.end();
  auto before = std::prev(next);
  const auto blocks = static_cast<std::int64_t>(before->second.tags.size());
  const bool fits =
      before->second.write == write && before->first + blocks == block && blocks < max_blocks_;
  return fits ? before : queue_.end();
}

bool Disk::accepts(std::int64_t block, bool write) const {
  if (null_ || mergeable(block, write) != queue_.end()) return true;
  const auto used = static_cast<std::int64_t>(queue_.size()) + (busy_ ? 1 : 0);
  return used < slots_ && (!write || writes_queued_ < std::max<std::int64_t>(1, slots_ * 2 / 3));
}

void Disk::submit(std::int64_t block, bool write, std::int64_t tag) {
  if (null_) {
    engine_.after(0, done_, object_, tag);
    return;
  }
  if (auto into = mergeable(block, write); into != queue_.end()) {
    queue_[into->first].tags.push_back(tag);
  } else {
    const std::int64_t overdue = started_ + bypass_[write ? 1 : 0];
    const bool fresh = queue_.try_emplace(block, Request{write, {tag}, overdue}).second;
    BRINK_CHECK(fresh, "a block is in the queue twice");
    if (bounded_) overdue_.emplace(overdue, block);
    writes_queued_ += write;
  }
  if (!busy_) {
    busy_ = true;
    engine_.after(0, on_start, this, 0);
  }
}

// The next request in the direction of the arm, unless an older one has been passed over too often.
Disk::Queue::iterator Disk::choose() {
  if (bounded_ && overdue_.begin()->first <= started_) return queue_.find(overdue_.begin()->second);
  const auto next = queue_.lower_bound(arm_);
  return next == queue_.end() ? queue_.begin() : next;
}

void Disk::start_next() {
  if (queue_.empty()) {
    busy_ = false;
    return;
  }
  const auto next = choose();
  const std::int64_t first = next->first;
  if (bounded_) {
    auto entry = overdue_.find(next->second.overdue_at);
    while (entry->second != first) ++entry;
    overdue_.erase(entry);
  }
  active_ = std::move(next->second);
  queue_.erase(next);
  ++started_;
  const auto blocks = static_cast<std::int64_t>(active_.tags.size());
  const Time transfer = blocks * block_bytes_ * 1'000'000'000 / rate_;
  const Time seek = first == arm_ ? 0 : latency_;
  seeks_ += first == arm_ ? 0 : 1;
  arm_ = first + blocks;
  const Time delay = delay_ns_ > 0 ? random_.below(delay_ns_ + 1) : 0;
  busy_ns_ += seek + transfer + delay;
  engine_.after(seek + transfer + delay, on_finish, this, 0);
}

void Disk::on_start(void* object, std::int64_t) { static_cast<Disk*>(object)->start_next(); }

void Disk::on_finish(void* object, std::int64_t) {
  Disk& disk = *static_cast<Disk*>(object);
  if (disk.random_.chance(disk.retry_ppm_)) {  // failed: the driver tries again
    ++disk.retries_;
    const auto blocks = static_cast<std::int64_t>(disk.active_.tags.size());
    const Time again = disk.latency_ + blocks * disk.block_bytes_ * 1'000'000'000 / disk.rate_;
    disk.busy_ns_ += again;
    disk.engine_.after(again, on_finish, object, 0);
    return;
  }
  ++disk.requests_done_;
  const Request finished = std::exchange(disk.active_, {});
  disk.writes_queued_ -= finished.write;
  for (const std::int64_t tag : finished.tags) disk.done_(disk.object_, tag);
  disk.start_next();
  disk.engine_.wake(disk.slot_freed);
}

}  // namespace brink::machine
