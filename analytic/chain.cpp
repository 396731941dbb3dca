#include "analytic/chain.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace brink::analytic {

double Chain::leaving(std::uint32_t state) const {
  double sum = 0;
  for (const Entry& entry : row(state))
    if (entry.column != state) sum += entry.value;
  return sum;
}

void ChainBuilder::end_row() {
  std::stable_sort(pending_.begin(), pending_.end(),
                   [](const Entry& a, const Entry& b) { return a.column < b.column; });
  const std::size_t row_start = chain_.entries_.size();
  for (const Entry& entry : pending_) {
    if (entry.value == 0) continue;
    if (chain_.entries_.size() > row_start && chain_.entries_.back().column == entry.column)
      chain_.entries_.back().value += entry.value;
    else
      chain_.entries_.push_back(entry);
  }
  pending_.clear();
  chain_.begin_.push_back(chain_.entries_.size());
}

Result<Chain, std::string> ChainBuilder::finish() && {
  for (std::uint32_t state = 0; state < chain_.size(); ++state) {
    double sum = 0;
    for (const Entry& entry : chain_.row(state)) {
      if (entry.column >= chain_.size())
        return fail(fmt::format("state {} has a transition to state {}, which does not exist",
                                state, entry.column));
      if (!(entry.value > 0) || !std::isfinite(entry.value))
        return fail(fmt::format("state {} has a transition with value {}", state, entry.value));
      sum += entry.value;
    }
    const bool absorbing = chain_.row(state).empty();
    if (chain_.kind_ == ChainKind::discrete && !absorbing && std::abs(sum - 1) > 1e-5)
      return fail(fmt::format("the probabilities of state {} sum to {}, not 1", state, sum));
  }
  return std::move(chain_);
}

Result<Chain, std::string> make_chain(ChainKind kind, const std::vector<std::vector<Entry>>& rows) {
  ChainBuilder builder(kind);
  for (const auto& row : rows) {
    for (const Entry& entry : row) builder.add(entry.column, entry.value);
    builder.end_row();
  }
  return std::move(builder).finish();
}

}  // namespace brink::analytic
