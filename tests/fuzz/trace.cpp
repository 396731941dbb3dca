// Traces of cache policies, in every format. The first byte chooses format and page size; the file
// is what follows, compressed or not. What is accepted is run through every policy.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "models/cache/policies.h"
#include "models/cache/read_trace.h"
#include "tests/fuzz/fuzz.h"

namespace {

constexpr std::size_t kMostBytes = 1 << 16;
constexpr std::uint64_t kMostReferences = 20'000;
constexpr std::uint64_t kMemory = 64 << 20;

/// A file with these bytes, gone with the object.
struct File {
  File(const std::uint8_t* data, std::size_t size) {
    const int handle = ::mkstemp(path.data());
    BRINK_CHECK(handle >= 0, "no file for temporary data");
    BRINK_CHECK(::write(handle, data, size) == static_cast<ssize_t>(size));
    ::close(handle);
  }
  ~File() { ::unlink(path.c_str()); }
  std::string path = (std::filesystem::temp_directory_path() / "brink-trace-XXXXXX").string();
};

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1 || size > kMostBytes) return 0;
  const auto formats = brink::cache::trace_formats();
  const auto& format = formats[data[0] % formats.size()];
  brink::cache::TraceOptions options;
  options.format = format.name;
  options.page_bytes = data[0] < 128 ? 4096 : 512;
  options.limit_bytes = kMemory;
  const File file(data + 1, size - 1);
  const auto trace = brink::cache::read_trace(file.path, options);
  if (!trace) {
    BRINK_CHECK(!trace.error().message.empty());
    return 0;
  }
  BRINK_CHECK(trace->requests() > 0 && trace->distinct <= trace->requests());
  for (const std::uint32_t page : trace->pages) BRINK_CHECK(page < trace->distinct);
  if (trace->requests() > kMostReferences) return 0;
  for (const auto& policy : brink::cache::policies()) {
    const auto misses = policy.run(*trace, std::max(1u, trace->distinct / 3));
    BRINK_CHECK(misses.all >= trace->distinct && misses.all <= trace->requests());
  }
  return 0;
}
