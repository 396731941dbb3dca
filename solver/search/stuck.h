// Stuck states checked again: what a verdict "the goal is lost for good" rests on.
//
// The search finds the states that cannot reach a goal by walking stored edges backwards. The
// evidence is simpler than the search: a set of states is stuck when no move leaves it and the goal
// holds in none of its states. Both are looked at here state by state with the evaluator, which
// shares no code with the batches that found the edges. A trace that is read from a file has no
// such set; there, everything behind its point of no return is explored anew. Used by: the explicit
// engine before it answers, replay and verify.
#pragma once

#include <string>

#include "solver/question.h"
#include "solver/result.h"
#include "solver/search/state_graph.h"

namespace brink::solver {

struct StuckCheck {
  enum class End {
    confirmed,
    refuted,  ///< a move leaves the set, or the goal holds in it
    limit,    ///< of time, states, or an interrupt
    fault,    ///< an expression of the goal cannot be evaluated
  } end = End::limit;
  std::uint64_t states = 0;  ///< looked at
};

/// Is `stuck` closed under moves and free of `goal` (a node of the question's properties)?
StuckCheck check_stuck(const StateGraph& graph, const StateSet& stuck, const Question& question,
                       PropId goal, const Limits& limits);

/// Is `goal` false in every state that can be reached from `from`, itself included? Explores by the
/// evaluator, within limits.states (0: a million) and limits.seconds.
StuckCheck check_behind(const Valuation& from, const Question& question, PropId goal,
                        const Limits& limits);

}  // namespace brink::solver
