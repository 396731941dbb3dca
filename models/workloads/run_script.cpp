#include "models/workloads/run_script.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "models/base/check.h"
#include "models/machine/random.h"
#include "models/workloads/page_load.h"

namespace brink::machine {

namespace {

/// Clients of dbench that are running.
struct Bench {
  std::int64_t bytes = 0;
  std::int64_t running = 0, written = 0, files = 0;
  Time cpu_ns = 0;
  bool stop = false;
  WaitQueue done;
};

struct Context {
  Kernel& kernel;
  Engine& engine;
  const Probe& probe;
  RunResult& result;
  Process& process;
  int next_file;  ///< number of the next file that no name of the script stands for
  std::string phase;
  int removes = 0;
  std::map<int, std::pair<int, int>> sets{};  ///< fileset -> first file, end
  int sets_made = 0;
  std::shared_ptr<Bench> bench{};

  Random random{engine.seed(), 99};
  WaitQueue clock{};

  void sample(std::string tag) {
    result.samples.push_back({engine.now(), std::move(tag), probe.counters()});
  }
};

// readfiles.c [tridge/junkcode]: 64 KiB a read; after a read that ends a second or more after the
// last line, a line with the total and the rate since then.
constexpr std::int64_t kReadBytes = 0x10000;
constexpr Time kLineNs = 1'000'000'000;

Co<> readfiles(Context& context, const Statement& statement) {
  const Time start = context.engine.now();
  Time line_start = start;
  std::int64_t position = 0;
  std::int64_t line_bytes = 0;
  while ((statement.bytes < 0 || position < statement.bytes) &&
         (statement.duration < 0 || context.engine.now() - start < statement.duration)) {
    co_await context.kernel.device()->read_device(context.process, position, kReadBytes);
    position += kReadBytes;
    line_bytes += kReadBytes;
    const Time now = context.engine.now();
    if (now - line_start < kLineNs) continue;
    const double seconds = static_cast<double>(now - line_start) * 1e-9;
    context.result.lines.push_back({now, position, static_cast<double>(line_bytes) / seconds});
    context.sample("second");
    line_start = now;
    line_bytes = 0;
  }
}

constexpr std::int64_t kBlockPages = 2;

Co<> start_programs(Context& context, const Statement& s) {
  const std::int64_t bytes = s.bytes / s.split, text = s.more / s.split;
  for (std::int64_t i = 0; i < s.split; ++i) {
    const ProgramSpec spec{s.name, bytes, text, s.idle, s.duration};
    co_await context.kernel.paging()->start_program(context.process, spec);
  }
}

void make_files(Context& context, const Statement& s) {
  Random random(context.engine.seed(), 100 + static_cast<std::uint64_t>(context.sets_made++));
  const int first = context.next_file;
  for (std::int64_t i = 0; i < s.count; ++i) {
    const std::int64_t bytes = s.bytes + random.below(s.more - s.bytes + 1);
    context.kernel.paging()->place_file(context.next_file++, bytes);
  }
  context.sets[s.file] = {first, context.next_file};
}

Co<> stream(Context& context, const Statement& s) {
  const auto [first, end] = context.sets.at(s.file);
  for (int file = first; file < end; ++file) {
    co_await context.kernel.files()->read(context.process, file);
  }
}

Co<> fetch(Context& context, const Statement& s) {
  Random& random = context.random;
  const std::int64_t blocks =
      std::max<std::int64_t>(1, context.kernel.files()->length(s.file) / (kBlockPages * 4096));
  for (std::int64_t i = 0; i < s.count; ++i) {
    co_await context.kernel.paging()->read_block(context.process, s.file,
                                                 random.below(blocks) * kBlockPages);
  }
}

// vmstat(8): the first line is about the time since boot; here every line is about its interval.
Co<> vmstat(Engine& engine, Kernel& kernel, RunResult& result, Time interval) {
  Process& self = co_await this_process();
  WaitQueue clock;
  const auto cpus = static_cast<std::int64_t>(engine.cpus());
  Totals before = kernel.paging()->totals();
  std::int64_t switches = engine.switches();
  Time user = engine.user_ns(), system = engine.system_ns();
  for (;;) {
    co_await engine.sleep(self, clock, interval);
    const Totals now = kernel.paging()->totals();
    const auto rate = [&](std::int64_t Totals::*total, std::int64_t unit) {
      return (now.*total - before.*total) * 1'000'000'000 / interval / unit;
    };
    const Time user_now = engine.user_ns(), system_now = engine.system_ns();
    const std::int64_t us = (user_now - user) * 100 / (interval * cpus);
    const std::int64_t sy = (system_now - system) * 100 / (interval * cpus);
    result.vmstat.push_back(
        {engine.now(), interval, static_cast<std::int64_t>(engine.waiting()), now.waiting_for_disk,
         now.swapped_bytes / 1024, now.free_bytes / 1024, now.buffer_bytes / 1024,
         now.cache_bytes / 1024, rate(&Totals::swapped_in_bytes, 1024),
         rate(&Totals::swapped_out_bytes, 1024), rate(&Totals::read_bytes, 1024),
         rate(&Totals::write_requests, 1), rate(&Totals::interrupts, 1),
         (engine.switches() - switches) * 1'000'000'000 / interval, us, sy, 100 - us - sy});
    before = now;
    switches = engine.switches();
    user = user_now;
    system = system_now;
  }
}

// dbench in short: a client's files live for seconds. It creates one, writes it, reads it, deletes
// it, and starts again.
Co<> dbench_client(std::shared_ptr<Bench> bench, Kernel& kernel, Engine& engine, int file) {
  Process& self = co_await this_process();
  FileCalls& files = *kernel.files();
  Time paid = self.user_ns + self.system_ns;
  while (!bench->stop) {
    co_await files.write(self, file, bench->bytes);
    bench->written += bench->bytes;
    co_await files.read(self, file);
    co_await files.remove(self, file);
    ++bench->files;
    bench->cpu_ns +=
        self.user_ns + self.system_ns - std::exchange(paid, self.user_ns + self.system_ns);
  }
  if (--bench->running == 0) engine.wake(bench->done);
}

Co<> dbench(Context& context, const Statement& s) {
  Engine& engine = context.engine;
  if (!context.bench) {
    context.bench = std::make_shared<Bench>();
    context.bench->bytes = s.bytes;
    context.bench->running = s.count;
    for (int client = 0; client < s.count; ++client) {
      engine.spawn("dbench",
                   dbench_client(context.bench, context.kernel, engine, context.next_file++),
                   false);
    }
  }
  const std::shared_ptr<Bench> bench = context.bench;
  const Time start = engine.now(), cpu = bench->cpu_ns;
  const std::int64_t written = bench->written, files = bench->files;
  co_await engine.sleep(context.process, context.clock, s.duration);
  if (!s.on) {
    bench->stop = true;
    context.bench.reset();
    while (bench->running > 0) co_await engine.sleep(context.process, bench->done);
  }
  context.result.dbench.push_back({engine.now(), context.phase, s.count, engine.now() - start,
                                   bench->written - written, bench->files - files,
                                   bench->cpu_ns - cpu});
  context.sample("dbench");
}

Co<> paging_command(Context& context, const Statement& s) {
  PagingCalls& kernel = *context.kernel.paging();
  switch (s.verb) {
    case Verb::program:
      co_await start_programs(context, s);
      break;
    case Verb::fileset:
      make_files(context, s);
      break;
    case Verb::stream:
      co_await stream(context, s);
      break;
    case Verb::fetch:
      co_await fetch(context, s);
      break;
    case Verb::buffers:
      co_await kernel.fill_buffers(context.process, s.bytes);
      break;
    case Verb::work:
      co_await context.engine.spend(context.process, Mode::user, s.duration);
      break;
    case Verb::pause:
      co_await context.engine.sleep(context.process, context.clock, s.duration);
      break;
    case Verb::vmstat:
      context.engine.spawn(
          "vmstat", vmstat(context.engine, context.kernel, context.result, s.duration), true);
      break;
    case Verb::set:
      kernel.set_tunable(static_cast<std::size_t>(s.file), s.count);
      break;
    case Verb::dbench:
      co_await dbench(context, s);
      break;
    case Verb::place:
      kernel.place_file(s.file, s.bytes);
      break;
    case Verb::access:
      context.result.accesses.push_back(
          co_await access_pages(context.process, context.kernel, context.engine, s));
      context.result.accesses.back().phase = context.phase;
      context.sample("access");
      break;
    case Verb::churn:
      co_await churn(context.process, context.kernel, context.engine, s, context.next_file);
      context.next_file += static_cast<int>(s.count * (s.warm + 1));
      break;
    default:
      BRINK_CHECK(false, "not a command of the paging family");
  }
}

Co<> command(Context& context, const Statement& s) {
  FileCalls* files = context.kernel.files();
  switch (s.verb) {
    case Verb::write:
      co_await files->write(context.process, s.file, s.bytes);
      break;
    case Verb::read:
      co_await files->read(context.process, s.file);
      break;
    case Verb::copy: {
      const std::int64_t bytes = s.bytes < 0 ? files->length(s.file) : s.bytes;
      co_await files->copy(context.process, s.file, s.target, bytes);
      break;
    }
    case Verb::sync:
      co_await files->sync(context.process);
      break;
    case Verb::remove:
      if (const auto set = context.sets.find(s.file); set != context.sets.end()) {
        for (int file = set->second.first; file < set->second.second; ++file) {
          co_await files->remove(context.process, file);
        }
        context.sets.erase(set);
      } else {
        co_await files->remove(context.process, s.file);
      }
      ++context.removes;
      break;
    case Verb::phase:
      context.phase = s.name;
      break;
    case Verb::readfiles:
      co_await readfiles(context, s);
      break;
    case Verb::repeat:
    case Verb::test:
      BRINK_CHECK(false, "a block is not a command");
      break;
    default:
      co_await paging_command(context, s);
  }
}

Co<> block(Context& context, const std::vector<Statement>& statements) {
  for (const Statement& s : statements) {
    if (s.verb == Verb::repeat) {
      for (std::int64_t turn = 0; turn < s.count; ++turn) co_await block(context, s.body);
      continue;
    }
    if (s.verb == Verb::test) {
      const Time start = context.engine.now();
      co_await block(context, s.body);
      context.result.tests.push_back({s.name, start, context.engine.now() - start});
      continue;
    }
    if (!s.timed) {
      co_await command(context, s);
      continue;
    }
    context.sample("before: " + s.text);
    const Process& process = context.process;
    TimedCommand timed{s.text,
                       context.phase,
                       context.removes,
                       context.engine.now(),
                       process.user_ns,
                       process.system_ns,
                       0};
    co_await command(context, s);
    timed.user_ns = process.user_ns - timed.user_ns;
    timed.system_ns = process.system_ns - timed.system_ns;
    timed.elapsed_ns = context.engine.now() - timed.start;
    context.result.timed.push_back(timed);
    context.sample("after: " + s.text);
  }
}

}  // namespace

Co<> run_script(const Script& script, Kernel& kernel, Engine& engine, const Probe& probe,
                RunResult& result) {
  Process& self = co_await this_process();
  Context context{kernel, engine, probe, result, self, script.names};
  co_await block(context, script.statements);
}

}  // namespace brink::machine
