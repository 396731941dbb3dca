#include "experiments/data/table.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

#include "models/language/parser.h"

namespace brink {
namespace {

Cell to_cell(std::string text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [parsed, error] = std::from_chars(text.data(), end, value);
  if (!text.empty() && error == std::errc{} && parsed == end) return value;
  return text;
}

struct Field {
  std::string text;
  bool ends_line = false;
};

/// Reads one field of RFC 4180 text from `at`, which moves behind it. False: an open quote.
bool read_field(std::string_view text, std::size_t& at, Field& field) {
  field = {};
  const bool quoted = at < text.size() && text[at] == '"';
  if (quoted) {
    for (++at;; ++at) {
      if (at >= text.size()) return false;
      if (text[at] != '"') {
        field.text += text[at];
      } else if (at + 1 < text.size() && text[at + 1] == '"') {
        field.text += text[at++];
      } else {
        ++at;
        break;
      }
    }
  }
  while (at < text.size() && text[at] != ',' && text[at] != '\n') {
    if (text[at] != '\r') field.text += text[at];
    ++at;
  }
  field.ends_line = at >= text.size() || text[at] == '\n';
  if (at < text.size()) ++at;
  return true;
}

Diagnostics csv_error(const SourcePtr& source, std::size_t begin, std::size_t end,
                      std::string message) {
  return {Diagnostic{.code = "E0911",
                     .message = std::move(message),
                     .source = source,
                     .span = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)}}};
}

}  // namespace

int Table::column(std::string_view name) const {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i] == name) return static_cast<int>(i);
  }
  return -1;
}

double Table::number(std::size_t row, int column) const {
  const double* value = std::get_if<double>(&rows[row][column]);
  return value ? *value : std::numeric_limits<double>::quiet_NaN();
}

std::string Table::text(std::size_t row, int column) const {
  const Cell& cell = rows[row][column];
  if (const auto* value = std::get_if<double>(&cell)) return number_text(*value);
  return std::get<std::string>(cell);
}

Table select(const Table& table, const Where& where) {
  Table result{table.columns, {}};
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    bool matches = true;
    for (const auto& [name, text] : where) {
      const int column = table.column(name);
      matches = matches && column >= 0 && table.text(row, column) == text;
    }
    if (matches) result.rows.push_back(table.rows[row]);
  }
  return result;
}

std::string number_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return fmt::format("{}", value == 0 ? 0.0 : value);
}

std::string to_csv(const Table& table) {
  std::string out;
  const auto put = [&out](const std::string& text, bool first) {
    if (!first) out += ',';
    if (text.find_first_of(",\"\n") == std::string::npos) {
      out += text;
      return;
    }
    out += '"';
    for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
    out += '"';
  };
  for (std::size_t i = 0; i < table.columns.size(); ++i) put(table.columns[i], i == 0);
  out += '\n';
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    for (std::size_t i = 0; i < table.columns.size(); ++i)
      put(table.text(row, static_cast<int>(i)), i == 0);
    out += '\n';
  }
  return out;
}

Result<Table, Diagnostics> parse_csv(const SourcePtr& source) {
  const std::string_view text = source->text();
  Table table;
  std::vector<std::string> fields;
  std::size_t line_begin = 0;
  for (std::size_t at = 0; at < text.size();) {
    Field field;
    const std::size_t field_begin = at;
    if (!read_field(text, at, field)) {
      return fail(
          csv_error(source, field_begin, field_begin + 1, "this quoted field is never closed"));
    }
    fields.push_back(std::move(field.text));
    if (!field.ends_line) continue;
    const bool blank = fields.size() == 1 && fields[0].empty();
    if (table.columns.empty() && !blank) {
      table.columns = fields;
    } else if (!blank) {
      if (fields.size() != table.columns.size()) {
        return fail(csv_error(source, line_begin, at - 1,
                              fmt::format("this line has {} fields, the header has {}",
                                          fields.size(), table.columns.size())));
      }
      std::vector<Cell> row;
      for (std::string& cell : fields) row.push_back(to_cell(std::move(cell)));
      table.rows.push_back(std::move(row));
    }
    fields.clear();
    line_begin = at;
  }
  if (table.columns.empty()) return fail(csv_error(source, 0, 0, "this file has no header line"));
  return table;
}

Result<Table, Diagnostics> read_csv(const std::string& path) {
  const auto source = read_source(path);
  if (!source) return fail(source.error());
  return parse_csv(*source);
}

}  // namespace brink
