#include "analytic/lumping.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "models/base/check.h"

namespace brink::analytic {
namespace {

/// To which classes, and how much.
using Signature = std::vector<std::pair<std::uint32_t, double>>;

class Refiner {
 public:
  Refiner(const Chain& chain, const std::vector<std::uint32_t>& kinds)
      : chain_(chain), of_(kinds), before_begin_(chain.size() + 1, 0), dirty_(chain.size(), true) {
    const std::uint32_t count =
        kinds.empty() ? 0 : *std::max_element(kinds.begin(), kinds.end()) + 1;
    members_.resize(count);
    for (std::uint32_t s = 0; s < chain.size(); ++s) members_[of_[s]].push_back(s);
    for (std::uint32_t s = 0; s < chain.size(); ++s)
      for (const Entry& entry : chain.row(s)) ++before_begin_[entry.column + 1];
    std::partial_sum(before_begin_.begin(), before_begin_.end(), before_begin_.begin());
    before_.resize(chain.entry_count());
    auto next = before_begin_;
    for (std::uint32_t s = 0; s < chain.size(); ++s)
      for (const Entry& entry : chain.row(s)) before_[next[entry.column]++] = s;
    for (std::uint32_t c = 0; c < count; ++c) queue(c);
  }

  std::vector<std::uint32_t> run() {
    for (std::size_t head = 0; head < waiting_.size(); ++head) {
      const std::uint32_t c = waiting_[head];
      queued_[c] = false;
      split(c);
    }
    return std::move(of_);
  }

 private:
  void queue(std::uint32_t c) {
    if (queued_.size() <= c) queued_.resize(c + std::size_t{1}, false);
    if (queued_[c]) return;
    queued_[c] = true;
    waiting_.push_back(c);
  }

  Signature signature(std::uint32_t s) {
    entries_.clear();
    for (const Entry& entry : chain_.row(s)) {
      if (chain_.kind() == ChainKind::continuous && of_[entry.column] == of_[s]) continue;
      entries_.emplace_back(of_[entry.column], entry.value);
    }
    std::sort(entries_.begin(), entries_.end());
    Signature out;
    for (const auto& [c, value] : entries_) {
      if (!out.empty() && out.back().first == c)
        out.back().second += value;
      else
        out.emplace_back(c, value);
    }
    return out;
  }

  /// Divides a class by the signatures of its states that may have changed; all others have the one
  /// that any of them has.
  void split(std::uint32_t c) {
    std::map<Signature, std::vector<std::uint32_t>> parts;
    std::vector<std::uint32_t> same;
    for (const std::uint32_t s : members_[c]) {
      if (!dirty_[s])
        same.push_back(s);
      else
        parts[signature(s)].push_back(s);
      dirty_[s] = false;
    }
    if (!same.empty()) {
      auto& part = parts[signature(same.front())];
      part.insert(part.end(), same.begin(), same.end());
    }
    if (parts.size() == 1) {
      return;
    }
    auto largest = parts.begin();
    for (auto it = parts.begin(); it != parts.end(); ++it)
      if (it->second.size() > largest->second.size()) largest = it;
    std::vector<std::uint32_t> moved;
    for (auto it = parts.begin(); it != parts.end(); ++it) {
      std::sort(it->second.begin(), it->second.end());
      if (it == largest) continue;
      const auto fresh = static_cast<std::uint32_t>(members_.size());
      for (const std::uint32_t s : it->second) of_[s] = fresh;
      moved.insert(moved.end(), it->second.begin(), it->second.end());
      members_.push_back(std::move(it->second));
    }
    members_[c] = std::move(largest->second);
    for (const std::uint32_t s : moved)
      for (std::size_t k = before_begin_[s]; k < before_begin_[s + 1]; ++k) {
        dirty_[before_[k]] = true;
        queue(of_[before_[k]]);
      }
    if (chain_.kind() != ChainKind::continuous) return;
    // What was inside the class has become a move to another one.
    for (const std::uint32_t s : moved) {
      dirty_[s] = true;
      queue(of_[s]);
    }
  }

  const Chain& chain_;
  std::vector<std::uint32_t> of_;
  std::vector<std::vector<std::uint32_t>> members_;
  std::vector<std::size_t> before_begin_;
  std::vector<std::uint32_t> before_;
  std::vector<bool> dirty_, queued_;
  std::vector<std::uint32_t> waiting_;
  Signature entries_;
};

}  // namespace

Solution Lumped::up(const Solution& solution) const {
  Solution out = solution;
  if (!solution.converged) return out;
  std::size_t widest = 1;
  for (std::uint32_t c = 0; c < chain.size(); ++c) widest = std::max(widest, chain.row(c).size());
  double largest = 0;
  for (const double value : solution.values)
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  // Rates that are wrong by e relative move a solution of balance equations by 2 e a row, relative
  // (elimination.h), and one after k steps by k e of the largest value.
  const double e = 4 * static_cast<double>(widest + 2) * std::numeric_limits<double>::epsilon();
  const bool stepped = solution.method == Method::uniformise || solution.method == Method::powers;
  const double rows = 2 * static_cast<double>(chain.size());
  out.classes = chain.size();
  out.values.resize(of.size());
  out.bounds.resize(of.size());
  for (std::size_t s = 0; s < of.size(); ++s) {
    const double value = solution.values[of[s]], bound = solution.bounds[of[s]];
    out.values[s] = value;
    out.bounds[s] = bound;
    if (bound == 0 || !std::isfinite(value)) continue;  // decided by the graph
    out.bounds[s] += stepped ? static_cast<double>(solution.iterations + 1) * e * largest
                             : rows * e * std::abs(value);
  }
  return out;
}

Lumped lump(const Chain& chain, const std::vector<std::uint32_t>& kinds) {
  BRINK_CHECK(kinds.size() == chain.size());
  Lumped out;
  const std::vector<std::uint32_t> found = Refiner(chain, kinds).run();
  // Classes in the order of their first states.
  constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> number(chain.size() + std::size_t{1}, none);
  for (std::uint32_t s = 0; s < chain.size(); ++s) {
    if (number.size() <= found[s]) number.resize(found[s] + std::size_t{1}, none);
    if (number[found[s]] == none) {
      number[found[s]] = static_cast<std::uint32_t>(out.sample.size());
      out.sample.push_back(s);
    }
    out.of.push_back(number[found[s]]);
  }
  ChainBuilder builder(chain.kind());
  for (std::uint32_t c = 0; c < out.sample.size(); ++c) {
    std::vector<std::pair<std::uint32_t, double>> entries;
    for (const Entry& entry : chain.row(out.sample[c]))
      entries.emplace_back(out.of[entry.column], entry.value);
    std::sort(entries.begin(), entries.end());
    for (const auto& [column, value] : entries) builder.add(column, value);
    builder.end_row();
  }
  auto built = std::move(builder).finish();
  BRINK_CHECK(built.has_value(), "rows of a valid chain");
  out.chain = std::move(*built);
  return out;
}

std::vector<std::uint32_t> kinds_of(const std::vector<std::vector<double>>& facts) {
  std::map<std::vector<double>, std::uint32_t> known;
  std::vector<std::uint32_t> out;
  std::vector<double> own(facts.size());
  for (std::size_t s = 0; s < facts.front().size(); ++s) {
    for (std::size_t i = 0; i < facts.size(); ++i) own[i] = facts[i][s];
    out.push_back(known.try_emplace(own, static_cast<std::uint32_t>(known.size())).first->second);
  }
  return out;
}

}  // namespace brink::analytic
