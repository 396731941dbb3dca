// Linux 2.1.108 and 2.1.110 (July 1998): page ages, and a reclaim that sticks to what worked.
//
// One clock hand goes over all frames [mm/filemap.c:shrink_mmap]. A page of the page cache is freed
// when its age has come down to 0; a read gives it age 16 and a reference, so a page that is read
// once survives 19 visits, with the mail's two more calls of age_page 7. A call of shrink_mmap
// looks at 1024 cache pages (64 MB, effort 6); when none of them can be freed, the call goes to
// swap_out, and the state remembers what worked last [mm/vmscan.c:do_try_to_free_page]. After a
// boot all cache pages have the same age: one cohort, and until it has been visited that often
// every call fails. Each failure swaps, or ages the programs' pages. That is the 1998 report.
//
// Failures also reach shrink_dcache_memory, which in 2.1.110 drops every unused dentry; then the
// next file that needs an inode disposes up to 8 of those without users, and that truncates all
// their pages at once [fs/inode.c:free_inodes, clear_inode]: the jumps of free memory.
//
// What differs from the original: no shared memory (shm_swap finds nothing), no slab to reap, dirty
// pages of files are left alone, and kswapd is not in the real-time class.
//
// Invariant kept: free + file + mapped + swap cache + buffers - swapped is constant while programs
// do not grow (the mail's constant sum), and the floors: no call shrinks buffers below 3 % or the
// page cache below 10 % (whole numbers, "less than": 491 pages of 16384, 1964 KB).
#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <utility>

#include "models/base/check.h"
#include "models/kernels/rows.h"
#include "models/machine/paged.h"

namespace brink::machine {

using namespace paged;

namespace {

enum Counter {
  kState = paged::kCounters,  // what the next try begins with: 0 clock, 2 swap_out
  kLevel,
  kTried,
  kKswapdAwake,
  kKswapdDue,
  kClockFails,
  kDisposed,
  kAllCounters
};
enum Event {
  kKswapdWake = paged::kEvents,
  kKswapdSleep,
  kKswapdElapsed,
  kLevelChange,
  kStateChange,
  kCallerTried,
  kCallerTook,
  kAllEvents
};
enum Site {
  kSiteTake,
  kSiteWakeNow,
  kSiteWakeLater,
  kSiteGoOn,
  kSiteShrinkBuffers,
  kSiteShrinkCache,
  kSiteOver,
  kSites
};

constexpr CounterRow kMoreCounters[] = {
    {"reclaim_state", "", "what the next try begins with: 0 the clock, 2 swap_out"},
    {"memory_level", "", "free_memory_available: 0 urgent, 1 in between, 2 fine"},
    {"caller_tried", "", "1: an allocation has reclaimed and may go below min"},
    {"kswapd_awake", "", "1 from a wake-up of kswapd to its next sleep"},
    {"kswapd_due", "", "1 once the least time since the last wake-up has passed"},
    {"clock_fails", "", "calls of the clock that freed nothing since boot"},
    {"inodes_disposed", "", "inodes whose pages were truncated since boot"},
};
constexpr EventRow kMoreEvents[] = {
    {"kswapd.wake", "the timer wakes kswapd"},
    {"kswapd.sleep", "kswapd goes to sleep"},
    {"kswapd.elapsed", "the least time since its last wake-up has passed (kswapd_due 1)"},
    {"level.change", "free_memory_available has changed its mind"},
    {"state.change", "reclaim turns to another resource"},
    {"caller.tried", "an allocation below min has reclaimed (caller_tried 1)"},
    {"caller.took", "it goes on (caller_tried 0)"},
};
constexpr std::string_view kFilemap = "2.1.110 mm/filemap.c:shrink_one_page";
constexpr DecisionRow kDecisions[] = {
    {"take_page", "a page is handed out", "2.1.110 mm/page_alloc.c:__get_free_pages", true},
    {"wake_kswapd_now", "the timer wakes kswapd at once", "2.1.110 mm/vmscan.c:swap_tick"},
    {"wake_kswapd_later", "the timer wakes kswapd, the least time having passed",
     "2.1.110 mm/vmscan.c:swap_tick"},
    {"continue_reclaim", "kswapd frees one more page", "2.1.110 mm/vmscan.c:kswapd"},
    {"shrink_buffers", "a page of the buffer cache may go", kFilemap},
    {"shrink_cache", "an aged page of the page cache may go", kFilemap},
    {"over_borrow", "buffers or page cache have more than they may borrow",
     "2.1.110 mm/vmscan.c:do_try_to_free_page"},
};
static_assert(std::size(kDecisions) == kSites);

std::span<const CounterRow> all_counters() {
  static const std::vector<CounterRow> kRows = [] {
    std::vector<CounterRow> rows(paged::counter_rows().begin(), paged::counter_rows().end());
    rows.insert(rows.end(), std::begin(kMoreCounters), std::end(kMoreCounters));
    return rows;
  }();
  return kRows;
}
std::span<const EventRow> all_events() {
  static const std::vector<EventRow> kRows = [] {
    std::vector<EventRow> rows(paged::event_rows().begin(), paged::event_rows().end());
    rows.insert(rows.end(), std::begin(kMoreEvents), std::end(kMoreEvents));
    return rows;
  }();
  return kRows;
}

constexpr std::int64_t kPages = std::int64_t{1} << 32;
constexpr TunableRow kTunables[] = {
    {"min", "pages", "an allocation that finds less free reclaims first", 0, kPages},
    {"low", "pages", "below this memory is short until it is above high again", 0, kPages},
    {"high", "pages", "kswapd works until more than this is free", 0, kPages},
    {"ageings", "", "calls of age_page per visit of the clock (the mail's patch: 3)", 1, 20},
    {"clock_first", "", "1: 2.1.108, over the borrow limits always begin with the clock", 0, 1},
    {"dispose", "", "1: 2.1.110, dentries without users go, inodes are disposed", 0, 1},
    {"buffer_min", "%", "buffers are not shrunk below this share of memory", 0, 100, true},
    {"buffer_borrow", "%", "share of buffers above which the clock is tried in any case", 0, 100,
     true},
    {"cache_min", "%", "the page cache is not shrunk below this share of memory", 0, 100, true},
    {"cache_borrow", "%", "share of page cache above which the clock is tried in any case", 0, 100,
     true},
    {"tries", "", "tries of kswapd per wake-up when memory is short", 1, 1 << 20, true},
    {"frames", "pages", "num_physpages: what the shares and budgets are of", 1, kPages},
    {"spread_ages", "", "1: pages of files that are read get ages 1 to 19 in turn (a what-if)", 0, 1,
     true},
};
enum {
  tMin,
  tLow,
  tHigh,
  tAgeings,
  tClockFirst,
  tDispose,
  tBufferMin,
  tBufferBorrow,
  tCacheMin,
  tCacheBorrow,
  tTries,
  tFrames,
  tSpread
};

constexpr int kAgeMax = 20, kAgeAdvance = 3, kAgeFirst = 3, kAgeCache = 16;  // mm/swap.c, pagemap.h
constexpr int kEffort = 6, kKswapdEffort = 3;
constexpr std::int64_t kCallerTries = 32;  // SWAP_CLUSTER_MAX
constexpr Time kLaterNs = 250'000'000;     // swapout_interval, 25 ticks
constexpr std::int64_t kFewInodes = 16, kDisposeInodes = 8, kInodesPerPage = 12;  // fs/inode.c
constexpr std::int64_t kAgeCluster = 32;  // AGE_CLUSTER_FRACT of 1024
constexpr std::int64_t kAgeClusterMin = 4;

class Linux21 final : public Paged {
 public:
  Linux21(const MachineDescription& description, std::span<const std::int64_t> t, Engine& engine,
          Probe& probe)
      : Paged(description, engine, probe, 0) {
    std::copy(t.begin(), t.end(), t_.begin());
    probe_[kLevel] = 2;
  }

  void boot() override {
    engine_.spawn("kswapd", kswapd(), true);
    engine_.after(machine_.tick_ns, on_tick, this, 0);
  }
  void set_tunable(std::size_t row, std::int64_t value) override { t_[row] = value; }

 protected:
  // [__get_free_pages] Below min the caller reclaims once, then it allocates all the same.
  bool may_take() override {
    const bool may = probe_.decide(kSiteTake, probe_[kFree] >= t_[tMin] || probe_[kTried] != 0);
    if (!may || probe_[kFree] == 0) return false;
    if (probe_[kTried] != 0) {
      probe_[kTried] = 0;
      probe_.emit(kCallerTook);
    }
    return true;
  }

  Co<> make_room(Process& process) override {
    const std::int64_t before = probe_[kScanned];
    bool any = false;
    for (std::int64_t tries = 0; tries < kCallerTries; ++tries) {
      if (!try_to_free(0)) break;
      any = true;
    }
    co_await submit_outgoing(process);
    co_await charge_scan(process, before);
    if (!any) co_await engine_.sleep(process, io_done_, machine_.tick_ns);
    if (probe_[kTried] != 0) co_return;
    probe_[kTried] = 1;
    probe_.emit(kCallerTried);
  }

  void page_added(std::int32_t frame) override {
    Frame& f = frames_[frame];
    f.referenced = f.use == Use::file;
    f.age = f.use == Use::file ? kAgeCache : kAgeFirst;
    if (f.use != Use::file || t_[tSpread] == 0) return;
    f.age = static_cast<std::uint8_t>(1 + spread_++ % 19);
    f.referenced = false;
  }
  void page_accessed(std::int32_t frame) override {
    if (t_[tSpread] == 0) frames_[frame].referenced = true;
  }

  void file_opened(int file) override;

 private:
  std::int64_t cache() const { return probe_[kFile] + probe_[kMapped] + probe_[kSwapCache]; }
  bool below(std::int64_t pages, std::int64_t percent) const {
    return pages * 100 < percent * t_[tFrames];
  }
  int level();
  void turn_to(int state) {
    if (probe_[kState] == state) return;
    probe_[kState] = state;
    probe_.emit(kStateChange);
  }
  bool try_to_free(int least_effort);
  bool clock(int effort);
  bool visit(std::int32_t frame);
  bool swap_out(int effort);
  bool swap_out_program(Program& program);
  void dispose_inodes();
  Co<> kswapd();
  static void on_tick(void* object, std::int64_t);

  std::array<std::int64_t, std::size(kTunables)> t_{};
  std::int32_t hand_ = 0;
  int spread_ = 0;
  Time last_wake_ = 0;
  bool asleep_ = true;
  WaitQueue kswapd_wait_;
  // Inodes in memory, the one used last in front; a dentry keeps its inode.
  std::deque<int> inodes_;
  std::vector<bool> dentry_, inode_;
  int open_ = -1;
  std::int64_t free_inodes_ = 0;
};

// [mm/page_alloc.c:free_memory_available] With memory: short below low until above high.
int Linux21::level() {
  const std::int64_t free = probe_[kFree];
  std::int64_t now = probe_[kLevel];
  if (free > t_[tHigh]) {
    now = 2;
  } else if (free < t_[tLow]) {
    now = 0;
  } else if (now == 2) {
    now = 1;
  }
  if (now != probe_[kLevel]) {
    probe_[kLevel] = now;
    probe_.emit(kLevelChange);
  }
  return static_cast<int>(now);
}

// [mm/vmscan.c:do_try_to_free_page] The state is kept from call to call: success stays with the
// resource that worked. The extra turn of the clock counts nothing, but moves hand and ages.
bool Linux21::try_to_free(int least_effort) {
  const bool over = probe_[kBuffers] * 100 > t_[tBufferBorrow] * t_[tFrames] ||
                    cache() * 100 > t_[tCacheBorrow] * t_[tFrames];
  if (probe_.decide(kSiteOver, over)) {
    if (t_[tClockFirst] != 0) {
      turn_to(0);
    } else {
      clock(kEffort);
    }
  }
  for (int effort = kEffort; effort >= least_effort; --effort) {
    if (probe_[kState] == 0) {
      if (clock(effort)) return true;
      turn_to(2);
    }
    if (swap_out(effort)) return true;
    if (t_[tDispose] != 0) {  // shrink_dcache_memory: every dentry without users
      std::fill(dentry_.begin(), dentry_.end(), false);
      if (open_ >= 0) dentry_[static_cast<std::size_t>(open_)] = true;
    }
    turn_to(0);
  }
  return false;
}

// [mm/filemap.c:shrink_mmap] Two budgets: frames, and frames that are cache or buffers.
bool Linux21::clock(int effort) {
  const auto frames = static_cast<std::int32_t>(frames_.size());
  std::int64_t limit = (4 * t_[tFrames]) >> (effort / 2), pages = (4 * t_[tFrames]) >> effort;
  if (t_[tClockFirst] != 0) {  // 2.1.108: half of it
    limit /= 2;
    pages /= 2;
  }
  while (limit-- > 0 && pages > 0) {
    const std::int32_t at = hand_;
    hand_ = hand_ + 1 == frames ? 0 : hand_ + 1;
    probe_[kScanned] += 1;
    const Use use = frames_[at].use;
    if (use == Use::free || use == Use::anon) continue;
    --pages;
    if (visit(at)) return true;
  }
  ++probe_[kClockFails];
  return false;
}

// [mm/filemap.c:shrink_one_page] True: the page is free now.
bool Linux21::visit(std::int32_t frame) {
  Frame& f = frames_[frame];
  if (f.locked || f.writeback || f.dirty) return false;
  if (f.use == Use::buffer) {
    if (!probe_.decide(kSiteShrinkBuffers, !below(probe_[kBuffers], t_[tBufferMin]))) return false;
    if (std::exchange(f.referenced, false)) return false;
    drop(frame);
    return true;
  }
  if (f.mapped) {
    f.referenced = true;
    return false;
  }
  if (std::exchange(f.referenced, false)) {
    f.age = static_cast<std::uint8_t>(std::min(kAgeMax, f.age + kAgeAdvance));
    return false;
  }
  f.age = static_cast<std::uint8_t>(std::max<std::int64_t>(0, f.age - t_[tAgeings]));
  if (f.age > 0) return false;
  if (!probe_.decide(kSiteShrinkCache, !below(cache(), t_[tCacheMin]))) return false;
  drop(frame);
  return true;
}

// [mm/vmscan.c:swap_out] Rounds go to the program with the largest count.
bool Linux21::swap_out(int effort) {
  if (programs_.empty()) return false;
  std::int64_t rounds = (8 * std::ssize(programs_) >> effort) + 1;
  for (bool filled = false; rounds > 0;) {
    Program* best = nullptr;
    for (Program& program : programs_) {
      if (program.resident > 0 && (!best || program.swap_count > best->swap_count)) best = &program;
    }
    if (!best) return false;
    if (best->swap_count == 0) {
      if (filled) return false;
      filled = true;
      for (Program& program : programs_) {
        program.swap_count = program.resident == 0
                                 ? 0
                                 : std::max(kAgeClusterMin, program.resident * kAgeCluster / 1024);
      }
      continue;
    }
    --rounds;
    --best->swap_count;
    if (swap_out_program(*best)) return true;
    best->swap_count = 0;
    filled = false;
  }
  return false;
}

// [mm/vmscan.c:swap_out_vma, try_to_swap_out] From where the last scan stopped to the end of the
// address space, or to the first page that goes. Pages looked at and kept are aged.
bool Linux21::swap_out_program(Program& program) {
  const std::int64_t size = program.anon_pages + program.text_pages;
  for (std::int64_t at = program.swap_at; at < size; ++at) {
    const std::int32_t frame = mapped_frame(program, at);
    if (frame < 0) continue;
    Frame& f = frames_[frame];
    if (f.locked || f.writeback) continue;
    probe_[kScanned] += 1;
    if (std::exchange(f.young, false)) {
      f.age = static_cast<std::uint8_t>(std::min(kAgeMax, f.age + kAgeAdvance));
      continue;
    }
    if (f.age > 0) --f.age;
    if (f.age > 0) continue;
    program.swap_at = at + 1;
    const bool text = f.use == Use::file;
    unmap(frame);
    if (text) drop(frame);
    return true;
  }
  program.swap_at = 0;
  return false;
}

// --- Dentries and inodes [fs/inode.c] ---

// get_empty_inode: with fewer than 16 free inodes first try to dispose some.
void Linux21::file_opened(int file) {
  const auto index = static_cast<std::size_t>(file);
  if (index >= inode_.size()) {
    inode_.resize(index + 1, false);
    dentry_.resize(index + 1, false);
  }
  open_ = file;
  if (!inode_[index]) {
    if (t_[tDispose] != 0 && free_inodes_ < kFewInodes) dispose_inodes();
    if (free_inodes_ == 0) free_inodes_ = kInodesPerPage;
    --free_inodes_;
    inode_[index] = true;
    inodes_.push_front(file);
  }
  dentry_[index] = true;
}

// free_inodes(8): from the old end, at most 16 of them; what is in use goes to the front.
void Linux21::dispose_inodes() {
  std::int64_t found = 0;
  for (std::int64_t depth = 2 * kDisposeInodes; depth > 0 && found < kDisposeInodes; --depth) {
    if (inodes_.empty()) break;
    const int file = inodes_.back();
    inodes_.pop_back();
    if (dentry_[static_cast<std::size_t>(file)] || in_flight(file)) {
      inodes_.push_front(file);
      continue;
    }
    truncate_now(file);
    inode_[static_cast<std::size_t>(file)] = false;
    ++found;
  }
  free_inodes_ += found;
  probe_[kDisposed] += found;
}

// --- kswapd ---

void Linux21::on_tick(void* object, std::int64_t) {
  Linux21& kernel = *static_cast<Linux21*>(object);
  kernel.engine_.after(kernel.machine_.tick_ns, on_tick, object, 0);
  if (!kernel.asleep_) return;
  Probe& probe = kernel.probe_;
  const bool due = kernel.engine_.now() - kernel.last_wake_ >= kLaterNs;
  if (due && probe[kKswapdDue] == 0) {
    probe[kKswapdDue] = 1;
    probe.emit(kKswapdElapsed);
  }
  const int level = kernel.level();
  bool wake = probe.decide(kSiteWakeNow, level == 0);
  if (!wake && due) wake = probe.decide(kSiteWakeLater, level == 1);
  if (!wake) return;
  probe[kKswapdDue] = 0;
  probe[kKswapdAwake] = 1;
  kernel.last_wake_ = kernel.engine_.now();
  kernel.asleep_ = false;
  probe.emit(kKswapdWake);
  kernel.engine_.wake(kernel.kswapd_wait_);
}

// [mm/vmscan.c:kswapd] Stops as soon as memory is fine.
Co<> Linux21::kswapd() {
  Process& self = co_await this_process();
  for (;;) {
    asleep_ = true;
    co_await engine_.sleep(self, kswapd_wait_);
    const std::int64_t before = probe_[kScanned];
    std::int64_t tries = t_[tTries] >> (4 * level());
    while (tries-- > 0 && probe_.decide(kSiteGoOn, level() < 2)) try_to_free(kKswapdEffort);
    co_await submit_outgoing(self);
    co_await charge_scan(self, before);
    probe_[kKswapdAwake] = 0;
    probe_.emit(kKswapdSleep);
  }
}

Result<std::unique_ptr<Kernel>, MachineError> make(const MachineDescription& description,
                                                   std::span<const std::int64_t> t, Engine& engine,
                                                   Probe& probe) {
  if (t[tMin] > t[tLow]) return fail(MachineError{"tunable min", "must not exceed low"});
  if (t[tLow] > t[tHigh]) return fail(MachineError{"tunable low", "must not exceed high"});
  return std::make_unique<Linux21>(description, t, engine, probe);
}

}  // namespace

KernelRow linux_2_1_row() {
  return {"linux-2.1.110",
          "Linux 2.1.108 and 2.1.110 (July 1998): page ages, one clock, sticky reclaim",
          Family::paging,
          kTunables,
          all_counters(),
          all_events(),
          kDecisions,
          make};
}

}  // namespace brink::machine
