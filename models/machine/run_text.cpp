#include <fmt/format.h>

#include <algorithm>

#include "models/machine/run_result.h"

namespace brink::machine {

std::string time_text(const TimedCommand& c) {
  const auto hundredths = [](Time ns) { return ns / 10'000'000; };
  const Time user = hundredths(c.user_ns);
  const Time system = hundredths(c.system_ns);
  const Time elapsed = hundredths(c.elapsed_ns);
  const Time percent = c.elapsed_ns > 0 ? (c.user_ns + c.system_ns) * 100 / c.elapsed_ns : 0;
  return fmt::format("{}.{:02}user {}.{:02}system {}:{:02}.{:02}elapsed {}%CPU", user / 100,
                     user % 100, system / 100, system % 100, elapsed / 6000, elapsed / 100 % 60,
                     elapsed % 100, percent);
}

std::string readfiles_text(const ReadfilesLine& line) {
  return fmt::format("{} MB    {:g} MB/sec", line.position_bytes / 1'000'000,
                     line.bytes_per_second * 1e-6);
}

std::string vmstat_header() {
  return " procs                  memory    swap        io    system         cpu\n"
         " r b w  swpd  free  buff cache  si  so   bi   bo   in   cs  us  sy  id";
}

std::string vmstat_text(const VmstatLine& l) {
  return fmt::format("{:2} {} {} {:5} {:5} {:5} {:5} {:3} {:3} {:4} {:4} {:4} {:4} {:3} {:3} {:3}",
                     l.running, l.blocked, 0, l.swapped_kib, l.free_kib, l.buffer_kib, l.cache_kib,
                     l.swap_in, l.swap_out, l.blocks_in, l.blocks_out, l.interrupts, l.switches,
                     l.user, l.system, l.idle);
}

std::string dbench_text(const DbenchRun& run) {
  const double seconds = static_cast<double>(run.elapsed_ns) * 1e-9;
  const double rate = seconds > 0 ? static_cast<double>(run.written_bytes) / 1e6 / seconds : 0;
  return fmt::format("Throughput {:g} MB/sec (NB={:g} MB/sec  {:g} MBit/sec)  {} procs", rate,
                     rate * 1.25, rate * 10, run.clients);
}

std::string test_text(const TestRun& run) {
  std::string name = run.name;
  std::replace(name.begin(), name.end(), '_', ' ');
  const Time hundredths = run.elapsed_ns / 10'000'000;
  return fmt::format("\"{}\"\t{}.{:02} seconds\t({}:{:02}:{:02}.{:02})", name, hundredths / 100,
                     hundredths % 100, hundredths / 360'000, hundredths / 6000 % 60,
                     hundredths / 100 % 60, hundredths % 100);
}

std::string access_text(const AccessRun& run) {
  const double ratio =
      run.reads > 0 ? static_cast<double>(run.hits) / static_cast<double>(run.reads) : 0;
  return fmt::format("{}: {} hits of {} ({:.4f}), {} KiB read", run.text, run.hits, run.reads,
                     ratio, run.read_bytes / 1024);
}

std::string run_text(const RunResult& result) {
  std::vector<std::pair<Time, std::string>> printed;
  for (const TimedCommand& c : result.timed) {
    printed.emplace_back(c.start + c.elapsed_ns, time_text(c));
  }
  for (const ReadfilesLine& line : result.lines) {
    printed.emplace_back(line.at, readfiles_text(line));
  }
  for (const VmstatLine& line : result.vmstat) {
    const bool first = &line == &result.vmstat.front();
    printed.emplace_back(line.at, (first ? vmstat_header() + "\n" : "") + vmstat_text(line));
  }
  for (const DbenchRun& run : result.dbench) printed.emplace_back(run.at, dbench_text(run));
  for (const TestRun& test : result.tests) {
    printed.emplace_back(test.start + test.elapsed_ns, test_text(test));
  }
  for (const AccessRun& run : result.accesses) {
    printed.emplace_back(run.start + run.elapsed_ns, access_text(run));
  }
  std::stable_sort(printed.begin(), printed.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::string text;
  for (const auto& [at, line] : printed) text += line + "\n";
  return text;
}

}  // namespace brink::machine
