// Linux 2.4.7 to 2.4.8-pre7: zones, the inactive_dirty list and the rules that launder it.
//
// Users: linux_2_4*.cpp only. What the files do: linux_2_4.cpp boot, lists, daemons, reads;
// linux_2_4_alloc.cpp the allocator; linux_2_4_launder.cpp shortages and page_launder;
// linux_2_4_tables.cpp names and construction.
//
// Idea. Buffer pages of a block device can live in DMA and NORMAL only. When those are used up,
// every page has to be bought from one global list that mixes both zones in the order of
// allocation. The price is the number of list entries a pass looks at, and the 2.4.8-pre1..3 rule
// (Kz) makes a pass look at all of them to find one page of the DMA zone.
//
// Time. Page and list changes take the LRU lock, and a pass over 190,000 entries holds it for 12
// ms, so a program gets a whole number of pages per pass: one when kswapd walks all the time and
// the program only waits for the lock, half of one when both walk, since a pass that leaves DMA
// short is repeated. Which it is follows from how long kswapd stays away between two turns
// (kswapd_pass_ns, wake_ns); a kswapd that is never away hides the barrier.
//
// Sources: mm/page_alloc.c and mm/vmscan.c of 2.4.0-2.4.2 and 2.4.9, the zoned patch against
// 2.4.7-pre9 (Tosatti, 20 July 2001), patches and mails of August 2001 as cited at each rule.
//
// What differs from the original. Only buffer pages are on the lists, so inactive_clean is always
// empty and kreclaimd, though woken, finds nothing. The active list is not scanned
// (refill_inactive): in the measured state (Tosatti, 18 July 2001: DMA 127 pages free, inactive
// shortage 257 = high - free) it gave nothing back. A page that was allocated under pressure goes
// to the active list and leaves the scanned one (`readmit` 0); put back on the scanned list, the
// same rule would recover by itself, which was not observed. Buffer heads of freed pages stay in
// their slab.
//
// Invariant kept: in every zone free + list + active + heads + fixed (+ pages in hand) = its size.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/machine/disk.h"
#include "models/machine/kernel.h"
#include "models/machine/links.h"

namespace brink::machine::linux24 {

constexpr int kDma = 0, kNormal = 1, kHigh = 2, kZones = 3;
constexpr int kAll = 3;  ///< a pass over all zones

// Counters and events that exist per zone are three in a row: first + zone.
enum Counter {
  kFree = 0,
  kInactiveClean = kFree + kZones,
  kList = kInactiveClean + kZones,
  kActive = kList + kZones,
  kHeadPages = kActive + kZones,
  kFixed = kHeadPages + kZones,
  kInHand = kFixed + kZones,
  kFreeTotal = kInHand + kZones,
  kListLength,
  kBufferPages,
  kHeadsFree,
  kEntriesWalked,
  kPagesLaundered,
  kReaderWalked,
  kKswapdWalked,
  kAllocFails,
  kKswapdAwake,
  kKreclaimdWakes,
  kCounters
};
enum Event {
  kTake = 0,
  kListAdd = kTake + kZones,
  kActiveAdd = kListAdd + kZones,
  kHeadsTake = kActiveAdd + kZones,
  kLaunderFree = kHeadsTake + kZones,
  kRotate = kLaunderFree + kZones,
  kScanBegin = kRotate + kZones,
  kScanEnd = kScanBegin + kZones + 1,
  kHeadsUse = kScanEnd + kZones + 1,
  kAllocFail,
  kKswapdWake,
  kKswapdSleep,
  kKreclaimdWake,
  kEvents
};
enum Site {
  kSiteTakeLow = 0,
  kSiteTakeHigh = kSiteTakeLow + kZones,
  kSiteTakeCleanLow = kSiteTakeHigh + kZones,
  kSiteTake = kSiteTakeCleanLow + kZones,
  kSiteZoneShort = kSiteTake + kZones,
  kSiteRotate = kSiteZoneShort + kZones,
  kSiteStop = kSiteRotate + kZones,  // by pass: dma, normal, high, all
  kSiteGlobalShort = kSiteStop + kZones + 1,
  kSiteAgain,
  kSiteKswapdWorks,
  kSiteWakeKswapd,
  kSiteWakeKreclaimd,
  kSites
};

std::span<const CounterRow> counter_rows();
std::span<const EventRow> event_rows();
std::span<const DecisionRow> decision_rows();

enum class Rule : std::int64_t { k247 = 0, zoned = 1, pre7 = 2 };

/// Thresholds in pages, all from the caller's tunables.
struct Knobs {
  std::int64_t min[kZones], low[kZones], high[kZones];
  std::int64_t target[kZones];  ///< page_launder: a zone is short below this
  std::int64_t total[kZones];   ///< kswapd and the repeat round: a zone is short below this
  std::int64_t plenty[kZones];  ///< pre7: pages of a zone with more than this are left alone
  std::int64_t freepages_high;  ///< global shortage below this, HIGHMEM counted
  Rule rule;
  bool skip;     ///< zoned: pages of zones that are not short are moved on
  bool readmit;  ///< pages allocated under pressure go to the scanned list too
};

class Linux24 final : public Kernel, public DeviceCalls {
 public:
  Linux24(const MachineDescription& description, const Knobs& knobs, Engine& engine, Probe& probe);

  void boot() override;
  void check() const override;
  DeviceCalls* device() override { return this; }
  Co<> read_device(Process& process, std::int64_t position, std::int64_t bytes) override;

 private:
  // Lists: inactive_dirty and active. The front is what the original calls the tail: the oldest.
  static constexpr int list_dirty = 0, list_active = 1;

  int zone_of(std::int32_t frame) const {
    return frame < dma_end_ ? kDma : frame < normal_end_ ? kNormal : kHigh;
  }
  std::int64_t available(int zone) const {
    return probe_[kFree + zone] + probe_[kInactiveClean + zone];
  }
  std::int64_t available_everywhere() const;

  // linux_2_4.cpp
  Co<> read_ahead_to(Process& process, std::int64_t page_end);
  Co<> grow_buffers(Process& process);
  Co<> attach_heads(Process& process);
  Co<> add_to_list(Process& process, std::int32_t frame, bool pressed);
  Co<> kswapd();
  Co<> kreclaimd();
  static void on_read_done(void* object, std::int64_t tag);
  void hold_fixed_pages();

  // linux_2_4_alloc.cpp
  struct Page {
    std::int32_t frame = -1;  ///< -1: the allocation failed
    bool pressed = false;     ///< it went past the point where kswapd is woken
  };
  Co<Page> alloc_lowmem(Process& process);
  Co<Page> alloc_until_there(Process& process);
  std::int32_t try_zones(int site, const std::int64_t (&mark)[kZones], bool clean_counts);
  std::int32_t take_frame(int zone);
  void wake_kswapd();
  void wake_kreclaimd();

  // linux_2_4_launder.cpp
  bool zone_short(int zone) const;
  bool total_short() const;
  bool inactive_short() const;
  bool enough(int pass) const;
  bool leave_alone(int pass, int zone) const;
  Co<std::int64_t> launder(Process& process);
  Co<std::int64_t> scan(Process& process, int pass);
  Co<std::int64_t> scan_round(Process& process, int pass);
  std::int64_t walk(int pass, std::int64_t most, std::int64_t& freed, bool& stop);
  void free_buffer_page(std::int32_t frame);

  Probe& probe_;
  Engine& engine_;
  const MachineDescription& machine_;
  Knobs knobs_;
  std::int32_t dma_end_, normal_end_, frames_;
  std::int64_t blocks_per_page_, heads_per_page_, burst_pages_;
  std::int64_t size_[kZones] = {0, 0, 0};
  std::vector<std::int32_t> free_[kZones];
  Links lists_;
  SpinLock lru_lock_;
  Disk disk_;
  WaitQueue read_done_, kswapd_wait_, kreclaimd_wait_;
  Process* kswapd_process_ = nullptr;
  std::int64_t pages_asked_ = 0;   ///< pages of the device for which buffers exist
  std::int64_t blocks_asked_ = 0;  ///< blocks submitted to the disk
  std::int64_t blocks_read_ = 0;   ///< of these, finished
};

}  // namespace brink::machine::linux24
