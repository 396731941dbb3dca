// The same work for many indices on a few threads, for runs of scenarios. Used by: curves, rows,
// ensembles.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace brink {

/// Calls work(i) for i = 0 .. count-1, each once, in any order; none is begun after stopped() is
/// true. What the last call to fail has thrown is thrown again once all threads are done.
template <typename Stopped, typename Work>
void for_each_index(std::size_t count, unsigned threads, Stopped stopped, Work work) {
  std::atomic<std::size_t> next{0};
  std::exception_ptr thrown;
  std::mutex thrown_mutex;
  const auto run = [&] {
    for (std::size_t i = next++; i < count && !stopped(); i = next++) {
      try {
        work(i);
      } catch (...) {
        const std::lock_guard lock(thrown_mutex);
        thrown = std::current_exception();
      }
    }
  };
  {
    std::vector<std::jthread> pool;
    for (unsigned i = 1; i < std::max(1u, threads); ++i) pool.emplace_back(run);
    run();
  }
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace brink
