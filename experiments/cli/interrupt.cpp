#include "experiments/cli/interrupt.h"

#include <fmt/format.h>
#include <pthread.h>

#include <chrono>
#include <csignal>
#include <thread>

namespace brink::cli {
namespace {

std::atomic<bool> stop{false};
std::atomic<double> limit_reached{0};  ///< seconds, once it is the reason

/// A thread that waits for the signals, which every other thread blocks: a library that installs a
/// handler of its own (Z3 does, for SIGINT, while it solves) cannot take them away.
void wait_for(sigset_t signals) {
  while (true) {
    int signal = 0;
    if (sigwait(&signals, &signal) != 0) return;
    if (!stop.exchange(true)) continue;
    std::signal(signal, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
    std::raise(signal);
  }
}

}  // namespace

void catch_interrupts() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread(wait_for, signals).detach();
}

void interrupt_after(double seconds) {
  if (!(seconds > 0)) return;
  std::thread([seconds] {
    std::this_thread::sleep_for(std::chrono::duration<double>(std::min(seconds, 1e9)));
    if (stop) return;
    limit_reached = seconds;
    stop = true;
  }).detach();
}

const std::atomic<bool>& interrupted() { return stop; }

std::string why_interrupted() {
  const double seconds = limit_reached;
  return seconds > 0 ? fmt::format("time limit of {:.6g} s reached", seconds) : "interrupted";
}

}  // namespace brink::cli
