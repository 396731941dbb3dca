#include "analytic/certain.h"

#include <algorithm>

namespace brink::analytic {
namespace {

bool all_in(std::span<const Entry> row, const StateSet& set) {
  return std::all_of(row.begin(), row.end(), [&](const Entry& e) { return set[e.column]; });
}

/// States from which nothing outside `set` can be reached.
StateSet kept(const Chain& chain, StateSet set) {
  set.flip();
  StateSet out = can_reach(chain, StateSet(chain.size(), true), set);
  out.flip();
  return out;
}

}  // namespace

Certain Certain::of(const std::vector<double>& values, const std::vector<double>& bounds) {
  Certain out{StateSet(values.size()), StateSet(values.size())};
  for (std::size_t s = 0; s < values.size(); ++s) {
    const bool exact = bounds.empty() || bounds[s] == 0;
    out.zero[s] = exact && values[s] == 0;
    out.one[s] = exact && values[s] == 1;
  }
  return out;
}

Certain Certain::before(const Chain& chain) const {
  Certain out = *this;  // a state without moves stays
  for (std::uint32_t s = 0; s < chain.size(); ++s) {
    if (chain.row(s).empty()) continue;
    out.zero[s] = all_in(chain.row(s), zero);
    out.one[s] = all_in(chain.row(s), one);
  }
  return out;
}

Certain after(const Chain& chain, Certain values, double time) {
  if (time == 0) return values;
  if (chain.kind() == ChainKind::continuous)
    return {kept(chain, std::move(values.zero)), kept(chain, std::move(values.one))};
  for (double step = 0; step < time; ++step) {
    Certain next = values.before(chain);
    if (next.zero == values.zero && next.one == values.one) break;
    values = std::move(next);
  }
  return values;
}

StateSet collects_nothing(const Chain& chain, const std::vector<double>& reward, double time) {
  StateSet out(chain.size(), true);
  if (time == 0) return out;
  StateSet idle(chain.size());
  for (std::uint32_t s = 0; s < chain.size(); ++s) idle[s] = reward[s] == 0;
  if (chain.kind() == ChainKind::continuous) return kept(chain, std::move(idle));
  for (double step = 0; step < time; ++step) {
    StateSet next(chain.size());
    for (std::uint32_t s = 0; s < chain.size(); ++s)
      next[s] = idle[s] && all_in(chain.row(s), out) && (!chain.row(s).empty() || out[s]);
    if (next == out) break;
    out = std::move(next);
  }
  return out;
}

void settle(Solution& solution, const Certain& certain) {
  if (!solution.converged) return;
  for (std::size_t s = 0; s < solution.values.size(); ++s) {
    if (!certain.zero[s] && !certain.one[s]) continue;
    solution.values[s] = certain.one[s] ? 1 : 0;
    solution.bounds[s] = 0;
  }
}

}  // namespace brink::analytic
