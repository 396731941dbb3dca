#include "experiments/cli/watching.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "experiments/data/files.h"
#include "solver/search/checkpoint.h"

namespace brink::cli {
namespace {

constexpr double kBeatSeconds = 1;        // on a terminal, where lines replace each other
constexpr double kQuietBeatSeconds = 10;  // in a file, where they stay

double seconds_since(std::chrono::steady_clock::time_point then) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

}  // namespace

SearchWatch::SearchWatch(const Options& options, Output& output)
    : options_(options), output_(output) {
  monitor_.every_seconds =
      options.resume.empty() ? kBeatSeconds : std::min(kBeatSeconds, options.checkpoint_every_s);
  monitor_.look = [this](const solver::StateGraph& graph, bool ended) { look(graph, ended); };
}

std::optional<int> SearchWatch::restore(solver::Session& session) {
  model_ = session.model().get();
  if (options_.resume.empty()) return std::nullopt;
  if (session.model()->listed)
    return output_.error(kUsage, "--resume: explicit files are read, not searched");
  if (std::filesystem::is_directory(options_.resume))
    return output_.error(kInput, fmt::format("{} is a folder", options_.resume));
  std::ifstream file(options_.resume, std::ios::binary);
  if (!file) {
    if (errno == ENOENT) return std::nullopt;  // the first run
    return output_.error(kInput, fmt::format("cannot read {}", options_.resume));
  }
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (file.bad()) return output_.error(kInput, fmt::format("cannot read {}", options_.resume));
  if (const auto done = session.restore(bytes); !done) {
    return output_.error(
        kInput, fmt::format("{} is no checkpoint to go on from: {}", options_.resume, done.error()),
        "remove the file to begin again");
  }
  saved_expanded_ = session.explored()->expanded();
  output_.note(fmt::format("resumed from {}: {} states, {} of them expanded", options_.resume,
                           session.explored()->size(), saved_expanded_));
  return std::nullopt;
}

void SearchWatch::look(const solver::StateGraph& graph, bool ended) {
  if (graph.model().get() != model_) return;
  if (!ended) beat(graph);
  if (options_.resume.empty() || graph.expanded() == saved_expanded_) return;
  if (ended || seconds_since(last_saved_) >= options_.checkpoint_every_s) save(graph);
}

void SearchWatch::beat(const solver::StateGraph& graph) {
  const double since = seconds_since(last_beat_);
  if (since < (output_.on_terminal() && !output_.json() ? kBeatSeconds : kQuietBeatSeconds)) return;
  const double rate = (graph.size() - beat_states_) / since;
  last_beat_ = Clock::now();
  beat_states_ = graph.size();
  if (output_.json()) {
    output_.remark({{"type", "progress"},
                    {"phase", "explicit search"},
                    {"seconds", json_number(seconds_since(start_))},
                    {"states", graph.size()},
                    {"queue", graph.size() - graph.expanded()},
                    {"states_per_second", json_number(rate)},
                    {"bytes", graph.bytes()}});
    return;
  }
  const std::string line =
      fmt::format("explicit search, {:.0f} s: {} states, {} to expand, {:.0f} states/s, {} MiB",
                  seconds_since(start_), graph.size(), graph.size() - graph.expanded(), rate,
                  graph.bytes() >> 20);
  output_.on_terminal() ? output_.progress(line) : output_.note(line);
}

void SearchWatch::save(const solver::StateGraph& graph) {
  if (failed_) return;
  if (const auto done = write_whole(options_.resume, solver::to_checkpoint(graph)); !done) {
    failed_ = true;
    output_.note(fmt::format("no checkpoint: {}; the search goes on without", done.error()));
    return;
  }
  saved_expanded_ = graph.expanded();
  last_saved_ = Clock::now();
}

}  // namespace brink::cli
