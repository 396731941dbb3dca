// SIGINT, SIGTERM and the time limit: long work stops at its next check and says what is known; a
// second signal ends at once.
#pragma once

#include <atomic>
#include <string>

namespace brink::cli {

void catch_interrupts();
/// Ends the program with `undecided` (30) if it is still at work this many seconds and a grace of
/// half as many (two at least) from now: the net under parts that never look at the stop flag, such
/// as the reading of a huge text. A call replaces the one before; not positive: no net.
void end_without_answer_after(double seconds);
/// Treats the end of this time, counted from now, as an interrupt. Not positive: no limit.
void interrupt_after(double seconds);
/// Becomes true at the first interrupt. Handed to the engines as their stop flag.
const std::atomic<bool>& interrupted();
/// "interrupted" or "time limit of 2 s reached".
std::string why_interrupted();

}  // namespace brink::cli
