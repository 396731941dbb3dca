// Bounds: what values an expression can take, by interval arithmetic over the variables' ranges.
//
// Used by the column programs: to see that nothing overflows, that 32-bit lanes suffice, and that
// an update cannot leave a variable's range. Sound, not tight: x - x has bounds -h..h.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/language/expr.h"

namespace brink {

struct Bounds {
  std::int64_t low = 0, high = 0;      ///< ints and bools
  double real_low = 0, real_high = 0;  ///< reals, unless `wild`
  bool wild = false;                   ///< a real that may be infinite or NaN
  bool may_fault = false;              ///< the operation itself (not its operands)

  bool within(std::int64_t least, std::int64_t most) const { return low >= least && high <= most; }
};

/// Every int.
Bounds any_integer();

/// Bounds of one node from those of its operands (`of` gives them by index) and the variables.
Bounds bounds_of_node(const ExprPool& pool, ExprId id, std::span<const Bounds> of,
                      std::span<const Bounds> variables);

/// Nodes below and including `root`, operands first. `marks` is scratch of the pool's size, all 0
/// before and after.
std::vector<ExprId> nodes_of(const ExprPool& pool, ExprId root, std::vector<std::uint8_t>& marks);

}  // namespace brink
