#include "experiments/cli/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "experiments/cli/interrupt.h"
#include "experiments/cli/jobs.h"
#include "experiments/cli/numeric.h"
#include "experiments/data/files.h"
#include "models/base/text.h"
#include "solver/engines.h"

namespace brink::cli {
namespace {

constexpr std::size_t kMostCombinations = 1'000'000;
constexpr std::size_t kMostDigits = 15;

std::vector<std::string_view> split(std::string_view text, char by) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0;;) {
    const std::size_t end = text.find(by, at);
    parts.push_back(trim(text.substr(at, end == std::string_view::npos ? end : end - at)));
    if (end == std::string_view::npos) return parts;
    at = end + 1;
  }
}

/// A decimal number as a whole one of its last digit.
struct Decimal {
  std::int64_t digits = 0;
  int places = 0;
};

std::optional<Decimal> decimal(std::string_view text) {
  Decimal out;
  std::string plain(text);
  if (const std::size_t point = plain.find('.'); point != std::string::npos) {
    out.places = static_cast<int>(plain.size() - point - 1);
    plain.erase(point, 1);
  }
  if (plain.size() > kMostDigits) return std::nullopt;
  const char* const end = plain.data() + plain.size();
  const auto read = std::from_chars(plain.data(), end, out.digits);
  if (read.ec != std::errc{} || read.ptr != end) return std::nullopt;
  return out;
}

std::string written(std::int64_t digits, int places) {
  const bool negative = digits < 0;
  std::string text = fmt::format("{:0{}}", negative ? -digits : digits, places + 1);
  if (places > 0) text.insert(text.size() - static_cast<std::size_t>(places), 1, '.');
  return (negative ? "-" : "") + text;
}

Result<std::vector<std::string>, std::string> values_of(std::string_view name,
                                                        std::string_view range) {
  const std::vector<std::string_view> parts = split(range, ':');
  std::vector<Decimal> numbers;
  int places = 0;
  for (const std::string_view part : parts) {
    const auto number = decimal(part);
    if (!number || parts.size() > 3)
      return fail(fmt::format("`{}={}`: a range is low:high or low:step:high, of decimal numbers",
                              name, range));
    numbers.push_back(*number);
    places = std::max(places, number->places);
  }
  for (Decimal& number : numbers)
    for (; number.places < places; ++number.places) {
      if (std::abs(number.digits) > INT64_MAX / 100)
        return fail(fmt::format("`{}={}`: too many digits", name, range));
      number.digits *= 10;
    }
  std::int64_t step = 1;
  for (int i = 0; i < places; ++i) step *= 10;
  if (numbers.size() == 3) step = numbers[1].digits;
  const std::int64_t low = numbers.front().digits, high = numbers.back().digits;
  if (step <= 0 || high < low)
    return fail(fmt::format("`{}={}`: the step has to lead from the first number to the last", name,
                            range));
  if (static_cast<std::uint64_t>(high - low) / static_cast<std::uint64_t>(step) >=
      kMostCombinations)
    return fail(fmt::format("`{}={}`: more than {} values", name, range, kMostCombinations));
  std::vector<std::string> out;
  for (std::int64_t value = low; value <= high; value += step)
    out.push_back(written(value, places));
  return out;
}

/// One property under one combination.
struct Cell {
  nlohmann::ordered_json value, verdict, bound;
  std::string text;  ///< for people and CSV
  std::string note;
  int code = kDone;
  std::uint64_t states = 0;
};

struct Row {
  std::vector<std::string> properties;
  std::vector<Cell> cells;
  Diagnostics problems;
  std::string refusal;
};

Cell cell_of(const analytic::Answer& answer) {
  using Status = analytic::Answer::Status;
  Cell cell;
  cell.note = answer.note;
  if (answer.status != Status::solved) {
    cell.text = answer.status == Status::model_error ? "error" : "undecided";
    cell.verdict = "unknown";
    cell.code = answer.status == Status::model_error ? kInput : kUndecided;
    return cell;
  }
  if (answer.boolean) {
    cell.text = answer.truth ? "true" : "false";
    cell.verdict = cell.text;
    cell.code = answer.truth ? kDone : kViolated;
    return cell;
  }
  if (answer.low == answer.high) {
    cell.text = fmt::format("{}", answer.low);
    cell.value = json_number(answer.low);
  } else {
    cell.text = fmt::format("[{};{}]", answer.low, answer.high);
    cell.value = {json_number(answer.low), json_number(answer.high)};
  }
  cell.bound = json_number(answer.error_bound);
  cell.code = answer.partial ? kUndecided : kDone;
  return cell;
}

Cell cell_of(const solver::CheckResult& result) {
  using solver::Verdict;
  Cell cell;
  cell.states = result.states;
  cell.verdict = "unknown";
  if (!result.notes.empty()) cell.note = result.notes.front();
  switch (result.verdict) {
    case Verdict::holds:
    case Verdict::violated:
      cell.text = result.verdict == Verdict::holds ? "true" : "false";
      cell.verdict = cell.text;
      cell.code = result.verdict == Verdict::holds ? kDone : kViolated;
      return cell;
    case Verdict::model_error:
      cell.text = "error";
      cell.code = kInput;
      if (result.error) cell.note = result.error->message;
      return cell;
    case Verdict::disagreement:
      cell.text = "disagreement";
      cell.code = kDisagreement;
      return cell;
    default:
      cell.text = "undecided";
      cell.code = kUndecided;
      return cell;
  }
}

Row row_of(const Options& options, const Paths& paths, const std::string& constants) {
  Row row;
  const auto values = parse_constant_values(constants);
  if (!values) {
    row.problems = values.error();
    return row;
  }
  InstantiateOptions instantiate;
  if (options.as == "dtmc") instantiate.as = ModelType::dtmc;
  if (options.as == "ctmc") instantiate.as = ModelType::ctmc;
  if (options.as == "mdp") instantiate.as = ModelType::mdp;
  instantiate.exact = options.exact;
  const auto loaded = load(paths.model, paths.properties, options.formula, *values, instantiate);
  if (!loaded) {
    row.problems = loaded.error();
    return row;
  }
  const auto jobs = choose(*loaded, options.properties);
  if (!jobs) {
    row.refusal = jobs.error();
    return row;
  }
  solver::CheckOptions check;
  check.limits = limits_of(options);
  check.limits.threads = 1;
  solver::Session session(loaded->model, check);
  NumericSession numbers(*loaded, check.limits, options.exact, options.lump);
  for (const Job& job : *jobs) {
    if (job.property == nullptr) continue;
    row.properties.push_back(job.name);
    if (!job.property->errors.empty()) {
      row.problems = job.property->errors;
      return row;
    }
    const auto answer = options.engine == "auto" ? numbers.ask(*job.property) : std::nullopt;
    Cell cell =
        answer ? cell_of(*answer)
               : cell_of(solver::check(session, solver::ask(*loaded->properties, *job.property),
                                       options.engine));
    if (answer) cell.states = numbers.states();
    row.cells.push_back(std::move(cell));
    if (interrupted()) break;
  }
  if (row.properties.empty()) row.refusal = "ranges of constants need a property to ask";
  return row;
}

/// Fields with commas or quotes are quoted (RFC 4180).
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

class Table {
 public:
  Table(const Combinations& all, Output& output) : all_(all), output_(output) {}

  /// The rows have to come in order. False: the row is in error, and no more are wanted.
  bool add(std::size_t i, const Row& row) {
    if (!row.problems.empty() || !row.refusal.empty()) {
      output_.note("for " + all_.constants[i] + ":");
      code_ = worse(code_, row.problems.empty() ? output_.error(kUsage, row.refusal)
                                                : output_.report(row.problems));
      return false;
    }
    if (i == 0) head(row);
    std::string line;
    for (const std::string& value : all_.values[i]) line += (line.empty() ? "" : ",") + value;
    std::string shown = fmt::format("{:<24}", describe(i));
    for (std::size_t p = 0; p < row.cells.size(); ++p) {
      const Cell& cell = row.cells[p];
      line += "," + field(cell.text);
      shown += fmt::format("  {:>20}", cell.text);
      nlohmann::ordered_json object = {{"type", "row"}, {"constants", nlohmann::ordered_json()}};
      for (std::size_t k = 0; k < all_.names.size(); ++k)
        object["constants"][all_.names[k]] = all_.values[i][k];
      object["property"] = row.properties[p];
      object["verdict"] = cell.verdict;
      object["value"] = cell.value;
      object["error_bound"] = cell.bound;
      object["states"] = cell.states;
      if (!cell.note.empty()) object["notes"] = {cell.note};
      output_.object(object);
      if (cell.code == kInput && !cell.note.empty())
        output_.note(describe(i) + ": " + cell.note);
      code_ = worse(code_, cell.code);
    }
    csv_ += line + "\n";
    output_.say(shown + "\n");
    return true;
  }

  const std::string& csv() const { return csv_; }
  int code() const { return code_; }

 private:
  std::string describe(std::size_t i) const {
    std::string out;
    for (std::size_t k = 0; k < all_.names.size(); ++k)
      out += fmt::format("{}{}={}", k == 0 ? "" : " ", all_.names[k], all_.values[i][k]);
    return out;
  }
  void head(const Row& row) {
    std::string shown = fmt::format("{:<24}", "");
    for (const std::string& name : all_.names) csv_ += (csv_.empty() ? "" : ",") + field(name);
    for (const std::string& name : row.properties) {
      csv_ += "," + field(name);
      shown += fmt::format("  {:>20}", name);
    }
    csv_ += "\n";
    output_.say(shown + "\n");
  }

  const Combinations& all_;
  Output& output_;
  std::string csv_;
  int code_ = kDone;
};

std::string refusal(const Options& options) {
  struct No {
    bool given;
    const char* option;
  };
  for (const No& no :
       {No{!options.for_all.empty(), "--for-all"}, No{options.test, "--test"},
        No{!options.strategy.empty(), "--strategy"}, No{!options.trace_out.empty(), "--trace-out"},
        No{!options.certificate.empty(), "--certificate"}, No{!options.resume.empty(), "--resume"},
        No{options.explain, "--explain"}, No{options.simplest, "--simplest"},
        No{!options.assume.empty(), "--assume"},
        No{!options.fair.empty() || !options.strong_fair.empty(), "--fair"},
        No{options.deadlock_error, "--deadlock-error"}})
    if (no.given)
      return fmt::format("ranges of constants do not go with {}: ask for one combination",
                         no.option);
  return {};
}

}  // namespace

bool has_ranges(std::string_view constants) {
  return constants.find(':') != std::string_view::npos;
}

Result<Combinations, std::string> combinations(std::string_view constants) {
  Combinations out;
  out.constants.emplace_back();
  out.values.emplace_back();
  for (const std::string_view part : split(constants, ',')) {
    const std::size_t equals = part.find('=');
    std::vector<std::string> values{std::string(part)};
    const bool range = part.find(':') != std::string_view::npos;
    const std::string_view name = trim(part.substr(0, equals));
    if (range && equals == std::string_view::npos)
      return fail(fmt::format("`{}`: a range needs the name of a constant: N={}", part, part));
    if (range) {
      auto found = values_of(name, trim(part.substr(equals + 1)));
      if (!found) return fail(found.error());
      values = std::move(*found);
      out.names.emplace_back(name);
    }
    if (out.constants.size() * values.size() > kMostCombinations)
      return fail(fmt::format("more than {} combinations", kMostCombinations));
    Combinations next;
    next.names = out.names;
    for (std::size_t i = 0; i < out.constants.size(); ++i)
      for (const std::string& value : values) {
        const std::string text = range ? fmt::format("{}={}", name, value) : value;
        next.constants.push_back(out.constants[i].empty() ? text : out.constants[i] + "," + text);
        next.values.push_back(out.values[i]);
        if (range) next.values.back().push_back(value);
      }
    out = std::move(next);
  }
  return out;
}

int run_constant_sweep(const Options& options, Output& output) {
  if (const std::string problem = refusal(options); !problem.empty())
    return output.error(kUsage, problem);
  const auto all = combinations(options.constants);
  if (!all) return output.error(kUsage, all.error(), "for instance --const N=1:10,p=0.1:0.1:0.9");
  const auto paths = find_paths(options);
  if (!paths)
    return output.error(kInput, paths.error(), "`brink list models` shows those of the library");
  Table table(*all, output);
  const std::size_t count = all->constants.size();
  std::vector<std::optional<Row>> rows(count);
  std::atomic<std::size_t> next{0};
  std::atomic<bool> done{false};
  std::mutex lock;
  std::size_t shown = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < count && !done && !interrupted(); i = next++) {
      Row row = row_of(options, *paths, all->constants[i]);
      const std::scoped_lock guard(lock);
      rows[i] = std::move(row);
      for (; shown < count && rows[shown] && !done; ++shown) {
        if (interrupted() && rows[shown]->cells.size() < rows[shown]->properties.size())
          done = true;
        if (!done && !table.add(shown, *rows[shown])) done = true;
        rows[shown].reset();
      }
    }
  };
  std::vector<std::thread> helpers;
  for (std::int64_t t = 1; t < options.threads && t < static_cast<std::int64_t>(count); ++t)
    helpers.emplace_back(work);
  work();
  for (std::thread& helper : helpers) helper.join();
  int code = table.code();
  if (shown < count) code = worse(code, kUndecided);
  if (options.csv.empty() || (shown < count && !interrupted())) return code;
  if (const auto file = write_whole(options.csv, table.csv()); !file)
    return output.error(kEnvironment, file.error());
  output.say(fmt::format("saved {}\n", options.csv));
  return code;
}

}  // namespace brink::cli
