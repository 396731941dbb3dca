// Checkpoints of explicit searches: what has been explored, as bytes, to be taken up again by
// another process with the same result, bit for bit.
//
// Saved are the packed states in their order, their parents and what is known of the expanded ones;
// edges are found again when they are needed. The bytes carry a format number, a fingerprint of the
// model with its constants, and a checksum, and are refused when any of them is not right. Whoever
// writes them has to write a new file, sync and rename it. Used by: the program's --resume.
#pragma once

#include <string>
#include <string_view>

#include "models/base/result.h"
#include "solver/search/state_graph.h"

namespace brink::solver {

std::string to_checkpoint(const StateGraph& graph);

/// The graph as it was, ready for resume(). Error: what is wrong with the bytes, for people.
Result<std::unique_ptr<StateGraph>, std::string> from_checkpoint(std::string_view bytes,
                                                                 const ModelPtr& model,
                                                                 unsigned threads);

}  // namespace brink::solver
