// Linux 2.3.40 to 2.3.49 (January to March 2000): what share of which memory may be dirty.
//
// Dirty file data lives in the page cache, and its buffers on one dirty list. With p = nfract, more
// than p/2 % of T dirty wakes bdflush, more than p % makes the writer wait for one of its passes
// [fs/buffer.c:balance_dirty_state, wakeup_bdflush]. The question of the 2000 report is what T is.
// 2.3.40 and the patch of the mail: all pages of the LRU and the free ones. 2.3.45 to 2.3.49pre2:
// without the page cache [mm/page_alloc.c:nr_free_buffer_pages]. Then T does not grow with memory,
// and a writer lowers it with every page it takes.
//
// dbench deletes its files within seconds. While little has to be written, almost nothing ever is;
// once bdflush runs, data that would have been deleted goes to the disk, unlink waits for pages in
// flight, and the files live longer: two stable states.
//
// What differs from the original: one zone, no programs to swap; metadata stay in the buffer cache
// (they are in use all the time); a block is a page, so a pass of 500 buffers is one of 500 pages.
// "Synchronous" is waiting for one pass of bdflush, not for the writer's own data.
//
// Invariant kept: the LRU holds every page of files and buffers exactly once (`check`).
#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "models/base/check.h"
#include "models/kernels/rows.h"
#include "models/machine/paged.h"

namespace brink::machine {

using namespace paged;

namespace {

enum Counter {
  kBase = paged::kCounters,  // T
  kFlusherAwake,
  kThrottled,
  kPasses,
  kKswapdAwake,
  kElevatorSeeks,
  kAllCounters
};
enum Event {
  kFlusherWake = paged::kEvents,
  kFlusherSleep,
  kPass,
  kWriterWait,
  kWriterWake,
  kKswapdWake,
  kKswapdSleep,
  kAllEvents
};
enum Site { kSiteTake, kSiteWake, kSiteThrottle, kSiteAgain, kSiteKswapd, kSites };

constexpr CounterRow kMoreCounters[] = {
    {"dirty_base", "pages", "what nfract is a share of"},
    {"bdflush_awake", "", "1 from a wake-up of bdflush to its next sleep"},
    {"writers_waiting", "", "writers that wait for a pass of bdflush"},
    {"bdflush_passes", "", "passes since boot"},
    {"kswapd_awake", "", "1 from a wake-up of kswapd to its next sleep"},
    {"disk_seeks", "", "requests that did not continue the last one"},
};
constexpr EventRow kMoreEvents[] = {
    {"bdflush.wake", "bdflush is woken"},
    {"bdflush.sleep", "bdflush goes to sleep"},
    {"bdflush.pass", "bdflush has finished a pass"},
    {"writer.wait", "a writer begins to wait for a pass of bdflush"},
    {"writer.wake", "a writer goes on"},
    {"kswapd.wake", "kswapd is woken"},
    {"kswapd.sleep", "kswapd goes to sleep"},
};
constexpr std::string_view kBalance = "2.3.4x fs/buffer.c:balance_dirty_state";
constexpr DecisionRow kDecisions[] = {
    {"take_page", "a free page is handed out", "2.3.4x mm/page_alloc.c:__alloc_pages", true},
    {"wake_bdflush", "enough is dirty to wake bdflush", kBalance},
    {"throttle_writer", "so much is dirty that the writer waits for a pass", kBalance},
    {"bdflush_again", "bdflush makes another pass", "2.3.4x fs/buffer.c:bdflush"},
    {"wake_kswapd", "an allocation wakes kswapd", "2.3.4x mm/page_alloc.c:__alloc_pages"},
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
    {"min", "pages", "an allocation leaves at least this free", 0, kPages},
    {"low", "pages", "kswapd is woken below this", 0, kPages},
    {"high", "pages", "kswapd sleeps again from this on", 1, kPages},
    {"nfract", "%", "share of T: half of it wakes bdflush, all of it makes writers wait", 0, 100,
     true},
    {"ndirty", "pages", "most pages a pass of bdflush submits", 1, kPages, true},
    {"subtract", "", "1: T is without the page cache (2.3.45 to 2.3.49pre2)", 0, 1},
};
enum { tMin, tLow, tHigh, tNfract, tNdirty, tSubtract };

constexpr Time kKupdateNs = 5'000'000'000;  // bdf_prm: interval
constexpr Time kOldNs = 30'000'000'000;     // bdf_prm: age_buffer
constexpr int kFirstPriority = 6;           // mm/vmscan.c:do_try_to_free_pages
constexpr std::int64_t kCluster = 32;       // SWAP_CLUSTER_MAX

class Linux23 final : public Paged {
 public:
  Linux23(const MachineDescription& description, std::span<const std::int64_t> t, Engine& engine,
          Probe& probe)
      : Paged(description, engine, probe, 1) {
    std::copy(t.begin(), t.end(), t_.begin());
    probe_[kBase] = base();
  }

  void boot() override {
    engine_.spawn("bdflush", bdflush(), false);
    engine_.spawn("kupdate", kupdate(), false);
    engine_.spawn("kswapd", kswapd(), false);
  }
  void check() const override {
    Paged::check();
    BRINK_CHECK(lists_.count(0) == probe_[kFile] + probe_[kMapped] + probe_[kSwapCache] +
                                       probe_[kBuffers] + probe_[kAnon]);
    BRINK_CHECK(probe_[kBase] == base(), "T does not follow the counters");
  }
  void set_tunable(std::size_t row, std::int64_t value) override { t_[row] = value; }

 protected:
  bool may_take() override {
    if (probe_[kKswapdAwake] == 0 && probe_.decide(kSiteKswapd, probe_[kFree] < t_[tLow])) {
      probe_[kKswapdAwake] = 1;
      probe_.emit(kKswapdWake);
      engine_.wake(kswapd_wait_);
    }
    return probe_[kFree] > 0 && probe_.decide(kSiteTake, probe_[kFree] > t_[tMin]);
  }
  Co<> make_room(Process& process) override {
    const std::int64_t before = probe_[kScanned];
    const std::int64_t freed = shrink(kCluster);
    co_await charge_scan(process, before);
    if (freed == 0) co_await wait_for_pass(process);
  }
  void page_added(std::int32_t frame) override {
    lists_.push_back(0, frame);
    rebase(1, frames_[frame].use);
  }
  void page_leaves(std::int32_t frame) override {
    lists_.remove(frame);
    rebase(-1, frames_[frame].use);
  }
  void buffer_added(std::int32_t frame) override { page_added(frame); }

  // [fs/buffer.c:balance_dirty] Half of the share wakes bdflush, all of it makes the writer wait.
  bool must_balance() override {
    const std::int64_t dirty = probe_[kDirty] * 200, soft = t_[tNfract] * probe_[kBase];
    if (probe_.decide(kSiteWake, dirty > soft)) wake_bdflush();
    return probe_.decide(kSiteThrottle, dirty > 2 * soft);
  }
  Co<> balance(Process& process) override { co_await wait_for_pass(process); }

 private:
  // [mm/page_alloc.c:nr_free_buffer_pages] nr_lru_pages (- page_cache_size) + free pages. Anonymous
  // pages are not on the LRU of 2.3; here they are on the list, but not counted.
  std::int64_t base() const {
    const std::int64_t cache = probe_[kFile] + probe_[kMapped] + probe_[kSwapCache];
    return probe_[kFree] + probe_[kBuffers] + (t_[tSubtract] != 0 ? 0 : cache);
  }
  // A page comes (1) or goes (-1): pop_free has counted it already, push_free will.
  void rebase(int direction, Use use) {
    const bool counted = use == Use::buffer || (use != Use::anon && t_[tSubtract] == 0);
    if (!counted) probe_[kBase] -= direction;
  }
  bool over() const { return probe_[kDirty] * 200 > t_[tNfract] * probe_[kBase]; }

  void wake_bdflush() {
    if (probe_[kFlusherAwake] != 0) return;
    probe_[kFlusherAwake] = 1;
    probe_.emit(kFlusherWake);
    engine_.wake(flusher_wait_);
  }
  // [fs/buffer.c:wakeup_bdflush(1)]
  Co<> wait_for_pass(Process& process) {
    wake_bdflush();
    ++probe_[kThrottled];
    probe_.emit(kWriterWait);
    co_await engine_.sleep(process, pass_done_);
    --probe_[kThrottled];
    probe_.emit(kWriterWake);
  }

  Co<> bdflush() {
    Process& self = co_await this_process();
    for (;;) {
      if (probe_[kFlusherAwake] == 0) {
        co_await engine_.sleep(self, flusher_wait_);
        continue;
      }
      const std::int64_t written = co_await write_out(self, t_[tNdirty], engine_.now());
      ++probe_[kPasses];
      probe_[kElevatorSeeks] = disk_.seeks();
      probe_.emit(kPass);
      if (written == 0 && probe_[kWriteback] > 0) co_await engine_.sleep(self, io_done_);
      engine_.wake(pass_done_);
      if (probe_.decide(kSiteAgain, written > 0 && over())) {
        co_await engine_.offer(self);
        continue;
      }
      probe_[kFlusherAwake] = 0;
      probe_.emit(kFlusherSleep);
    }
  }

  // [fs/buffer.c:kupdate] Every 5 s what has been dirty for 30 s.
  Co<> kupdate() {
    Process& self = co_await this_process();
    WaitQueue clock;
    for (;;) {
      co_await engine_.sleep(self, clock, kKupdateNs);
      const Time old = engine_.now() - kOldNs;
      while (co_await write_out(self, t_[tNdirty], old) > 0) co_await engine_.offer(self);
    }
  }

  // [mm/filemap.c:shrink_mmap] From the old end of the LRU, referenced pages get a second round.
  std::int64_t shrink(std::int64_t goal) {
    std::int64_t freed = 0;
    for (int priority = kFirstPriority; priority >= 0 && freed < goal; --priority) {
      std::int64_t scan = lists_.count(0) >> priority;
      for (; scan > 0 && freed < goal; --scan) {
        const std::int32_t frame = lists_.front(0);
        Frame& f = frames_[frame];
        ++probe_[kScanned];
        if (f.use == Use::file && droppable(frame) && !f.referenced) {
          drop(frame);
          ++freed;
          continue;
        }
        f.referenced = false;
        lists_.remove(frame);
        lists_.push_back(0, frame);
      }
    }
    return freed;
  }

  Co<> kswapd() {
    Process& self = co_await this_process();
    for (;;) {
      const std::int64_t before = probe_[kScanned];
      while (probe_[kFree] < t_[tHigh] && shrink(kCluster) > 0) {
      }
      co_await charge_scan(self, before);
      probe_.emit(kKswapdSleep, std::exchange(probe_[kKswapdAwake], 0));
      co_await engine_.sleep(self, kswapd_wait_);
    }
  }

  std::array<std::int64_t, std::size(kTunables)> t_{};
  WaitQueue flusher_wait_, pass_done_, kswapd_wait_;
};

Result<std::unique_ptr<Kernel>, MachineError> make(const MachineDescription& description,
                                                   std::span<const std::int64_t> t, Engine& engine,
                                                   Probe& probe) {
  if (t[tMin] > t[tLow]) return fail(MachineError{"tunable min", "must not exceed low"});
  if (t[tLow] > t[tHigh]) return fail(MachineError{"tunable low", "must not exceed high"});
  return std::make_unique<Linux23>(description, t, engine, probe);
}

}  // namespace

KernelRow linux_2_3_row() {
  return {"linux-2.3.47",
          "Linux 2.3.40 to 2.3.49 (early 2000): what share of which memory may be dirty",
          Family::paging,
          kTunables,
          all_counters(),
          all_events(),
          kDecisions,
          make};
}

}  // namespace brink::machine
