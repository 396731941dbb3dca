#include "models/workloads/script.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <set>

#include "models/machine/nearest.h"

namespace brink::machine {

namespace {

// name, syntax, meaning, verb, for kernels of the families files, device, paging
constexpr StatementRow kRows[] = {
    {"write", "write NAME SIZE", "create a file (again) and fill it", Verb::write, true, false,
     true},
    {"read", "read NAME", "read a file from beginning to end", Verb::read, true, false, true},
    {"copy", "copy FROM TO [SIZE]", "copy a file, or its first SIZE bytes", Verb::copy, true, false,
     true},
    {"sync", "sync", "write all dirty buffers and wait for them", Verb::sync, true, false, true},
    {"remove", "remove NAME", "remove a file, or every file of a set", Verb::remove, true, false,
     true},
    {"phase", "phase NAME", "name the timed commands that follow", Verb::phase, true, true, true},
    {"repeat", "repeat N { ... }", "do the statements N times", Verb::repeat, true, true, true},
    {"readfiles", "readfiles DEVICE [SIZE | until SIZE | for TIME]",
     "read a device, printing position and rate once a second", Verb::readfiles, false, true, true},
    {"program", "program NAME SIZE [text SIZE] [split N] [idle N %] [every TIME]",
     "N programs alike that share SIZE of memory and text, and touch what is not idle every TIME",
     Verb::program, false, false, true},
    {"fileset", "fileset NAME N SIZE [to SIZE]", "N files that are on the disk already, uncached",
     Verb::fileset, false, false, true},
    {"stream", "stream NAME", "read every file of a set once, one after the other", Verb::stream,
     false, false, true},
    {"fetch", "fetch NAME N", "N reads of 8 KiB at random places of a file", Verb::fetch, false,
     false, true},
    {"buffers", "buffers SIZE", "read so much metadata into the buffer cache", Verb::buffers, false,
     false, true},
    {"work", "work TIME", "compute", Verb::work, false, false, true},
    {"pause", "pause TIME", "do nothing", Verb::pause, false, false, true},
    {"vmstat", "vmstat TIME", "from now on print a line of vmstat every TIME", Verb::vmstat, false,
     false, true},
    {"set", "set TUNABLE N", "change a tunable of the kernel, as through /proc/sys/vm", Verb::set,
     false, false, true},
    {"dbench", "dbench N SIZE for TIME [on]",
     "N clients that each create, write, read and delete a file of SIZE, again and again; on: they "
     "go on, and the next dbench measures the same clients",
     Verb::dbench, false, false, true},
    {"place", "place NAME SIZE", "a file that is on the disk already, uncached", Verb::place, false,
     false, true},
    {"access", "access NAME N PATTERN [alpha X] [hotfrac X] [hotprob X] [seed N] [warm N] [ahead]",
     "N reads of a page each, in the order of a pattern (cyclic, random, zipf, hot, scanhot), "
     "after "
     "`warm` uncounted ones; ahead: with read-ahead",
     Verb::access, false, false, true},
    {"churn", "churn N SIZE rounds N keep N",
     "N writers that each create files of SIZE, one a round, and remove the one made `keep` rounds "
     "before",
     Verb::churn, false, false, true},
    {"test", "test NAME { ... }", "time the statements, printed as osdb prints its tests",
     Verb::test, false, false, true},
};

struct Unit {
  std::string_view name;
  std::int64_t factor;
};
constexpr Unit kSizeUnits[] = {
    {"B", 1},         {"KB", 1000},     {"MB", 1000 * 1000}, {"GB", 1000 * 1000 * 1000},
    {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}};
constexpr Unit kTimeUnits[] = {{"ms", 1'000'000}, {"s", 1'000'000'000}, {"min", 60'000'000'000}};

// By family: why it does not have a statement.
constexpr std::string_view kNotHere[] = {"this kernel has files, no raw devices",
                                         "this kernel has raw devices, no files",
                                         "this kernel has files in pages, no raw devices"};

constexpr std::int64_t kMostFileBytes = std::int64_t{4} << 30;
constexpr std::int64_t kMostRepeats = 1'000'000;
constexpr std::int64_t kMostFiles = 100'000;
constexpr std::int64_t kMostReads = 10'000'000'000;
constexpr std::int64_t kMostClients = 10'000;
constexpr int kMostDepth = 16;

struct Word {
  std::string text;  ///< "\n" at a line end, "" at the end of the script
  int line;
  int column;
  bool ends() const { return text.empty() || text == "\n" || text == ";" || text == "}"; }
};

std::vector<Word> split(std::string_view text) {
  std::vector<Word> words;
  int line = 1;
  std::size_t line_start = 0;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    const int column = static_cast<int>(i - line_start) + 1;
    if (c == '#') {
      while (i < text.size() && text[i] != '\n') ++i;
    } else if (c == '\n') {
      words.push_back({"\n", line++, column});
      line_start = ++i;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      ++i;
    } else if (c == '{' || c == '}' || c == ';') {
      words.push_back({std::string(1, c), line, column});
      ++i;
    } else {
      const std::size_t end = std::min(text.find_first_of(" \t\r\n#{};", i), text.size());
      words.push_back({std::string(text.substr(i, end - i)), line, column});
      i = end;
    }
  }
  words.push_back({"", line, static_cast<int>(text.size() - line_start) + 1});
  return words;
}

class Parser {
 public:
  Parser(std::string_view text, Family family) : words_(split(text)), family_(family) {}

  Result<Script, MachineError> parse() {
    Script script;
    block(script.statements, 0);
    if (!failed_) check_names(script.statements);
    if (failed_) return fail(error_);
    script.names = static_cast<int>(files_.size());
    return script;
  }

 private:
  const Word& word() const { return words_[at_]; }
  void fail_at(int line, int column, std::string where, std::string text) {
    if (!failed_) error_ = {std::move(where), std::move(text), line, column};
    failed_ = true;
  }
  void fail_here(std::string where, std::string text) {
    fail_at(word().line, word().column, std::move(where), std::move(text));
  }

  // Statements up to the end of the script (depth 0) or the closing brace.
  void block(std::vector<Statement>& into, int depth) {
    while (!failed_) {
      if (word().text == "\n" || word().text == ";") {
        ++at_;
      } else if (word().text.empty()) {
        if (depth > 0) fail_here("repeat", "`}` is missing");
        return;
      } else if (word().text == "}") {
        if (depth == 0) fail_here("script", "`}` without `repeat`");
        return;
      } else {
        into.push_back(statement(depth));
      }
    }
  }

  Statement statement(int depth) {
    Statement statement{};
    if (word().text == "time") {
      statement.timed = true;
      ++at_;
    }
    statement.line = word().line;
    statement.column = word().column;
    const StatementRow* row = find_row();
    if (row == nullptr) return statement;
    statement.verb = row->verb;
    const std::size_t first = at_++;
    arguments(statement, *row, depth);
    for (std::size_t i = first; i < at_ && words_[i].text != "{"; ++i) {
      statement.text += (i > first ? " " : "") + words_[i].text;
    }
    if (!failed_ && !word().ends()) {
      fail_here(std::string(row->name),
                fmt::format("`{}` is too much: {}", word().text, row->syntax));
    }
    return statement;
  }

  const StatementRow* find_row() {
    std::vector<std::string_view> names;
    for (const StatementRow& row : kRows) {
      names.push_back(row.name);
      if (row.name != word().text) continue;
      if (!row.has(family_)) {
        const bool paging_only = !row.files && !row.device;
        fail_here(word().text,
                  std::string(paging_only ? "this kernel runs no programs beside the script"
                                          : kNotHere[static_cast<int>(family_)]));
        return nullptr;
      }
      return &row;
    }
    if (word().ends()) {
      fail_here("time", "what is to be timed is missing");
    } else {
      fail_here(word().text, unknown_name("statement", word().text, names));
    }
    return nullptr;
  }

  void arguments(Statement& s, const StatementRow& row, int depth) {
    switch (s.verb) {
      case Verb::write:
        s.file = file(row);
        s.bytes = size(row);
        break;
      case Verb::read:
      case Verb::remove:
        s.file = file(row);
        break;
      case Verb::copy:
        s.file = file(row);
        s.target = file(row);
        if (!failed_ && s.file == s.target) fail_at(s.line, s.column, "copy", "onto itself");
        if (!word().ends()) s.bytes = size(row);
        break;
      case Verb::sync:
        break;
      case Verb::phase:
        s.name = name(row, "NAME");
        break;
      case Verb::repeat:
        repeat(s, row, depth);
        break;
      case Verb::readfiles:
        readfiles(s, row);
        break;
      default:
        paging_arguments(s, row, depth);
    }
  }

  void paging_arguments(Statement& s, const StatementRow& row, int depth) {
    switch (s.verb) {
      case Verb::program:
        program(s, row);
        break;
      case Verb::fileset:
        s.file = file(row);
        s.count = number(row, "N", kMostFiles);
        s.bytes = size(row);
        s.more = keyword("to") ? size(row) : s.bytes;
        if (!failed_ && s.more < s.bytes) fail_at(s.line, s.column, "fileset", "least > most");
        break;
      case Verb::stream:
        s.file = file(row);
        break;
      case Verb::fetch:
        s.file = file(row);
        s.count = number(row, "N", kMostRepeats * 100);
        break;
      case Verb::buffers:
        s.bytes = size(row);
        break;
      case Verb::work:
      case Verb::pause:
      case Verb::vmstat:
        s.duration = time(row);
        break;
      case Verb::set:
        s.name = name(row, "TUNABLE");
        s.count = number(row, "N", std::int64_t{1} << 32, 0);
        break;
      case Verb::dbench:
        s.count = number(row, "N", kMostClients);
        s.bytes = size(row);
        if (!keyword("for")) fail_here("dbench", fmt::format("`for` is missing: {}", row.syntax));
        s.duration = time(row);
        s.on = keyword("on");
        break;
      case Verb::place:
        s.file = file(row);
        s.bytes = size(row);
        break;
      case Verb::access:
        access(s, row);
        break;
      case Verb::churn:
        s.count = number(row, "N", kMostClients);
        s.bytes = size(row);
        s.more = keyword("rounds") ? number(row, "N", kMostRepeats) : 1;
        s.warm = keyword("keep") ? number(row, "N", kMostRepeats, 0) : 0;
        break;
      default:
        s.name = name(row, "NAME");
        braces(s, row, depth);
    }
  }

  void access(Statement& s, const StatementRow& row) {
    s.file = file(row);
    s.count = number(row, "N", kMostReads);
    std::vector<std::string_view> names;
    bool known = false;
    for (const PatternRow& pattern : pattern_rows()) {
      names.push_back(pattern.name);
      if (pattern.name != word().text) continue;
      s.pattern.kind = pattern.kind;
      known = true;
    }
    if (!known && !failed_) {
      fail_here("access", word().ends() ? fmt::format("PATTERN is missing: {}", row.syntax)
                                        : unknown_name("pattern", word().text, names));
    }
    if (failed_) return;
    ++at_;
    while (!failed_ && !word().ends()) {
      if (keyword("alpha")) {
        s.pattern.alpha = decimal(row, 10);
      } else if (keyword("hotfrac")) {
        s.pattern.hot_fraction = decimal(row, 1);
      } else if (keyword("hotprob")) {
        s.pattern.hot_share = decimal(row, 1);
      } else if (keyword("seed")) {
        s.pattern.seed = static_cast<std::uint64_t>(number(row, "N", kMostReads, 0));
      } else if (keyword("warm")) {
        s.warm = number(row, "N", kMostReads, 0);
      } else if (keyword("ahead")) {
        s.ahead = true;
      } else {
        break;
      }
    }
  }

  // A plain decimal number in [0, most].
  double decimal(const StatementRow& row, double most) {
    const std::string text = word().text;
    double value = -1;
    const char* end = text.data() + text.size();
    const auto [parsed, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || parsed != end || !(value >= 0 && value <= most)) {
      fail_here(std::string(row.name),
                fmt::format("X must be a number from 0 to {}: {}", most, row.syntax));
      return 0;
    }
    ++at_;
    return value;
  }

  void program(Statement& s, const StatementRow& row) {
    s.name = name(row, "NAME");
    s.bytes = size(row);
    s.more = 0;
    s.duration = 1'000'000'000;
    while (!failed_ && !word().ends()) {
      if (keyword("text")) {
        s.more = size(row);
      } else if (keyword("split")) {
        s.split = number(row, "N", kMostClients);
      } else if (keyword("idle")) {
        s.idle = number(row, "N", 100, 0);
        if (!keyword("%")) fail_here("program", "`%` is missing behind `idle N`");
      } else if (keyword("every")) {
        s.duration = time(row);
      } else {
        break;
      }
    }
  }

  bool keyword(std::string_view text) {
    if (failed_ || word().text != text) return false;
    ++at_;
    return true;
  }

  void repeat(Statement& s, const StatementRow& row, int depth) {
    if (s.timed) fail_at(s.line, s.column, "repeat", "`time` goes before a single command");
    s.count = number(row, "N", kMostRepeats);
    braces(s, row, depth);
  }

  void braces(Statement& s, const StatementRow& row, int depth) {
    const std::string where(row.name);
    if (s.timed) fail_at(s.line, s.column, where, "`time` goes before a single command");
    if (depth == kMostDepth) {
      fail_here(where, fmt::format("nested more than {} deep", kMostDepth));
    }
    if (!failed_ && word().text != "{") fail_here(where, "`{` is missing");
    if (failed_) return;
    ++at_;
    block(s.body, depth + 1);
    if (!failed_) ++at_;
  }

  void readfiles(Statement& s, const StatementRow& row) {
    (void)name(row, "DEVICE");
    if (word().text == "for") {
      ++at_;
      s.duration = time(row);
    } else if (!word().ends()) {
      if (word().text == "until") ++at_;
      s.bytes = quantity(row, kSizeUnits, std::numeric_limits<std::int64_t>::max() / 4);
    }
  }

  std::string name(const StatementRow& row, std::string_view what) {
    if (word().ends() || word().text == "{") {
      fail_here(std::string(row.name), fmt::format("{} is missing: {}", what, row.syntax));
      return {};
    }
    return words_[at_++].text;
  }

  int file(const StatementRow& row) {
    const std::string given = name(row, "a file name");
    const auto found = std::find(files_.begin(), files_.end(), given);
    if (found != files_.end()) return static_cast<int>(found - files_.begin());
    files_.push_back(given);
    return static_cast<int>(files_.size()) - 1;
  }

  std::int64_t size(const StatementRow& row) { return quantity(row, kSizeUnits, kMostFileBytes); }

  Time time(const StatementRow& row) {
    return quantity(row, kTimeUnits, std::numeric_limits<std::int64_t>::max() / 4);
  }

  std::int64_t number(const StatementRow& row, std::string_view what, std::int64_t most,
                      std::int64_t least = 1) {
    const std::string text = word().text;
    std::int64_t value = 0;
    const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
    for (std::size_t i = 0; digits && i < text.size() && value <= most; ++i) {
      value = value * 10 + (text[i] - '0');
    }
    if (!digits || value > most || value < least) {
      fail_here(std::string(row.name), fmt::format("{} must be a whole number from {} to {}: {}",
                                                   what, least, most, row.syntax));
      return 1;
    }
    ++at_;
    return value;
  }

  // "16 MiB", "16MiB" or "1.5 s": a number with at most three decimals, and its unit.
  std::int64_t quantity(const StatementRow& row, std::span<const Unit> units, std::int64_t most) {
    const std::string where(row.name);
    const std::string text = word().text;
    const std::size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
    if (digits == 0 || text[0] == '.') {
      fail_here(where, fmt::format("a number with a unit is missing: {}", row.syntax));
      return 1;
    }
    std::int64_t thousandths = 0;
    int decimals = -1;
    for (std::size_t i = 0; i < digits; ++i) {
      const bool point = text[i] == '.';
      if ((point && decimals >= 0) || decimals == 3 || thousandths > (std::int64_t{1} << 40)) {
        fail_here(where, fmt::format("`{}` is not a usable number", text));
        return 1;
      }
      if (point) decimals = 0;
      if (point) continue;
      if (decimals >= 0) ++decimals;
      thousandths = thousandths * 10 + (text[i] - '0');
    }
    for (int d = std::max(decimals, 0); d < 3; ++d) thousandths *= 10;
    std::string unit = text.substr(digits);
    if (unit.empty() && !words_[at_ + 1].ends()) unit = words_[++at_].text;
    for (const Unit& known : units) {
      if (known.name != unit) continue;
      const __int128 value = static_cast<__int128>(thousandths) * known.factor / 1000;
      if (value < 1 || value > most) {
        fail_here(where, fmt::format("must lie between 1 and {} {}", most / known.factor, unit));
        return 1;
      }
      ++at_;
      return static_cast<std::int64_t>(value);
    }
    std::vector<std::string_view> names;
    for (const Unit& known : units) names.push_back(known.name);
    fail_here(where, unit.empty()
                         ? fmt::format("`{}` needs a unit: {}", text, fmt::join(names, ", "))
                         : unknown_name("unit", unit, names));
    return 1;
  }

  // Every file that is read, copied or removed must exist. Two turns of a loop show what a later
  // turn would miss.
  void check_names(const std::vector<Statement>& statements) {
    for (const Statement& s : statements) {
      if (s.verb == Verb::repeat || s.verb == Verb::test) {
        for (std::int64_t turn = 0; turn < std::min<std::int64_t>(s.count, 2); ++turn) {
          check_names(s.body);
        }
        continue;
      }
      const bool uses = s.verb == Verb::read || s.verb == Verb::copy || s.verb == Verb::remove ||
                        s.verb == Verb::fetch || s.verb == Verb::access;
      if (s.verb == Verb::stream && !sets_.contains(s.file)) {
        fail_at(s.line, s.column, s.text,
                fmt::format("no fileset `{}` at this point", files_[s.file]));
      }
      if (s.verb == Verb::fileset) sets_.insert(s.file);
      const bool set = s.verb == Verb::remove && sets_.contains(s.file);
      if (uses && !set && !existing_.contains(s.file)) {
        fail_at(s.line, s.column, s.text,
                fmt::format("no file `{}` at this point", files_[s.file]));
      }
      if (s.verb == Verb::write || s.verb == Verb::place) existing_.insert(s.file);
      if (s.verb == Verb::copy) existing_.insert(s.target);
      if (s.verb == Verb::remove) existing_.erase(s.file);
      if (s.verb == Verb::remove) sets_.erase(s.file);
    }
  }

  std::vector<Word> words_;
  Family family_;
  std::size_t at_ = 0;
  std::vector<std::string> files_;
  std::set<int> existing_, sets_;
  bool failed_ = false;
  MachineError error_;
};

}  // namespace

std::span<const StatementRow> statement_rows() { return kRows; }

Result<Script, MachineError> parse_script(std::string_view text, Family family) {
  return Parser(text, family).parse();
}

namespace {

Result<void, MachineError> bind(std::vector<Statement>& statements,
                                std::span<const TunableRow> rows) {
  for (Statement& s : statements) {
    if (auto inner = bind(s.body, rows); !inner) return inner;
    if (s.verb != Verb::set) continue;
    const auto wrong = [&](std::string text) {
      return fail(MachineError{s.text, std::move(text), s.line, s.column});
    };
    s.file = row_index(rows, s.name);
    if (s.file < 0) {
      std::vector<std::string_view> names;
      for (const TunableRow& row : rows) names.push_back(row.name);
      return wrong(unknown_name("tunable", s.name, names));
    }
    const TunableRow& row = rows[static_cast<std::size_t>(s.file)];
    if (!row.at_run_time) return wrong("can be given at boot only");
    if (s.count < row.least || s.count > row.most) {
      return wrong(fmt::format("must lie between {} and {}", row.least, row.most));
    }
  }
  return {};
}

}  // namespace

const Statement* first_of(const std::vector<Statement>& statements, Verb verb) {
  for (const Statement& s : statements) {
    if (s.verb == verb) return &s;
    if (const Statement* inner = first_of(s.body, verb)) return inner;
  }
  return nullptr;
}

Result<void, MachineError> bind_tunables(Script& script, std::span<const TunableRow> rows) {
  return bind(script.statements, rows);
}

}  // namespace brink::machine
