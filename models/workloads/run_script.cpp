#include "models/workloads/run_script.h"

#include "models/base/check.h"

namespace brink::machine {

namespace {

struct Context {
  Kernel& kernel;
  Engine& engine;
  const Probe& probe;
  RunResult& result;
  Process& process;
  std::string phase;
  int removes = 0;

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
      co_await files->remove(context.process, s.file);
      ++context.removes;
      break;
    case Verb::phase:
      context.phase = s.name;
      break;
    case Verb::readfiles:
      co_await readfiles(context, s);
      break;
    case Verb::repeat:
      BRINK_CHECK(false, "a loop is not a command");
  }
}

Co<> block(Context& context, const std::vector<Statement>& statements) {
  for (const Statement& s : statements) {
    if (s.verb == Verb::repeat) {
      for (std::int64_t turn = 0; turn < s.count; ++turn) co_await block(context, s.body);
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
  Context context{kernel, engine, probe, result, self, {}};
  co_await block(context, script.statements);
}

}  // namespace brink::machine
