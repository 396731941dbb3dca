#include "solver/for_all/step_formula.h"

#include <algorithm>

#include "solver/symbolic/smt_run.h"
#include "solver/symbolic/smt_terms.h"

namespace brink::solver {
namespace {

/// q of `E [ X q ]` or `A [ X q ]`; invalid when the node is something else.
PropId under_next(const PropertySet& set, PropId id) {
  const PropNode& node = set[id];
  if (node.kind != PropKind::exists && node.kind != PropKind::forall) return {};
  const PropNode& path = set[node.args[0]];
  return path.kind == PropKind::next && !path.time.present() ? path.args[0] : PropId{};
}

bool is_plain(const PropertySet& set, PropId root) { return propositional_nodes(set)[root.index]; }

/// What lies outside of all cubes. Bounds that every state keeps are not negated.
Dnf complement(const Dnf& dnf, const Cube& ranges) {
  const auto& kept = ranges.atoms();
  Dnf out = dnf_true();
  for (const Cube& cube : dnf) {
    Dnf one;
    for (const Linear& atom : cube.atoms()) {
      if (std::find(kept.begin(), kept.end(), atom) != kept.end()) continue;
      Cube other;
      if (other.add(negation(atom))) one = disjunction(std::move(one), {other});
    }
    out = conjunction(out, one);
  }
  return out;
}

/// Some step leads into q.
Dnf before(CounterBuilder& builder, const Dnf& q) {
  Dnf out = conjunction(builder.deadlock(true), q);
  for (const CounterCommand& command : builder.system().commands)
    for (const Cube& cube : q) {
      Cube here = command.inside;
      if (here.add(after(command, cube))) out = disjunction(std::move(out), {here});
    }
  return out;
}

}  // namespace

std::vector<bool> step_nodes(const PropertySet& set) {
  std::vector<bool> out = propositional_nodes(set);
  for (std::uint32_t i = 0; i < out.size(); ++i) {
    const PropNode& node = set.nodes[i];
    if (out[i] || node.is_path) continue;
    if (node.kind == PropKind::apply && node.op != Op::iff && node.op != Op::eq) {
      out[i] = true;
      for (const PropId arg : node.args) out[i] = out[i] && out[arg.index];
    } else if (const PropId q = under_next(set, PropId{i}); q.valid()) {
      out[i] = out[q.index];
    }
  }
  return out;
}

Dnf step_formula(CounterBuilder& builder, const PropertySet& set, PropId root, bool positive) {
  if (is_plain(set, root)) return builder.formula(root, positive);
  const PropNode& node = set[root];
  if (const PropId q = under_next(set, root); q.valid()) {
    // Not E [ X q ] is A [ X !q ], and the other way around.
    if ((node.kind == PropKind::exists) == positive)
      return before(builder, step_formula(builder, set, q, positive));
    return complement(before(builder, step_formula(builder, set, q, !positive)),
                      builder.system().ranges);
  }
  const auto part = [&](std::size_t i, bool way) {
    return step_formula(builder, set, node.args[i], way);
  };
  if (node.kind == PropKind::apply) switch (node.op) {
      case Op::not_:
        return part(0, !positive);
      case Op::and_:
        return positive ? conjunction(part(0, true), part(1, true))
                        : disjunction(part(0, false), part(1, false));
      case Op::or_:
        return positive ? disjunction(part(0, true), part(1, true))
                        : conjunction(part(0, false), part(1, false));
      case Op::implies:
        return positive ? disjunction(part(0, false), part(1, true))
                        : conjunction(part(0, true), part(1, false));
      default:
        break;
    }
  throw GaveUp{"a temporal operator other than X inside"};
}

z3::expr step_term(const SmtRun& run, const PropertySet& set, PropId root) {
  if (is_plain(set, root)) return run.formula(set, root);
  const PropNode& node = set[root];
  const Encoding& encoding = *run.encoding;
  if (const PropId q = under_next(set, root); q.valid()) {
    const bool exists = node.kind == PropKind::exists;
    const z3::expr inner = step_term(run, set, q);
    const z3::expr wanted = exists ? inner : !inner;
    z3::expr some = !encoding.any_enabled() && wanted;
    for (std::size_t m = 0; m < encoding.moves().size(); ++m)
      some = some || (encoding.guard(m) && !encoding.leaves_range(m) &&
                      encoding.at(wanted, encoding.target(m)));
    return exists ? some : !some;
  }
  const auto part = [&](std::size_t i) { return step_term(run, set, node.args[i]); };
  if (node.kind == PropKind::apply) switch (node.op) {
      case Op::not_:
        return !part(0);
      case Op::and_:
        return part(0) && part(1);
      case Op::or_:
        return part(0) || part(1);
      case Op::implies:
        return z3::implies(part(0), part(1));
      default:
        break;
    }
  throw GaveUp{"a temporal operator other than X inside"};
}

}  // namespace brink::solver
