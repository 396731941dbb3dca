// Random choices of RapidCheck, drawn one by one inside a property: what fails is shrunk by taking
// smaller choices, so the first alternative of every choice is the simplest.
#pragma once

#include <gtest/gtest.h>  // before RapidCheck's glue, which needs it
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

namespace brink::test {

/// 0 .. n-1, each as likely (RapidCheck would begin with small ranges).
inline int pick(int n) { return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0, n)); }

/// True in one case of `n`.
inline bool rarely(int n) { return pick(n) == n - 1; }

template <typename T>
const T& one_of(const std::vector<T>& list) {
  return list[static_cast<std::size_t>(pick(static_cast<int>(list.size())))];
}

inline std::string name() { return one_of<std::string>({"x", "y", "free", "a1", "_z", "nfract"}); }

}  // namespace brink::test
