// Co<T>: the code of a simulated process, written like the original's: a C++20 coroutine that may
// sleep anywhere in a call chain.
//
// A process is a stack of coroutines. `top` is the one to resume next; a callee is pushed when it
// is awaited and its caller is put back when it returns. The engine resumes `top` in a loop, so the
// depth of the C++ stack does not depend on how often processes call or sleep. (Symmetric transfer
// was not used: without optimisation g++ 12 turns it into real recursion.)
//
// Users: the engine and the kernels. Rule: arguments of coroutines are values, pointers or
// references to things that outlive the process, never references to temporaries.
#pragma once

#include <coroutine>
#include <exception>
#include <utility>

#include "models/machine/tables.h"

namespace brink::machine {

class Engine;
struct WaitQueue;

/// One schedulable activity: a program of the workload or a kernel daemon.
struct Process {
  Engine* engine = nullptr;
  std::coroutine_handle<> top;  ///< what to resume next
  bool blocked = false;         ///< the engine will resume it later
  bool done = false;
  bool woken = false;       ///< the last timed sleep ended by a wake-up, not by time
  int cpu = -1;             ///< CPU it holds, or -1
  Time since = 0;           ///< when it got it
  bool urgent = false;      ///< goes in front of the others in the run queue
  bool reclaiming = false;  ///< CPU time is booked under reclaim too
  WaitQueue* asleep_on = nullptr;
  std::int64_t sleep_id = 0;  ///< tells a timeout whether it is still about this sleep
  Time user_ns = 0;
  Time system_ns = 0;
  Time reclaim_ns = 0;
  Time spin_ns = 0;
  std::exception_ptr error;
};

namespace detail {

struct PromiseBase {
  Process* process = nullptr;
  std::coroutine_handle<> caller;
  std::exception_ptr error;

  std::suspend_always initial_suspend() noexcept { return {}; }
  struct Return {
    bool await_ready() noexcept { return false; }
    template <typename P>
    void await_suspend(std::coroutine_handle<P> self) noexcept {
      PromiseBase& promise = self.promise();
      if (promise.process == nullptr) return;
      promise.process->top = promise.caller;
      if (!promise.caller) {
        promise.process->done = true;
        promise.process->error = promise.error;
      }
    }
    void await_resume() noexcept {}
  };
  Return final_suspend() noexcept { return {}; }
  void unhandled_exception() { error = std::current_exception(); }
};

}  // namespace detail

template <typename T = void>
class [[nodiscard]] Co;

namespace detail {

template <typename T>
struct Promise : PromiseBase {
  T value{};
  Co<T> get_return_object();
  void return_value(T result) { value = std::move(result); }
  T take() { return std::move(value); }
};

template <>
struct Promise<void> : PromiseBase {
  Co<void> get_return_object();
  void return_void() {}
  void take() {}
};

}  // namespace detail

template <typename T>
class [[nodiscard]] Co {
 public:
  using promise_type = detail::Promise<T>;
  using Handle = std::coroutine_handle<promise_type>;

  explicit Co(Handle handle) : handle_(handle) {}
  Co(Co&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Co& operator=(Co&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Co() {
    if (handle_) handle_.destroy();
  }

  bool await_ready() const noexcept { return false; }
  template <typename P>
  void await_suspend(std::coroutine_handle<P> caller) {
    handle_.promise().process = caller.promise().process;
    handle_.promise().caller = caller;
    handle_.promise().process->top = handle_;
  }
  T await_resume() {
    if (handle_.promise().error) std::rethrow_exception(handle_.promise().error);
    return handle_.promise().take();
  }

  /// Makes this coroutine the root of `process`.
  void start(Process& process) {
    handle_.promise().process = &process;
    process.top = handle_;
  }

 private:
  Handle handle_;
};

namespace detail {
template <typename T>
Co<T> Promise<T>::get_return_object() {
  return Co<T>(std::coroutine_handle<Promise<T>>::from_promise(*this));
}
inline Co<void> Promise<void>::get_return_object() {
  return Co<void>(std::coroutine_handle<Promise<void>>::from_promise(*this));
}
}  // namespace detail

/// `Process& self = co_await this_process();`
struct this_process {
  Process* process = nullptr;
  bool await_ready() const noexcept { return false; }
  template <typename P>
  bool await_suspend(std::coroutine_handle<P> self) noexcept {
    process = self.promise().process;
    return false;
  }
  Process& await_resume() const noexcept { return *process; }
};

}  // namespace brink::machine
