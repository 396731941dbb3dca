// BRINK_CHECK: what must hold whatever the user does. It stays on in release builds; when it fails
// the program says "internal error" with the place and exits with code 1 (experiments/cli).
#pragma once

#include <stdexcept>
#include <string>

namespace brink {

struct InternalError : std::logic_error {
  using std::logic_error::logic_error;
};

[[noreturn]] inline void check_failed(const char* file, int line, const char* text,
                                      const std::string& note) {
  throw InternalError(std::string(file) + ":" + std::to_string(line) + ": check failed: " + text +
                      (note.empty() ? "" : " (" + note + ")"));
}

}  // namespace brink

#define BRINK_CHECK(condition, ...)                                                      \
  do {                                                                                   \
    if (!(condition)) [[unlikely]]                                                       \
      ::brink::check_failed(__FILE__, __LINE__, #condition, ::std::string{__VA_ARGS__}); \
  } while (false)
