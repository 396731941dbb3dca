#include "models/kernels/linux_2_4.h"

#include <algorithm>

#include "models/base/check.h"

namespace brink::machine::linux24 {

namespace {
constexpr Time kKswapdSleepNs = 1'000'000'000;  // HZ ticks [mm/vmscan.c:kswapd]

std::int32_t frame_at(const MachineDescription& m, std::int64_t bytes) {
  return static_cast<std::int32_t>(std::min(bytes, m.memory_bytes) / m.page_bytes);
}
}  // namespace

Linux24::Linux24(const MachineDescription& description, const Knobs& knobs, Engine& engine,
                 Probe& probe)
    : probe_(probe),
      engine_(engine),
      machine_(description),
      knobs_(knobs),
      dma_end_(frame_at(description, description.dma_bytes)),
      normal_end_(frame_at(description, description.lowmem_bytes)),
      frames_(frame_at(description, description.memory_bytes)),
      blocks_per_page_(description.page_bytes / description.block_bytes),
      heads_per_page_(description.page_bytes / description.buffer_head_bytes),
      burst_pages_(std::max<std::int64_t>(1, description.read_burst_blocks / blocks_per_page_)),
      lists_(frames_, 2),
      disk_(description, engine, on_read_done, this) {
  const std::int64_t map = frames_ * description.mem_map_bytes_per_page;
  const std::int64_t in_dma = description.dma_reserved_bytes;
  const auto pages = [&](std::int64_t bytes) {
    return static_cast<std::int32_t>((bytes + description.page_bytes - 1) / description.page_bytes);
  };
  const std::int32_t starts[] = {
      pages(in_dma), dma_end_ + pages(description.reserved_bytes + map - in_dma), normal_end_};
  const std::int32_t ends[] = {dma_end_, normal_end_, frames_};
  for (int zone = 0; zone < kZones; ++zone) {
    for (std::int32_t frame = ends[zone] - 1; frame >= starts[zone]; --frame) {
      free_[zone].push_back(frame);
    }
    size_[zone] = probe_[kFree + zone] = static_cast<std::int64_t>(free_[zone].size());
    probe_[kFreeTotal] += size_[zone];
  }
  hold_fixed_pages();
  probe_[kKswapdAwake] = 1;  // until it has had its first look
}

// Pages in use before the workload begins and until its end: the kernel's below HIGHMEM, the
// programs' in HIGHMEM first. Both leave every zone its reserve, as the allocator would.
void Linux24::hold_fixed_pages() {
  const auto hold = [&](std::int64_t pages, std::initializer_list<int> zones) {
    for (const int zone : zones) {
      for (; pages > 0 && probe_[kFree + zone] > knobs_.min[zone]; --pages) {
        take_frame(zone);
        ++probe_[kFixed + zone];
      }
    }
  };
  hold(machine_.other_lowmem_pages, {kNormal, kDma});
  hold(machine_.user_pages, {kHigh, kNormal, kDma});
}

void Linux24::boot() {
  kswapd_process_ = &engine_.spawn("kswapd", kswapd(), false);
  engine_.spawn("kreclaimd", kreclaimd(), false);
}

// --- Reading a device [fs/block_dev.c:block_read] ---

// The buffers of the next burst are asked for before the program waits for this one.
Co<> Linux24::read_device(Process& process, std::int64_t position, std::int64_t bytes) {
  const std::int64_t page_end = (position + bytes + machine_.page_bytes - 1) / machine_.page_bytes;
  co_await read_ahead_to(process, page_end + burst_pages_);
  while (blocks_read_ < std::min(blocks_asked_, page_end * blocks_per_page_)) {
    co_await engine_.sleep(process, read_done_);
  }
  if (machine_.user_ns_per_kib > 0) {
    co_await engine_.spend(process, Mode::user, bytes * machine_.user_ns_per_kib / 1024);
  }
  co_await engine_.offer(process);
}

Co<> Linux24::read_ahead_to(Process& process, std::int64_t page_end) {
  while (pages_asked_ < page_end) {
    const std::int64_t burst = std::min(burst_pages_, page_end - pages_asked_);
    for (std::int64_t page = 0; page < burst; ++page) co_await grow_buffers(process);
    pages_asked_ += burst;
    if (machine_.disk_null != 0) {
      blocks_asked_ = blocks_read_ = pages_asked_ * blocks_per_page_;
      continue;
    }
    for (; blocks_asked_ < pages_asked_ * blocks_per_page_; ++blocks_asked_) {
      while (!disk_.accepts(blocks_asked_, false)) {
        co_await engine_.sleep(process, disk_.slot_freed);
      }
      disk_.submit(blocks_asked_, false, blocks_asked_);
    }
  }
}

void Linux24::on_read_done(void* object, std::int64_t) {
  Linux24& kernel = *static_cast<Linux24*>(object);
  ++kernel.blocks_read_;
  kernel.engine_.wake(kernel.read_done_);
}

// [fs/buffer.c:grow_buffers] A page, its heads, its place on a list; then the work on its data,
// which grows with the length of the hash chains.
Co<> Linux24::grow_buffers(Process& process) {
  const Page page = co_await alloc_until_there(process);
  co_await attach_heads(process);
  co_await add_to_list(process, page.frame, page.pressed);
  const Time ns = machine_.page_ns + machine_.page_ns_per_1000_cached * probe_[kBufferPages] / 1000;
  co_await engine_.spend(process, Mode::system, ns);
}

// Buffer heads come from slab pages of the same zones, and are never on a list.
Co<> Linux24::attach_heads(Process& process) {
  while (probe_[kHeadsFree] < blocks_per_page_) {
    const Page page = co_await alloc_until_there(process);
    const int zone = zone_of(page.frame);
    --probe_[kInHand + zone];
    ++probe_[kHeadPages + zone];
    probe_[kHeadsFree] += heads_per_page_;
    probe_.emit(kHeadsTake + zone);
  }
  probe_[kHeadsFree] -= blocks_per_page_;
  probe_.emit(kHeadsUse, blocks_per_page_);
}

// [mm/swap.c:lru_cache_add] under the LRU lock.
Co<> Linux24::add_to_list(Process& process, std::int32_t frame, bool pressed) {
  if (!engine_.try_lock(process, lru_lock_)) co_await engine_.spin(process, lru_lock_);
  const int zone = zone_of(frame);
  const bool active = pressed && !knobs_.readmit;
  lists_.push_back(active ? list_active : list_dirty, frame);
  --probe_[kInHand + zone];
  ++probe_[(active ? kActive : kList) + zone];
  if (!active) ++probe_[kListLength];
  ++probe_[kBufferPages];
  engine_.unlock(process, lru_lock_);
  probe_.emit((active ? kActiveAdd : kListAdd) + zone);
}

// --- Daemons ---

// [mm/vmscan.c:kswapd] Works while anything is short, goes to sleep when either kind of shortage is
// gone, and then for a second at most.
Co<> Linux24::kswapd() {
  Process& self = co_await this_process();
  for (;;) {
    const bool works = probe_.decide(kSiteKswapdWorks, total_short() || inactive_short());
    if (works) {
      if (total_short()) co_await launder(self);
      co_await engine_.spend(self, Mode::system, machine_.kswapd_pass_ns);
    }
    if (!works || !total_short() || !inactive_short()) {
      probe_[kKswapdAwake] = 0;
      probe_.emit(kKswapdSleep);
      const bool woken = co_await engine_.sleep(self, kswapd_wait_, kKswapdSleepNs);
      if (!woken) {
        probe_[kKswapdAwake] = 1;
        probe_.emit(kKswapdWake);
      }
    } else {
      co_await engine_.offer(self);
    }
  }
}

// [mm/vmscan.c:kreclaimd] Turns inactive_clean pages into free ones; buffer pages never become
// inactive_clean, so all it does is run.
Co<> Linux24::kreclaimd() {
  Process& self = co_await this_process();
  for (;;) {
    co_await engine_.sleep(self, kreclaimd_wait_);
    co_await engine_.spend(self, Mode::system, machine_.kreclaimd_pass_ns);
  }
}

// --- Checks ---

void Linux24::check() const {
  std::int64_t listed[kZones] = {0, 0, 0}, active[kZones] = {0, 0, 0};
  std::int64_t length = 0;
  for (auto f = lists_.front(list_dirty); f != Links::none; f = lists_.after(f), ++length) {
    ++listed[zone_of(f)];
  }
  for (auto f = lists_.front(list_active); f != Links::none; f = lists_.after(f)) {
    ++active[zone_of(f)];
  }
  BRINK_CHECK(length == probe_[kListLength] && length == lists_.count(list_dirty));
  std::int64_t free = 0, buffers = 0;
  for (int z = 0; z < kZones; ++z) {
    BRINK_CHECK(static_cast<std::int64_t>(free_[z].size()) == probe_[kFree + z]);
    BRINK_CHECK(listed[z] == probe_[kList + z] && active[z] == probe_[kActive + z]);
    BRINK_CHECK(probe_[kFree + z] + listed[z] + active[z] + probe_[kHeadPages + z] +
                    probe_[kFixed + z] + probe_[kInHand + z] ==
                size_[z]);
    free += probe_[kFree + z];
    buffers += listed[z] + active[z];
    for (const std::int32_t frame : free_[z]) {
      BRINK_CHECK(zone_of(frame) == z && lists_.list_of(frame) == Links::none);
    }
  }
  BRINK_CHECK(free == probe_[kFreeTotal] && buffers == probe_[kBufferPages]);
  BRINK_CHECK(probe_[kHeadsFree] >= 0);
}

}  // namespace brink::machine::linux24
