#include "experiments/data/quantity.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <charconv>
#include <cmath>

namespace brink {
namespace {

struct UnitRow {
  std::string_view name;
  Dimension dimension;
  double factor;  ///< canonical units in one of this
};

constexpr double kKibi = 1024, kMebi = kKibi * 1024, kGibi = kMebi * 1024;

constexpr std::array kUnits = {
    UnitRow{"B", Dimension::bytes, 1},
    UnitRow{"bytes", Dimension::bytes, 1},
    UnitRow{"KB", Dimension::bytes, 1e3},
    UnitRow{"MB", Dimension::bytes, 1e6},
    UnitRow{"GB", Dimension::bytes, 1e9},
    UnitRow{"KiB", Dimension::bytes, kKibi},
    UnitRow{"MiB", Dimension::bytes, kMebi},
    UnitRow{"GiB", Dimension::bytes, kGibi},
    UnitRow{"ns", Dimension::nanoseconds, 1},
    UnitRow{"us", Dimension::nanoseconds, 1e3},
    UnitRow{"ms", Dimension::nanoseconds, 1e6},
    UnitRow{"s", Dimension::nanoseconds, 1e9},
    UnitRow{"min", Dimension::nanoseconds, 60e9},
    UnitRow{"B/s", Dimension::bytes_per_second, 1},
    UnitRow{"KB/s", Dimension::bytes_per_second, 1e3},
    UnitRow{"MB/s", Dimension::bytes_per_second, 1e6},
    UnitRow{"GB/s", Dimension::bytes_per_second, 1e9},
    UnitRow{"KiB/s", Dimension::bytes_per_second, kKibi},
    UnitRow{"MiB/s", Dimension::bytes_per_second, kMebi},
    UnitRow{"GiB/s", Dimension::bytes_per_second, kGibi},
    UnitRow{"ns/KiB", Dimension::nanoseconds_per_kib, 1},
    UnitRow{"us/KiB", Dimension::nanoseconds_per_kib, 1e3},
    UnitRow{"ms/KiB", Dimension::nanoseconds_per_kib, 1e6},
    UnitRow{"pages", Dimension::pages, 1},
    UnitRow{"page", Dimension::pages, 1},
    UnitRow{"/s", Dimension::per_second, 1},
    UnitRow{"/ms", Dimension::per_second, 1e3},
};

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

}  // namespace

std::string_view unit_of(Dimension dimension) {
  switch (dimension) {
    case Dimension::number:
      return "";
    case Dimension::bytes:
      return "bytes";
    case Dimension::nanoseconds:
      return "ns";
    case Dimension::bytes_per_second:
      return "bytes/s";
    case Dimension::nanoseconds_per_kib:
      return "ns/KiB";
    case Dimension::pages:
      return "pages";
    case Dimension::per_second:
      return "/s";
  }
  return "";
}

std::vector<std::string> unit_names() {
  std::vector<std::string> names;
  for (const UnitRow& row : kUnits) names.emplace_back(row.name);
  return names;
}

Result<Quantity, std::string> parse_quantity(std::string_view text) {
  const std::string_view all = trim(text);
  double number = 0;
  const auto [end, error] = std::from_chars(all.data(), all.data() + all.size(), number);
  if (error == std::errc::result_out_of_range) {
    return fail(fmt::format("`{}` is too large a number", all));
  }
  if (error != std::errc{} || !std::isfinite(number)) {
    return fail(fmt::format("`{}` does not begin with a number", all));
  }
  const std::string_view unit = trim(all.substr(end - all.data()));
  if (unit.empty()) return Quantity{number, Dimension::number};
  for (const UnitRow& row : kUnits) {
    if (row.name != unit) continue;
    const double value = number * row.factor;
    if (!std::isfinite(value)) return fail(fmt::format("`{}` is too large a quantity", all));
    return Quantity{value, row.dimension};
  }
  return fail(fmt::format("unknown unit `{}`; units are {}", unit, fmt::join(unit_names(), ", ")));
}

Result<double, std::string> parse_quantity(std::string_view text, Dimension dimension) {
  const auto quantity = parse_quantity(text);
  if (!quantity) return fail(quantity.error());
  if (quantity->dimension == dimension) return quantity->value;
  const bool plain = quantity->dimension == Dimension::number;
  if (plain && dimension == Dimension::pages) return quantity->value;
  if (plain)
    return fail(
        fmt::format("`{}` has no unit; one of {} is needed", trim(text), unit_of(dimension)));
  const std::string_view wanted =
      dimension == Dimension::number ? "a plain number" : unit_of(dimension);
  return fail(fmt::format("`{}` is in {}, but {} is needed", trim(text),
                          unit_of(quantity->dimension), wanted));
}

}  // namespace brink
