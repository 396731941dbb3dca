#include "solver/symbolic/spacer.h"

#include "solver/symbolic/counter_terms.h"
#include "solver/symbolic/smt_watch.h"

namespace brink::solver {
namespace {

z3::expr clause(z3::context& context, const Terms& before, const Terms& next,
                const z3::expr& condition, const z3::expr& head) {
  z3::expr_vector bound(context);
  for (const z3::expr& c : before.constants()) bound.push_back(c);
  for (const z3::expr& c : next.constants()) bound.push_back(c);
  return z3::forall(bound, z3::implies(condition, head));
}

z3::expr apply(const z3::func_decl& relation, const z3::expr_vector& arguments) {
  return relation(arguments);
}

}  // namespace

Formula formula_of_sums(const std::vector<Linear>& sums) {
  Formula out;
  for (const Linear& sum : sums) {
    out.parts.push_back({Formula::Kind::atom, sum, {}});
    out.parts.push_back({Formula::Kind::atom, -1 * sum, {}});
  }
  return out;
}

SpacerAnswer ask_spacer(const CounterSystem& system, const Dnf& start, const Dnf& bad,
                        const Formula& known, Numbers numbers, unsigned seed,
                        const Limits& limits) {
  SpacerAnswer out;
  z3::context context;
  const SmtWatch watch(context, limits);
  try {
    const Terms before(context, system.symbols, numbers);
    const Terms next(context, system.symbols, numbers, "!");
    z3::sort_vector sorts(context);
    for (std::uint32_t s = 0; s < system.symbols.size(); ++s) sorts.push_back(before.sort(s));
    const z3::func_decl inv = context.function("Inv", sorts, context.bool_sort());
    z3::solver solver(context, "HORN");
    z3::params params(context);
    params.set("random_seed", seed);
    solver.set(params);
    const z3::expr facts =
        before.of(system.legal) && before.of(system.ranges) && to_z3(known, before);
    const z3::expr here = apply(inv, before.constants());
    solver.add(clause(context, before, next, facts && before.of(start), here));
    for (const CounterCommand& command : system.commands) {
      z3::expr_vector target(context);
      for (std::uint32_t s = 0; s < system.symbols.size(); ++s)
        target.push_back(system.is_variable(s) ? before.next(command, s) : before.symbol(s));
      solver.add(clause(context, before, next, here && facts && before.of(command.inside),
                        apply(inv, target)));
    }
    for (const Cube& cube : bad)
      solver.add(
          clause(context, before, next, here && facts && before.of(cube), context.bool_val(false)));
    const z3::check_result answer = solver.check();
    if (answer == z3::unsat) out.kind = SpacerAnswer::Kind::reachable;
    if (answer != z3::sat) return out;
    const z3::model model = solver.get_model();
    z3::expr body =
        model.has_interp(inv) ? model.get_func_interp(inv).else_value() : context.bool_val(true);
    out.invariant.parts.push_back(
        formula_of(body.substitute(before.constants()), before, system.symbols.size()));
    out.invariant.parts.push_back(known);
    out.kind = SpacerAnswer::Kind::proved;
  } catch (const z3::exception&) {
    out.kind = SpacerAnswer::Kind::unknown;
  } catch (const GaveUp&) {
    out.kind = SpacerAnswer::Kind::unknown;
  }
  return out;
}

}  // namespace brink::solver
