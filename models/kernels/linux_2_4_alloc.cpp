// The allocator of 2.4.5 and later, order 0, for callers that may wait but may not enter the file
// system (GFP_NOFS) and cannot use HIGHMEM: the buffer cache of block devices.
//
// [mm/page_alloc.c:__alloc_pages] Zones are tried in the order NORMAL, DMA against falling marks;
// ">=" since 2.4.5. Only after kswapd has been woken may a zone be taken down to `min`, and only
// when that fails does the caller launder pages itself.
#include <algorithm>

#include "models/base/check.h"
#include "models/kernels/linux_2_4.h"

namespace brink::machine::linux24 {

namespace {
constexpr int kLowmemList[] = {kNormal, kDma};  // build_zonelists without the HIGHMEM flag
constexpr Time kLeastFailureNs = 1000;  // a failed attempt takes time, whatever the costs given
}  // namespace

std::int32_t Linux24::take_frame(int zone) {
  BRINK_CHECK(!free_[zone].empty());
  const std::int32_t frame = free_[zone].back();
  free_[zone].pop_back();
  --probe_[kFree + zone];
  --probe_[kFreeTotal];
  return frame;
}

void Linux24::wake_kswapd() {
  if (probe_[kKswapdAwake] != 0) return;
  probe_[kKswapdAwake] = 1;
  probe_.emit(kKswapdWake);
  engine_.wake(kswapd_wait_);
}

void Linux24::wake_kreclaimd() {
  if (kreclaimd_wait_.sleepers.empty()) return;
  ++probe_[kKreclaimdWakes];
  probe_.emit(kKreclaimdWake);
  engine_.wake(kreclaimd_wait_);
}

// A frame of the first zone at or above its mark, or -1. A zone without free pages cannot be taken
// from, whoever decides.
std::int32_t Linux24::try_zones(int site, const std::int64_t (&mark)[kZones], bool clean_counts) {
  for (const int zone : kLowmemList) {
    if (probe_[kFree + zone] == 0) continue;
    const std::int64_t pages = clean_counts ? available(zone) : probe_[kFree + zone];
    if (!probe_.decide(site + zone, pages >= mark[zone])) continue;
    const std::int32_t frame = take_frame(zone);
    ++probe_[kInHand + zone];
    probe_.emit(kTake + zone);
    return frame;
  }
  return -1;
}

Co<Linux24::Page> Linux24::alloc_lowmem(Process& process) {
  bool pressed = false;
  for (;;) {
    std::int32_t frame = try_zones(kSiteTakeLow, knobs_.low, false);
    if (frame >= 0) co_return Page{frame, pressed};
    for (const int zone : kLowmemList) {
      const bool low = size_[zone] > 0 && probe_[kFree + zone] < knobs_.min[zone];
      if (probe_.decide(kSiteWakeKreclaimd, low)) wake_kreclaimd();
    }
    frame = try_zones(kSiteTakeHigh, knobs_.high, true);
    if (frame < 0) frame = try_zones(kSiteTakeCleanLow, knobs_.low, true);
    if (frame >= 0) co_return Page{frame, pressed};
    pressed = true;
    if (probe_.decide(kSiteWakeKswapd, true)) wake_kswapd();
    co_await engine_.offer(process);
    frame = try_zones(kSiteTake, knobs_.min, true);
    if (frame >= 0) co_return Page{frame, pressed};
    const std::int64_t freed = co_await launder(process);
    if (freed == 0) {
      co_await engine_.spend(process, Mode::system, kLeastFailureNs);
      co_return Page{};
    }
  }
}

// [fs/buffer.c:getblk, refill_freelist] A failed allocation launders, wakes the daemons, gives the
// processor away and tries again, for ever.
Co<Linux24::Page> Linux24::alloc_until_there(Process& process) {
  for (;;) {
    const Page page = co_await alloc_lowmem(process);
    if (page.frame >= 0) co_return page;
    ++probe_[kAllocFails];
    probe_.emit(kAllocFail);
    co_await launder(process);
    wake_kswapd();
    co_await engine_.offer(process);
  }
}

}  // namespace brink::machine::linux24
