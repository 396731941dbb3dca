// The write path of 1.3: from write() over the dirty list to the disk and back.
//
// The reason why the small buffer cache of the 1996 report is slow lies in `indirect_for`: the next
// write needs the indirect block, and while that is on its way to the disk the writer sleeps
// [fs/buffer.c:get_hash_table]. A pass of bdflush that takes everything takes the indirect block
// too.
#include <algorithm>

#include "models/base/check.h"
#include "models/kernels/linux_1_3.h"

namespace brink::machine::linux13 {

namespace {
std::int64_t kib(std::int64_t bytes, std::int64_t ns_per_kib) { return bytes * ns_per_kib / 1024; }
}  // namespace

// --- System calls ---

std::int64_t Linux13::length(int file) const {
  const File* found = store_.find(file);
  return found == nullptr ? 0 : found->bytes;
}

Co<> Linux13::write(Process& process, int file, std::int64_t bytes) {
  co_await truncate(process, file);
  store_[file].exists = true;
  for (std::int64_t done = 0; done < bytes; done += machine_.block_bytes) {
    co_await engine_.spend(process, Mode::user,
                           kib(machine_.block_bytes, machine_.user_ns_per_kib));
    co_await write_block(process, store_[file], done / machine_.block_bytes);
    store_[file].bytes = std::min(bytes, done + machine_.block_bytes);
  }
}

Co<> Linux13::read(Process& process, int file) {
  const std::int64_t bytes = length(file);
  for (std::int64_t done = 0; done < bytes; done += machine_.page_bytes) {
    const std::int64_t now = std::min(machine_.page_bytes, bytes - done);
    co_await read_page(process, file, done / machine_.page_bytes);
    co_await engine_.spend(process, Mode::system, kib(now, machine_.read_ns_per_kib));
    co_await engine_.spend(process, Mode::user, kib(now, machine_.user_ns_per_kib));
    co_await engine_.offer(process);
  }
}

Co<> Linux13::copy(Process& process, int from, int to, std::int64_t bytes) {
  co_await truncate(process, to);
  store_[to].exists = true;
  bytes = std::min(bytes, length(from));
  for (std::int64_t done = 0; done < bytes; done += machine_.page_bytes) {
    const std::int64_t now = std::min(machine_.page_bytes, bytes - done);
    co_await read_page(process, from, done / machine_.page_bytes);
    co_await engine_.spend(process, Mode::system, kib(now, machine_.read_ns_per_kib));
    co_await engine_.spend(process, Mode::user, kib(now, machine_.user_ns_per_kib));
    for (std::int64_t part = 0; part < now; part += machine_.block_bytes) {
      co_await write_block(process, store_[to], (done + part) / machine_.block_bytes);
    }
    store_[to].bytes = done + now;
  }
}

Co<> Linux13::sync(Process& process) {
  while (probe_[kDirty] > 0 || probe_[kLocked] > 0) {
    const std::int64_t submitted = co_await write_out(process, probe_[kDirty]);
    if (submitted == 0) co_await engine_.sleep(process, unlocked_);
  }
}

Co<> Linux13::remove(Process& process, int file) {
  co_await truncate(process, file);
  store_[file].exists = false;
}

// --- Writing one block [fs/ext2/file.c:ext2_file_write, inode.c:ext2_getblk, block_getblk] ---

Co<> Linux13::write_block(Process& process, File& file, std::int64_t index) {
  const std::int32_t indirect = co_await indirect_for(process, file, index);
  if (indirect >= 0) buffers_[indirect].pinned = true;
  const std::int64_t block =
      store_.allocate(file.blocks.empty() ? FileStore::data_start : file.blocks.back() + 1);
  file.blocks.push_back(block);
  const std::int32_t data = co_await getblk(process, block);
  // The new block is dirtied (zeroed) when it is allocated, then the indirect block that names it.
  mark_dirty(data);
  if (indirect >= 0) {
    const State state = buffers_[indirect].state;
    if (state == State::busy || state == State::clean) mark_dirty(indirect);
    buffers_[indirect].pinned = false;
  }
  co_await engine_.spend(process, Mode::system,
                         kib(machine_.block_bytes, machine_.write_ns_per_kib));
  co_await engine_.background(process, kib(machine_.block_bytes, machine_.background_ns_per_kib));
  co_await engine_.offer(process);
}

// The buffer of the indirect block that will name data block `index`, or -1 for a direct block.
Co<std::int32_t> Linux13::indirect_for(Process& process, File& file, std::int64_t index) {
  const std::int64_t group = store_.group(index);
  if (group < 0) co_return -1;
  if (static_cast<std::size_t>(group) >= file.indirects.size()) {
    file.indirects.push_back(store_.allocate(FileStore::indirect_start));
  }
  const std::int64_t block = file.indirects[group];
  if (block != current_indirect_) {
    current_indirect_ = block;
    probe_[kIndirect] = 0;
    probe_.emit(kIndirectNext);
  }
  for (;;) {
    const std::int32_t found = find(block);
    const bool locked = found >= 0 && buffers_[found].state == State::locked;
    if (probe_.decide(kSiteMayWrite, !locked)) {
      if (locked) co_return found;  // told to go on: the block in flight is written as it is
      const std::int32_t buffer = co_await getblk(process, block);
      co_return buffer;
    }
    probe_[kWriterWaits] = 1;
    probe_.emit(kWriterWait);
    if (locked) {
      co_await wait_unlocked(process, found);
    } else {
      co_await engine_.sleep(process, unlocked_, machine_.tick_ns);
    }
    probe_[kWriterWaits] = 0;
    probe_.emit(kWriterWake);
  }
}

// [fs/buffer.c:mark_buffer_dirty, refile_buffer]
void Linux13::mark_dirty(std::int32_t b) {
  Buffer& buffer = buffers_[b];
  const bool busy = buffer.state == State::busy;
  BRINK_CHECK(busy || buffer.state == State::clean);
  --probe_[busy ? kBusy : kClean];
  if (!busy) lists_.remove(b);
  buffer.state = State::dirty;
  lists_.push_back(list_dirty, b);
  ++probe_[kDirty];
  if (buffer.block == current_indirect_) {
    probe_[kIndirect] = 1;
    probe_.emit(busy ? kIndirectDirty : kIndirectRedirty);
  } else {
    BRINK_CHECK(busy);
    probe_.emit(kBufferDirty);
  }
  if (probe_.decide(kSiteFlusher, too_dirty())) wake_flusher();
}

bool Linux13::too_dirty() const { return probe_[kDirty] > probe_[kTotal] * knobs_.nfract / 100; }

// --- bdflush [fs/buffer.c:bdflush, wakeup_bdflush] ---

void Linux13::wake_flusher() {
  if (probe_[kFlusherAwake] != 0) return;
  probe_[kFlusherAwake] = 1;
  probe_.emit(kFlusherWake);
  engine_.wake(flusher_wait_);
}

Co<> Linux13::wait_for_flusher(Process& process) {
  wake_flusher();
  co_await engine_.sleep(process, flusher_done_);
  co_await engine_.spend(process, Mode::system, machine_.sleep_ns);
}

Co<> Linux13::flusher() {
  Process& self = co_await this_process();
  for (;;) {
    if (probe_[kFlusherAwake] == 0) co_await engine_.sleep(self, flusher_wait_);
    const std::int64_t submitted = co_await write_out(self, knobs_.ndirty);
    engine_.wake(flusher_done_);
    if (probe_.decide(kSiteFlusher, too_dirty())) {
      // Told to go on though nothing is dirty (a native decision never is): not before time passes.
      if (submitted == 0) co_await engine_.sleep(self, unlocked_, machine_.tick_ns);
      continue;
    }
    probe_[kFlusherAwake] = 0;
    probe_.emit(kFlusherSleep);
  }
}

// Submits up to `most` dirty buffers, first dirtied first. Result: how many.
Co<std::int64_t> Linux13::write_out(Process& process, std::int64_t most) {
  std::int64_t submitted = 0;
  while (submitted < most && lists_.count(list_dirty) > 0) {
    const std::int32_t b = lists_.front(list_dirty);
    if (!disk_.accepts(buffers_[b].block, true)) {
      co_await engine_.sleep(process, disk_.slot_freed);
      continue;
    }
    lists_.remove(b);
    lists_.push_back(list_locked, b);
    buffers_[b].state = State::locked;
    --probe_[kDirty];
    ++probe_[kLocked];
    ++submitted;
    disk_.submit(buffers_[b].block, true, b);
    const bool indirect = buffers_[b].block == current_indirect_;
    if (indirect) probe_[kIndirect] = 2;
    probe_.emit(indirect ? kIndirectLock : kSubmit);
  }
  co_return submitted;
}

// --- The disk ---

Co<> Linux13::submit(Process& process, std::int64_t block, bool write, std::int64_t tag) {
  while (!disk_.accepts(block, write)) co_await engine_.sleep(process, disk_.slot_freed);
  disk_.submit(block, write, tag);
}

void Linux13::on_disk_done(void* object, std::int64_t tag) {
  Linux13& kernel = *static_cast<Linux13*>(object);
  if (tag < 0) {
    kernel.page_read_done(tag);
  } else {
    kernel.write_done(static_cast<std::int32_t>(tag));
  }
  kernel.engine_.wake(kernel.unlocked_);
}

void Linux13::write_done(std::int32_t b) {
  BRINK_CHECK(buffers_[b].state == State::locked);
  buffers_[b].state = State::clean;
  --probe_[kLocked];
  ++probe_[kClean];
  const bool indirect = buffers_[b].block == current_indirect_;
  if (indirect) probe_[kIndirect] = 0;
  probe_.emit(indirect ? kIndirectUnlock : kDiskDone);
}

// --- Taking a file away [fs/ext2/truncate.c, fs/buffer.c:__bforget, mm/filemap.c] ---

Co<> Linux13::truncate(Process& process, int number) {
  File& file = store_[number];
  for (const std::int64_t block : file.blocks) co_await forget(process, block);
  for (const std::int64_t block : file.indirects) co_await forget(process, block);
  std::int64_t pages = 0;
  for (const std::int32_t frame : file.pages) {
    if (frame < 0) continue;
    BRINK_CHECK(!frames_[frame].locked);
    --probe_[kPageCache];
    give_frame(frame);
    ++pages;
  }
  probe_.emit(kFileRemove, pages);
  file = File{};
}

// The block's buffer becomes clean and forgets what it held; its page stays in the buffer cache.
Co<> Linux13::forget(Process& process, std::int64_t block) {
  for (;;) {
    const std::int32_t b = find(block);
    if (b < 0) break;
    Buffer& buffer = buffers_[b];
    if (buffer.state == State::locked) {
      co_await wait_unlocked(process, b);
      continue;
    }
    buffer_of_[block] = -1;
    const bool dirty = buffer.state == State::dirty;
    const bool current = block == current_indirect_;
    buffer.block = -1;
    buffer.touched = false;
    if (current) current_indirect_ = -1;
    if (dirty) {
      lists_.remove(b);
      buffer.state = State::clean;
      lists_.push_back(list_clean, b);
      --probe_[kDirty];
      ++probe_[kClean];
      if (current) probe_[kIndirect] = 0;
      probe_.emit(current ? kIndirectForget : kForget);
    }
    break;
  }
  store_.release(block);
}

}  // namespace brink::machine::linux13
