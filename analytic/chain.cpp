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

void tidy_row(BigArray<Entry>& entries, std::uint64_t begin) {
  constexpr std::ptrdiff_t few = 24;
  Entry* const first = entries.data() + begin;
  Entry* const last = entries.data() + entries.size();
  if (last - first <= few) {
    for (Entry* next = first; next < last; ++next) {
      const Entry moving = *next;
      Entry* to = next;
      for (; to > first && to[-1].column > moving.column; --to) *to = to[-1];
      *to = moving;
    }
  } else {
    std::stable_sort(first, last,
                     [](const Entry& a, const Entry& b) { return a.column < b.column; });
  }
  Entry* end = first;
  for (const Entry* entry = first; entry < last; ++entry) {
    if (end > first && end[-1].column == entry->column)
      end[-1].value += entry->value;
    else
      *end++ = *entry;
  }
  entries.resize(begin + static_cast<std::uint64_t>(end - first));
}

void ChainBuilder::end_row() {
  tidy_row(chain_.entries_, chain_.begin_[chain_.size()]);
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
