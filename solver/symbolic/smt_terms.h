// Conjunction and disjunction that are true and false when empty: Z3's own print as an operator
// without operands, which other solvers do not read. Internal.
#pragma once

#include <z3++.h>

namespace brink::solver {

inline z3::expr all_of(const z3::expr_vector& parts) {
  if (parts.empty()) return parts.ctx().bool_val(true);
  return parts.size() == 1 ? parts[0] : z3::mk_and(parts);
}

inline z3::expr any_of(const z3::expr_vector& parts) {
  if (parts.empty()) return parts.ctx().bool_val(false);
  return parts.size() == 1 ? parts[0] : z3::mk_or(parts);
}

}  // namespace brink::solver
