// Stepper: runs named commands of a model, one by one or k times at once.
//
// The idea. A command whose updates only add constants, repeated k times, moves along a straight
// line; if its guard is a conjunction of linear comparisons it holds on the whole line when it
// holds at the first and at the last step (convexity). So a million repetitions are checked by two.
// Commands of any other form are stepped one by one: slower, never different. Used by: conformance.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/semantics/evaluator.h"

namespace brink {

class Stepper {
 public:
  explicit Stepper(ModelPtr model);

  /// Runs `command` `count` times from `state`, which is changed. The error says why it cannot: the
  /// guard is false (at which repetition), a range is left, or the command has several outcomes.
  std::optional<std::string> run(std::uint32_t command, std::int64_t count,
                                 std::vector<std::int64_t>& state);

  /// Is the command one that is repeated in closed form?
  bool straight(std::uint32_t command) const { return straight_[command]; }

  Evaluator& evaluator() { return evaluator_; }

 private:
  std::optional<std::string> once(std::uint32_t command, std::vector<std::int64_t>& state);

  ModelPtr model_;
  Evaluator evaluator_;
  Expansion expansion_;
  std::vector<bool> straight_;
};

}  // namespace brink
