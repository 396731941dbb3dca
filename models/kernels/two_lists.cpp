#include "models/kernels/two_lists.h"

#include <algorithm>
#include <utility>

#include "models/base/check.h"

namespace brink::machine {

using namespace paged;

namespace {

constexpr Time kTroubleNs = 25'000'000;     // a program that found nothing tries again then
constexpr Time kKupdateNs = 5'000'000'000;  // bdflush and pdflush wake every 5 s
constexpr Time kOldNs = 30'000'000'000;     // and write what has been dirty for 30 s
constexpr std::int64_t kWritePages = 48;    // a writer that writes: 1.5 times what it dirtied
constexpr std::int64_t kDaemonPages = 500;  // a pass of the daemon

std::vector<CounterRow> make_counters() {
  std::vector<CounterRow> rows(paged::counter_rows().begin(), paged::counter_rows().end());
  rows.insert(rows.end(),
              {{"inactive_pages", "pages", "on the inactive list"},
               {"active_pages", "pages", "on the active list"},
               {"priority", "", "of the running round of reclaim; between rounds the first one"},
               {"kswapd_awake", "", "1 from a wake-up of kswapd to its next sleep"},
               {"pages_reclaimed", "pages", "freed by reclaim since boot"},
               {"exposed_pages", "pages", "mapped by programs and on the inactive list"}});
  return rows;
}

std::vector<EventRow> make_events() {
  std::vector<EventRow> rows(paged::event_rows().begin(), paged::event_rows().end());
  rows.insert(rows.end(),
              {{"kswapd.wake", "kswapd is woken"},
               {"kswapd.sleep", "kswapd goes to sleep"},
               {"round.begin", "reclaim begins at its first priority"},
               {"round.harder", "a round freed too little: the priority goes down by one"},
               {"round.end", "reclaim has freed enough, or gives up"},
               {"page.activate", "a page that no program maps goes to the active list"},
               {"page.deactivate", "a page that no program maps goes to the inactive list"},
               {"program.protect", "a page that a program maps goes to the active list"},
               {"program.expose", "a page that a program maps goes to the inactive list"}});
  return rows;
}

}  // namespace

namespace two_lists {

std::span<const CounterRow> counter_rows() {
  static const std::vector<CounterRow> kRows = make_counters();
  return kRows;
}
std::span<const EventRow> event_rows() {
  static const std::vector<EventRow> kRows = make_events();
  return kRows;
}

}  // namespace two_lists

using namespace two_lists;

TwoLists::TwoLists(const MachineDescription& description, const Marks& marks, int first_priority,
                   bool programs_active, Time congestion_ns, Engine& engine, Probe& probe)
    : Paged(description, engine, probe, 2),
      marks_(marks),
      congestion_ns_(congestion_ns),
      first_priority_(first_priority),
      programs_active_(programs_active) {
  probe_[kPriority] = first_priority;
}

void TwoLists::boot() {
  engine_.spawn("kswapd", kswapd(), true);
  engine_.spawn("pdflush", flusher(), false);
}

void TwoLists::check() const {
  Paged::check();
  BRINK_CHECK(lists_.count(inactive) == probe_[kInactive]);
  BRINK_CHECK(lists_.count(active) == probe_[kActive]);
  std::int64_t exposed = 0;
  for (std::int32_t f = lists_.front(inactive); f >= 0; f = lists_.after(f)) {
    exposed += frames_[f].mapped;
  }
  BRINK_CHECK(exposed == probe_[kExposed]);
  BRINK_CHECK(probe_[kInactive] + probe_[kActive] + probe_[paged::kFree] ==
              static_cast<std::int64_t>(frames_.size()));
}

void TwoLists::move(std::int32_t frame, int list) {
  lists_.remove(frame);
  lists_.push_back(list, frame);
  const int step = list == active ? 1 : -1;
  probe_[kActive] += step;
  probe_[kInactive] -= step;
  const bool mapped = frames_[frame].mapped;
  if (mapped) probe_[kExposed] -= step;
  probe_.emit(list == active ? (mapped ? kProtect : kActivate) : (mapped ? kExpose : kDeactivate));
}

void TwoLists::rotate(std::int32_t frame) {
  const int list = lists_.list_of(frame);
  lists_.remove(frame);
  lists_.push_back(list, frame);
}

// Pages of programs begin on the active list since 2.5.43, on the inactive one before.
void TwoLists::page_added(std::int32_t frame) {
  const bool to_active = frames_[frame].mapped && programs_active_;
  lists_.push_back(to_active ? active : inactive, frame);
  ++probe_[to_active ? kActive : kInactive];
  if (!to_active && frames_[frame].mapped) ++probe_[kExposed];
}

void TwoLists::mapping_changed(std::int32_t frame) {
  if (lists_.list_of(frame) == inactive) probe_[kExposed] += frames_[frame].mapped ? 1 : -1;
}

void TwoLists::page_leaves(std::int32_t frame) {
  const int list = lists_.list_of(frame);
  lists_.remove(frame);
  --probe_[list == active ? kActive : kInactive];
}

// [mm/swap.c:mark_page_accessed] Use-once: the second access activates.
void TwoLists::page_accessed(std::int32_t frame) {
  Frame& f = frames_[frame];
  if (f.referenced && lists_.list_of(frame) == inactive) {
    f.referenced = false;
    move(frame, active);
  } else {
    f.referenced = true;
  }
}

// --- The allocator [mm/page_alloc.c:__alloc_pages] ---

bool TwoLists::may_take() {
  const std::int64_t free = probe_[kFree];
  if (probe_[kKswapdAwake] == 0 && probe_.decide(kSiteKswapd, free < marks_.low)) {
    probe_[kKswapdAwake] = 1;
    probe_.emit(kKswapdWake);
    engine_.wake(kswapd_wait_);
  }
  return free > 0 && probe_.decide(kSiteTake, free > marks_.min);
}

// The caller reclaims itself; when that gives nothing it waits for the disk.
Co<> TwoLists::make_room(Process& process) {
  const bool freed = co_await reclaim(process, false);
  if (!freed) co_await engine_.sleep(process, io_done_, kTroubleNs);
}

// [mm/vmscan.c:try_to_free_pages, balance_pgdat] Round after round, each harder than the last,
// until enough is free.
Co<bool> TwoLists::reclaim(Process& process, bool for_kswapd) {
  if (reclaiming_) co_return false;
  reclaiming_ = true;
  std::int64_t freed = 0;
  probe_[kPriority] = first_priority_;
  probe_.emit(kRoundBegin);
  for (int priority = first_priority_; priority >= last_priority_; --priority) {
    const std::int64_t wanted = for_kswapd ? marks_.high - probe_[kFree] : kGoal - freed;
    if (for_kswapd ? probe_.decide(kSiteEnough, wanted <= 0) : wanted <= 0) break;
    if (priority < first_priority_) {
      probe_[kPriority] = priority;
      probe_.emit(kRoundHarder);
    }
    const std::int64_t before = probe_[kScanned];
    freed += shrink(priority, std::max(kGoal, wanted));
    co_await submit_outgoing(process);
    co_await charge_scan(process, before);
    const bool enough = for_kswapd ? probe_[kFree] >= marks_.high : freed >= kGoal;
    if (!enough && queued_writes_ > 0 && congestion_ns_ > 0) {
      co_await engine_.sleep(process, nobody_, congestion_ns_);
    }
  }
  probe_[kReclaimed] += freed;
  probe_[kPriority] = first_priority_;
  probe_.emit(kRoundEnd);
  reclaiming_ = false;
  co_return freed > 0;
}

Co<> TwoLists::kswapd() {
  Process& self = co_await this_process();
  for (;;) {
    if (probe_[kFree] >= marks_.high || !co_await reclaim(self, true)) {
      probe_.emit(kKswapdSleep, std::exchange(probe_[kKswapdAwake], 0));
      co_await engine_.sleep(self, kswapd_wait_);
    }
    co_await engine_.offer(self);
  }
}

// --- Dirty pages ---

bool TwoLists::must_balance() {
  const std::int64_t dirty = probe_[kDirty] + probe_[kWriteback];
  if (flusher_asleep_ && probe_[kDirty] > daemon_limit()) engine_.wake(flusher_wait_);
  return probe_.decide(kSiteThrottle, dirty > writer_limit());
}

// [mm/page-writeback.c:balance_dirty_pages; 2.4 fs/buffer.c:balance_dirty] The writer writes, too.
Co<> TwoLists::balance(Process& process) {
  while (probe_[kDirty] + probe_[kWriteback] > writer_limit()) {
    const std::int64_t begun = co_await write_out(process, kWritePages, engine_.now());
    if (begun == 0 && probe_[kWriteback] > 0) {
      co_await engine_.sleep(process, io_done_, kTroubleNs);
    } else if (begun == 0) {
      co_return;
    }
  }
}

// bdflush and kupdate of 2.4, pdflush of 2.5: the oldest dirty pages while there are too many, and
// all that are 30 s old.
Co<> TwoLists::flusher() {
  Process& self = co_await this_process();
  for (;;) {
    flusher_asleep_ = true;
    co_await engine_.sleep(self, flusher_wait_, kKupdateNs);
    flusher_asleep_ = false;
    bool wrote = probe_[kDirty] > daemon_limit();
    while (wrote && probe_[kDirty] > daemon_stop()) {
      wrote = co_await write_out(self, kDaemonPages, engine_.now()) > 0;
      co_await engine_.offer(self);
    }
    const Time old = engine_.now() - kOldNs;
    while (co_await write_out(self, kDaemonPages, old) > 0) co_await engine_.offer(self);
  }
}

}  // namespace brink::machine
