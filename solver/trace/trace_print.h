// Traces for people: a table with one row for each step, only what changed, repeated commands
// folded into one row.
#pragma once

#include <string>

#include "solver/trace/trace.h"

namespace brink::solver {

/// For instance
///
///   step  command        where             changes
///      0                                   free=4 buf=0 page=0
///    1-3  pagein x3       policy.prism:7    free=1 page=3
///      4  grow            policy.prism:9    free=0 buf=1
///         --- point of no return: "free>0" is out of reach; 1 way back existed before ---
///
/// A row of several steps stands for the same command repeated while the same variables change; it
/// shows the values after the last of them. Loops and erroneous moves are named at the end.
std::string trace_table(const Trace& trace, const Model& model);

}  // namespace brink::solver
