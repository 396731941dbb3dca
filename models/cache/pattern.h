// Traces made from a pattern, for what a file would be too large or too particular:
//
//   zipf:pages=1000000,alpha=1,requests=20000000,seed=1
//
// One row a pattern; each names its parameters. The same text makes the same trace on any machine.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "models/base/result.h"
#include "models/cache/trace.h"

namespace brink::cache {

struct PatternRow {
  std::string_view name;
  std::string_view summary;
  std::string_view parameters;  ///< "pages alpha requests seed"
};

std::span<const PatternRow> patterns();

/// Does the text name a pattern (rather than a file)?
bool is_pattern(std::string_view text);
/// Error: what is wrong with the text, for people.
Result<PageTrace, std::string> make_pattern(std::string_view text);

}  // namespace brink::cache
