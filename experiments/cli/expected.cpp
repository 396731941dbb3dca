#include "experiments/cli/expected.h"

namespace brink::cli {

Match matches(const ExpectedResult& expected, const solver::CheckResult& result) {
  using solver::Verdict;
  if (expected.value == "?") return Match::yes;
  if (expected.value.rfind("Error", 0) == 0) return result.verdict == Verdict::model_error ? Match::yes : Match::no;
  if (result.verdict == Verdict::unknown || result.verdict == Verdict::unsupported) return Match::undecided;
  if (expected.value == "true") return result.verdict == Verdict::holds ? Match::yes : Match::no;
  if (expected.value == "false") return result.verdict == Verdict::violated ? Match::yes : Match::no;
  return Match::no;
}

}  // namespace brink::cli
