// The tables by which a kernel describes itself: what it can be told (tunables), what it shows
// (counters), what it reports (events) and what it decides (decision sites).
//
// Users: models/kernels fills them in; the scenario layer reads them to bind a policy model's
// constants to tunables, its variables to counters, its commands to events and its guards to
// decisions; help and documentation are derived from them. A row's index is its id at run time.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/base/result.h"

namespace brink::machine {

/// Simulated time and durations, in nanoseconds.
using Time = std::int64_t;

/// What is wrong with a description, a tunable or a workload. `where` names the parameter or
/// statement; line and column (from 1) are set for workload scripts only.
struct MachineError {
  std::string where;
  std::string text;
  int line = 0;
  int column = 0;

  /// "3:7: time: ..." or "tunable high: ...": one line for people.
  std::string message() const;
};

struct CounterRow {
  std::string_view name;
  std::string_view unit;
  std::string_view meaning;
};

struct EventRow {
  std::string_view name;
  std::string_view meaning;
};

struct DecisionRow {
  std::string_view name;
  std::string_view meaning;  ///< what the answer `true` means
  std::string_view source;
  bool allocation = false;  ///< a `true` hands out a page: fault injection may refuse it
};

struct TunableRow {
  std::string_view name;
  std::string_view unit;
  std::string_view meaning;
  std::int64_t least;
  std::int64_t most;
  bool at_run_time = false;  ///< the script's `set` may change it
  /// What the kernel boots with when nobody says otherwise; kMustBeGiven: there is no such value.
  std::int64_t initial = kMustBeGiven;

  static constexpr std::int64_t kMustBeGiven = -1;
};

/// Tunables as the caller gives them, usually the constants of the policy's model.
using Tunables = std::map<std::string, std::int64_t, std::less<>>;

/// Brings `values` into the order of `rows`; a missing one takes its initial value. Errors: one is
/// missing that must be given, unknown (with the nearest name), or outside [least, most].
Result<std::vector<std::int64_t>, MachineError> read_tunables(std::span<const TunableRow> rows,
                                                              const Tunables& values);

/// Index of the row called `name`, or -1.
template <typename Row>
int row_index(std::span<const Row> rows, std::string_view name) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

/// The rows of a family, then those a kernel adds.
template <typename Row>
std::vector<Row> joined_rows(std::span<const Row> family, std::span<const Row> own) {
  std::vector<Row> rows(family.begin(), family.end());
  rows.insert(rows.end(), own.begin(), own.end());
  return rows;
}

}  // namespace brink::machine
