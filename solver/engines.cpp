#include "solver/engines.h"

#include "models/base/check.h"
#include "solver/auto.h"
#include "solver/search/explicit.h"
#include "solver/search/walk.h"
#include "solver/symbolic/accelerated.h"
#include "solver/symbolic/bmc.h"
#include "solver/symbolic/pdr.h"

namespace brink::solver {
namespace {

constexpr EngineInfo table[] = {
    {"auto", "explicit where the states fit, else symbolic; cross-checks when cheap", true, true,
     true, auto_supports, auto_check},
    {"explicit", "breadth-first search of all states, CTL on the graph, shortest traces", true,
     true, true, explicit_supports, explicit_check},
    {"bmc", "unrolls the model in Z3 to a bound, shortest traces without enumerating states", true,
     true, true, bmc_supports, bmc_check},
    {"induction", "bmc plus k-induction: proofs without enumerating states", true, true, true,
     induction_supports, induction_check},
    {"abmc", "bmc in blocks: a command repeated any number of times is one step", true, true, true,
     abmc_supports, abmc_check},
    {"pdr", "invariants by Spacer over reals, then integers, proved again by other solvers", true,
     true, true, pdr_supports, pdr_check},
    {"walk", "random walks: cheap counterexamples in models too large to search, never a proof",
     false, true, false, walk_supports, walk_check},
};

}  // namespace

std::span<const EngineInfo> engines() { return table; }

const EngineInfo* find_engine(std::string_view name) {
  for (const EngineInfo& row : table)
    if (row.name == name) return &row;
  return nullptr;
}

CheckResult check(Session& session, const Question& question, std::string_view engine) {
  const EngineInfo* row = find_engine(engine);
  BRINK_CHECK(row != nullptr, std::string(engine));
  return row->run(session, question, session.options().limits);
}

}  // namespace brink::solver
