// Crew: a few threads that run one function together, again and again. Used by: the state search.
//
// The threads are started when they are first needed and sleep in between; with one member
// everything happens in the caller. What a function throws in another thread is thrown by run().
#pragma once

#include <barrier>
#include <exception>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace brink::solver {

class Crew {
 public:
  explicit Crew(unsigned members) : members_(members) {}
  ~Crew() {
    if (!begin_) return;
    work_ = nullptr;
    begin_->arrive_and_wait();
  }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  unsigned members() const { return members_; }

  /// work(i) for i in 0 .. members - 1, each in its own thread, number 0 in this one.
  void run(const std::function<void(unsigned)>& work) {
    if (members_ == 1) return work(0);
    if (!begin_) start();
    work_ = &work;
    errors_.assign(members_, nullptr);
    begin_->arrive_and_wait();
    try_work(0);
    end_->arrive_and_wait();
    for (const std::exception_ptr& error : errors_)
      if (error) std::rethrow_exception(error);
  }

 private:
  void start() {
    begin_ = std::make_unique<std::barrier<>>(members_);
    end_ = std::make_unique<std::barrier<>>(members_);
    for (unsigned i = 1; i < members_; ++i)
      threads_.emplace_back([this, i] {
        while (true) {
          begin_->arrive_and_wait();
          if (work_ == nullptr) return;
          try_work(i);
          end_->arrive_and_wait();
        }
      });
  }

  void try_work(unsigned i) {
    try {
      (*work_)(i);
    } catch (...) {
      errors_[i] = std::current_exception();
    }
  }

  unsigned members_;
  std::unique_ptr<std::barrier<>> begin_, end_;
  const std::function<void(unsigned)>* work_ = nullptr;
  std::vector<std::exception_ptr> errors_;
  std::vector<std::jthread> threads_;  // last: joined before the barriers go
};

}  // namespace brink::solver
