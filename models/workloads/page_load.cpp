#include "models/workloads/page_load.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace brink::machine {

namespace {

constexpr std::int64_t kPayPages = 32;  // hits are paid for in such parts

struct Writers {
  std::int64_t running;
  WaitQueue done;
};

// A round: a file is written; the one written `keep` rounds before is removed. At the end all go.
Co<> writer(std::shared_ptr<Writers> writers, Kernel& kernel, Engine& engine, std::int64_t bytes,
            std::int64_t rounds, std::int64_t keep, int first_file) {
  Process& self = co_await this_process();
  FileCalls& files = *kernel.files();
  const auto file_of_round = [&](std::int64_t round) {
    return first_file + static_cast<int>(round % (keep + 1));
  };
  for (std::int64_t round = 0; round < rounds; ++round) {
    co_await files.write(self, file_of_round(round), bytes);
    if (round >= keep) co_await files.remove(self, file_of_round(round - keep));
  }
  for (std::int64_t round = std::max<std::int64_t>(0, rounds - keep); round < rounds; ++round) {
    co_await files.remove(self, file_of_round(round));
  }
  if (--writers->running == 0) engine.wake(writers->done);
}

}  // namespace

Co<AccessRun> access_pages(Process& process, Kernel& kernel, Engine& engine, const Statement& s) {
  PagingCalls& calls = *kernel.paging();
  const std::int64_t page = calls.page_bytes();
  const std::int64_t pages =
      std::max<std::int64_t>(1, (kernel.files()->length(s.file) + page - 1) / page);
  PagePattern pattern(s.pattern, pages);
  AccessRun run;
  run.text = s.text;
  run.start = engine.now();
  Totals before = calls.totals();
  std::int64_t unpaid = 0;
  for (std::int64_t i = -s.warm; i < s.count; ++i) {
    if (i == 0) {
      run.start = engine.now();
      before = calls.totals();
      run.hits = 0;
    }
    const std::int64_t next = pattern.next();
    run.hits += calls.present(s.file, next);
    if (!calls.touch(s.file, next)) {
      if (unpaid > 0) co_await calls.pay_reads(process, std::exchange(unpaid, 0));
      co_await calls.read_page(process, s.file, next, s.ahead);
    } else if (++unpaid == kPayPages) {
      co_await calls.pay_reads(process, std::exchange(unpaid, 0));
    }
  }
  if (unpaid > 0) co_await calls.pay_reads(process, unpaid);
  const Totals after = calls.totals();
  run.elapsed_ns = engine.now() - run.start;
  run.reads = s.count;
  run.read_bytes = after.read_bytes - before.read_bytes;
  run.swapped_in_bytes = after.swapped_in_bytes - before.swapped_in_bytes;
  run.swapped_out_bytes = after.swapped_out_bytes - before.swapped_out_bytes;
  co_return run;
}

Co<> churn(Process& process, Kernel& kernel, Engine& engine, const Statement& s, int first_file) {
  auto writers = std::make_shared<Writers>(Writers{s.count, {}});
  for (std::int64_t i = 0; i < s.count; ++i) {
    engine.spawn("churn",
                 writer(writers, kernel, engine, s.bytes, s.more, s.warm,
                        first_file + static_cast<int>(i * (s.warm + 1))),
                 false);
  }
  while (writers->running > 0) co_await engine.sleep(process, writers->done);
}

}  // namespace brink::machine
