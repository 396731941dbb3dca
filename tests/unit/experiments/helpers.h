// Small scenarios and folders for tests of experiments/. Used by: tests/unit/experiments only.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "experiments/scenario/scenario.h"

namespace brink::testing_scenarios {

/// A folder that is gone with the object.
class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "brink-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = pattern;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ + "/" + name) << text;
    return path_ + "/" + name;
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// The tables every scenario needs, small: 64 frames of one-block pages under Linux 1.3.78, one
/// copy of 32 KiB.
inline const std::string kMachine = R"([machine]
memory_bytes          = "256 KiB"
page_bytes            = "4 KiB"
block_bytes           = "4 KiB"
reserved_bytes        = "0 KiB"
cpus                  = 1
tick_ns               = "10 ms"
time_limit_ns         = "100 s"
pin_buffer_pages      = -1
fs_held_buffers       = 0
disk_null             = 0
disk_rate_bytes_per_s = "1 MB/s"
disk_latency_ns       = "1 ms"
disk_request_slots    = 64
disk_request_bytes    = "64 KiB"
user_ns_per_kib       = "10 us/KiB"
read_ns_per_kib       = "100 us/KiB"
write_ns_per_kib      = "200 us/KiB"
background_ns_per_kib = "0 us/KiB"
sleep_ns              = "1 ms"
list_entry_ns         = "0 ns"
wake_ns               = "0 ns"
)";

inline std::string basis() {
  std::string text = "[basis]\n";
  for (const char* name : {"memory_bytes",
                           "page_bytes",
                           "block_bytes",
                           "reserved_bytes",
                           "cpus",
                           "tick_ns",
                           "time_limit_ns",
                           "pin_buffer_pages",
                           "fs_held_buffers",
                           "disk_null",
                           "disk_rate_bytes_per_s",
                           "disk_latency_ns",
                           "disk_request_slots",
                           "disk_request_bytes",
                           "user_ns_per_kib",
                           "read_ns_per_kib",
                           "write_ns_per_kib",
                           "background_ns_per_kib",
                           "sleep_ns",
                           "list_entry_ns",
                           "wake_ns"}) {
    text += std::string(name) + " = { assumed = \"a test\" }\n";
  }
  return text;
}

/// A whole scenario; `more` is appended.
inline std::string scenario_text(const std::string& more = {},
                                 const std::string& machine = kMachine) {
  return "title = \"small\"\nsource = \"a test\"\n" + machine + basis() +
         "[kernel]\nname = \"linux-1.3.78\"\n"
         "[kernel.tunables]\nmin = \"min_free\"\neffort = \"6\"\ninterval_ticks = \"25\"\n"
         "free_enough = \"100\"\nslack = \"slack\"\n"
         "[model]\nfile = \"" BRINK_SOURCE_DIR
         "/models/library/linux-1.3.78.prism\"\n"
         "[model.constants]\nN = 64\nmin_free = 4\nlow = 6\nhigh = 8\nguard = 8\nper = 1\n"
         "[model.scaled]\nN = 12\n"
         "[workload]\nscript = \"\"\"\nwrite a 32 KiB\nsync\nphase one\ntime copy a b\n\"\"\"\n" +
         more;
}

inline Result<Scenario, Diagnostics> read(const std::string& text, const std::string& variant = {},
                                          const std::vector<Override>& overrides = {}) {
  const Folder folder;
  const auto file = read_scenario(folder.write("scenario.toml", text));
  if (!file) return fail(file.error());
  return file->interpret(variant, overrides);
}

/// The first error of a scenario that must not be accepted.
inline Diagnostic first_error(const Result<Scenario, Diagnostics>& read) {
  if (!read) return read.error().front();
  ADD_FAILURE() << "accepted";
  return {};
}

/// The same where one mistake must give one error.
inline Diagnostic only_error(const Result<Scenario, Diagnostics>& read) {
  if (!read) {
    EXPECT_EQ(read.error().size(), 1u) << render(read.error());
  }
  return first_error(read);
}

}  // namespace brink::testing_scenarios
