// Long explicit searches: a heartbeat on standard error, and checkpoints from which a killed or
// limited search goes on (--resume). Used by: check.
#pragma once

#include <chrono>

#include "experiments/cli/options.h"
#include "experiments/cli/output.h"
#include "solver/session.h"

namespace brink::cli {

class SearchWatch {
 public:
  SearchWatch(const Options& options, Output& output);
  SearchWatch(const SearchWatch&) = delete;
  SearchWatch& operator=(const SearchWatch&) = delete;

  /// For Limits::monitor; lives as long as this.
  const solver::SearchMonitor& monitor() const { return monitor_; }
  /// Watches the searches of this session's model and begins it with the file of --resume, if there
  /// is one. An exit code when it exists and cannot be used.
  std::optional<int> restore(solver::Session& session);

 private:
  using Clock = std::chrono::steady_clock;

  void look(const solver::StateGraph& graph, bool ended);
  void beat(const solver::StateGraph& graph);
  void save(const solver::StateGraph& graph);

  const Options& options_;
  Output& output_;
  solver::SearchMonitor monitor_;
  const Model* model_ = nullptr;  ///< engines search instances of it, too, which are not watched
  Clock::time_point start_ = Clock::now(), last_beat_ = start_, last_saved_ = start_;
  std::uint32_t beat_states_ = 0;     ///< at the last beat
  std::uint32_t saved_expanded_ = 0;  ///< in the file
  bool failed_ = false;               ///< the file could not be written; said once
};

}  // namespace brink::cli
