// Disk: a request queue in front of one disk arm.
//
// Users: kernels. One-way elevator (requests served in rising block order from where the arm is,
// then from the lowest again), adjacent requests of the same direction merge while they wait
// [1.3.78 drivers/block/ll_rw_blk.c:make_request, blk.h IN_ORDER]. An idle disk starts only after
// the submitting process has given up the processor or spent time, so what is submitted in one go
// merges (the "plug"). A request costs latency unless it continues where the arm stands, plus
// bytes/rate. Writes may hold two thirds of the slots. A null disk finishes everything at once.
//
// Plain, the elevator lets a stream of requests in front of the arm pass a request behind it for
// ever. With disk_elevator = 1 a request may be passed over disk_read_bypass or disk_write_bypass
// times, then it is served next wherever the arm is: bounded delay, paid in seeks [A. Arcangeli's
// elevator of 2.3.46, linux/elevator.h: reads 128, writes 8192; what differs: the original bounds
// where a new request may be queued, this bounds what may be served before an old one].
//
// Faults: a request may fail (its whole time is spent, then the driver tries it again at once,
// so no block is ever lost) and may take longer than it should.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "models/machine/description.h"
#include "models/machine/engine.h"
#include "models/machine/random.h"

namespace brink::machine {

class Disk {
 public:
  /// `done(object, tag)` is called for every block submitted, when its request has finished.
  /// `block_bytes`: size of what the caller calls a block; 0: the description's.
  Disk(const MachineDescription& description, Engine& engine, Engine::Action done, void* object,
       std::int64_t block_bytes = 0);

  /// Whether a block can be queued now. If not: sleep on `slot_freed` and ask again.
  bool accepts(std::int64_t block, bool write) const;
  /// Queues one block. Precondition: accepts(block, write).
  void submit(std::int64_t block, bool write, std::int64_t tag);

  WaitQueue slot_freed;

  /// Statistics since boot.
  std::int64_t requests_done() const { return requests_done_; }
  std::int64_t seeks() const { return seeks_; }
  std::int64_t retries() const { return retries_; }
  Time busy_ns() const { return busy_ns_; }
  std::size_t queued() const { return queue_.size() + (busy_ ? 1 : 0); }

 private:
  struct Request {
    bool write;
    std::vector<std::int64_t> tags;
    std::int64_t overdue_at = 0;  ///< served at the latest when so many requests have been started
  };
  using Queue = std::map<std::int64_t, Request>;  ///< by first block

  Queue::const_iterator mergeable(std::int64_t block, bool write) const;
  Queue::iterator choose();
  void start_next();
  static void on_start(void* object, std::int64_t argument);
  static void on_finish(void* object, std::int64_t argument);

  Engine& engine_;
  Engine::Action done_;
  void* object_;
  std::int64_t block_bytes_, rate_, latency_, slots_, max_blocks_;
  std::int64_t bypass_[2];  ///< read, write
  std::int64_t retry_ppm_, delay_ns_;
  bool null_, bounded_;
  Random random_;
  std::int64_t started_ = 0, requests_done_ = 0, seeks_ = 0, retries_ = 0;
  Time busy_ns_ = 0;
  bool busy_ = false;
  std::int64_t arm_ = 0;  ///< block after the last one transferred
  std::int64_t writes_queued_ = 0;
  Queue queue_;
  std::multimap<std::int64_t, std::int64_t> overdue_;  ///< overdue_at -> first block; bounded only
  Request active_{};
};

}  // namespace brink::machine
