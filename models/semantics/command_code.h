// A model's commands as column code: guards as masks, updates as arithmetic on packed words. Not
// part of the public interface; used by the batch expander.
#pragma once

#include <cstdint>
#include <vector>

#include "models/language/model.h"
#include "models/semantics/columns.h"
#include "models/semantics/layout.h"

namespace brink {

/// What an update does to one packed word: ((word & keep) | set) + add.
struct WordChange {
  std::uint64_t keep = ~std::uint64_t{0};
  std::uint64_t set = 0;
  std::uint64_t add = 0;
};

/// A probability or rate: a constant, or a column of reals.
struct ColumnWeight {
  double constant = 1;
  std::uint32_t column = kNoColumn;
};

/// One update of one command.
struct ColumnUpdate {
  std::vector<WordChange> words;                                ///< one for each word of a state
  std::vector<std::pair<std::uint32_t, std::uint32_t>> fields;  ///< word, column to add to it
  std::uint32_t taken = kNoColumn;  ///< mask of the lanes where its weight is not 0; none: all
  ColumnWeight weight;              ///< unless not asked for
};

struct ColumnCommand {
  std::uint32_t guard = kNoColumn;    ///< mask
  std::uint32_t segment = 0;          ///< to run when the guard is true somewhere; 0: none
  std::uint32_t bad = kNoColumn;      ///< mask of the lanes that the evaluator has to look at
  bool always_bad = false;            ///< all of them
  std::vector<ColumnUpdate> updates;  ///< without those whose weight is always 0
};

struct CommandCode {
  ColumnCode code;
  std::vector<ColumnCommand> commands;
  std::uint32_t guard_fault = kNoColumn;  ///< mask of the lanes where a guard faults
  bool usable = false;                    ///< else the evaluator does everything

  /// `weights`: are the weights of updates wanted, too?
  CommandCode(const Model& model, const StateLayout& layout, bool weights);
};

}  // namespace brink
