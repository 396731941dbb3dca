// The part of the encoding that deals with single expressions: which theory they need, how wide
// their values get, and the Z3 term of each node. Internal to encoding.cpp and its tests.
#pragma once

#include <string>
#include <vector>

#include "models/base/result.h"
#include "models/language/model.h"

namespace brink::solver {

/// Smallest and largest value a node can take over all valuations within range.
struct Interval {
  __int128 low = 0, high = 0;
};

/// What the needed expressions ask for.
struct TermNeeds {
  bool reals = false;        ///< some node is real
  unsigned width = 1;        ///< bits of a signed value that holds every node; 0: more than 62
  std::vector<bool> needed;  ///< flags of the nodes to encode, by id
};

/// Flags of the nodes below the given expressions.
std::vector<bool> nodes_below(const ExprPool& pool, const std::vector<ExprId>& expressions);

/// Interval analysis in one pass over the pool. Error: a node that cannot be encoded, as written
/// in the operator table.
Result<TermNeeds, std::string> analyse_terms(const Model& model, const ExprPool& pool,
                                             const std::vector<ExprId>& expressions);

}  // namespace brink::solver
