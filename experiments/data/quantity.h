// Quantities: numbers with units as people write them in scenarios and on the command line.
//
// A number without a unit is accepted only where the dimension is a plain number or a count, so
// that nobody's megabytes become pages. Used by: scenarios, sweeps, options.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/base/result.h"

namespace brink {

/// What a number measures. The canonical unit of each is in unit_of().
enum class Dimension {
  number,
  bytes,
  nanoseconds,
  bytes_per_second,
  nanoseconds_per_kib,
  pages,
  per_second
};

std::string_view unit_of(Dimension dimension);  ///< "bytes", "ns", "bytes/s", "ns/KiB", ...

struct Quantity {
  double value = 0;  ///< in the canonical unit of its dimension
  Dimension dimension = Dimension::number;
};

/// "16 MiB", "1.2 MB/s", "11 ms", "0.40 ms/KiB", "3000 pages", "12.5 /s", "25". MB is 10^6 bytes,
/// MiB is 2^20; KB without i is 10^3. Errors are one line for people, naming the known units.
Result<Quantity, std::string> parse_quantity(std::string_view text);

/// The same, required to have `dimension` (a plain number serves number and pages).
Result<double, std::string> parse_quantity(std::string_view text, Dimension dimension);

/// All unit names, for messages and documentation.
std::vector<std::string> unit_names();

}  // namespace brink
