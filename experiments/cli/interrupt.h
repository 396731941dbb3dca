// SIGINT, SIGTERM and the time limit: long work stops at its next check and says what is known; a
// second signal ends at once.
#pragma once

#include <atomic>
#include <string>

namespace brink::cli {

void catch_interrupts();
/// Treats the end of this time, counted from now, as an interrupt. Not positive: no limit.
void interrupt_after(double seconds);
/// Becomes true at the first interrupt. Handed to the engines as their stop flag.
const std::atomic<bool>& interrupted();
/// "interrupted" or "time limit of 2 s reached".
std::string why_interrupted();

}  // namespace brink::cli
