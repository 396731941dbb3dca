// DecisionProcess: a finite Markov decision process as sparse rows, the input of the min/max
// solvers.
//
// A row is one choice of a state: an action with its distribution. Choices of a state are
// neighbours, states are dense, and every state has at least one choice (a deadlock waits for
// ever: a self-loop). Used by decision_values.h and built from a model by decision_builder.h.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analytic/chain.h"
#include "models/base/result.h"

namespace brink::analytic {

class DecisionProcess {
 public:
  DecisionProcess() {
    first_.push_back(0);
    begin_.push_back(0);
  }
  std::uint64_t bytes() const { return first_.bytes() + begin_.bytes() + entries_.bytes(); }
  std::uint32_t size() const { return static_cast<std::uint32_t>(first_.size() - 1); }
  std::uint32_t choice_count() const { return static_cast<std::uint32_t>(begin_.size() - 1); }
  std::size_t entry_count() const { return entries_.size(); }

  /// The choices of a state are first_choice(s) .. end_choice(s) - 1.
  std::uint32_t first_choice(std::uint32_t state) const { return first_[state]; }
  std::uint32_t end_choice(std::uint32_t state) const { return first_[state + 1]; }
  /// The distribution of a choice: distinct columns, ascending.
  std::span<const Entry> row(std::uint32_t choice) const {
    return {entries_.data() + begin_[choice], entries_.data() + begin_[choice + 1]};
  }

 private:
  friend class DecisionBuilder;
  BigArray<std::uint32_t> first_;  ///< one more than there are states
  BigArray<std::uint64_t> begin_;  ///< one more than there are choices
  BigArray<Entry> entries_;
};

/// Fills a decision process choice by choice and state by state; entries of one choice to the same
/// column are added up.
class DecisionBuilder {
 public:
  void add(std::uint32_t column, double probability) {
    if (probability != 0) process_.entries_.push_back({column, probability});
  }
  void end_choice();
  /// Ends the state; one without choices gets a self-loop. Returns whether it had choices.
  bool end_state();
  /// The process, or a sentence naming the first offending state: a column outside the process, a
  /// value that is no probability, a choice whose sum is not 1 within 1e-5 (PRISM's tolerance; what
  /// is missing stays in the state).
  Result<DecisionProcess, std::string> finish() &&;

 private:
  DecisionProcess process_;
};

/// Choices written out, for tests: rows[state][choice]; same errors as DecisionBuilder::finish.
Result<DecisionProcess, std::string> make_decisions(
    const std::vector<std::vector<std::vector<Entry>>>& rows);

}  // namespace brink::analytic
