// Disk: a request queue in front of one disk arm.
//
// Users: kernels. One-way elevator (requests served in rising block order from where the arm is,
// then from the lowest again), adjacent requests of the same direction merge while they wait
// [1.3.78 drivers/block/ll_rw_blk.c:make_request, blk.h IN_ORDER]. An idle disk starts only after
// the submitting process has given up the processor or spent time, so what is submitted in one go
// merges (the "plug"). A request costs latency unless it continues where the arm stands, plus
// bytes/rate. Writes may hold two thirds of the slots. A null disk finishes everything at once.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "models/machine/description.h"
#include "models/machine/engine.h"

namespace brink::machine {

class Disk {
 public:
  /// `done(object, tag)` is called for every block submitted, when its request has finished.
  Disk(const MachineDescription& description, Engine& engine, Engine::Action done, void* object);

  /// Whether a block can be queued now. If not: sleep on `slot_freed` and ask again.
  bool accepts(std::int64_t block, bool write) const;
  /// Queues one block. Precondition: accepts(block, write).
  void submit(std::int64_t block, bool write, std::int64_t tag);

  WaitQueue slot_freed;

 private:
  struct Request {
    bool write;
    std::vector<std::int64_t> tags;
  };
  using Queue = std::map<std::int64_t, Request>;  ///< by first block

  Queue::const_iterator mergeable(std::int64_t block, bool write) const;
  void start_next();
  static void on_start(void* object, std::int64_t argument);
  static void on_finish(void* object, std::int64_t argument);

  Engine& engine_;
  Engine::Action done_;
  void* object_;
  std::int64_t block_bytes_, rate_, latency_, slots_, max_blocks_;
  bool null_;
  bool busy_ = false;
  std::int64_t arm_ = 0;  ///< block after the last one transferred
  std::int64_t writes_queued_ = 0;
  Queue queue_;
  Request active_{};
};

}  // namespace brink::machine
