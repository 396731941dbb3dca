// Obligations: what makes an invariant a proof, written as an SMT-LIB 2 script and checked by
// solvers that know nothing of how it was found.
//
// The script is over the model's own expressions as encoding.h writes them (guards, updates and
// ranges as in the model, over integers), not over the cubes that the engines work on, so a mistake
// in taking expressions apart is caught here, too. The invariant contains the ranges of all
// variables: the step then also shows that no reachable move is erroneous. Every check-sat of a
// certificate must answer unsat. Used by: pdr, for-all proofs, `check --certificate`, `verify`.
#pragma once

#include "solver/result.h"
#include "solver/symbolic/counters.h"
#include "solver/symbolic/formula.h"

namespace brink::solver {

/// start, step of each move, goal: `invariant` holds initially, every move keeps it, and it
/// excludes the question's target. Error: what cannot be encoded.
Result<std::string, std::string> invariant_script(const Question& question, const Form& form,
                                                  const CounterSystem& system,
                                                  const Formula& invariant);

struct ScriptWriter;
/// The start and step of an invariant, as part of a larger script.
void write_invariant(ScriptWriter& script, const Question& question, const CounterSystem& system,
                     const Formula& invariant);

struct ScriptAnswer {
  std::size_t queries = 0, unsat = 0, sat = 0;
  bool all_unsat() const { return queries > 0 && unsat == queries; }
};

/// Answers of a fresh Z3. `seconds` bounds each query.
ScriptAnswer answer_by_z3(const std::string& script, double seconds);
/// Answers of the program cvc5; nothing when it is not installed.
std::optional<ScriptAnswer> answer_by_cvc5(const std::string& script, double seconds);

/// Checks a script by both. Adds a note that says who proved it, or why it does not count.
enum class Checked { proved, refuted, undecided, disagreement };
Checked check_script(const std::string& script, double seconds, std::vector<std::string>& notes);

}  // namespace brink::solver
