// page_launder and the shortage predicates that start and stop it.
//
// The rules (`rule`, `skip`, `target`):
//   k247   one pass if anything is short anywhere; frees whatever it meets until nothing is short
//          [2.4.7, the lines removed by the zoned patch];
//   zoned  a pass over everything while the global shortage lasts, then one pass per short zone,
//          DMA first, which moves pages of zones that are not short to the other end and stops as
//          soon as its own zone is no longer short [zoned patch]; target = min in pre1..pre3,
//          high in pre4..pre6;
//   pre7   one pass that leaves pages of zones with plenty alone [Torvalds, 8 August 2001].
// A pass that ends with a shortage left is repeated once, since the caller may do IO.
//
// A walk is done entry by entry, but in one go up to the next event of the machine: nobody else can
// act before that, so the result is the same as waking up at every entry, and another processor
// that takes a page in the middle of a walk is seen at the right entry. Runs of entries that are
// moved on are left where they are and the list's end is moved past them.
//
// The walker holds the LRU lock. A processor that wants to add a page to a list spins meanwhile,
// and gets the lock between two passes.
#include <algorithm>

#include "models/base/check.h"
#include "models/kernels/linux_2_4.h"

namespace brink::machine::linux24 {

// --- Shortages ---

std::int64_t Linux24::available_everywhere() const {
  std::int64_t sum = 0;
  for (int z = 0; z < kZones; ++z) sum += available(z);
  return sum;
}

bool Linux24::zone_short(int zone) const {
  return size_[zone] > 0 && available(zone) < knobs_.target[zone];
}

// What kswapd and the repeat round look at: the global shortage or any zone below `total`.
bool Linux24::total_short() const {
  if (available_everywhere() < knobs_.freepages_high) return true;
  for (int z = 0; z < kZones; ++z) {
    if (size_[z] > 0 && available(z) < knobs_.total[z]) return true;
  }
  return false;
}

// [zone_inactive_shortage] high - (dirty + clean + free) > 0 for some zone.
bool Linux24::inactive_short() const {
  for (int z = 0; z < kZones; ++z) {
    if (size_[z] > 0 && probe_[kList + z] + available(z) < knobs_.high[z]) return true;
  }
  return false;
}

// Whether a pass may stop.
bool Linux24::enough(int pass) const {
  if (knobs_.rule != Rule::zoned) return !total_short();
  if (pass == kAll) return available_everywhere() >= knobs_.freepages_high;
  return !zone_short(pass);
}

// The skip test: whether a pass moves a page of `zone` on instead of freeing it.
bool Linux24::leave_alone(int pass, int zone) const {
  switch (knobs_.rule) {
    case Rule::k247:
      return false;
    case Rule::zoned:
      return knobs_.skip && pass != kAll && !zone_short(zone);
    case Rule::pre7:
      return available(zone) > knobs_.plenty[zone];
  }
  return false;
}

// --- page_launder ---

Co<std::int64_t> Linux24::launder(Process& process) {
  const bool global =
      knobs_.rule == Rule::zoned ? available_everywhere() < knobs_.freepages_high : total_short();
  std::int64_t freed = 0;
  if (probe_.decide(kSiteGlobalShort, global)) freed += co_await scan(process, kAll);
  if (knobs_.rule != Rule::zoned) co_return freed;
  for (int zone = 0; zone < kZones; ++zone) {
    if (size_[zone] == 0) continue;
    if (probe_.decide(kSiteZoneShort + zone, zone_short(zone))) {
      freed += co_await scan(process, zone);
    }
  }
  co_return freed;
}

Co<std::int64_t> Linux24::scan(Process& process, int pass) {
  process.reclaiming = true;
  std::int64_t freed = co_await scan_round(process, pass);
  const bool left = !enough(pass) || total_short();
  if (probe_.decide(kSiteAgain, left)) freed += co_await scan_round(process, pass);
  process.reclaiming = false;
  co_return freed;
}

// One round: at most as many entries as the list has at its beginning.
Co<std::int64_t> Linux24::scan_round(Process& process, int pass) {
  if (!engine_.try_lock(process, lru_lock_)) co_await engine_.spin(process, lru_lock_);
  probe_.emit(kScanBegin + pass);
  std::int64_t freed = 0;
  bool stop = false;
  for (std::int64_t left = probe_[kListLength]; left > 0 && !stop && probe_[kListLength] > 0;) {
    const Time entry_ns = machine_.list_entry_ns;
    const Time quiet = engine_.quiet_ns();
    const std::int64_t undisturbed = entry_ns > 0 ? std::max<Time>(1, quiet / entry_ns) : left;
    const std::int64_t walked = walk(pass, std::min(left, undisturbed), freed, stop);
    left -= walked;
    if (entry_ns > 0) co_await engine_.spend(process, Mode::system, walked * entry_ns);
  }
  probe_.emit(kScanEnd + pass);
  engine_.unlock(process, lru_lock_);
  co_return freed;
}

// Looks at up to `most` entries; less if a page was freed. Result: how many.
std::int64_t Linux24::walk(int pass, std::int64_t most, std::int64_t& freed, bool& stop) {
  bool skipped[kZones];
  for (int z = 0; z < kZones; ++z) {
    skipped[z] = probe_.decide(kSiteRotate + z, leave_alone(pass, z));
  }
  std::int64_t moved[kZones] = {0, 0, 0};
  std::int32_t last = Links::none;
  std::int32_t at = lists_.front(list_dirty);
  std::int64_t looked = 0;
  while (looked < most && skipped[zone_of(at)]) {
    ++moved[zone_of(at)];
    ++looked;
    last = at;
    at = lists_.after(at);
    if (at == Links::none) at = lists_.front(list_dirty);
  }
  if (last != Links::none) lists_.rotate_past(list_dirty, last);
  const bool found = looked < most;
  const std::int64_t walked = looked + (found ? 1 : 0);
  probe_[kEntriesWalked] += walked;
  probe_[lru_lock_.owner == kswapd_process_ ? kKswapdWalked : kReaderWalked] += walked;
  for (int z = 0; z < kZones; ++z) probe_.emit(kRotate + z, moved[z]);
  if (!found) return walked;
  free_buffer_page(at);
  ++freed;
  stop = probe_.decide(kSiteStop + pass, enough(pass));
  return walked;
}

// try_to_free_buffers on a page without mapping: the heads go back to their slab and the page is
// free at once; it never becomes inactive_clean [fs/buffer.c].
void Linux24::free_buffer_page(std::int32_t frame) {
  const int zone = zone_of(frame);
  BRINK_CHECK(lists_.list_of(frame) == list_dirty);
  lists_.remove(frame);
  free_[zone].push_back(frame);
  --probe_[kList + zone];
  --probe_[kListLength];
  --probe_[kBufferPages];
  ++probe_[kFree + zone];
  ++probe_[kFreeTotal];
  ++probe_[kPagesLaundered];
  probe_[kHeadsFree] += blocks_per_page_;
  probe_.emit(kLaunderFree + zone);
}

}  // namespace brink::machine::linux24
