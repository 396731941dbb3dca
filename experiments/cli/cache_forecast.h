// What the formulas say about a cache run: the column `predicted` of brink cache --predict.
// Used by: cmd_cache.cpp.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "models/cache/trace.h"

namespace brink::cli {

struct CacheForecast {
  /// Miss ratio of the whole run from an empty cache; nothing where there is no formula.
  std::function<std::optional<double>(std::string_view policy, std::uint32_t size)> miss;
  std::string basis;    ///< what the formulas start from, for people
  std::string warning;  ///< why they are not to be trusted; may be empty
};

/// For a pattern from its parameters, for any other trace from its reuse times (LRU only).
CacheForecast forecast_for(const std::string& argument, const cache::PageTrace& trace);

}  // namespace brink::cli
