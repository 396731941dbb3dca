#include "models/cache/read_trace.h"

#include <archive.h>
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>
#include <optional>

namespace brink::cache {
namespace {

using Problem = std::optional<TraceProblem>;

/// A page trace under construction, within a limit of memory.
class Sink {
 public:
  Sink(const TraceOptions& options) : options_(options) {}

  void reference(std::uint64_t page, bool write) {
    if (write && trace_.writes.empty()) trace_.writes.resize(trace_.pages.size(), false);
    trace_.pages.push_back(numbers_(page));
    if (write || !trace_.writes.empty()) trace_.writes.push_back(write);
  }

  /// All pages of a range of bytes; an empty one touches nothing. Error: more pages than make
  /// sense.
  Problem range(std::uint64_t first_byte, std::uint64_t bytes, bool write) {
    if (bytes == 0) return std::nullopt;
    const std::uint64_t first = first_byte / options_.page_bytes;
    const std::uint64_t last = (first_byte + (bytes - 1)) / options_.page_bytes;
    if (first_byte + (bytes - 1) < first_byte || last - first >= kMostPagesAtOnce)
      return TraceProblem{.message = fmt::format("a request of {} bytes", bytes),
                          .help = "no single request touches more than 16777216 pages"};
    for (std::uint64_t page = first; page <= last; ++page) {
      reference(page, write);
      if (over_limit()) return limit();
    }
    return std::nullopt;
  }

  bool over_limit() const {
    return options_.limit_bytes != 0 &&
           trace_.pages.capacity() * sizeof(trace_.pages[0]) + numbers_.bytes() >
               options_.limit_bytes;
  }
  TraceProblem limit() const {
    return {.limit = true,
            .message = fmt::format("memory limit reached after {} references to {} pages",
                                   trace_.pages.size(), numbers_.size())};
  }
  PageTrace take() {
    trace_.distinct = numbers_.size();
    return std::move(trace_);
  }
  std::uint64_t page_bytes() const { return options_.page_bytes; }

 private:
  static constexpr std::uint64_t kMostPagesAtOnce = 1u << 24;

  const TraceOptions& options_;
  PageTrace trace_;
  PageNumbers numbers_;
};

/// The whole number at the beginning of a text, which is shortened by it.
std::optional<std::uint64_t> number(std::string_view& text, int base = 10) {
  std::uint64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (read.ec != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
  return value;
}

bool blank(std::string_view text) {
  return text.find_first_not_of(" \t\r") == std::string_view::npos;
}

TraceProblem expected(std::string what) { return {.message = "expected " + std::move(what)}; }

/// One page number a line; a line with `*` is a checkpoint of the LIRS tools.
Problem text_line(std::string_view line, Sink& sink) {
  if (blank(line) || line.front() == '*' || line.front() == '#') return std::nullopt;
  line.remove_prefix(line.find_first_not_of(" \t"));
  const auto page = number(line);
  if (!page || !blank(line)) return expected("one page number");
  sink.reference(*page, false);
  return std::nullopt;
}

/// `l 0x1fffff58 1`: load or store, byte address, cycles since the last one.
Problem address_line(std::string_view line, Sink& sink) {
  if (blank(line)) return std::nullopt;
  const char kind = line.front();
  if ((kind != 'l' && kind != 's') || line.size() < 5 || line.substr(1, 3) != " 0x")
    return expected("`l 0xADDRESS CYCLES` or `s 0xADDRESS CYCLES`");
  line.remove_prefix(4);
  const auto address = number(line, 16);
  if (!address || (!blank(line) && line.front() != ' ')) return expected("a hexadecimal address");
  sink.reference(*address / sink.page_bytes(), kind == 's');
  return std::nullopt;
}

/// timestamp,host,disk,Read|Write,offset,bytes,latency: block requests of MSR Cambridge.
Problem msr_line(std::string_view line, Sink& sink) {
  if (blank(line)) return std::nullopt;
  std::array<std::string_view, 7> fields;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::size_t comma = line.find(',');
    if ((comma == std::string_view::npos) != (i + 1 == fields.size()))
      return expected("seven fields: time,host,disk,Read|Write,offset,bytes,latency");
    fields[i] = line.substr(0, comma);
    if (comma != std::string_view::npos) line.remove_prefix(comma + 1);
  }
  const bool write = fields[3] == "Write";
  if (!write && fields[3] != "Read") return expected("Read or Write in the fourth field");
  const auto offset = number(fields[4]), bytes = number(fields[5]);
  if (!offset || !bytes || !fields[4].empty() || !fields[5].empty())
    return expected("whole numbers of bytes in the fifth and sixth field");
  return sink.range(*offset, *bytes, write);
}

/// Big-endian 32-bit page numbers.
Problem int32_record(const unsigned char* record, Sink& sink) {
  sink.reference(std::uint64_t{record[0]} << 24 | record[1] << 16 | record[2] << 8 | record[3],
                 false);
  return std::nullopt;
}

/// 24 bytes, little-endian: time (4), object (8), bytes (4), next reference (8). An object is a
/// page, whatever its size.
Problem oracle_record(const unsigned char* record, Sink& sink) {
  std::uint64_t object = 0;
  for (int i = 7; i >= 0; --i) object = object << 8 | record[4 + i];
  sink.reference(object, false);
  return std::nullopt;
}

/// Either lines or records of a fixed size.
struct Reader {
  TraceFormat format;
  Problem (*line)(std::string_view, Sink&);
  Problem (*record)(const unsigned char*, Sink&);
  std::size_t record_bytes;
};

constexpr std::array kReaders = {
    Reader{{"text", "one page number a line (LIRS, and most academic traces)", false},
           text_line,
           nullptr,
           0},
    Reader{{"oracle", "oracleGeneral records of 24 bytes (libCacheSim)", false},
           nullptr,
           oracle_record,
           24},
    Reader{
        {"int32be", "big-endian 32-bit page numbers (cache2k)", false}, nullptr, int32_record, 4},
    Reader{{"address", "lines `l|s 0xADDRESS CYCLES` of byte addresses", true},
           address_line,
           nullptr,
           0},
    Reader{{"msr", "CSV of block requests in bytes (MSR Cambridge)", true}, msr_line, nullptr, 0},
};

/// Content piece by piece, decompressed.
class Content {
 public:
  Content() : archive_(archive_read_new(), archive_read_free) {}

  std::string open(const std::string& path) {
    archive_read_support_filter_all(archive_.get());
    archive_read_support_format_raw(archive_.get());
    archive_read_support_format_empty(archive_.get());
    archive_entry* entry = nullptr;
    if (archive_read_open_filename(archive_.get(), path.c_str(), 1u << 18) != ARCHIVE_OK) {
      const int number = archive_errno(archive_.get());  // of the system, or that of a bad content
      const bool content = number == -1 || number == EILSEQ;
      return content ? "after byte 0 of the content: " + error() : error();
    }
    const int header = archive_read_next_header(archive_.get(), &entry);
    if (header == ARCHIVE_EOF) {
      ended_ = true;
      return "";
    }
    return header == ARCHIVE_OK || header == ARCHIVE_WARN
               ? ""
               : "after byte 0 of the content: " + error();
  }
  /// 0 at the end, negative on an error.
  la_ssize_t read(char* to, std::size_t bytes) {
    return ended_ ? 0 : archive_read_data(archive_.get(), to, bytes);
  }
  std::string error() const {
    const char* const text = archive_error_string(archive_.get());
    return text == nullptr ? "unknown error" : text;
  }

 private:
  std::unique_ptr<archive, int (*)(archive*)> archive_;
  bool ended_ = false;
};

/// The format that the first bytes can only be, if there is one.
const Reader* guess(std::string_view start) {
  const std::string_view line = start.substr(0, start.find('\n'));
  const auto reader = [](std::string_view name) {
    return std::find_if(kReaders.begin(), kReaders.end(),
                        [&](const Reader& r) { return r.format.name == name; });
  };
  if (line.size() > 4 && (line[0] == 'l' || line[0] == 's') && line.substr(1, 3) == " 0x")
    return &*reader("address");
  if (std::count(line.begin(), line.end(), ',') == 6) return &*reader("msr");
  const bool digits = !line.empty() && line.find_first_not_of("0123456789 \t\r*") == line.npos;
  return digits && start.find('\0') == start.npos ? &*reader("text") : nullptr;
}

std::string format_names() {
  std::string out;
  for (const Reader& reader : kReaders)
    out += (out.empty() ? "" : ", ") + std::string(reader.format.name);
  return out;
}

/// Cuts content into lines or records; what is left over waits for the next piece.
class Cutter {
 public:
  Cutter(const Reader& reader, Sink& sink) : reader_(reader), sink_(sink) {}

  Problem take(std::string_view piece, bool last) {
    rest_.append(piece);
    std::string_view left = rest_;
    Problem problem = reader_.line != nullptr ? lines(left, last) : records(left, last);
    if (problem) return problem;
    offset_ += rest_.size() - left.size();
    rest_.erase(0, rest_.size() - left.size());
    if (rest_.size() > kLongestLine)
      return TraceProblem{
          .message = fmt::format("line {} is longer than {} bytes", line_ + 1, kLongestLine),
          .help = "is this the right --format?"};
    return std::nullopt;
  }

 private:
  static constexpr std::size_t kLongestLine = 1u << 16;

  Problem lines(std::string_view& left, bool last) {
    while (!left.empty()) {
      std::size_t end = left.find('\n');
      if (end == left.npos && !last) return std::nullopt;
      end = std::min(end, left.size());
      ++line_;
      if (Problem problem = reader_.line(left.substr(0, end), sink_)) {
        if (!problem->limit) problem->message = fmt::format("line {}: {}", line_, problem->message);
        return problem;
      }
      left.remove_prefix(std::min(end + 1, left.size()));
      if (sink_.over_limit()) return sink_.limit();
    }
    return std::nullopt;
  }

  Problem records(std::string_view& left, bool last) {
    const std::size_t size = reader_.record_bytes;
    for (; left.size() >= size; left.remove_prefix(size)) {
      reader_.record(reinterpret_cast<const unsigned char*>(left.data()), sink_);
      if (sink_.over_limit()) return sink_.limit();
    }
    if (!last || left.empty()) return std::nullopt;
    return TraceProblem{
        .message = fmt::format("byte {}: the last record has {} bytes, not {}",
                               offset_ + rest_.size() - left.size(), left.size(), size),
        .help = "the file is cut off, or of another --format"};
  }

  const Reader& reader_;
  Sink& sink_;
  std::string rest_;
  std::uint64_t offset_ = 0, line_ = 0;
};

const Reader* find_reader(std::string_view name) {
  const auto at = std::find_if(kReaders.begin(), kReaders.end(),
                               [&](const Reader& reader) { return reader.format.name == name; });
  return at == kReaders.end() ? nullptr : &*at;
}

/// Fills `piece`; what it holds then. Error: the content cannot be read on.
Result<std::string_view, TraceProblem> next_piece(Content& content, std::vector<char>& piece,
                                                  std::uint64_t offset) {
  const la_ssize_t got = content.read(piece.data(), piece.size());
  if (got >= 0) return std::string_view(piece.data(), static_cast<std::size_t>(got));
  return fail(TraceProblem{
      .message = fmt::format("after byte {} of the content: {}", offset, content.error()),
      .help = "the file is cut off or damaged"});
}

}  // namespace

std::span<const TraceFormat> trace_formats() {
  static const std::array rows = [] {
    std::array<TraceFormat, kReaders.size()> out;
    for (std::size_t i = 0; i < kReaders.size(); ++i) out[i] = kReaders[i].format;
    return out;
  }();
  return rows;
}

const TraceFormat* find_trace_format(std::string_view name) {
  const Reader* const reader = find_reader(name);
  return reader == nullptr ? nullptr : &reader->format;
}

Result<PageTrace, TraceProblem> read_trace(const std::string& path, const TraceOptions& options) {
  Content content;
  if (const std::string error = content.open(path); !error.empty())
    return fail(TraceProblem{.environment = true, .message = error});
  std::vector<char> piece(1u << 18);
  auto start = next_piece(content, piece, 0);
  if (!start) return fail(start.error());
  if (start->empty()) return fail(TraceProblem{.message = "the trace is empty"});
  const Reader* const reader = options.format.empty() ? guess(*start) : find_reader(options.format);
  if (reader == nullptr)
    return fail(TraceProblem{.message = "the content does not tell its format",
                             .help = "--format is one of " + format_names()});
  if (reader->format.needs_page_bytes && options.page_bytes == 0)
    return fail(TraceProblem{
        .message = fmt::format("format {} is in bytes, and the size of a page is not given",
                               reader->format.name),
        .help = "--page \"4 KiB\", for instance"});
  Sink sink(options);
  Cutter cutter(*reader, sink);
  std::uint64_t offset = 0;
  for (auto now = start;; now = next_piece(content, piece, offset)) {
    if (!now) return fail(now.error());
    if (Problem problem = cutter.take(*now, now->empty())) return fail(*problem);
    if (now->empty()) break;
    offset += now->size();
  }
  PageTrace trace = sink.take();
  if (trace.pages.empty()) return fail(TraceProblem{.message = "the trace has no references"});
  return trace;
}

}  // namespace brink::cache
