#include "solver/symbolic/state_equation.h"

#include <fmt/core.h>
#include <z3++.h>

#include <algorithm>

#include "solver/symbolic/counter_terms.h"
#include "solver/symbolic/smt_watch.h"

namespace brink::solver {
namespace {

/// Effort of the one query, in Z3's own units: the same on every machine.
constexpr unsigned most_effort = 4'000'000;

/// By how much each command moves the variable; nothing when one does more than that.
std::optional<std::vector<std::int64_t>> moves_of(const CounterSystem& system, std::uint32_t v) {
  std::vector<std::int64_t> out;
  for (const CounterCommand& command : system.commands) {
    if (!command.next[v]) {
      out.push_back(0);
      continue;
    }
    const Linear by = *command.next[v] - Linear::symbol(v);
    if (!by.is_number()) return std::nullopt;
    out.push_back(by.constant);
  }
  return out;
}

}  // namespace

bool no_run_below(z3::context& context, const SmtWatch& watch, const CounterSystem& system,
                  const Dnf& from, const Dnf& to, std::int64_t steps) {
  std::vector<Symbol> last = system.symbols;
  for (std::uint32_t v = 0; v < system.variables; ++v) last[v].name += "@last";
  const Terms start(context, system.symbols, Numbers::integers);
  const Terms end(context, last, Numbers::integers);
  z3::solver solver(context);
  z3::params limits(context);
  limits.set("rlimit", most_effort);
  solver.set(limits);
  for (const Terms* state : {&start, &end}) {
    solver.add(state->of(system.ranges));
    solver.add(state->of(system.definitions));
  }
  solver.add(start.of(system.legal));
  solver.add(start.of(from));
  solver.add(end.of(to));
  z3::expr sum = context.int_val(0);
  std::vector<z3::expr> taken;
  for (std::size_t j = 0; j < system.commands.size(); ++j) {
    taken.push_back(context.int_const(fmt::format("taken@{}", j).c_str()));
    solver.add(taken.back() >= 0);
    sum = sum + taken.back();
  }
  solver.add(sum < context.int_val(steps));
  for (std::uint32_t v = 0; v < system.variables; ++v) {
    const auto moves = system.symbols[v].boolean ? std::nullopt : moves_of(system, v);
    if (!moves) continue;
    z3::expr value = start.symbol(v);
    for (std::size_t j = 0; j < taken.size(); ++j)
      if ((*moves)[j] != 0) value = value + context.int_val((*moves)[j]) * taken[j];
    solver.add(end.symbol(v) == value);
  }
  return solver.check() == z3::unsat && !watch.expired();
}

}  // namespace brink::solver
