// linux-6: who writes dirty pages, and who waits for that. The essay is in linux_6.h.
//
// Limits are shares of dirtyable memory: free pages beyond the reserves, and pages of files. Up to
// the middle of the two limits a writer runs free; above it, it sleeps for its share of the disk's
// rate, more the closer the limit [mm/page-writeback.c:balance_dirty_pages]. Above the lower limit
// the flusher writes, file by file, the one first that has been dirty longest, until it is below.
// What is deleted before it is its turn is never written.
//
// Traps, each with a test: nobody is throttled below the middle; the flusher goes on below the
// lower limit's crossing only until it is under it; pages on their way count for writers, not for
// the flusher; bytes win over ratios.
//
// A device's share of the limits is its share of the pages written lately. There is one device
// here, but until it has written something its share is nothing: the first time, the flusher stops
// only when nothing is dirty [wb_calc_thresh; lib/flex_proportions.c begins with one event of
// nobody's].
//
// What differs from the original: shares are not forgotten with time; the device's rate is divided
// among those who wrote in the last 200 ms instead of being approached step by step.
#include <algorithm>
#include <cmath>

#include "models/kernels/linux_6.h"

namespace brink::machine {

using namespace paged;
using namespace linux_6;

namespace {
constexpr Time kSecond = 1'000'000'000;
constexpr Time kIntervalNs = 200'000'000;       // BANDWIDTH_INTERVAL, MAX_PAUSE
constexpr Time kPeriodNs = 4'096'000'000;       // 3 s, rounded up to a power of two
constexpr Time kLeastPauseNs = 10'000'000;      // what is shorter is saved up
constexpr double kFirstBytesPerSecond = 100e6;  // INIT_BW
constexpr std::int64_t kChunk = 1024;           // MIN_WRITEBACK_PAGES: 4 MiB of a file at a time
constexpr std::int64_t kPoll = 32;              // DIRTY_POLL_THRESH
}  // namespace

// [global_dirtyable_memory] Free pages that are nobody's reserve, and pages of files; HIGHMEM's
// not.
std::int64_t Linux6::dirtyable() const {
  std::int64_t free = 0, reserve = 0, files = 0;
  for (int i = 0; i < kHigh; ++i) {
    const Zone& zone = zones_[static_cast<std::size_t>(i)];
    free += free_in(i);
    reserve += std::min(zone.managed,
                        zone.high + *std::max_element(zone.reserve.begin(), zone.reserve.end()));
    files +=
        by_zone_[kIF][static_cast<std::size_t>(i)] + by_zone_[kAF][static_cast<std::size_t>(i)];
  }
  return free - std::min(free, reserve) + files + 1;
}

// [domain_dirty_limits]
void Linux6::set_dirty_limits() {
  const std::int64_t page = machine_.page_bytes, memory = dirtyable();
  const auto limit = [&](Tunable bytes, Tunable ratio) {
    return t_[bytes] > 0 ? (t_[bytes] + page - 1) / page : t_[ratio] * memory / 100;
  };
  probe_[kDirtyLimit] = limit(tDirtyBytes, tDirtyRatio);
  probe_[kBackground] = limit(tBackgroundBytes, tBackgroundRatio);
  if (probe_[kBackground] >= probe_[kDirtyLimit]) probe_[kBackground] = probe_[kDirtyLimit] / 2;
}

// [wb_update_write_bandwidth]
void Linux6::measure_bandwidth() {
  if (bandwidth_ == 0) bandwidth_ = kFirstBytesPerSecond / static_cast<double>(machine_.page_bytes);
  const Time elapsed = engine_.now() - measured_at_;
  if (elapsed < kIntervalNs) return;
  const auto written = static_cast<double>(probe_[kWritten] - measured_);
  const double part = std::min(1.0, static_cast<double>(elapsed) / static_cast<double>(kPeriodNs));
  if (probe_[kWriteback] > 0 || written > 0) {
    const double rate = written * static_cast<double>(kSecond) / static_cast<double>(elapsed);
    bandwidth_ += part * (rate - bandwidth_);
  }
  measured_at_ = engine_.now();
  measured_ = probe_[kWritten];
}

// [pos_ratio_polynom] 2 at the middle of the limits, 1 half-way from there to the limit, 0 at it.
double Linux6::position_ratio(std::int64_t dirty) const {
  const auto limit = static_cast<double>(probe_[kDirtyLimit]);
  const double middle = (limit + static_cast<double>(probe_[kBackground])) / 2;
  const double setpoint = (middle + limit) / 2;
  const double x = (setpoint - static_cast<double>(dirty)) / std::max(1.0, limit - setpoint);
  return std::clamp(1 + x * x * x, 0.0, 2.0);
}

std::int64_t Linux6::writers_now(Process& process) {
  const Time old = engine_.now() - kIntervalNs;
  std::erase_if(writers_, [&](const auto& w) { return w.second < old || w.first == &process; });
  writers_.push_back({&process, engine_.now()});
  return std::ssize(writers_);
}

void Linux6::wake_flusher() {
  if (!flusher_asleep_) return;
  probe_.emit(kFlusherWake);
  flusher_asleep_ = false;
  engine_.wake(flusher_wait_);
}

// Called after every page that became dirty, looks after every 32nd.
bool Linux6::must_balance() {
  if (++unbalanced_ < kPoll) return false;
  set_dirty_limits();
  measure_bandwidth();
  const std::int64_t dirty = probe_[kDirty] + probe_[kWriteback];
  const std::int64_t middle = (probe_[kDirtyLimit] + probe_[kBackground]) / 2;
  if (dirty > probe_[kBackground]) wake_flusher();
  const bool must = probe_.decide(kSiteThrottle, dirty > middle);
  if (!must) unbalanced_ = 0;
  return must;
}

Co<> Linux6::balance(Process& process) {
  std::int64_t pages = std::exchange(unbalanced_, 0);
  for (;;) {
    set_dirty_limits();
    measure_bandwidth();
    const std::int64_t dirty = probe_[kDirty] + probe_[kWriteback];
    const std::int64_t middle = (probe_[kDirtyLimit] + probe_[kBackground]) / 2;
    if (dirty <= middle) co_return;
    wake_flusher();
    const double share = bandwidth_ / static_cast<double>(writers_now(process));
    const double rate = share * position_ratio(dirty);
    // [wb_max_pause] An eighth of what the disk needs for all that is dirty, so that it never
    // idles.
    const Time most =
        std::clamp(static_cast<Time>(static_cast<double>(dirty) / bandwidth_ / 8 * 1e9),
                   kLeastPauseNs, kIntervalNs);
    const double seconds = rate >= 1 ? static_cast<double>(pages) / rate : 1;
    const Time pause = std::min(static_cast<Time>(seconds * 1e9), most);
    if (pause < kLeastPauseNs && rate >= 1) {
      unbalanced_ = pages;  // not worth a sleep yet
      co_return;
    }
    ++probe_[kThrottled];
    probe_.emit(kWriterPause);
    co_await engine_.sleep(process, nobody_, pause);
    if (rate >= 1) co_return;
  }
}

// [fs/fs-writeback.c:writeback_sb_inodes] All dirty pages of the file whose oldest is oldest, then
// the next. How many.
Co<std::int64_t> Linux6::write_file_pages(Process& process, std::int64_t most, Time before) {
  const std::int32_t oldest = oldest_dirty();
  if (oldest < 0 || frames_[oldest].dirtied > before) co_return 0;
  std::int64_t count = 0;
  for (const std::int32_t frame : file_of(frames_[oldest].owner).frames) {
    if (count >= most) break;
    if (frame < 0 || !frames_[frame].dirty || frames_[frame].writeback) continue;
    queue_write(frame);
    ++count;
  }
  co_await submit_outgoing(process);
  co_return count;
}

// [wb_workfn] Above the lower limit, in the background; every five seconds, what is old.
Co<> Linux6::flusher() {
  Process& self = co_await this_process();
  for (;;) {
    flusher_asleep_ = true;
    co_await engine_.sleep(self, flusher_wait_, t_[tWritebackEvery] * 10'000'000);
    flusher_asleep_ = false;
    if (std::exchange(flush_all_, false)) {
      while (co_await write_file_pages(self, kChunk, engine_.now()) > 0) {
        co_await engine_.offer(self);
      }
    }
    for (;;) {
      set_dirty_limits();
      const std::int64_t written = probe_[kWritten];
      const std::int64_t own = probe_[kBackground] * written / (written + 1);
      if (!probe_.decide(kSiteBackground, probe_[kDirty] > own)) break;
      if (co_await write_file_pages(self, kChunk, engine_.now()) == 0) break;
      co_await engine_.offer(self);
    }
    const Time old = engine_.now() - t_[tExpire] * 10'000'000;
    while (co_await write_file_pages(self, kChunk, old) > 0) co_await engine_.offer(self);
  }
}

}  // namespace brink::machine
