#include "experiments/cli/interrupt.h"

#include <pthread.h>

#include <csignal>
#include <thread>

namespace brink::cli {
namespace {

std::atomic<bool> stop{false};

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

const std::atomic<bool>& interrupted() { return stop; }

}  // namespace brink::cli
