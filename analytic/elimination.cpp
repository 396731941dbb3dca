#include "analytic/elimination.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <tuple>

#include "analytic/dense_elimination.h"
#include "models/base/check.h"

namespace brink::analytic {
namespace {

// Extended precision where the machine has it: more digits for the bound and exponents to 4932, so
// that the censored rates of chains with deep valleys do not underflow.
using Wide = long double;

constexpr double unit_roundoff = static_cast<double>(std::numeric_limits<Wide>::epsilon()) / 2;
/// Sizes of a block that is eliminated as a full matrix; above, it would need over 300 MB.
constexpr std::uint32_t dense_from = 64, dense_up_to = 6000;
/// An entry of a merged sparse row costs about as much as so many of a full matrix (measured).
constexpr std::uint64_t dense_gain = 300;
constexpr Wide rescale_above = 0x1p500L;
constexpr double output_roundoff = std::numeric_limits<double>::epsilon() / 2;

struct Cell {
  std::uint32_t column;
  Wide rate;
};

/// What elimination leaves of one state, for the substitution back.
struct Eliminated {
  std::uint32_t state = 0;
  Wide leaving = 0;
  std::vector<Cell> row;     ///< to states eliminated later
  std::vector<Cell> column;  ///< from states eliminated later (kept for stationary vectors)
};

class Eliminator {
 public:
  Eliminator(const BalanceSystem& system, const SolveOptions& options, bool keep_columns)
      : options_(options), keep_columns_(keep_columns), size_(system.size()) {
    rows_.resize(size_);
    incoming_.resize(size_);
    alive_.assign(size_, true);
    exit_.assign(system.exit.begin(), system.exit.end());
    exit_.resize(size_, 0);
    for (const auto& right : system.right) right_.emplace_back(right.begin(), right.end());
    for (std::uint32_t s = 0; s < size_; ++s)
      for (std::size_t k = system.begin[s]; k < system.begin[s + 1]; ++k) {
        BRINK_CHECK(system.column[k] != s && system.rate[k] > 0);
        rows_[s].push_back({system.column[k], system.rate[k]});
        incoming_[system.column[k]].push_back(s);
      }
    for (std::uint32_t s = 0; s < size_; ++s) {
      std::sort(rows_[s].begin(), rows_[s].end(),
                [](const Cell& a, const Cell& b) { return a.column < b.column; });
      enqueue(s);
    }
  }

  /// Eliminates until `left` states are alive; false when over budget or stopped.
  bool run(std::uint32_t left) {
    for (std::uint32_t alive = size_; alive > left; --alive) {
      if (stopped(options_)) return false;
      const std::uint32_t s = next();
      if (dense_pays(alive, s)) {
        if (finish_dense(alive, left)) return true;
        dense_allowed_ = false;
      }
      if (operations_ > options_.elimination_operations) return false;
      if (!remove(s) || underflow_) return false;
    }
    return true;
  }

  std::vector<Eliminated> done;
  std::vector<std::vector<Wide>> right_;
  double perturbation() const { return perturbation_; }

 private:
  using Key = std::tuple<std::uint64_t, std::uint32_t>;  // cost, state

  std::uint64_t cost(std::uint32_t s) const {
    return static_cast<std::uint64_t>(rows_[s].size()) * incoming_[s].size();
  }
  void enqueue(std::uint32_t s) { queue_.emplace(cost(s), s); }

  std::uint32_t next() {
    for (;;) {
      BRINK_CHECK(!queue_.empty());
      const auto [key, state] = queue_.top();
      queue_.pop();
      if (alive_[state] && key == cost(state)) return state;
    }
  }

  /// Is it time to go on with full rows? `s` has the smallest degree of all.
  bool dense_pays(std::uint32_t alive, std::uint32_t s) const {
    return dense_allowed_ && alive >= dense_from && alive <= dense_up_to &&
           dense_gain * cost(s) > std::uint64_t{alive} * alive &&
           dense_perturbation(alive) < options_.tolerance / 4;
  }

  /// Eliminates all but `left` of the states that are alive as one full block.
  bool finish_dense(std::uint32_t alive, std::uint32_t left) {
    std::vector<std::uint32_t> states, place(size_, 0);
    for (std::uint32_t s = 0; s < size_; ++s) {
      if (!alive_[s]) continue;
      place[s] = static_cast<std::uint32_t>(states.size());
      states.push_back(s);
    }
    DenseBlock block{alive, {}, {}, {}, {}};
    block.rate.assign(static_cast<std::size_t>(alive) * alive, 0);
    for (std::uint32_t i = 0; i < alive; ++i) {
      for (const Cell& cell : rows_[states[i]])
        block.at(i, place[cell.column]) = static_cast<double>(cell.rate);
      block.exit.push_back(static_cast<double>(exit_[states[i]]));
    }
    for (const auto& right : right_) {
      auto& own = block.right.emplace_back();
      for (const std::uint32_t s : states) own.push_back(static_cast<double>(right[s]));
    }
    if (!eliminate_dense(block, left)) return false;
    for (std::uint32_t k = alive; k-- > left;) {
      Eliminated record{states[k], block.leaving[k], {}, {}};
      alive_[states[k]] = false;
      for (std::uint32_t j = 0; j < k; ++j) {
        if (block.at(k, j) > 0) record.row.push_back({states[j], block.at(k, j)});
        if (keep_columns_ && block.at(j, k) > 0)
          record.column.push_back({states[j], block.at(j, k)});
      }
      for (std::size_t r = 0; r < right_.size(); ++r) right_[r][states[k]] = block.right[r][k];
      done.push_back(std::move(record));
    }
    perturbation_ += dense_perturbation(alive);
    return true;
  }

  bool remove(std::uint32_t s) {
    alive_[s] = false;
    Wide leaving = exit_[s];
    for (const Cell& cell : rows_[s]) leaving += cell.rate;
    if (!(leaving > 0) || !std::isfinite(leaving)) return false;  // underflow or overflow
    Eliminated record{s, leaving, {}, {}};
    for (const std::uint32_t before : incoming_[s]) {
      const Wide rate = redirect(before, s, leaving);
      if (keep_columns_) record.column.push_back({before, rate});
    }
    for (const Cell& cell : rows_[s]) {
      auto& incoming = incoming_[cell.column];
      incoming.erase(std::lower_bound(incoming.begin(), incoming.end(), s));
    }
    for (const std::uint32_t before : incoming_[s]) enqueue(before);
    for (const Cell& cell : rows_[s]) enqueue(cell.column);
    const double in = static_cast<double>(incoming_[s].size());
    const double out = static_cast<double>(rows_[s].size());
    perturbation_ += (2 * in + 1) * (out + 4) * unit_roundoff;
    operations_ += 16;
    record.row = std::move(rows_[s]);
    incoming_[s] = {};
    done.push_back(std::move(record));
    return true;
  }

  /// Gives the flow before -> s to the successors of s; returns the rate it had.
  Wide redirect(std::uint32_t before, std::uint32_t s, Wide leaving) {
    auto& row = rows_[before];
    const auto& through = rows_[s];
    merged_.clear();
    const auto found =
        std::lower_bound(row.begin(), row.end(), s,
                         [](const Cell& cell, std::uint32_t state) { return cell.column < state; });
    BRINK_CHECK(found != row.end() && found->column == s);
    const Wide rate = found->rate;
    operations_ += row.size() + through.size();
    const Wide share = rate / leaving;
    auto own = row.begin();
    for (const Cell& cell : through) {
      if (cell.column == before) continue;  // back to where it came from: no move at all
      for (; own != row.end() && own->column < cell.column; ++own)
        if (own->column != s) merged_.push_back(*own);
      if (own != row.end() && own->column == cell.column) {
        merged_.push_back({cell.column, own->rate + share * cell.rate});
        ++own;
      } else {
        merged_.push_back({cell.column, share * cell.rate});
        if (merged_.back().rate == 0) underflow_ = true;
        auto& incoming = incoming_[cell.column];
        incoming.insert(std::lower_bound(incoming.begin(), incoming.end(), before), before);
      }
    }
    for (; own != row.end(); ++own)
      if (own->column != s) merged_.push_back(*own);
    row = merged_;
    exit_[before] += share * exit_[s];
    for (auto& right : right_) right[before] += share * right[s];
    return rate;
  }

  const SolveOptions& options_;
  bool keep_columns_;
  std::uint32_t size_;
  std::vector<std::vector<Cell>> rows_;
  std::vector<std::vector<std::uint32_t>> incoming_;  // ascending
  std::vector<bool> alive_;
  std::vector<Wide> exit_;
  std::vector<Cell> merged_;
  std::priority_queue<Key, std::vector<Key>, std::greater<>> queue_;
  std::uint64_t operations_ = 0;
  double perturbation_ = 0;
  bool underflow_ = false;
  bool dense_allowed_ = true;
};

}  // namespace

EliminationResult eliminate(const BalanceSystem& system, const SolveOptions& options) {
  Eliminator eliminator(system, options, false);
  EliminationResult result;
  if (!eliminator.run(0)) return result;
  const std::uint32_t n = system.size();
  std::vector<std::vector<Wide>> x(system.right.size(), std::vector<Wide>(n, 0));
  std::vector<double> depth(n, 0);
  double deepest = 0;
  for (auto it = eliminator.done.rbegin(); it != eliminator.done.rend(); ++it) {
    for (std::size_t r = 0; r < x.size(); ++r) {
      Wide sum = eliminator.right_[r][it->state];
      for (const Cell& cell : it->row) sum += cell.rate * x[r][cell.column];
      x[r][it->state] = sum / it->leaving;
    }
    for (const Cell& cell : it->row)
      depth[it->state] = std::max(depth[it->state], depth[cell.column]);
    depth[it->state] += (2.0 * static_cast<double>(it->row.size()) + 4) * unit_roundoff;
    deepest = std::max(deepest, depth[it->state]);
  }
  for (const auto& column : x) result.values.emplace_back(column.begin(), column.end());
  result.relative_bound = eliminator.perturbation() + deepest + output_roundoff;
  result.done = true;
  return result;
}

EliminationResult eliminate_stationary(const BalanceSystem& system, const SolveOptions& options) {
  BalanceSystem closed = system;
  closed.right.clear();
  std::fill(closed.exit.begin(), closed.exit.end(), 0.0);
  Eliminator eliminator(closed, options, true);
  EliminationResult result;
  const std::uint32_t n = system.size();
  if (n == 0 || !eliminator.run(1)) return result;
  std::vector<bool> eliminated(n, false);
  for (const auto& record : eliminator.done) eliminated[record.state] = true;
  std::vector<Wide> weight(n, 0);
  for (std::uint32_t s = 0; s < n; ++s)
    if (!eliminated[s]) weight[s] = 1;
  std::vector<double> depth(n, 0);
  double deepest = 0;
  Wide total = 1;
  for (auto it = eliminator.done.rbegin(); it != eliminator.done.rend(); ++it) {
    Wide sum = 0;
    for (const Cell& cell : it->column) {
      sum += cell.rate * weight[cell.column];
      depth[it->state] = std::max(depth[it->state], depth[cell.column]);
    }
    weight[it->state] = sum / it->leaving;
    total += weight[it->state];
    // The sum for `leaving` adds its own roundings to those of the inflow.
    depth[it->state] +=
        (2.0 * static_cast<double>(it->column.size() + it->row.size()) + 4) * unit_roundoff;
    deepest = std::max(deepest, depth[it->state]);
    if (weight[it->state] > rescale_above) {  // only ratios matter; the far end may underflow to 0
      for (Wide& value : weight) value /= rescale_above;
      total /= rescale_above;
    }
  }
  auto& values = result.values.emplace_back(n);
  for (std::uint32_t s = 0; s < n; ++s) values[s] = static_cast<double>(weight[s] / total);
  // Normalising doubles the error: the total carries it as well.
  result.relative_bound = 2 * (eliminator.perturbation() + deepest) +
                          static_cast<double>(n) * unit_roundoff + output_roundoff;
  result.done = true;
  return result;
}

}  // namespace brink::analytic
