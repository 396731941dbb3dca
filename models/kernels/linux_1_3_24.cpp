// Linux 1.3.24: no page cache. Files are read and written through the buffer cache, so it is large
// from the start, and nothing else competes for its pages.
//
// What differs from the original: reclaim (shrink_buffers) is left out, for it is entered only by
// classes KERNEL and USER, which no command of the workloads needs here; read clusters are taken
// block by block, from the same places.
#include <algorithm>
#include <memory>

#include "models/kernels/linux_1_3.h"
#include "models/kernels/rows.h"

namespace brink::machine::linux13 {

namespace {

constexpr std::int64_t kPages = std::int64_t{1} << 32;
constexpr TunableRow kTunables[] = {
    {"min", "pages", "reserve: only class ATOMIC takes the free pages to or below it", 0, kPages},
    {"guard", "pages", "R1: the buffer cache grows while more pages are free", 0, kPages},
    {"slack", "pages", "R4: it grows, if nothing is reusable, above slack free pages", 0, kPages},
    {"nfract", "%", "share of all buffers above which dirty ones wake bdflush", 0, 100},
    {"ndirty", "buffers", "most buffers a pass of bdflush submits", 1, kPages},
    {"nrefill", "buffers", "buffers a refill of the FREE list wants", 1, kPages},
    {"free_enough", "buffers", "R0: a refill does nothing with more free buffers", 0, kPages},
};
enum { tMin, tGuard, tSlack, tNfract, tNdirty, tNrefill, tEnough };

class Linux1324 final : public Linux13 {
 public:
  using Linux13::Linux13;

 protected:
  Co<> read_page(Process& process, int file, std::int64_t index) override;
  void page_read_done(std::int64_t) override { --reads_in_flight_; }

 private:
  std::int64_t reads_in_flight_ = 0;
};

// [fs/ext2/file.c:ext2_file_read] getblk for every block, one read request for what is not there.
Co<> Linux1324::read_page(Process& process, int number, std::int64_t index) {
  File& file = store_[number];
  const auto blocks = static_cast<std::int64_t>(file.blocks.size());
  const std::int64_t first = index * buffers_per_page_;
  const std::int64_t last = std::min(blocks, first + buffers_per_page_);
  std::vector<std::int32_t> fresh;
  for (std::int64_t i = first; i < last; ++i) {
    const std::int32_t buffer = co_await getblk(process, file.blocks[i]);
    if (buffers_[buffer].state == State::busy) fresh.push_back(buffer);
  }
  if (fresh.empty()) co_return;
  for (const std::int32_t buffer : fresh) {
    ++reads_in_flight_;
    co_await submit(process, buffers_[buffer].block, false, -1 - buffer);
  }
  while (reads_in_flight_ > 0) co_await engine_.sleep(process, unlocked_);
  for (const std::int32_t buffer : fresh) release_clean(buffer);
}

Result<std::unique_ptr<Kernel>, MachineError> make(const MachineDescription& description,
                                                   std::span<const std::int64_t> t, Engine& engine,
                                                   Probe& probe) {
  // R4's floor is not relative to min in this version; class BUFFER keeps min anyway.
  const Knobs knobs{t[tMin], t[tGuard], t[tSlack], t[tNfract], t[tNdirty], t[tNrefill], t[tEnough]};
  return std::make_unique<Linux1324>(description, knobs, engine, probe);
}

}  // namespace
}  // namespace brink::machine::linux13

namespace brink::machine {

KernelRow linux_1_3_24_row() {
  using namespace linux13;
  return {"linux-1.3.24",
          "Linux 1.3.24 (September 1995): everything through the buffer cache",
          Family::files,
          kTunables,
          counter_rows(),
          event_rows(),
          decision_rows().first(kSitesOfBoth),
          make};
}

}  // namespace brink::machine
