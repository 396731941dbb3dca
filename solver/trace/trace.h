// Trace: a run of a model, the evidence of a verdict. Produced by every engine, checked by
// `replay`, written and read as JSON, printed as a table.
//
// No trace leaves the library before the evaluator has replayed it step by step (gate.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/base/result.h"
#include "models/language/model.h"
#include "models/semantics/evaluator.h"

namespace brink::solver {

using Valuation = std::vector<std::int64_t>;  ///< one value for each variable of the model

/// One move: the commands that took part (indices into Model::commands) and where it led.
struct TraceStep {
  std::vector<std::uint32_t> commands;  ///< of all participants
  std::uint32_t updates = 0;            ///< which update of each (Expansion::updates)
  Valuation after;
  friend bool operator==(const TraceStep&, const TraceStep&) = default;
};

/// The first step after which the goal cannot be reached any more.
struct PointOfNoReturn {
  std::size_t step = 0;         ///< counted from 1; 0: the initial state is doomed already
  std::uint64_t ways_back = 0;  ///< moves of the state just before that kept the goal reachable
  std::string goal;             ///< what cannot be reached, as written
  friend bool operator==(const PointOfNoReturn&, const PointOfNoReturn&) = default;
};

struct Trace {
  std::string model;                                           ///< name of the model's source
  std::vector<std::pair<std::string, std::string>> constants;  ///< values as PRISM writes them
  std::string property;                                        ///< what the trace is about
  Valuation initial;
  std::vector<TraceStep> steps;
  std::optional<std::size_t> loop_to;  ///< the run repeats for ever from this state (0 = initial)
  std::optional<PointOfNoReturn> no_return;
  /// The last state cannot be left: a move from it is an error of the model (a range, ...).
  std::optional<std::string> fault;

  std::size_t length() const { return steps.size(); }
  const Valuation& state(std::size_t i) const { return i == 0 ? initial : steps[i - 1].after; }
  friend bool operator==(const Trace&, const Trace&) = default;
};

/// An empty trace with the model's name and constants filled in.
Trace make_trace(const Model& model, std::string property);

/// Re-checks every step against the one semantics: the initial state is one, each step is a move
/// of the model with these commands and leads where it says, a loop closes, a fault happens.
/// Error: a sentence naming the first step that does not hold.
Result<void, std::string> replay(const Trace& trace, Evaluator& evaluator);

/// Fills in the commands and updates of the first move in `expansion` that leads to `step.after`;
/// false when none does.
bool find_move(const Expansion& expansion, TraceStep& step);

/// "write", "write(frames:3)" where the label alone does not tell, "frames:3" without a label: how
/// a step's commands are named in tables, JSON and messages.
std::string name_of_commands(const Model& model, const std::vector<std::uint32_t>& commands);

/// "file:line" of the first command, empty when there is none.
std::string place_of_commands(const Model& model, const std::vector<std::uint32_t>& commands);

}  // namespace brink::solver
