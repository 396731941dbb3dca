// Paged: the part that the kernels of the paging family share. Files in pages of a page cache, a
// small buffer cache for metadata, programs with anonymous memory and mapped text, a swap area.
//
// Users: models/kernels/linux_2_1 (1998), linux_2_3 (2000), linux_2_4_19 and linux_2_5 (2002),
// linux_6 (today). They add the decisions: when a page may be taken, what is reclaimed, who writes
// dirty pages.
//
// Idea. A frame has one use. Pages of files and of the swap cache are found through tables of their
// owner, so a hit costs an array access and no event. CPU time of the caller is summed up and spent
// before it waits and after every kSlicePages pages, so the clock of the machine is coarser than a
// page only while nothing waits.
//
// Sources: what is common to 2.1.110, 2.3.4x, 2.4.19 and 2.5.52 mm/filemap.c (generic_file_read,
// generic_file_write, read-ahead, truncate_inode_pages), mm/memory.c (do_swap_page,
// do_anonymous_page), mm/swap_state.c, mm/page_io.c (rw_swap_page).
//
// What differs from the original. A block is a page; a file lies in one piece on the disk; the swap
// area follows the files. A page fault of a program is a read, so a page that comes back from swap
// keeps its slot, and leaves again without a write. Text of a program is mapped by that program
// alone. A program touches all of its pages that are not idle in every eighth of its period, and
// faults in what is missing of one eighth of them.
//
// Invariant kept: the uses add up to the usable frames, and free + file + swap cache + buffers -
// swapped moves only when a program's anonymous memory grows (the 1998 mail's constant sum).
// (`check`).
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "models/machine/disk.h"
#include "models/machine/kernel.h"
#include "models/machine/links.h"
#include "models/machine/random.h"

namespace brink::machine {

namespace paged {

enum Counter {
  kUsable,
  kFree,
  kFile,       ///< page cache, unmapped
  kMapped,     ///< page cache, mapped by a program
  kAnon,       ///< anonymous, without a slot of swap
  kSwapCache,  ///< has a slot of swap, mapped or not
  kBuffers,
  kHeld,
  kDirty,      ///< file pages to be written
  kWriteback,  ///< file pages on their way to the disk
  kSwapped,    ///< slots of swap in use
  kResident,   ///< pages that programs map: anonymous, swap cache, text
  kReadIn,
  kWritten,
  kSwapIns,
  kSwapOuts,
  kScanned,
  kFaults,
  kCounters
};
enum Event {
  kFileIn,      ///< a free frame becomes a page of a file
  kFileDrop,    ///< a clean page of a file is reclaimed
  kFileRemove,  ///< a page of a file that is truncated becomes free
  kTextIn,      ///< a free frame becomes a page of text, mapped
  kTextUnmap,
  kTextMap,
  kAnonIn,
  kSwapIn,    ///< a free frame becomes a mapped page of the swap cache
  kSwapOut,   ///< an anonymous page gets a slot, leaves its program, and is written
  kSwapKeep,  ///< a mapped page of the swap cache leaves its program: it is on swap already
  kSwapBack,  ///< a page of the swap cache is mapped again
  kSwapDrop,  ///< an unmapped page of the swap cache becomes free
  kBufferIn,
  kBufferDrop,
  kPageDirty,
  kPageSubmit,
  kPageWritten,
  kPageForget,  ///< a dirty page of a file that is truncated is not dirty any more
  kEvents
};

std::span<const CounterRow> counter_rows();
std::span<const EventRow> event_rows();

enum class Use : std::uint8_t { free, file, anon, swap_cache, buffer };

struct Frame {
  Use use : 4 = Use::free;
  bool workingset : 1 = false;  ///< has been deactivated, or came back as one that had (linux-6)
  bool reclaim : 1 = false;     ///< goes to the old end of its list once written (linux-6)
  bool queued : 1 = false;      ///< waits for its activation (linux-6)
  bool marker : 1 = false;      ///< a read of it starts the next read-ahead (linux-6)
  std::uint8_t age = 0;
  bool referenced = false;  ///< the page's own bit
  bool young = false;       ///< the bit of the program's page table
  bool mapped = false;
  bool dirty = false;
  bool locked = false;      ///< being read
  bool writeback = false;   ///< being written
  std::int32_t owner = -1;  ///< file, or program
  std::int32_t index = -1;  ///< page of the owner
  Time dirtied = 0;
};
static_assert(sizeof(Frame) == 24);

/// Pages to be read in one go; a later read of page `marker` starts the next window (-1: none).
struct Window {
  std::int64_t first, pages, marker;
};

struct File {
  bool exists = false;
  std::int64_t bytes = 0;
  std::int64_t first_block = 0, blocks = 0;
  std::int32_t program = -1;         ///< whose text it is
  std::int64_t cached = 0;           ///< pages in memory
  std::vector<std::int32_t> frames;  ///< by page; < 0: not in memory (see evicted_mark)
};

struct Program {
  ProgramSpec spec;
  std::int64_t anon_pages = 0, text_pages = 0;
  int text_file = -1;
  std::int64_t resident = 0;  ///< pages mapped
  std::vector<std::int32_t>
      frames;  ///< anonymous page -> frame, mapped or in the swap cache, or < 0
  std::vector<std::int32_t> slots;  ///< anonymous page -> slot of swap, or -1
  std::int64_t swap_count = 0;      ///< for kernels that go round the programs
  std::int64_t swap_at = 0;         ///< page the last round stopped at
};

}  // namespace paged

class Paged : public Kernel, public FileCalls, public PagingCalls {
 public:
  Paged(const MachineDescription& description, Engine& engine, Probe& probe, int lists);

  void boot() override {}
  void check() const override;
  FileCalls* files() override { return this; }
  PagingCalls* paging() override { return this; }

  Co<> write(Process& process, int file, std::int64_t bytes) override;
  Co<> read(Process& process, int file) override;
  Co<> copy(Process& process, int from, int to, std::int64_t bytes) override;
  Co<> sync(Process& process) override;
  Co<> remove(Process& process, int file) override;
  std::int64_t length(int file) const override;

  Co<> start_program(Process& process, const ProgramSpec& program) override;
  void place_file(int file, std::int64_t bytes) override;
  Co<> read_block(Process& process, int file, std::int64_t page) override;
  bool present(int file, std::int64_t page) const override;
  bool touch(int file, std::int64_t page) override;
  Co<> pay_reads(Process& process, std::int64_t pages) override;
  std::int64_t page_bytes() const override { return machine_.page_bytes; }
  Co<> read_page(Process& process, int file, std::int64_t page, bool ahead) override;
  Co<> fill_buffers(Process& process, std::int64_t bytes) override;
  Totals totals() const override;

 protected:
  using Frame = paged::Frame;
  using File = paged::File;
  using Program = paged::Program;
  using Use = paged::Use;
  static constexpr std::int64_t kSlicePages = 32;

  // What a kernel adds.
  /// A page may be taken at once (the allocator's fast path; asks the observer).
  virtual bool may_take() = 0;
  /// Called until may_take says yes.
  virtual Co<> make_room(Process& process) = 0;
  virtual void page_added(std::int32_t frame) { (void)frame; }
  /// The same of a page that is about to be overwritten.
  virtual void page_added_by_write(std::int32_t frame) { page_added(frame); }
  virtual void page_leaves(std::int32_t frame) { (void)frame; }
  /// The page in memory is mapped now, or is not any more.
  virtual void mapping_changed(std::int32_t frame) { (void)frame; }
  /// read() of a page in memory.
  virtual void page_accessed(std::int32_t frame) { frames_[frame].referenced = true; }
  /// write() of a page in memory.
  virtual void page_written(std::int32_t frame) { page_accessed(frame); }
  /// A page of a file or of swap has reached the disk.
  virtual void write_finished(std::int32_t frame) { (void)frame; }
  /// What its owner remembers of a page that reclaim drops: a number below 0. It is found in
  /// `came_back_` when the page is added again.
  virtual std::int32_t evicted_mark(std::int32_t frame) {
    (void)frame;
    return -1;
  }
  /// What a miss (or a read of a marked page) reads in; `asked` pages by the simple rule.
  virtual paged::Window window(int file, std::int64_t page, std::int64_t asked, bool marked) {
    (void)file, (void)marked;
    return {page, asked, -1};
  }
  virtual void buffer_added(std::int32_t frame) { (void)frame; }
  virtual void file_opened(int file) { (void)file; }
  virtual void file_removed(int file) { (void)file; }
  /// Called after a page became dirty.
  virtual bool must_balance() { return false; }
  virtual Co<> balance(Process& process);

  // Tools for kernels.
  /// A clean, unmapped page of a file, of the swap cache, or of the buffer cache becomes free.
  void drop(std::int32_t frame);
  /// Takes a page from its program. An anonymous one is queued for its write to swap (`outgoing_`).
  void unmap(std::int32_t frame);
  bool droppable(std::int32_t frame) const {
    const Frame& f = frames_[frame];
    return !f.mapped && !f.dirty && !f.locked && !f.writeback;
  }
  /// Queues a dirty page of a file for its write.
  void queue_write(std::int32_t frame);
  /// Submits what unmap and queue_write have queued; waits only for places in the disk's queue.
  Co<> submit_outgoing(Process& process);
  /// Submits up to `most` of the pages that became dirty first, and before `before`. How many.
  Co<std::int64_t> write_out(Process& process, std::int64_t most, Time before);
  std::int32_t oldest_dirty() const { return dirty_.front(0); }
  /// All pages of the file become free; dirty ones are forgotten. Pages in flight must not be
  /// there.
  void truncate_now(int file);
  bool in_flight(int file) const;
  Co<> charge_scan(Process& process, std::int64_t scanned_before);
  std::int64_t pages_of(std::int64_t bytes) const {
    return (bytes + machine_.page_bytes - 1) / machine_.page_bytes;
  }
  File& file_at(int number);
  /// Frame of page `index` of the address space (anonymous first, then text), or -1.
  std::int32_t mapped_frame(const Program& program, std::int64_t index) const;

  Engine& engine_;
  Probe& probe_;
  const MachineDescription& machine_;
  Disk disk_;
  Random random_;
  std::vector<Frame> frames_;
  Links lists_;  ///< the kernel's
  Links dirty_;
  std::vector<Program> programs_;
  WaitQueue io_done_;
  std::int64_t queued_writes_ = 0;  ///< pages of outgoing_ and in flight to swap or files

  // Zones: frames [ends[i-1], ends[i]) are zone i. One zone unless a kernel splits memory.
  void split_zones(const std::vector<std::int64_t>& ends);
  int zone_of(std::int32_t frame) const {
    int zone = 0;
    while (frame >= zone_ends_[static_cast<std::size_t>(zone)]) ++zone;
    return zone;
  }
  std::int64_t free_in(int zone) const {
    return std::ssize(free_frames_[static_cast<std::size_t>(zone)]);
  }
  std::int32_t pop_free(Use use, std::int32_t owner, std::int64_t index);
  void push_free(std::int32_t frame);
  /// A file that no script names: text, metadata, a device.
  int hidden_file(std::int64_t bytes);
  Co<> read_range(Process& process, int file, std::int64_t first, std::int64_t pages,
                  std::int64_t ahead);
  const File& file_of(int number) const {
    return files_[number < 0 ? static_cast<std::size_t>(-1 - number) * 2 + 1
                             : static_cast<std::size_t>(number) * 2];
  }

  // What may_take is asked for, set before it is called; what it may set: where the page is taken.
  struct Asked {
    Use use = Use::free;
    std::int32_t owner = -1;
  };
  Asked asked_;
  int take_from_ = 0;
  std::int32_t came_back_ = -1;  ///< evicted_mark of the page that is being added

 private:
  bool may_take_for(Use use, std::int32_t owner) {
    asked_ = {use, owner};
    return may_take();
  }
  Co<> read_in(Process& process, int file, paged::Window window);
  Co<> write_range(Process& process, int file, std::int64_t first, std::int64_t pages);
  Co<> fault(Process& process, std::int32_t program, std::int64_t index);
  Co<> run_program(std::int32_t number);
  Co<> submit(Process& process, std::int64_t block, bool write, std::int32_t frame);
  Co<> wait_for_file(Process& process, int file);
  void mark_dirty(std::int32_t frame);
  std::int64_t place(std::int64_t blocks);
  std::int32_t new_slot();
  std::int64_t block_of(std::int32_t frame) const;
  static void on_disk_done(void* object, std::int64_t tag);

  std::deque<File> files_;
  std::vector<std::vector<std::int32_t>> free_frames_;  ///< by zone
  std::vector<std::int32_t> zone_ends_;
  std::vector<std::int32_t> outgoing_;
  std::vector<bool> slot_used_;
  std::int64_t next_slot_ = 0;
  std::map<std::int64_t, std::vector<std::int64_t>> holes_;  ///< length -> first blocks
  std::int64_t next_block_ = 0;
  int next_text_ = 0;
  std::int64_t bytes_read_ = 0, write_requests_ = 0;
};

}  // namespace brink::machine
