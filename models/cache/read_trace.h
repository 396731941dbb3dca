// Traces from files: text, binary and CSV formats of the cache literature, plain or compressed
// (gz, xz, zst, ...: whatever libarchive reads). One row a format.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "models/base/result.h"
#include "models/cache/trace.h"

namespace brink::cache {

struct TraceFormat {
  std::string_view name;
  std::string_view summary;
  /// References are byte addresses or byte ranges, so the size of a page has to be known.
  bool needs_page_bytes;
};

std::span<const TraceFormat> trace_formats();
const TraceFormat* find_trace_format(std::string_view name);

struct TraceOptions {
  std::string format;             ///< empty: as the content tells, where it does
  std::uint64_t page_bytes = 0;   ///< 0: not given
  std::uint64_t limit_bytes = 0;  ///< of memory; 0: none
};

struct TraceProblem {
  bool environment = false;  ///< the file cannot be read, rather than understood
  bool limit = false;        ///< the memory limit was reached
  std::string message;       ///< with the line or the byte offset (of the uncompressed content)
  std::string help;
};

/// A reference to a byte range touches all its pages, one after the other.
Result<PageTrace, TraceProblem> read_trace(const std::string& path, const TraceOptions& options);

}  // namespace brink::cache
