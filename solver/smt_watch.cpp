#include "solver/smt_watch.h"

#include <fmt/core.h>
#include <z3++.h>

namespace brink::solver {

using namespace std::chrono_literals;

SmtWatch::SmtWatch(z3::context& context, const Limits& limits)
    : context_(context), limits_(limits), thread_([this] { watch(); }) {}

SmtWatch::~SmtWatch() {
  done_ = true;
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
    return fmt::format("time limit of {} s reached", limits_.seconds);
  if (limits_.bytes != 0 && Z3_get_estimated_alloc_size() > limits_.bytes)
    return fmt::format("memory limit of {} bytes reached", limits_.bytes);
  return "";
}

void SmtWatch::watch() {
  while (!done_) {
    if (std::string why = check(); !why.empty()) {
      {
        const std::lock_guard lock(mutex_);
        reason_ = why;
      }
      expired_ = true;
      // Z3 forgets an interrupt that comes between two queries, so it is repeated until the end.
      while (!done_) {
        context_.interrupt();
        std::this_thread::sleep_for(5ms);
      }
      return;
    }
    std::this_thread::sleep_for(5ms);
  }
}

}  // namespace brink::solver
