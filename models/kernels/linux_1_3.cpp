#include "models/kernels/linux_1_3.h"

#include <algorithm>

#include "models/base/check.h"

namespace brink::machine::linux13 {

namespace {
std::int64_t usable_frames(const MachineDescription& m) {
  return (m.memory_bytes - m.reserved_bytes) / m.page_bytes;
}
}  // namespace

Linux13::Linux13(const MachineDescription& description, const Knobs& knobs, Engine& engine,
                 Probe& probe)
    : probe_(probe),
      engine_(engine),
      machine_(description),
      knobs_(knobs),
      buffers_per_page_(description.page_bytes / description.block_bytes),
      store_(description.block_bytes),
      disk_(description, engine, on_disk_done, this),
      frames_(usable_frames(description)),
      buffers_(frames_.size() * buffers_per_page_),
      lists_(static_cast<std::int32_t>(buffers_.size()), 4) {
  const auto frames = static_cast<std::int32_t>(frames_.size());
  for (std::int32_t frame = frames - 1; frame >= 0; --frame) free_frames_.push_back(frame);
  probe_[kUsable] = probe_[kFree] = frames;
  for (std::int64_t held = 0; held < machine_.fs_held_buffers; ++held) {
    grow();
    const std::int32_t buffer = lists_.back(list_free);
    lists_.remove(buffer);
    buffers_[buffer].state = State::held;
    --probe_[kBuffersFree];
    ++probe_[kHeld];
  }
  while (probe_[kBufferPages] < machine_.pin_buffer_pages) grow();
}

void Linux13::boot() { engine_.spawn("bdflush", flusher(), false); }

// --- Frames and growth ---

std::int32_t Linux13::take_frame() {
  BRINK_CHECK(!free_frames_.empty());
  const std::int32_t frame = free_frames_.back();
  free_frames_.pop_back();
  --probe_[kFree];
  return frame;
}

void Linux13::give_frame(std::int32_t frame) {
  frames_[frame] = Frame{};
  free_frames_.push_back(frame);
  ++probe_[kFree];
}

void Linux13::grow() {
  const std::int32_t frame = take_frame();
  frames_[frame].use = Use::buffers;
  for (std::int64_t k = 0; k < buffers_per_page_; ++k) {
    const auto buffer = static_cast<std::int32_t>(frame * buffers_per_page_ + k);
    buffers_[buffer] = Buffer{};
    buffers_[buffer].state = State::free;
    lists_.push_back(list_free, buffer);
  }
  ++probe_[kBufferPages];
  probe_[kTotal] += buffers_per_page_;
  probe_[kBuffersFree] += buffers_per_page_;
}

bool Linux13::free_buffer_page(std::int32_t frame) {
  if (machine_.pin_buffer_pages >= 0 && probe_[kBufferPages] <= machine_.pin_buffer_pages) {
    return false;
  }
  const std::int64_t first = frame * buffers_per_page_;
  for (std::int64_t b = first; b < first + buffers_per_page_; ++b) {
    const Buffer& buffer = buffers_[b];
    const bool idle = buffer.state == State::free || buffer.state == State::clean;
    if (!idle || buffer.pinned || buffer.touched) return false;
  }
  std::int64_t dropped = 0;
  for (std::int64_t b = first; b < first + buffers_per_page_; ++b) {
    if (buffers_[b].state != State::free) continue;
    lists_.remove(static_cast<std::int32_t>(b));
    lists_.push_back(list_clean, static_cast<std::int32_t>(b));
    buffers_[b].state = State::clean;
    --probe_[kBuffersFree];
    ++probe_[kClean];
    ++dropped;
  }
  probe_.emit(kDrop, dropped);
  for (std::int64_t b = first; b < first + buffers_per_page_; ++b) {
    Buffer& buffer = buffers_[b];
    --probe_[kClean];
    lists_.remove(static_cast<std::int32_t>(b));
    if (buffer.block >= 0) buffer_of_[buffer.block] = -1;
    buffer = Buffer{};
  }
  --probe_[kBufferPages];
  probe_[kTotal] -= buffers_per_page_;
  give_frame(frame);
  return true;
}

// A page can only be taken where there is one; the pin holds the size whoever decides.
bool Linux13::may_grow(int site, bool native) {
  const bool possible = probe_[kFree] > 0 && (machine_.pin_buffer_pages < 0 ||
                                              probe_[kBufferPages] < machine_.pin_buffer_pages);
  return possible && probe_.decide(site, native);
}

// --- Where free buffers come from [fs/buffer.c:refill_freelist] ---

Co<> Linux13::refill(Process& process) {
  if (probe_[kBuffersFree] > knobs_.free_enough) co_return;  // R0
  std::int64_t wanted = knobs_.nrefill;
  // R1, class BUFFER: above the guard, and never to or below min.
  while (wanted > 0 && may_grow(kSiteR1, probe_[kFree] > std::max(knobs_.guard, knobs_.min))) {
    grow();
    wanted -= buffers_per_page_;
    probe_.emit(kGrowR1);
  }
  while (wanted > 0) {
    const bool hurry = knobs_.eager && probe_[kFree] > 0 && !enough_reusable(wanted);
    if (!hurry && reuse(wanted)) break;  // R3
    if (!knobs_.eager &&
        may_grow(kSiteR4, probe_[kFree] > std::max(knobs_.grow_floor, knobs_.min))) {
      grow();
      probe_.emit(kGrowR4);
    } else if (may_grow(kSiteR5, probe_[kFree] > 0)) {
      grow();
      probe_.emit(kGrowR5);
    } else {
      probe_.emit(kRefillWait);
      co_await wait_for_flusher(process);
    }
    wanted -= buffers_per_page_;
  }
}

// The oldest reusable buffer of a list. On the LOCKED list the scan stops at the first buffer that
// is still locked, for buffers are written in the order in which they were put there.
std::int32_t Linux13::candidate(int list, bool stop_at_locked) const {
  for (std::int32_t b = lists_.front(list); b != Links::none; b = lists_.after(b)) {
    if (buffers_[b].state == State::locked) {
      if (stop_at_locked) return Links::none;
      continue;
    }
    if (!buffers_[b].pinned) return b;
  }
  return Links::none;
}

// Could R3 give all that is wanted at once?
bool Linux13::enough_reusable(std::int64_t wanted) const {
  std::int64_t found = 0;
  for (const int list : {list_clean, list_locked}) {
    for (std::int32_t b = lists_.front(list); b != Links::none; b = lists_.after(b)) {
      if (buffers_[b].state == State::locked && list == list_locked) break;
      if (!buffers_[b].pinned && ++found >= wanted) return true;
    }
  }
  return found >= wanted;
}

// R3: moves the least recently used clean buffers to FREE. True if that gave all that was wanted.
bool Linux13::reuse(std::int64_t& wanted) {
  std::int64_t moved = 0;
  while (wanted > 0) {
    const std::int32_t clean = candidate(list_clean, false);
    const std::int32_t written = candidate(list_locked, true);
    std::int32_t best = clean;
    if (best == Links::none ||
        (written != Links::none && buffers_[written].stamp < buffers_[clean].stamp)) {
      best = written;
    }
    if (best == Links::none) break;
    Buffer& buffer = buffers_[best];
    lists_.remove(best);
    if (buffer.block >= 0) buffer_of_[buffer.block] = -1;
    buffer = Buffer{};
    buffer.state = State::free;
    lists_.push_back(list_free, best);
    --probe_[kClean];
    ++probe_[kBuffersFree];
    --wanted;
    ++moved;
  }
  probe_.emit(kReuse, moved);
  return wanted <= 0;
}

// --- Finding and binding [fs/buffer.c:getblk, get_hash_table] ---

std::int32_t Linux13::find(std::int64_t block) const {
  return static_cast<std::size_t>(block) < buffer_of_.size() ? buffer_of_[block] : -1;
}

Co<> Linux13::wait_unlocked(Process& process, std::int32_t buffer) {
  const std::int64_t block = buffers_[buffer].block;
  while (buffers_[buffer].state == State::locked && buffers_[buffer].block == block) {
    co_await engine_.sleep(process, unlocked_);
  }
  co_await engine_.spend(process, Mode::system, machine_.sleep_ns);
}

Co<std::int32_t> Linux13::getblk(Process& process, std::int64_t block) {
  for (;;) {
    const std::int32_t found = find(block);
    if (found >= 0) {
      Buffer& buffer = buffers_[found];
      if (buffer.state == State::locked) {
        co_await wait_unlocked(process, found);
        continue;
      }
      buffer.touched = true;
      if (buffer.state == State::clean) release_clean(found);
      co_return found;
    }
    if (lists_.count(list_free) == 0) {
      co_await refill(process);
      continue;
    }
    const std::int32_t taken = lists_.front(list_free);
    lists_.remove(taken);
    buffers_[taken] = Buffer{State::busy, true, false, block, ++stamps_};
    if (static_cast<std::size_t>(block) >= buffer_of_.size()) buffer_of_.resize(block + 1, -1);
    buffer_of_[block] = taken;
    --probe_[kBuffersFree];
    ++probe_[kBusy];
    probe_.emit(kTake);
    co_return taken;
  }
}

void Linux13::release_clean(std::int32_t b) {
  Buffer& buffer = buffers_[b];
  buffer.stamp = ++stamps_;
  const int list = buffer.state == State::busy ? list_clean : lists_.list_of(b);
  if (buffer.state == State::busy) {
    buffer.state = State::clean;
    --probe_[kBusy];
    ++probe_[kClean];
    lists_.push_back(list, b);
    probe_.emit(kReadDone);
  } else if (list == list_clean) {
    lists_.remove(b);
    lists_.push_back(list, b);
  }
}

// --- Checks ---

void Linux13::check() const {
  std::int64_t uses[3] = {0, 0, 0};
  for (const Frame& frame : frames_) ++uses[static_cast<int>(frame.use)];
  BRINK_CHECK(uses[0] == probe_[kFree] && uses[1] == probe_[kPageCache] &&
              uses[2] == probe_[kBufferPages]);
  BRINK_CHECK(probe_[kFree] == static_cast<std::int64_t>(free_frames_.size()));
  std::int64_t states[7] = {0, 0, 0, 0, 0, 0, 0};
  for (std::size_t b = 0; b < buffers_.size(); ++b) {
    const Buffer& buffer = buffers_[b];
    ++states[static_cast<int>(buffer.state)];
    const bool in_page = frames_[b / buffers_per_page_].use == Use::buffers;
    BRINK_CHECK(in_page == (buffer.state != State::none));
    const int list = lists_.list_of(static_cast<std::int32_t>(b));
    switch (buffer.state) {
      case State::none:
      case State::held:
      case State::busy:
        BRINK_CHECK(list == Links::none);
        break;
      case State::free:
        BRINK_CHECK(list == list_free);
        break;
      case State::clean:
        BRINK_CHECK(list == list_clean || list == list_locked);
        break;
      case State::dirty:
        BRINK_CHECK(list == list_dirty);
        break;
      case State::locked:
        BRINK_CHECK(list == list_locked);
        break;
    }
    BRINK_CHECK(buffer.block < 0 || buffer_of_[buffer.block] == static_cast<std::int32_t>(b));
  }
  BRINK_CHECK(states[1] == probe_[kBuffersFree] && states[2] == probe_[kBusy] &&
              states[3] == probe_[kClean] && states[4] == probe_[kDirty] &&
              states[5] == probe_[kLocked] && states[6] == probe_[kHeld]);
  BRINK_CHECK(probe_[kTotal] == probe_[kBufferPages] * buffers_per_page_);
  const std::int32_t indirect = current_indirect_ < 0 ? -1 : find(current_indirect_);
  const State state = indirect < 0 ? State::none : buffers_[indirect].state;
  BRINK_CHECK(probe_[kIndirect] == (state == State::dirty ? 1 : state == State::locked ? 2 : 0));
}

}  // namespace brink::machine::linux13
