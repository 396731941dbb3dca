// The symbolic search for doomed states, A [ G (E [ F p ]) ]; the method is described in bmc.h.
// Internal to bmc.
#pragma once

#include "solver/symbolic/smt_run.h"

namespace brink::solver {

void search_doomed(SmtRun& run, const SmtWatch& watch, const Question& question, const Form& form,
                   std::uint32_t max_depth, CheckResult& result);

}  // namespace brink::solver
