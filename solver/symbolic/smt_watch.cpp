#include "solver/symbolic/smt_watch.h"

#include <fmt/core.h>
#include <z3++.h>

namespace brink::solver {

using namespace std::chrono_literals;

namespace {

std::atomic<bool> any_interrupted{false};

}  // namespace

bool smt_was_interrupted() { return any_interrupted.load(); }

SmtWatch::SmtWatch(z3::context& context, const Limits& limits)
    : context_(context), limits_(limits), thread_([this] { watch(); }) {}

SmtWatch::~SmtWatch() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  ended_.notify_all();
  thread_.join();
}

std::string SmtWatch::reason() const {
  const std::lock_guard lock(mutex_);
  return reason_;
}

std::string SmtWatch::check() const {
  if (limits_.stop != nullptr && limits_.stop->load(std::memory_order_relaxed))
    return "interrupted";
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  if (limits_.seconds != 0 && seconds > limits_.seconds)
    return fmt::format("time limit of {:.3g} s reached", limits_.seconds);
  if (limits_.bytes != 0 && Z3_get_estimated_alloc_size() > limits_.bytes)
    return fmt::format("memory limit of {} bytes reached", limits_.bytes);
  return "";
}

void SmtWatch::watch() {
  std::unique_lock lock(mutex_);
  while (!done_) {
    if (!expired_) {
      reason_ = check();
      expired_ = !reason_.empty();
    }
    // Z3 forgets an interrupt that comes between two queries, so it is repeated until the end.
    if (expired_) {
      any_interrupted = true;
      context_.interrupt();
    }
    ended_.wait_for(lock, 5ms, [this] { return done_; });
  }
}

}  // namespace brink::solver
