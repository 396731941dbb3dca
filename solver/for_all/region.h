// Regions: for which settings does a property hold? `synthesize`, and "from some value on".
//
// Small settings are checked one by one (explicit search); a short formula that agrees with all of
// them is learned (learn.h); where two such formulas differ, the smallest setting that tells them
// apart is checked, too (oracle-guided synthesis; Jha et al., ICSE 2010). Then both halves are
// proved for all settings: inside, that the property holds; outside, that it does not. A
// counterexample becomes a sample and learning begins again. Only a formula with both proofs is
// called the region; otherwise what was found is shown as a table, and the formula, if any, as a
// guess. Used by: synthesize, for_all.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "solver/for_all/learn.h"
#include "solver/question.h"
#include "solver/result.h"

namespace brink::solver {

struct Region {
  std::optional<std::string> formula;  ///< agrees with all samples; in PRISM's syntax
  bool inside_proved = false, outside_proved = false;
  std::string certificate;      ///< of what was proved; empty: nothing
  std::vector<Sample> samples;  ///< in the order they were checked
  std::vector<std::string> notes;
  /// Just outside: the smallest violated setting next to one that holds, with its trace.
  std::optional<std::vector<std::int64_t>> tight;
  CheckResult tight_result;
  ModelPtr tight_model;
  double seconds = 0;
  bool proved() const { return inside_proved && outside_proved; }
};

/// The question's model has symbolic constants: those are what is set. Its form must be one that
/// for_all_supports; Region::seconds and what is found within its slices of time are no verdicts.
Region synthesize(const Question& question, const Limits& limits);

/// The last setting (by size) that violates the property, if it holds for all larger values of one
/// constant: "N>=8", proved. Nothing when there is no such bound, or no proof of it.
struct FromOn {
  std::string bound;
  std::vector<std::int64_t> below;  ///< violated; its constant is one less than the bound
  std::string certificate;
};
std::optional<FromOn> holds_from(const Question& question, const Limits& limits);

}  // namespace brink::solver
