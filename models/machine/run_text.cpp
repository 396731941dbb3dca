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

std::string run_text(const RunResult& result) {
  std::vector<std::pair<Time, std::string>> printed;
  for (const TimedCommand& c : result.timed) {
    printed.emplace_back(c.start + c.elapsed_ns, time_text(c));
  }
  for (const ReadfilesLine& line : result.lines) {
    printed.emplace_back(line.at, readfiles_text(line));
  }
  std::stable_sort(printed.begin(), printed.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::string text;
  for (const auto& [at, line] : printed) text += line + "\n";
  return text;
}

}  // namespace brink::machine
