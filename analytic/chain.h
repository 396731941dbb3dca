// Chain: a finite Markov chain as sparse rows, the one input of every solver in analytic/.
//
// A discrete chain holds probabilities (rows sum to 1, self-loops stored), a continuous one rates
// (no sum; a self-loop is kept, since a jump reward may sit on it, but moves no probability). A row
// without entries is an absorbing state in both. State numbers are dense.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "models/base/big_array.h"
#include "models/base/result.h"

namespace brink::analytic {

enum class ChainKind { discrete, continuous };

struct Entry {
  std::uint32_t column;
  double value;  ///< probability, or rate per unit of time
  bool operator==(const Entry&) const = default;
};

class Chain {
 public:
  ChainKind kind() const { return kind_; }
  Chain() { begin_.push_back(0); }
  std::uint32_t size() const { return static_cast<std::uint32_t>(begin_.size() - 1); }
  std::uint64_t bytes() const { return begin_.bytes() + entries_.bytes(); }
  std::size_t entry_count() const { return entries_.size(); }
  std::span<const Entry> row(std::uint32_t state) const {
    return {entries_.data() + begin_[state], entries_.data() + begin_[state + 1]};
  }
  /// Sum of a row without its self-loop: exit rate, or probability of leaving.
  double leaving(std::uint32_t state) const;

 private:
  friend class ChainBuilder;
  ChainKind kind_ = ChainKind::discrete;
  BigArray<std::uint64_t> begin_;  ///< one more than there are states
  BigArray<Entry> entries_;
};

/// Orders the last entries from `begin` on by column and adds up those of the same one, in the
/// order in which they were added.
void tidy_row(BigArray<Entry>& entries, std::uint64_t begin);

/// Fills a chain row by row; entries of one row to the same column are added up.
class ChainBuilder {
 public:
  explicit ChainBuilder(ChainKind kind) { chain_.kind_ = kind; }
  void add(std::uint32_t column, double value) {
    if (value != 0) chain_.entries_.push_back({column, value});
  }
  void end_row();
  /// The chain, or a sentence naming the first offending state: a column outside the chain, a
  /// negative or infinite value, probabilities that do not sum to 1 within 1e-5
  /// (PRISM's tolerance; what is missing stays in the state).
  Result<Chain, std::string> finish() &&;

 private:
  Chain chain_;
};

/// Rows written out, for tests and small hand-made chains; same errors as ChainBuilder::finish.
Result<Chain, std::string> make_chain(ChainKind kind, const std::vector<std::vector<Entry>>& rows);

}  // namespace brink::analytic
