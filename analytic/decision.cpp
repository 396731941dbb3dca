#include "analytic/decision.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace brink::analytic {

void DecisionBuilder::end_choice() {
  tidy_row(process_.entries_, process_.begin_[process_.choice_count()]);
  process_.begin_.push_back(process_.entries_.size());
}

bool DecisionBuilder::end_state() {
  const bool moves = process_.choice_count() > process_.first_[process_.size()];
  if (!moves) {
    add(process_.size(), 1);
    end_choice();
  }
  process_.first_.push_back(process_.choice_count());
  return moves;
}

Result<DecisionProcess, std::string> DecisionBuilder::finish() && {
  for (std::uint32_t state = 0; state < process_.size(); ++state) {
    for (std::uint32_t c = process_.first_choice(state); c < process_.end_choice(state); ++c) {
      double sum = 0;
      for (const Entry& entry : process_.row(c)) {
        if (entry.column >= process_.size())
          return fail(fmt::format("state {} has a transition to state {}, which does not exist",
                                  state, entry.column));
        if (!(entry.value > 0) || !std::isfinite(entry.value))
          return fail(fmt::format("state {} has a transition with value {}", state, entry.value));
        sum += entry.value;
      }
      if (std::abs(sum - 1) > 1e-5)
        return fail(
            fmt::format("the probabilities of a choice of state {} sum to {}, not 1", state, sum));
    }
  }
  return std::move(process_);
}

Result<DecisionProcess, std::string> make_decisions(
    const std::vector<std::vector<std::vector<Entry>>>& rows) {
  DecisionBuilder builder;
  for (const auto& choices : rows) {
    for (const auto& row : choices) {
      for (const Entry& entry : row) builder.add(entry.column, entry.value);
      builder.end_choice();
    }
    builder.end_state();
  }
  return std::move(builder).finish();
}

}  // namespace brink::analytic
