// auto: picks the engine, says which, and has a second engine look over the answer when that is
// cheap. Explicit search first; where the states do not fit, accelerated bmc, pdr, induction or bmc
// in turn within what is left of the time. Symbolic constants go to for_all.h. Two engines that
// contradict each other are never a verdict but `disagreement`.
#pragma once

#include <optional>

#include "solver/question.h"
#include "solver/session.h"

namespace brink::solver {

std::string auto_supports(const Question& question);

CheckResult auto_check(Session& session, const Question& question, const Limits& limits);

/// What `second` says against `first`, if anything: another verdict, a shorter trace, a trace of
/// another length where both are shortest.
std::optional<std::string> contradiction(const CheckResult& first, const CheckResult& second);

}  // namespace brink::solver
