#include "models/machine/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "models/machine/nearest.h"

namespace brink::machine {

namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Insertions, deletions and replacements; upper and lower case count as the same.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (lower(a[i - 1]) != lower(b[j - 1]));
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string_view nearest_name(std::string_view name, std::span<const std::string_view> names) {
  std::size_t best = std::max<std::size_t>(name.size() / 3, name.size() > 3 ? 2 : 1) + 1;
  std::string_view nearest;
  for (const std::string_view candidate : names) {
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < best) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

std::string unknown_name(std::string_view kind, std::string_view name,
                         std::span<const std::string_view> names) {
  const std::string_view nearest = nearest_name(name, names);
  if (!nearest.empty()) return fmt::format("unknown {} `{}`: `{}`?", kind, name, nearest);
  return fmt::format("unknown {} `{}`: known are {}", kind, name, fmt::join(names, ", "));
}

std::string MachineError::message() const {
  if (line > 0) return fmt::format("{}:{}: {}: {}", line, column, where, text);
  return fmt::format("{}: {}", where, text);
}

Result<std::vector<std::int64_t>, MachineError> read_tunables(std::span<const TunableRow> rows,
                                                              const Tunables& values) {
  std::vector<std::string_view> names;
  for (const TunableRow& row : rows) names.push_back(row.name);
  for (const auto& [name, value] : values) {
    if (row_index(rows, name) < 0) {
      return fail(MachineError{"tunable " + name, unknown_name("tunable", name, names)});
    }
  }
  std::vector<std::int64_t> result;
  for (const TunableRow& row : rows) {
    const std::string where = fmt::format("tunable {}", row.name);
    const auto found = values.find(row.name);
    if (found == values.end() && row.initial != TunableRow::kMustBeGiven) {
      result.push_back(row.initial);
      continue;
    }
    if (found == values.end()) {
      return fail(MachineError{where, fmt::format("not given ({})", row.meaning)});
    }
    if (found->second < row.least || found->second > row.most) {
      return fail(MachineError{
          where, fmt::format("{} is not between {} and {}", found->second, row.least, row.most)});
    }
    result.push_back(found->second);
  }
  return result;
}

}  // namespace brink::machine
