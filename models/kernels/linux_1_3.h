// What Linux 1.3.24 and 1.3.78 share: the buffer cache and its write path.
//
// Users: linux_1_3_24.cpp and linux_1_3_78.cpp, which add the read path and, for 1.3.78, reclaim.
//
// Idea. A program's write goes through small buffers. The question of the 1996 report is where
// buffers come from when none is on the free list. `refill` [fs/buffer.c:refill_freelist, the same
// in both versions] tries, in this order: R1 grow while free pages exceed a guard; R3 reuse clean
// buffers; R4 grow a little deeper; R5 grow at any price, else wait for the flusher. R2, which
// balances buffers of different sizes, is left out: there is one size, and its bookkeeping counts
// wrongly in these versions anyway.
//
// What differs from the original: a buffer in use by the writer is on no list (the original leaves
// it on its list with a use count and skips it); bitmaps, inodes and the double indirect block are
// not written; the 30-second ageing of dirty buffers is left out (no timed phase is that long).
//
// Invariant kept: free + page cache + buffer pages = usable pages, and every buffer of a buffer
// page is in exactly one of the states free, busy, clean, dirty, locked (`check`).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/machine/disk.h"
#include "models/machine/file_store.h"
#include "models/machine/kernel.h"
#include "models/machine/links.h"

namespace brink::machine::linux13 {

enum Counter {
  kUsable,
  kFree,
  kPageCache,
  kBufferPages,
  kTotal,
  kBuffersFree,
  kBusy,
  kClean,
  kDirty,
  kLocked,
  kHeld,
  kIndirect,
  kWriterWaits,
  kFlusherAwake,
  kKswapdDue,
  kFramesScanned,
  kCounters
};
enum Event {
  kPageIn,
  kReclaimPageCache,
  kReclaimBuffers,
  kKswapdWake,
  kKswapdElapsed,
  kReclaimFail,
  kDrop,
  kGrowR1,
  kGrowR4,
  kGrowR5,
  kReuse,
  kRefillWait,
  kTake,
  kReadDone,
  kBufferDirty,
  kFlusherWake,
  kFlusherSleep,
  kSubmit,
  kDiskDone,
  kIndirectNext,
  kIndirectDirty,
  kIndirectRedirty,
  kIndirectLock,
  kIndirectUnlock,
  kForget,
  kIndirectForget,
  kFileRemove,
  kWriterWait,
  kWriterWake,
  kEvents
};
enum Site {
  kSiteR1,
  kSiteR4,
  kSiteR5,
  kSiteFlusher,
  kSiteMayWrite,
  kSitesOfBoth,
  kSiteKswapdNow = kSitesOfBoth,
  kSiteKswapdLater,
  kSiteContinue,
  kSiteUser,
  kSites
};

std::span<const CounterRow> counter_rows();
std::span<const EventRow> event_rows();
/// Decisions of the buffer cache, followed by those of reclaim that 1.3.24 does not have.
std::span<const DecisionRow> decision_rows();

/// Thresholds, all from the caller's tunables. Pages unless said otherwise.
struct Knobs {
  std::int64_t min;          ///< class BUFFER may not take the free pages to or below this
  std::int64_t guard;        ///< R1 grows while free pages exceed this
  std::int64_t grow_floor;   ///< R4 grows while free pages exceed this
  std::int64_t nfract;       ///< flusher wakes above this share of all buffers, percent
  std::int64_t ndirty;       ///< buffers written per pass of the flusher
  std::int64_t nrefill;      ///< buffers wanted per refill
  std::int64_t free_enough;  ///< R0: with more free buffers than this a refill does nothing
  bool eager = false;        ///< 1.3.95: R5 as soon as fewer buffers are reusable than wanted
};

enum class State : std::uint8_t { none, free, busy, clean, dirty, locked, held };
enum class Use : std::uint8_t { free, page_cache, buffers };

struct Frame {
  Use use = Use::free;
  bool referenced = false;
  bool locked = false;  ///< being read from disk
  std::int32_t file = -1;
  std::int32_t page = -1;
};

class Linux13 : public Kernel, public FileCalls {
 public:
  Linux13(const MachineDescription& description, const Knobs& knobs, Engine& engine, Probe& probe);

  void boot() override;
  void check() const override;
  FileCalls* files() override { return this; }

  Co<> write(Process& process, int file, std::int64_t bytes) override;
  Co<> copy(Process& process, int from, int to, std::int64_t bytes) override;
  Co<> read(Process& process, int file) override;
  Co<> sync(Process& process) override;
  Co<> remove(Process& process, int file) override;
  std::int64_t length(int file) const override;

 protected:
  /// The version's read path: page `index` of `file`, up to the copy to the program.
  virtual Co<> read_page(Process& process, int file, std::int64_t index) = 0;
  /// A read request submitted with a negative tag has finished.
  virtual void page_read_done(std::int64_t tag) = 0;

  // Buffers. A buffer's number is frame * buffers_per_page + k.
  static constexpr int list_free = 0, list_clean = 1, list_locked = 2, list_dirty = 3;
  struct Buffer {
    State state = State::none;
    bool touched = false;
    bool pinned = false;
    std::int64_t block = -1;
    std::uint64_t stamp = 0;  ///< last use; smaller is older
  };
  /// The buffer of `block`, waiting while it is locked, or a free one bound to it (state busy).
  Co<std::int32_t> getblk(Process& process, std::int64_t block);
  std::int32_t find(std::int64_t block) const;
  /// A busy or clean buffer becomes clean at the young end of its list.
  void release_clean(std::int32_t buffer);
  /// One more page of free buffers. Precondition: a frame is free.
  void grow();
  /// Gives the page of buffers of `frame` back. False if a buffer is in use, or the size is pinned.
  bool free_buffer_page(std::int32_t frame);
  std::int32_t take_frame();
  void give_frame(std::int32_t frame);
  Co<> submit(Process& process, std::int64_t block, bool write, std::int64_t tag);
  /// Wakes the flusher and waits for the end of one of its passes.
  Co<> wait_for_flusher(Process& process);

  Probe& probe_;
  Engine& engine_;
  const MachineDescription& machine_;
  Knobs knobs_;
  std::int64_t buffers_per_page_;
  FileStore store_;
  Disk disk_;
  std::vector<Frame> frames_;
  std::vector<Buffer> buffers_;
  Links lists_;
  WaitQueue unlocked_;  ///< something on disk has finished

 private:
  Co<> refill(Process& process);
  bool reuse(std::int64_t& wanted);
  bool enough_reusable(std::int64_t wanted) const;
  std::int32_t candidate(int list, bool stop_at_locked) const;
  bool may_grow(int site, bool native);
  Co<> write_block(Process& process, File& file, std::int64_t index);
  Co<> wait_unlocked(Process& process, std::int32_t buffer);
  Co<std::int32_t> indirect_for(Process& process, File& file, std::int64_t index);
  void mark_dirty(std::int32_t buffer);
  bool too_dirty() const;
  void wake_flusher();
  Co<> flusher();
  Co<std::int64_t> write_out(Process& process, std::int64_t most);
  Co<> truncate(Process& process, int file);
  Co<> forget(Process& process, std::int64_t block);
  static void on_disk_done(void* object, std::int64_t tag);
  void write_done(std::int32_t buffer);

  std::vector<std::int32_t> free_frames_;
  std::vector<std::int32_t> buffer_of_;  ///< by disk block
  std::uint64_t stamps_ = 0;
  std::int64_t current_indirect_ = -1;  ///< disk block
  WaitQueue flusher_wait_, flusher_done_;
};

}  // namespace brink::machine::linux13
