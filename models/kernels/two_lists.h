// TwoLists: an active and an inactive list, use-once, and kswapd. What Linux 2.4.19 and 2.5.52
// share.
//
// Users: linux_2_4_19.cpp and linux_2_5.cpp, which add what is reclaimed and when programs pay.
//
// Idea. A page of a file begins on the inactive list. A second access while it is there moves it to
// the active one [mm/swap.c:mark_page_accessed]; pages leave from the old end of the inactive list.
// The 2002 report is about the pages of programs among them: 2.4 takes them whenever it meets too
// many of them, 2.5 only when swappiness, their share of memory and its own distress add up to 100.
//
// Invariant kept: every page in use is on exactly one of the two lists (`check`).
#pragma once

#include <vector>

#include "models/machine/paged.h"

namespace brink::machine {

namespace two_lists {

enum Counter {
  kInactive = paged::kCounters,
  kActive,
  kPriority,  ///< of the running reclaim; what it began with when none runs
  kKswapdAwake,
  kReclaimed,  ///< pages freed by reclaim since boot
  kExposed,    ///< pages that programs map, on the inactive list
  kCounters
};
enum Event {
  kKswapdWake = paged::kEvents,
  kKswapdSleep,
  kRoundBegin,   ///< a round of reclaim begins
  kRoundHarder,  ///< it has not freed enough: the priority goes down by one
  kRoundEnd,
  kActivate,
  kDeactivate,
  kProtect,  ///< the same of a page that a program maps
  kExpose,
  kEvents
};
enum Site { kSiteTake, kSiteKswapd, kSiteEnough, kSiteMapped, kSiteThrottle, kSites };

std::span<const CounterRow> counter_rows();
std::span<const EventRow> event_rows();

}  // namespace two_lists

class TwoLists : public Paged {
 public:
  struct Marks {
    std::int64_t min, low, high;  ///< free pages
  };
  TwoLists(const MachineDescription& description, const Marks& marks, int first_priority,
           bool programs_active, Time congestion_ns, Engine& engine, Probe& probe);

  void boot() override;
  void check() const override;

 protected:
  static constexpr int inactive = 0, active = 1;
  static constexpr std::int64_t kGoal = 32;  // SWAP_CLUSTER_MAX

  /// One round at a priority: frees up to `goal` pages. How many it freed.
  virtual std::int64_t shrink(int priority, std::int64_t goal) = 0;
  /// Pages that may be dirty before a writer has to write, and before a daemon starts to.
  virtual std::int64_t writer_limit() const = 0;
  virtual std::int64_t daemon_limit() const = 0;
  /// The daemon stops below this.
  virtual std::int64_t daemon_stop() const = 0;

  bool may_take() override;
  Co<> make_room(Process& process) override;
  void page_added(std::int32_t frame) override;
  void page_leaves(std::int32_t frame) override;
  void mapping_changed(std::int32_t frame) override;
  void page_accessed(std::int32_t frame) override;
  bool must_balance() override;
  Co<> balance(Process& process) override;

  void move(std::int32_t frame, int list);
  void rotate(std::int32_t frame);
  void scanned(std::int64_t pages) { probe_[paged::kScanned] += pages; }
  int last_priority_ = 1;

 private:
  Co<bool> reclaim(Process& process, bool kswapd);
  Co<> kswapd();
  Co<> flusher();

  Marks marks_;
  Time congestion_ns_;
  int first_priority_;
  bool programs_active_;
  WaitQueue kswapd_wait_, flusher_wait_, nobody_;
  bool flusher_asleep_ = false;
  bool reclaiming_ = false;  ///< one process at a time, so that the rounds of two do not mix
};

}  // namespace brink::machine
