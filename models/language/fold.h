// Constant folding of the expression pool; not part of the public interface.
#pragma once

#include <array>

#include "models/language/expr.h"

namespace brink {

/// What `op` over these (well-typed, widened) operands simplifies to; invalid when nothing is
/// known. Never hides a fault: mod(x,0), overflow and floor(1/0) stay as they are, and an operand
/// that might fault is not dropped.
ExprId fold(ExprPool& pool, Op op, const std::array<ExprId, 3>& args);

}  // namespace brink
