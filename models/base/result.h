// Result<T, E>: a value or what went wrong, returned instead of thrown.
//
// Three kinds of failure are kept apart everywhere: a user's mistake is a Diagnostic carried in a
// Result, a limit is part of a verdict (UNDECIDED), and a bug of ours is a BRINK_CHECK.
#pragma once

#include <tl/expected.hpp>

namespace brink {

template <typename T, typename E>
using Result = tl::expected<T, E>;

template <typename E>
auto fail(E&& error) {
  return tl::make_unexpected(std::forward<E>(error));
}

}  // namespace brink
