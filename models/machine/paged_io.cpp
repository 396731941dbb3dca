// Reads, writes and page faults of the paging family.
#include <algorithm>
#include <utility>

#include "models/base/check.h"
#include "models/machine/paged.h"

namespace brink::machine {

using namespace paged;

namespace {
constexpr std::int64_t kBlockOfDatabase = 8 << 10;  // PostgreSQL's BLCKSZ
constexpr std::int64_t kTouchSlices = 8;            // a program touches its pages in so many parts
}  // namespace

std::int64_t Paged::length(int file) const {
  const std::size_t at = static_cast<std::size_t>(file) * 2;
  return at < files_.size() && files_[at].exists ? files_[at].bytes : 0;
}

void Paged::place_file(int number, std::int64_t bytes) {
  File& file = file_at(number);
  file.exists = true;
  file.bytes = bytes;
  file.blocks = pages_of(bytes);
  file.first_block = place(file.blocks);
  file.frames.assign(static_cast<std::size_t>(file.blocks), -1);
}

int Paged::hidden_file(std::int64_t bytes) {
  const int number = -1 - next_text_++;
  place_file(number, bytes);
  return number;
}

// [mm/filemap.c:generic_file_read] Pages that are there cost CPU time only, summed up to a slice.
Co<> Paged::read_range(Process& process, int number, std::int64_t first, std::int64_t pages,
                       std::int64_t ahead) {
  const std::int64_t kib = machine_.page_bytes / 1024;
  std::int64_t unpaid = 0;
  for (std::int64_t i = first; i < first + pages; ++i) {
    for (;;) {
      File& file = file_at(number);
      if (i >= std::ssize(file.frames)) co_return;
      const std::int32_t frame = file.frames[i];
      if (frame >= 0 && !frames_[frame].locked) {
        if (frames_[frame].marker) {
          frames_[frame].marker = false;
          co_await read_in(process, number, window(number, i, ahead, true));
          continue;
        }
        page_accessed(frame);
        break;
      }
      if (unpaid > 0) {
        co_await engine_.spend(process, Mode::user, unpaid * kib * machine_.user_ns_per_kib);
        co_await engine_.spend(process, Mode::system, unpaid * kib * machine_.read_ns_per_kib);
        unpaid = 0;
      } else if (frame >= 0) {
        co_await engine_.sleep(process, io_done_);
      } else {
        co_await read_in(process, number, window(number, i, ahead, false));
      }
    }
    if (++unpaid < kSlicePages && i + 1 < first + pages) continue;
    co_await engine_.spend(process, Mode::user, unpaid * kib * machine_.user_ns_per_kib);
    co_await engine_.spend(process, Mode::system, unpaid * kib * machine_.read_ns_per_kib);
    co_await engine_.offer(process);
    unpaid = 0;
  }
}

// A miss: the pages of the read-ahead window that are not there, in one go.
Co<> Paged::read_in(Process& process, int number, Window window) {
  for (std::int64_t i = window.first; i < window.first + window.pages; ++i) {
    const auto wanted = [&] {
      File& file = file_at(number);
      return i < std::ssize(file.frames) && file.frames[i] < 0;
    };
    while (wanted() && !may_take_for(Use::file, number)) co_await make_room(process);
    if (!wanted()) continue;
    const std::int32_t frame = pop_free(Use::file, number, i);
    frames_[frame].locked = true;
    frames_[frame].marker = i == window.marker;
    File& file = file_at(number);
    came_back_ = std::exchange(file.frames[i], frame);
    ++file.cached;
    ++probe_[kFile];
    ++probe_[kReadIn];
    page_added(frame);
    probe_.emit(kFileIn);
    co_await submit(process, file.first_block + i, false, frame);
  }
}

Co<> Paged::read(Process& process, int file) {
  file_opened(file);
  co_await read_range(process, file, 0, pages_of(length(file)), machine_.readahead_pages);
}

Co<> Paged::read_block(Process& process, int file, std::int64_t page) {
  const std::int64_t pages = std::max<std::int64_t>(1, kBlockOfDatabase / machine_.page_bytes);
  const std::int64_t first = page / pages * pages;
  const std::int64_t last = std::min(first + pages, pages_of(length(file)));
  co_await read_range(process, file, first, last - first, last - first);
}

bool Paged::present(int file, std::int64_t page) const {
  const std::vector<std::int32_t>& frames = file_of(file).frames;
  if (page >= std::ssize(frames)) return false;
  const std::int32_t frame = frames[static_cast<std::size_t>(page)];
  return frame >= 0 && !frames_[frame].locked;
}

bool Paged::touch(int file, std::int64_t page) {
  if (!present(file, page)) return false;
  const std::int32_t frame = file_of(file).frames[static_cast<std::size_t>(page)];
  if (frames_[frame].marker) return false;
  page_accessed(frame);
  return true;
}

Co<> Paged::pay_reads(Process& process, std::int64_t pages) {
  const std::int64_t kib = pages * machine_.page_bytes / 1024;
  co_await engine_.spend(process, Mode::user, kib * machine_.user_ns_per_kib);
  co_await engine_.spend(process, Mode::system, kib * machine_.read_ns_per_kib);
  co_await engine_.offer(process);
}

Co<> Paged::read_page(Process& process, int file, std::int64_t page, bool ahead) {
  co_await read_range(process, file, page, 1, ahead ? machine_.readahead_pages : 1);
}

// [mm/filemap.c:generic_file_write] Whole pages, so nothing is read first.
Co<> Paged::write_range(Process& process, int number, std::int64_t first, std::int64_t pages) {
  const Time user = machine_.page_bytes / 1024 * machine_.user_ns_per_kib;
  const Time system = machine_.page_bytes / 1024 * machine_.write_ns_per_kib;
  std::int64_t unpaid = 0;
  for (std::int64_t i = first; i < first + pages; ++i) {
    for (;;) {
      File& file = file_at(number);
      const std::int32_t frame = file.frames[i];
      if (frame < 0) {
        if (!may_take_for(Use::file, number)) {
          co_await make_room(process);
          continue;
        }
        const std::int32_t fresh = pop_free(Use::file, number, i);
        came_back_ = std::exchange(file.frames[i], fresh);
        ++file.cached;
        ++probe_[kFile];
        page_added_by_write(fresh);
        probe_.emit(kFileIn);
        continue;
      }
      if (!frames_[frame].locked && !frames_[frame].writeback) {
        page_written(frame);
        mark_dirty(frame);
        break;
      }
      co_await engine_.sleep(process, io_done_);
    }
    ++unpaid;
    const bool must = must_balance();
    if (!must && unpaid < kSlicePages && i + 1 < first + pages) continue;
    co_await engine_.spend(process, Mode::user, unpaid * user);
    co_await engine_.spend(process, Mode::system, unpaid * system);
    unpaid = 0;
    if (must) co_await balance(process);
    co_await engine_.offer(process);
  }
}

Co<> Paged::wait_for_file(Process& process, int file) {
  while (in_flight(file)) co_await engine_.sleep(process, io_done_);
}

Co<> Paged::remove(Process& process, int number) {
  if (!file_at(number).exists) co_return;
  co_await wait_for_file(process, number);
  truncate_now(number);
  File& file = file_at(number);
  holes_[file.blocks].push_back(file.first_block);
  file.exists = false;
  file.frames.clear();
  file_removed(number);
}

Co<> Paged::write(Process& process, int number, std::int64_t bytes) {
  co_await remove(process, number);
  place_file(number, bytes);
  file_opened(number);
  co_await write_range(process, number, 0, pages_of(bytes));
}

Co<> Paged::copy(Process& process, int from, int to, std::int64_t bytes) {
  co_await remove(process, to);
  place_file(to, bytes);
  file_opened(from);
  file_opened(to);
  const std::int64_t pages = std::min(pages_of(bytes), pages_of(length(from)));
  for (std::int64_t i = 0; i < pages; i += kSlicePages) {
    const std::int64_t count = std::min(kSlicePages, pages - i);
    co_await read_range(process, from, i, count, machine_.readahead_pages);
    co_await write_range(process, to, i, count);
  }
}

Co<> Paged::sync(Process& process) {
  while (probe_[kDirty] > 0) co_await write_out(process, probe_[kDirty], engine_.now());
  while (probe_[kWriteback] > 0) co_await engine_.sleep(process, io_done_);
}

Co<> Paged::fill_buffers(Process& process, std::int64_t bytes) {
  for (std::int64_t i = 0; i < pages_of(bytes); ++i) {
    while (!may_take_for(Use::buffer, -1)) co_await make_room(process);
    const std::int32_t frame = pop_free(Use::buffer, -1, i);
    ++probe_[kBuffers];
    buffer_added(frame);
    probe_.emit(kBufferIn);
  }
}

// --- Programs ---

Co<> Paged::start_program(Process& process, const ProgramSpec& spec) {
  const auto number = static_cast<std::int32_t>(programs_.size());
  Program program;
  program.spec = spec;
  program.anon_pages = pages_of(spec.bytes);
  program.text_pages = pages_of(spec.text_bytes);
  program.text_file = hidden_file(spec.text_bytes);
  program.frames.assign(static_cast<std::size_t>(program.anon_pages), -1);
  program.slots.assign(static_cast<std::size_t>(program.anon_pages), -1);
  file_at(program.text_file).program = number;
  const std::int64_t pages = program.anon_pages + program.text_pages;
  programs_.push_back(std::move(program));
  for (std::int64_t i = 0; i < pages; ++i) co_await fault(process, number, i);
  if (spec.idle_percent < 100 && pages > 0) {
    engine_.spawn(spec.name, run_program(number), false);
  }
}

// [mm/memory.c:do_no_page, do_anonymous_page, do_swap_page] Ends with the page mapped.
Co<> Paged::fault(Process& process, std::int32_t number, std::int64_t index) {
  bool first = true;
  for (;;) {
    if (const std::int32_t there = mapped_frame(programs_[number], index); there >= 0) {
      frames_[there].young = true;
      if (!frames_[there].locked) co_return;
      co_await engine_.sleep(process, io_done_);
      continue;
    }
    if (first) {
      first = false;
      ++probe_[kFaults];
      if (machine_.fault_ns > 0) co_await engine_.spend(process, Mode::system, machine_.fault_ns);
      continue;
    }
    Program& program = programs_[number];
    const bool text = index >= program.anon_pages;
    const std::int64_t page = text ? index - program.anon_pages : index;
    File& file = file_at(program.text_file);
    std::int32_t& place = text ? file.frames[page] : program.frames[page];
    if (place >= 0) {  // in memory, not mapped
      if (frames_[place].locked || frames_[place].writeback) {
        co_await engine_.sleep(process, io_done_);
        continue;
      }
      frames_[place].mapped = true;
      mapping_changed(place);
      ++program.resident;
      ++probe_[kResident];
      if (text) {
        --probe_[kFile];
        ++probe_[kMapped];
      }
      probe_.emit(text ? kTextMap : kSwapBack);
      continue;
    }
    const bool swapped = !text && program.slots[page] >= 0;
    const Use use = text ? Use::file : swapped ? Use::swap_cache : Use::anon;
    const std::int32_t owner = text ? program.text_file : number;
    if (!may_take_for(use, owner)) {
      co_await make_room(process);
      continue;
    }
    const std::int32_t frame = pop_free(use, owner, page);
    came_back_ = std::exchange(place, frame);
    frames_[frame].mapped = true;
    frames_[frame].locked = text || swapped;
    ++program.resident;
    ++probe_[kResident];
    ++probe_[text ? kMapped : swapped ? kSwapCache : kAnon];
    if (text) ++file.cached;
    if (swapped) ++probe_[kSwapIns];
    page_added(frame);
    probe_.emit(text ? kTextIn : swapped ? kSwapIn : kAnonIn);
    if (text || swapped) co_await submit(process, block_of(frame), false, frame);
  }
}

Co<> Paged::run_program(std::int32_t number) {
  Process& self = co_await this_process();
  const ProgramSpec spec = programs_[number].spec;
  Random random(engine_.seed(), 1000 + static_cast<std::uint64_t>(number));
  std::vector<std::int64_t> active;
  const std::int64_t pages = programs_[number].anon_pages + programs_[number].text_pages;
  for (std::int64_t i = 0; i < pages; ++i) {
    if (random.below(100) >= spec.idle_percent) active.push_back(i);
  }
  const Time part = std::max<Time>(1, spec.every_ns / kTouchSlices);
  WaitQueue clock;
  for (;;) {
    for (std::int64_t slice = 0; slice < kTouchSlices; ++slice) {
      co_await engine_.sleep(self, clock, part / 2 + random.below(part));
      for (const std::int64_t page : active) {
        const std::int32_t frame = mapped_frame(programs_[number], page);
        if (frame >= 0) frames_[frame].young = true;
      }
      const auto count = std::ssize(active);
      for (auto i = count * slice / kTouchSlices; i < count * (slice + 1) / kTouchSlices; ++i) {
        const std::int32_t frame = mapped_frame(programs_[number], active[i]);
        if (frame < 0 || frames_[frame].locked) co_await fault(self, number, active[i]);
      }
    }
  }
}

}  // namespace brink::machine
