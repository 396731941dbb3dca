#include "models/machine/paged.h"

#include <algorithm>

#include "models/base/check.h"

namespace brink::machine {

using namespace paged;

namespace {
constexpr std::int64_t kSwapStart = std::int64_t{1} << 32;    // behind every file
constexpr std::int64_t kBufferStart = std::int64_t{1} << 31;  // metadata, read at boot
constexpr std::int32_t kNotAFrame = -1;                       // tag of a request for metadata
constexpr std::int64_t kSwapSlots = std::int64_t{1} << 18;    // 1 GiB of 4 KiB pages: never full
}  // namespace

Paged::Paged(const MachineDescription& description, Engine& engine, Probe& probe, int lists)
    : engine_(engine),
      probe_(probe),
      machine_(description),
      disk_(description, engine, on_disk_done, this, description.page_bytes),
      random_(engine.seed(), 3),
      frames_(static_cast<std::size_t>((description.memory_bytes - description.reserved_bytes) /
                                           description.page_bytes -
                                       description.held_pages - description.user_pages)),
      lists_(static_cast<std::int32_t>(frames_.size()), lists),
      dirty_(static_cast<std::int32_t>(frames_.size()), 1),
      slot_used_(kSwapSlots, false) {
  const auto frames = static_cast<std::int64_t>(frames_.size());
  probe_[kHeld] = description.held_pages + description.user_pages;
  probe_[kUsable] = frames + probe_[kHeld];
  probe_[kFree] = frames;
  split_zones({frames});
}

void Paged::split_zones(const std::vector<std::int64_t>& ends) {
  BRINK_CHECK(ends.back() == std::ssize(frames_), "zones do not cover memory");
  zone_ends_.assign(ends.begin(), ends.end());
  free_frames_.assign(ends.size(), {});
  for (std::int64_t f = ends.back(); f-- > 0;) {
    const auto frame = static_cast<std::int32_t>(f);
    free_frames_[static_cast<std::size_t>(zone_of(frame))].push_back(frame);
  }
}

Co<> Paged::balance(Process&) { co_return; }

File& Paged::file_at(int number) {
  if (number < 0) {
    const auto text = static_cast<std::size_t>(-1 - number);
    while (files_.size() <= text * 2 + 1) files_.emplace_back();
    return files_[text * 2 + 1];
  }
  while (files_.size() <= static_cast<std::size_t>(number) * 2) files_.emplace_back();
  return files_[static_cast<std::size_t>(number) * 2];
}

std::int32_t Paged::pop_free(Use use, std::int32_t owner, std::int64_t index) {
  auto& free = free_frames_[static_cast<std::size_t>(take_from_)];
  BRINK_CHECK(!free.empty(), "a page is taken and none is free");
  const std::int32_t frame = free.back();
  free.pop_back();
  frames_[frame] = Frame{};
  frames_[frame].use = use;
  frames_[frame].owner = owner;
  frames_[frame].index = static_cast<std::int32_t>(index);
  --probe_[kFree];
  return frame;
}

void Paged::push_free(std::int32_t frame) {
  if (lists_.list_of(frame) != Links::none) lists_.remove(frame);
  frames_[frame] = Frame{};
  free_frames_[static_cast<std::size_t>(zone_of(frame))].push_back(frame);
  ++probe_[kFree];
}

void Paged::mark_dirty(std::int32_t frame) {
  Frame& f = frames_[frame];
  if (f.dirty) return;
  f.dirty = true;
  f.dirtied = engine_.now();
  dirty_.push_back(0, frame);
  ++probe_[kDirty];
  probe_.emit(kPageDirty);
}

void Paged::drop(std::int32_t frame) {
  BRINK_CHECK(droppable(frame), "a page in use is dropped");
  Frame& f = frames_[frame];
  page_leaves(frame);
  int event = kFileDrop;
  if (f.use == Use::file) {
    File& file = file_at(f.owner);
    file.frames[f.index] = evicted_mark(frame);
    --file.cached;
    --probe_[kFile];
  } else if (f.use == Use::swap_cache) {
    programs_[f.owner].frames[f.index] = evicted_mark(frame);
    --probe_[kSwapCache];
    event = kSwapDrop;
  } else {
    BRINK_CHECK(f.use == Use::buffer, "an anonymous page is dropped");
    --probe_[kBuffers];
    event = kBufferDrop;
  }
  push_free(frame);
  probe_.emit(event);
}

void Paged::unmap(std::int32_t frame) {
  Frame& f = frames_[frame];
  BRINK_CHECK(f.mapped && !f.locked && !f.writeback, "a page in flight is unmapped");
  f.mapped = false;
  f.young = false;
  --probe_[kResident];
  mapping_changed(frame);
  if (f.use == Use::file) {
    --programs_[file_at(f.owner).program].resident;
    --probe_[kMapped];
    ++probe_[kFile];
    probe_.emit(kTextUnmap);
    return;
  }
  Program& program = programs_[f.owner];
  --program.resident;
  if (f.use == Use::swap_cache) {
    probe_.emit(kSwapKeep);
    return;
  }
  program.slots[f.index] = new_slot();
  f.use = Use::swap_cache;
  f.writeback = true;
  --probe_[kAnon];
  ++probe_[kSwapCache];
  ++probe_[kSwapped];
  ++probe_[kSwapOuts];
  probe_.emit(kSwapOut);
  outgoing_.push_back(frame);
  ++queued_writes_;
}

void Paged::queue_write(std::int32_t frame) {
  Frame& f = frames_[frame];
  BRINK_CHECK(f.dirty && !f.writeback, "a clean page is written");
  f.dirty = false;
  f.writeback = true;
  dirty_.remove(frame);
  --probe_[kDirty];
  ++probe_[kWriteback];
  probe_.emit(kPageSubmit);
  outgoing_.push_back(frame);
  ++queued_writes_;
}

// Slots are handed out in rising order, so that the pages of one burst form one request (the
// clusters of mm/swapfile.c:scan_swap_map).
std::int32_t Paged::new_slot() {
  while (slot_used_[static_cast<std::size_t>(next_slot_)]) {
    next_slot_ = next_slot_ + 1 == kSwapSlots ? 0 : next_slot_ + 1;
  }
  slot_used_[static_cast<std::size_t>(next_slot_)] = true;
  const auto slot = static_cast<std::int32_t>(next_slot_);
  next_slot_ = next_slot_ + 1 == kSwapSlots ? 0 : next_slot_ + 1;
  return slot;
}

std::int64_t Paged::block_of(std::int32_t frame) const {
  const Frame& f = frames_[frame];
  if (f.use == Use::swap_cache) return kSwapStart + programs_[f.owner].slots[f.index];
  const std::size_t at = f.owner < 0 ? static_cast<std::size_t>(-1 - f.owner) * 2 + 1
                                     : static_cast<std::size_t>(f.owner) * 2;
  return files_[at].first_block + f.index;
}

Co<> Paged::submit(Process& process, std::int64_t block, bool write, std::int32_t frame) {
  while (!disk_.accepts(block, write)) co_await engine_.sleep(process, disk_.slot_freed);
  if (write) {
    ++write_requests_;
  } else {
    bytes_read_ += machine_.page_bytes;
  }
  disk_.submit(block, write, frame);
}

Co<> Paged::submit_outgoing(Process& process) {
  while (!outgoing_.empty()) {
    std::vector<std::int32_t> batch;
    batch.swap(outgoing_);
    for (const std::int32_t frame : batch) {
      co_await submit(process, block_of(frame), true, frame);
    }
  }
}

Co<std::int64_t> Paged::write_out(Process& process, std::int64_t most, Time before) {
  std::int64_t count = 0;
  while (count < most) {
    const std::int32_t frame = dirty_.front(0);
    if (frame < 0 || frames_[frame].dirtied > before) break;
    queue_write(frame);
    ++count;
  }
  co_await submit_outgoing(process);
  co_return count;
}

void Paged::on_disk_done(void* object, std::int64_t tag) {
  Paged& kernel = *static_cast<Paged*>(object);
  if (tag != kNotAFrame) {
    Frame& f = kernel.frames_[tag];
    if (f.writeback) {
      f.writeback = false;
      --kernel.queued_writes_;
      if (f.use == Use::file) {
        --kernel.probe_[kWriteback];
        ++kernel.probe_[kWritten];
        kernel.probe_.emit(kPageWritten);
      }
      kernel.write_finished(static_cast<std::int32_t>(tag));
    }
    f.locked = false;
  }
  if (!kernel.io_done_.sleepers.empty()) kernel.engine_.wake(kernel.io_done_);
}

bool Paged::in_flight(int number) const {
  const std::size_t at = number < 0 ? static_cast<std::size_t>(-1 - number) * 2 + 1
                                    : static_cast<std::size_t>(number) * 2;
  const auto busy = [&](std::int32_t frame) {
    return frame >= 0 && (frames_[frame].writeback || frames_[frame].locked);
  };
  return std::any_of(files_[at].frames.begin(), files_[at].frames.end(), busy);
}

void Paged::truncate_now(int number) {
  File& file = file_at(number);
  std::int64_t forgotten = 0, freed = 0;
  for (const std::int32_t frame : file.frames) {
    if (frame < 0 || !frames_[frame].dirty) continue;
    frames_[frame].dirty = false;
    dirty_.remove(frame);
    ++forgotten;
  }
  probe_[kDirty] -= forgotten;
  probe_.emit(kPageForget, forgotten);
  for (std::int32_t& frame : file.frames) {
    if (frame < 0) continue;
    BRINK_CHECK(droppable(frame), "a page in use is truncated");
    page_leaves(frame);
    push_free(frame);
    frame = -1;
    ++freed;
  }
  file.cached = 0;
  probe_[kFile] -= freed;
  probe_.emit(kFileRemove, freed);
}

std::int64_t Paged::place(std::int64_t blocks) {
  if (const auto hole = holes_.find(blocks); hole != holes_.end() && !hole->second.empty()) {
    const std::int64_t first = hole->second.back();
    hole->second.pop_back();
    return first;
  }
  const std::int64_t first = next_block_;
  next_block_ += blocks;
  return first;
}

Co<> Paged::charge_scan(Process& process, std::int64_t scanned_before) {
  const Time ns = (probe_[kScanned] - scanned_before) * machine_.list_entry_ns;
  process.reclaiming = true;
  if (ns > 0) co_await engine_.spend(process, Mode::system, ns);
  process.reclaiming = false;
}

std::int32_t Paged::mapped_frame(const Program& program, std::int64_t index) const {
  if (index >= program.anon_pages) {
    const std::size_t at = static_cast<std::size_t>(-1 - program.text_file) * 2 + 1;
    const std::int32_t frame =
        files_[at].frames[static_cast<std::size_t>(index - program.anon_pages)];
    return frame >= 0 && frames_[frame].mapped ? frame : -1;
  }
  const std::int32_t frame = program.frames[static_cast<std::size_t>(index)];
  return frame >= 0 && frames_[frame].mapped ? frame : -1;
}

Totals Paged::totals() const {
  const std::int64_t page = machine_.page_bytes;
  Totals t;
  t.swapped_bytes = probe_[kSwapped] * page;
  t.free_bytes = probe_[kFree] * page;
  t.buffer_bytes = probe_[kBuffers] * page;
  t.cache_bytes = (probe_[kFile] + probe_[kMapped] + probe_[kSwapCache]) * page;
  t.swapped_in_bytes = probe_[kSwapIns] * page;
  t.swapped_out_bytes = probe_[kSwapOuts] * page;
  t.read_bytes = bytes_read_;
  t.write_requests = write_requests_;
  t.interrupts = engine_.now() / machine_.tick_ns + disk_.requests_done();
  t.waiting_for_disk = static_cast<std::int64_t>(io_done_.sleepers.size());
  return t;
}

void Paged::check() const {
  std::int64_t uses[5] = {0, 0, 0, 0, 0}, mapped = 0, resident = 0, dirty = 0, written = 0;
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    const Frame& f = frames_[i];
    const auto frame = static_cast<std::int32_t>(i);
    ++uses[static_cast<int>(f.use)];
    mapped += f.use == Use::file && f.mapped;
    resident += f.mapped;
    dirty += f.dirty;
    written += f.use == Use::file && f.writeback;
    BRINK_CHECK(f.dirty == (dirty_.list_of(frame) == 0), "a dirty page is lost");
    BRINK_CHECK(f.use != Use::free || lists_.list_of(frame) == Links::none);
  }
  std::int64_t listed = 0;
  for (const auto& zone : free_frames_) listed += std::ssize(zone);
  BRINK_CHECK(uses[0] == probe_[kFree] && uses[0] == listed);
  BRINK_CHECK(uses[1] == probe_[kFile] + probe_[kMapped] && mapped == probe_[kMapped]);
  BRINK_CHECK(uses[2] == probe_[kAnon] && uses[3] == probe_[kSwapCache]);
  BRINK_CHECK(uses[4] == probe_[kBuffers] && resident == probe_[kResident]);
  BRINK_CHECK(dirty == probe_[kDirty] && written == probe_[kWriteback]);
  BRINK_CHECK(probe_[kUsable] == probe_[kHeld] + uses[0] + uses[1] + uses[2] + uses[3] + uses[4]);
  std::int64_t slots = 0;
  for (const Program& program : programs_) {
    slots += std::count_if(program.slots.begin(), program.slots.end(),
                           [](std::int32_t slot) { return slot >= 0; });
  }
  BRINK_CHECK(slots == probe_[kSwapped], "a slot of swap is lost");
}

}  // namespace brink::machine
