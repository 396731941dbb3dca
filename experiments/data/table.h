// Table: named columns of numbers and words, as in a CSV file.
//
// Observed data, simulated runs and predictions are all tables with the same column names, so one
// set of metrics and figures serves the three. Used by: scenarios, metrics, figures, CSV output.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "models/base/result.h"
#include "models/language/diagnostic.h"

namespace brink {

using Cell = std::variant<double, std::string>;

struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows;

  /// Index of a column, or -1.
  int column(std::string_view name) const;
  /// The number in a cell; NaN for words.
  double number(std::size_t row, int column) const;
  /// The cell as text: numbers in the shortest form that reads back to the same double.
  std::string text(std::size_t row, int column) const;
};

/// column = text: the rows to look at.
using Where = std::map<std::string, std::string>;

/// The rows whose cells equal the texts of `where` (columns that are missing match nothing).
Table select(const Table& table, const Where& where);

std::string to_csv(const Table& table);

/// Reads comma-separated values with a header line; fields that are numbers become numbers, fields
/// may be quoted. Errors (E0911) carry the place: ragged rows, empty file, no such file.
Result<Table, Diagnostics> read_csv(const std::string& path);
Result<Table, Diagnostics> parse_csv(const SourcePtr& source);

/// The shortest text that reads back to the same number; "inf", "-inf", "nan".
std::string number_text(double value);

}  // namespace brink
