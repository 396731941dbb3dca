// Linux 1.3.78: a page cache beside the buffer cache, and one clock hand over both.
//
// Reads go through the page cache; its pages are of class KERNEL, which reclaims when memory is
// short. Buffers grow with class BUFFER, which never reclaims. kswapd stops at `high`, the main
// growth starts above `guard`, and the two constants are equal: the buffer cache of the 1996 report
// cannot grow back. Versions 1.3.79 (nfract 60) and 1.3.95 are other settings of the tunables.
//
// What differs from the original: there are no processes to swap out, so the reclaim states "shm"
// and "swap_out" never succeed; buffer heads and page tables are part of the machine's reservation;
// a page allocation that cannot be satisfied waits for bdflush instead of failing the program.
#include <algorithm>
#include <memory>

#include "models/kernels/linux_1_3.h"
#include "models/kernels/rows.h"

namespace brink::machine::linux13 {

namespace {

constexpr std::int64_t kPages = std::int64_t{1} << 32;
constexpr TunableRow kTunables[] = {
    {"min", "pages", "reserve: only class ATOMIC takes the free pages to or below it", 0, kPages},
    {"low", "pages", "kswapd is woken at once when fewer pages are free", 0, kPages},
    {"high", "pages", "kswapd is woken at intervals when fewer pages are free", 0, kPages},
    {"guard", "pages", "R1: the buffer cache grows while more pages are free", 0, kPages},
    {"slack", "pages", "R4: it grows, if nothing is reusable, above min + slack free", 0, kPages},
    {"nfract", "%", "share of all buffers above which dirty ones wake bdflush", 0, 100},
    {"ndirty", "buffers", "most buffers a pass of bdflush submits", 1, kPages},
    {"nrefill", "buffers", "buffers a refill of the FREE list wants", 1, kPages},
    {"free_enough", "buffers", "R0: a refill does nothing with more free buffers", 0, kPages},
    {"batch", "pages", "pages kswapd tries to free per wake-up", 0, kPages},
    {"interval_ticks", "ticks", "least time between two wake-ups between low and high", 0, kPages},
    {"eager", "", "1.3.95: R5 as soon as fewer buffers are reusable than wanted", 0, 1},
    {"effort", "", "light end of the reclaim effort: the clock looks at 4N >> effort frames", 0,
     30},
};
enum {
  tMin,
  tLow,
  tHigh,
  tGuard,
  tSlack,
  tNfract,
  tNdirty,
  tNrefill,
  tEnough,
  tBatch,
  tInterval,
  tEager,
  tEffort
};

constexpr std::int64_t kReadAheadPages = 4;  // 1.3.78 mm/filemap.c:generic_file_read

class Linux1378 final : public Linux13 {
 public:
  Linux1378(const MachineDescription& description, std::span<const std::int64_t> t, Engine& engine,
            Probe& probe)
      : Linux13(description,
                Knobs{t[tMin], t[tGuard], t[tMin] + t[tSlack], t[tNfract], t[tNdirty], t[tNrefill],
                      t[tEnough], t[tEager] != 0},
                engine, probe),
        low_(t[tLow]),
        high_(t[tHigh]),
        batch_(t[tBatch]),
        interval_ns_(t[tInterval] * description.tick_ns),
        effort_(static_cast<int>(t[tEffort])) {}

  void boot() override {
    Linux13::boot();
    engine_.spawn("kswapd", kswapd(), true);
    engine_.after(machine_.tick_ns, on_tick, this, 0);
  }

 protected:
  Co<> read_page(Process& process, int file, std::int64_t index) override;
  void page_read_done(std::int64_t tag) override;

 private:
  Co<> bring_in(Process& process, File& file, int number, std::int64_t index);
  Co<> take_user_page(Process& process);
  bool reclaim_one();
  bool shrink_clock(int effort);
  Co<> charge_scan(Process& process, std::int64_t scanned_before);
  Co<> kswapd();
  static void on_tick(void* object, std::int64_t);

  std::int64_t low_, high_, batch_, interval_ns_;
  int effort_;
  std::int32_t hand_ = 0;
  Time last_wake_ = 0;
  bool kswapd_asleep_ = true;
  WaitQueue kswapd_wait_;
  std::vector<std::int32_t> reading_ = std::vector<std::int32_t>(frames_.size(), 0);
};

// --- Page cache [mm/filemap.c:generic_file_read, fs/buffer.c:brw_page] ---

Co<> Linux1378::read_page(Process& process, int number, std::int64_t index) {
  File& file = store_[number];
  const std::int64_t pages = (file.bytes + machine_.page_bytes - 1) / machine_.page_bytes;
  file.pages.resize(pages, -1);
  for (;;) {
    const std::int32_t frame = file.pages[index];
    if (frame >= 0 && !frames_[frame].locked) {
      frames_[frame].referenced = true;
      co_return;
    }
    if (frame >= 0) {
      co_await engine_.sleep(process, unlocked_);
      continue;
    }
    for (std::int64_t ahead = index; ahead < std::min(pages, index + kReadAheadPages); ++ahead) {
      if (file.pages[ahead] < 0) co_await bring_in(process, file, number, ahead);
    }
  }
}

// A miss: a page of class KERNEL, filled from the buffer cache where that holds all its blocks
// [mm/filemap.c:generic_file_read copies from buffers that exist], from the disk otherwise.
Co<> Linux1378::bring_in(Process& process, File& file, int number, std::int64_t index) {
  co_await take_user_page(process);
  const std::int32_t frame = take_frame();
  frames_[frame] = Frame{Use::page_cache, true, false, number, static_cast<std::int32_t>(index)};
  file.pages[index] = frame;
  ++probe_[kPageCache];
  probe_.emit(kPageIn);
  const auto blocks = static_cast<std::int64_t>(file.blocks.size());
  const std::int64_t first = index * buffers_per_page_;
  const std::int64_t last = std::min(blocks, first + buffers_per_page_);
  std::vector<std::int64_t> missing;
  for (std::int64_t i = first; i < last; ++i) {
    if (find(file.blocks[i]) < 0) missing.push_back(file.blocks[i]);
  }
  reading_[frame] = static_cast<std::int32_t>(missing.size());
  frames_[frame].locked = !missing.empty();
  for (const std::int64_t block : missing) co_await submit(process, block, false, -1 - frame);
}

void Linux1378::page_read_done(std::int64_t tag) {
  const auto frame = static_cast<std::int32_t>(-1 - tag);
  if (--reading_[frame] == 0) frames_[frame].locked = false;
}

// Class KERNEL / USER [mm/page_alloc.c:__get_free_pages]: above min take, else reclaim and retry.
Co<> Linux1378::take_user_page(Process& process) {
  for (;;) {
    if (probe_[kFree] > 0 && probe_.decide(kSiteUser, probe_[kFree] > knobs_.min)) co_return;
    const std::int64_t before = probe_[kFramesScanned];
    const bool freed = reclaim_one();
    co_await charge_scan(process, before);
    if (!freed) co_await wait_for_flusher(process);
  }
}

Co<> Linux1378::charge_scan(Process& process, std::int64_t scanned_before) {
  const Time ns = (probe_[kFramesScanned] - scanned_before) * machine_.list_entry_ns;
  process.reclaiming = true;
  if (ns > 0) co_await engine_.spend(process, Mode::system, ns);
  process.reclaiming = false;
}

// --- Reclaim ---

// [mm/vmscan.c:try_to_free_page] with "shm" and "swap_out" never finding anything: the sticky state
// always comes back to the clock, with rising effort.
bool Linux1378::reclaim_one() {
  for (int effort = effort_; effort >= 0; --effort) {
    if (shrink_clock(effort)) return true;
  }
  return false;
}

// [mm/filemap.c:shrink_mmap, fs/buffer.c:try_to_free_buffer] Second chance in the order of frames;
// page-cache and buffer pages share the hand. There is no age here.
bool Linux1378::shrink_clock(int effort) {
  const auto frames = static_cast<std::int32_t>(frames_.size());
  std::int64_t budget = (4 * static_cast<std::int64_t>(frames)) >> effort;
  while (budget-- > 0) {
    const std::int32_t at = hand_;
    hand_ = hand_ + 1 == frames ? 0 : hand_ + 1;
    ++probe_[kFramesScanned];
    Frame& frame = frames_[at];
    if (frame.use == Use::free || frame.locked) continue;
    if (frame.use == Use::buffers) {
      for (std::int64_t k = 0; k < buffers_per_page_; ++k) {
        Buffer& buffer = buffers_[at * buffers_per_page_ + k];
        if (buffer.touched) frame.referenced = true;
        buffer.touched = false;
      }
    }
    if (frame.referenced) {
      frame.referenced = false;
      continue;
    }
    if (frame.use == Use::page_cache) {
      store_[frame.file].pages[frame.page] = -1;
      --probe_[kPageCache];
      give_frame(at);
      probe_.emit(kReclaimPageCache);
      return true;
    }
    if (free_buffer_page(at)) {
      probe_.emit(kReclaimBuffers);
      return true;
    }
  }
  return false;
}

// [mm/vmscan.c:swap_tick] at every tick.
void Linux1378::on_tick(void* object, std::int64_t) {
  Linux1378& kernel = *static_cast<Linux1378*>(object);
  kernel.engine_.after(kernel.machine_.tick_ns, on_tick, object, 0);
  if (!kernel.kswapd_asleep_) return;
  const std::int64_t free = kernel.probe_[kFree];
  const bool due = kernel.engine_.now() - kernel.last_wake_ >= kernel.interval_ns_;
  if (due && kernel.probe_[kKswapdDue] == 0) {
    kernel.probe_[kKswapdDue] = 1;
    kernel.probe_.emit(kKswapdElapsed);
  }
  const bool now = kernel.probe_.decide(kSiteKswapdNow, free < kernel.low_);
  if (!now && !(due && kernel.probe_.decide(kSiteKswapdLater, free < kernel.high_))) return;
  kernel.probe_[kKswapdDue] = 0;
  kernel.last_wake_ = kernel.engine_.now();
  kernel.kswapd_asleep_ = false;
  kernel.probe_.emit(kKswapdWake);
  kernel.engine_.wake(kernel.kswapd_wait_);
}

// [mm/vmscan.c:kswapd] A fixed number of tries per wake-up, whatever they bring.
Co<> Linux1378::kswapd() {
  Process& self = co_await this_process();
  for (;;) {
    kswapd_asleep_ = true;
    co_await engine_.sleep(self, kswapd_wait_);
    const std::int64_t before = probe_[kFramesScanned];
    for (std::int64_t tried = 0; probe_.decide(kSiteContinue, tried < batch_); ++tried) {
      if (reclaim_one()) continue;
      probe_.emit(kReclaimFail);
      if (tried >= batch_) break;  // told to go on, but nothing is left
    }
    co_await charge_scan(self, before);
  }
}

Result<std::unique_ptr<Kernel>, MachineError> make(const MachineDescription& description,
                                                   std::span<const std::int64_t> t, Engine& engine,
                                                   Probe& probe) {
  if (t[tLow] > t[tHigh]) return fail(MachineError{"tunable low", "must not exceed high"});
  if (t[tMin] > t[tLow]) return fail(MachineError{"tunable min", "must not exceed low"});
  return std::make_unique<Linux1378>(description, t, engine, probe);
}

}  // namespace
}  // namespace brink::machine::linux13

namespace brink::machine {

KernelRow linux_1_3_78_row() {
  using namespace linux13;
  return {"linux-1.3.78",
          "Linux 1.3.78 (March 1996): page cache and buffer cache under one clock hand",
          Family::files,
          kTunables,
          counter_rows(),
          event_rows(),
          decision_rows(),
          make};
}

}  // namespace brink::machine
