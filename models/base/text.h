// Small helpers for text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace brink {

/// Without blanks, tabs and line ends at both ends.
inline std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

/// "1 state", "0 states"; the plural is formed with -s.
inline std::string counted(std::uint64_t count, std::string_view one) {
  return std::to_string(count) + " " + std::string(one) + (count == 1 ? "" : "s");
}

}  // namespace brink
