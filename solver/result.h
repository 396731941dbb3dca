// What comes out of a check, whichever engine made it, and what bounds its work.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/language/diagnostic.h"
#include "solver/trace/trace.h"

namespace brink::solver {

enum class Verdict {
  holds,         ///< true; HOLDS
  violated,      ///< false; VIOLATED (for `possible`: shown to be impossible)
  unknown,       ///< UNDECIDED: a limit was reached; `notes` say what is known
  unsupported,   ///< the engine cannot answer this kind of question; `notes` say why
  model_error,   ///< a reachable state has an erroneous move; `trace` leads there
  disagreement,  ///< two engines, or an engine and the replay, contradict each other (a bug)
};

/// "true", "false", "unknown", "unsupported", "error", "disagreement".
std::string_view verdict_name(Verdict verdict);

class StateGraph;

/// Who wants to see an explicit search while it runs (heartbeats, checkpoints).
struct SearchMonitor {
  double every_seconds = 1;
  /// `ended`: the last look, at whatever there is then. Not called for a model in error.
  std::function<void(const StateGraph& graph, bool ended)> look;
};

/// Zero means no limit. Reaching one ends in `unknown`.
struct Limits {
  std::uint64_t states = 0;
  double seconds = 0;
  std::uint64_t bytes = 0;
  std::uint32_t depth = 0;  ///< steps of the unrolling (bounded engines); 0: the engine's own
  unsigned threads = 1;     ///< of the explicit search; the result does not depend on it
  const std::atomic<bool>* stop = nullptr;
  const SearchMonitor* monitor = nullptr;
};

struct CheckOptions {
  Limits limits;
  bool cross_check = true;  ///< `auto` asks a second engine when that is cheap
  bool simplest = false;    ///< explicit traces with the fewest different commands, not steps
};

/// How much of the reachable states is lost to a goal for ever (recoverability); confirmed by the
/// evaluator, state by state (stuck.h).
struct DoomedStates {
  std::uint64_t count = 0;          ///< reachable states from which the goal cannot be reached
  std::uint64_t traps = 0;          ///< bottom components among them
  std::uint64_t smallest_trap = 0;  ///< states
};

struct CheckResult {
  Verdict verdict = Verdict::unknown;
  std::string engine;
  std::uint64_t states = 0;  ///< reachable (all of them unless a limit was reached)
  std::uint64_t transitions = 0;
  double seconds = 0;
  std::uint64_t bytes = 0;
  std::optional<std::uint64_t> length;         ///< steps of the trace
  std::optional<std::uint64_t> kinds;          ///< different commands of a simplest trace
  std::optional<std::uint64_t> nested_length;  ///< steps to where a temporal body fails or holds
  std::optional<std::uint32_t> bound;          ///< depth to which a bounded engine looked
  std::vector<std::string> assumptions;
  std::vector<std::string> notes;
  std::optional<Trace> trace;
  std::optional<DoomedStates> doomed;
  std::optional<Diagnostic> error;  ///< of a model error
  /// With symbolic constants: the condition on them, in PRISM's syntax, under which the verdict is
  /// the same for all their values.
  std::optional<std::string> for_all;
  /// Violated with symbolic constants, but proved from some value on ("N>=8"); the trace is of the
  /// last value below.
  std::optional<std::string> holds_from;
  /// SMT-LIB 2 script of a proof: every check-sat answers unsat (obligations.h).
  std::optional<std::string> certificate;
};

}  // namespace brink::solver
