// What every fuzz target is made of: one function over bytes. A check that fails aborts, which both
// libFuzzer and the replay (replay.cpp) report.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "models/base/check.h"
#include "models/language/diagnostic.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace brink::fuzz {

inline std::string text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// A refusal says why, in a bounded number of places that lie in the text.
inline void check_refusal(const Diagnostics& errors) {
  BRINK_CHECK(!errors.empty() && errors.size() <= kMaxDiagnostics);
  for (const Diagnostic& d : errors) {
    BRINK_CHECK(!d.message.empty());
    if (d.source) BRINK_CHECK(d.span.begin <= d.span.end && d.span.end <= d.source->text().size());
  }
  BRINK_CHECK(!render(errors).empty());
}

}  // namespace brink::fuzz
