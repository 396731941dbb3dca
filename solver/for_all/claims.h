// One claim about all values of the constants that stay symbolic, and its proof. Internal to
// for_all.
#pragma once

#include "solver/for_all/pattern.h"
#include "solver/symbolic/pdr.h"

namespace brink::solver {

struct ProofResult {
  bool proved = false;
  std::string script;  ///< its certificate
  /// Legal values of all symbols for which the claim is likely false: worth an explicit check.
  std::optional<std::vector<std::int64_t>> suspect;
};

/// Tries to prove the pattern (or its negation) within the limits. Throws GaveUp. Notes say what
/// was found: schemas, traps, rankings, invariants.
ProofResult prove_claim(const Question& question, const Pattern& pattern, bool negated,
                        const Limits& limits, std::vector<std::string>& notes);

/// The same: an erroneous move is reachable, for all legal values.
ProofResult prove_error(const Question& question, const Pattern& pattern, const Limits& limits,
                        std::vector<std::string>& notes);

/// A way from all initial states into a cube, for all legal values, and the trace of it for the
/// smallest ones.
struct Reached {
  std::string script;
  std::vector<std::int64_t> values;  ///< of Model::parameters
  Trace trace;
};
std::optional<Reached> prove_reached(const Question& question, const Pattern& pattern,
                                     const Cube& into, const Limits& limits,
                                     std::vector<std::string>& notes);

}  // namespace brink::solver
