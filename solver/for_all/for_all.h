// Claims for all values of symbolic constants: `check --for-all N,high --assume "..."`.
//
// Constants with few legal values (a switch, a small rule number) are enumerated, the others stay
// symbolic. The smallest legal instances are checked explicitly first: a violation there is one of
// the claim, with its trace, and when they all hold they bound what a proof may say. Then by form:
//   A [ G p ], range          invariant by Spacer (pdr.h)
//   E [ F p ]                 schemas from the initial states (cover.h)
//   A [ G (p => E [ F q ]) ]  schemas from an invariant
//   E [ F (p & A [ G r ]) ]   schemas from the initial states into traps (trap.h)
//   A [ G (p => A [ F q ]) ]  lexicographic ranking (rank.h)
//   E [ G r ], E [ F (E [ G r ]) ]  schemas to a state where commands undo each other
// Every HOLDS includes that no reachable move is erroneous, for constants that are 32-bit ints,
// make no range empty and satisfy the assumptions; its script is answered by a fresh Z3 and cvc5.
// A violated claim may still be violated everywhere or somewhere only: where the opposite can be
// proved for all values, a note says so.
#pragma once

#include <memory>

#include "solver/question.h"
#include "solver/session.h"

namespace brink::solver {

/// Empty when the form is one of those above.
std::string for_all_supports(const Question& question);

/// The question's model has symbolic constants.
CheckResult for_all_check(Session& session, const Question& question, const Limits& limits);

/// A [ G F q ] as A [ G (A [ F q ]) ], which says the same and is a formula of states. The second
/// part owns what the question points to, if it is another one.
std::pair<Question, std::unique_ptr<PropertySet>> branching(const Question& question);

/// Half of a region (region.h): is the question's answer "holds" for all legal values, or, with
/// `opposite`, for none of them (violated, or an erroneous move)?
struct Everywhere {
  Verdict verdict = Verdict::unknown;  ///< holds: yes, proved; violated: no, for `values`
  std::string certificate;
  std::vector<std::string> notes;
  std::optional<std::vector<std::int64_t>> values;  ///< of Model::parameters
};
Everywhere answer_everywhere(const Question& question, bool opposite, const Limits& limits);

}  // namespace brink::solver
