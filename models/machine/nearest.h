// The nearest name to a misspelt one, for messages. Users: tables of the machine and its workloads.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace brink::machine {

/// Name of `names` with the smallest edit distance, if that is at most a third of the length (at
/// least 1, or 2 from four letters on); "" otherwise.
std::string_view nearest_name(std::string_view name, std::span<const std::string_view> names);

/// "unknown KIND `name`", with the nearest name where there is one.
std::string unknown_name(std::string_view kind, std::string_view name,
                         std::span<const std::string_view> names);

}  // namespace brink::machine
