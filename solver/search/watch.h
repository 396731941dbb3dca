// Watch: a formula without temporal operators, evaluated over batches of packed states.
//
// An explicit search looks at each state once anyway; with a watch it also sees the first one, in
// breadth-first order, where the formula has a given value, and may stop there. Used by: the state
// graph, the explicit engine.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "models/semantics/columns.h"
#include "models/semantics/program.h"
#include "solver/question.h"

namespace brink::solver {

class Watch {
 public:
  /// Lanes of a batch of which something is known beside the values.
  struct Facts {
    LaneMask initial{};
    LaneMask deadlock{};
  };

  /// `root` is a formula without temporal operators; the set must outlive the watch.
  Watch(const ModelPtr& model, const StateLayout& layout, const PropertySet& set, PropId root);

  /// Evaluates the formula on `count` <= kLanes states. The mask of the lanes where it is true; a
  /// lane where an atom cannot be evaluated is in `fault`.
  const LaneMask& run(const std::uint64_t* states, std::size_t count, const Facts& facts);
  const LaneMask& fault() const { return fault_; }
  /// Why an atom cannot be evaluated in that state.
  SemanticError fault_of(std::span<const std::uint64_t> state) const;

 private:
  LaneMask node(const PropNode& node, const Facts& facts) const;
  void atoms_one_by_one(const std::uint64_t* states, std::size_t count);

  const PropertySet* set_;
  StateLayout layout_;
  std::uint32_t variables_ = 0;
  std::vector<std::uint32_t> nodes_;  ///< below the root, operands first
  std::vector<LaneMask> known_;       ///< by node of the set
  std::vector<std::uint32_t> atoms_;  ///< by node: mask of the code
  std::optional<ColumnCode> code_;    ///< none: too large for columns
  std::uint32_t fault_mask_ = kNoColumn;
  LaneMask fault_{};
};

/// What a search looks out for, and whether it has been there.
struct LookOut {
  Watch watch;
  bool sought = true;                    ///< the value
  std::uint32_t found = 0xffffffffu;     ///< first expanded state with it
  std::optional<SemanticError> fault{};  ///< an atom could not be evaluated in an expanded state

  bool seen() const { return found != 0xffffffffu; }
};

/// Runs the watch on a batch that begins with state number `first`; `found` and `faulty` become the
/// first state with the value sought and the first that cannot be evaluated, unless they are set.
void first_sighting(Watch& watch, bool sought, const std::uint64_t* states, std::uint32_t first,
                    std::size_t count, const Watch::Facts& facts, std::uint32_t& found,
                    std::uint32_t& faulty);

}  // namespace brink::solver
