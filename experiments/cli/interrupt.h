// SIGINT and SIGTERM: long work stops at its next check and says what is known; a second one ends
// at once.
#pragma once

#include <atomic>

namespace brink::cli {

void catch_interrupts();
/// Becomes true at the first interrupt. Handed to the engines as their stop flag.
const std::atomic<bool>& interrupted();

}  // namespace brink::cli
