#include "experiments/cli/interrupt.h"

#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <thread>

namespace brink::cli {
namespace {

std::atomic<bool> stop{false};
std::atomic<double> limit_reached{0};  ///< seconds, once it is the reason

constexpr int undecided = 30;
constexpr double grace_after_signal = 5;
std::atomic<double> net_at{0};     ///< on the steady clock, in seconds; 0: none
std::atomic<double> net_limit{0};  ///< the limit it belongs to; 0: a signal

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Nothing is cleaned up: files are renamed into place when they are whole, so none is left half.
void watch_net() {
  while (true) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    const double at = net_at;
    if (at == 0 || steady_seconds() < at) continue;
    std::fflush(stdout);
    const std::string text =
        fmt::format("error: {} in a part of the work that cannot be stopped: no answer\n",
                    net_limit > 0 ? fmt::format("time limit of {:.6g} s reached", net_limit.load())
                                  : std::string("interrupted"));
    (void)!::write(STDERR_FILENO, text.data(), text.size());
    ::_exit(undecided);
  }
}

/// A thread that waits for the signals, which every other thread blocks: a library that installs a
/// handler of its own (Z3 does, for SIGINT, while it solves) cannot take them away.
void wait_for(sigset_t signals) {
  while (true) {
    int signal = 0;
    if (sigwait(&signals, &signal) != 0) return;
    if (!stop.exchange(true)) {
      net_limit = 0;
      net_at = steady_seconds() + grace_after_signal;
      continue;
    }
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
  std::thread(watch_net).detach();
}

void end_without_answer_after(double seconds) {
  if (stop) return;  // the net of the signal stays
  net_limit = std::max(seconds, 0.0);
  net_at = seconds > 0 ? steady_seconds() + seconds + std::max(2.0, seconds / 2) : 0;
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
