// SmtWatch: interrupts a Z3 context when the time is up, the caller asks to stop, or Z3 holds too
// much memory, and says which. Internal to the symbolic engines.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "solver/result.h"

namespace z3 {
class context;
}

namespace brink::solver {

/// Has any watch interrupted Z3 in this process? Z3 4.8.12, interrupted at a bad moment, may throw
/// from a destructor of its own, which ends the program (seen once in half an hour of interrupts);
/// whoever is told that a program ends can then say what happened.
bool smt_was_interrupted();

class SmtWatch {
 public:
  SmtWatch(z3::context& context, const Limits& limits);
  ~SmtWatch();
  SmtWatch(const SmtWatch&) = delete;
  SmtWatch& operator=(const SmtWatch&) = delete;

  /// Has a limit been reached? Then `reason` says which.
  bool expired() const { return expired_.load(); }
  std::string reason() const;

 private:
  void watch();
  std::string check() const;

  z3::context& context_;
  Limits limits_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::atomic<bool> expired_{false};
  bool done_ = false;  ///< guarded by mutex_
  mutable std::mutex mutex_;
  std::condition_variable ended_;
  std::string reason_;
  std::thread thread_;
};

}  // namespace brink::solver
