// Shared by the symbolic engines: the formula of a property as a Z3 term, the trace of a run of
// states, the frame around an engine (context, watch, exceptions). Internal.
#pragma once

#include <z3++.h>

#include <functional>

#include "solver/question.h"
#include "solver/result.h"
#include "solver/symbolic/encoding.h"
#include "solver/symbolic/smt_watch.h"

namespace brink::solver {

/// The assumption of proofs that leave erroneous moves out without having excluded them.
inline constexpr const char* no_erroneous_moves =
    "no reachable state has an erroneous move (the property range)";

struct SmtRun {
  z3::context context;
  std::unique_ptr<Encoding> encoding;
  /// What every move keeps, for people: "buf + free = 12". The encoding knows these equations.
  std::vector<std::string> kept;

  /// Encodes the model and the atoms of the question. Error: what cannot be encoded.
  static Result<std::unique_ptr<SmtRun>, std::string> make(const Question& question,
                                                           Theory theory = Theory::fitting);
  /// The same, together with the sums that the moves keep (counters.h, conserved_sums), each proved
  /// by an encoding of its own over integers before it is used. Not for certificates, which have
  /// to stand without them.
  static Result<std::unique_ptr<SmtRun>, std::string> with_sums(const Question& question,
                                                                Theory theory = Theory::fitting);

  /// What a search looks for, over the template state: not p (always), p (possible), an erroneous
  /// move (range).
  z3::expr target(const Question& question, const Form& form) const;

  /// The question's assumptions on symbolic constants; true when there are none.
  z3::expr assumptions(const Question& question) const;

  /// A state formula without temporal operators, over the template state.
  z3::expr formula(const PropertySet& set, PropId root) const;
};

/// The run as a trace; commands are found by the evaluator. Nothing when some step is no move of
/// the model (the encoding and the evaluator disagree).
std::optional<Trace> trace_of_run(const std::vector<std::vector<std::int64_t>>& run,
                                  const Question& question);

/// Runs `engine` with an encoding and a watch, and turns what stops it (a limit, an exception of
/// Z3, a model that cannot be encoded) into a result; fills in engine, seconds, assumptions; gates.
CheckResult with_smt(std::string name, const Question& question, const Limits& limits,
                     const std::function<void(SmtRun&, const SmtWatch&, CheckResult&)>& engine);

}  // namespace brink::solver
