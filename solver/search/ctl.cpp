#include "solver/search/ctl.h"

#include <algorithm>

#include "models/automata/path_formula.h"
#include "models/base/check.h"
#include "models/semantics/program.h"
#include "solver/search/cost.h"

namespace brink::solver {
namespace {

StateSet complement(StateSet set) {
  for (auto& flag : set) flag = flag == 0 ? 1 : 0;
  return set;
}

StateSet both(const StateSet& a, const StateSet& b) {
  StateSet out(a.size());
  for (std::size_t s = 0; s < a.size(); ++s) out[s] = a[s] & b[s];
  return out;
}

StateSet either(const StateSet& a, const StateSet& b) {
  StateSet out(a.size());
  for (std::size_t s = 0; s < a.size(); ++s) out[s] = a[s] | b[s];
  return out;
}

/// E [ a W b ] = E [ a U b ] or E [ G a ].
StateSet exists_weak(const StateGraph& graph, const StateSet& a, const StateSet& b) {
  return either(exists_until(graph, &a, b), exists_globally(graph, a));
}

/// not A [ a W b ]: some path reaches a state with neither, along states without b.
StateSet refutes_weak(const StateGraph& graph, const StateSet& a, const StateSet& b) {
  const StateSet not_b = complement(b);
  return exists_until(graph, &not_b, both(complement(a), not_b));
}

bool combine(Op op, bool a, bool b, bool c) {
  switch (op) {
    case Op::ite:
      return a ? b : c;
    case Op::implies:
      return !a || b;
    case Op::iff:
    case Op::eq:
      return a == b;
    case Op::ne:
      return a != b;
    case Op::or_:
      return a || b;
    case Op::and_:
      return a && b;
    case Op::not_:
      return !a;
    default:
      break;
  }
  BRINK_CHECK(false, "no boolean operator");
  return false;
}

/// States all of whose successors are in p.
StateSet all_next(const StateGraph& graph, const StateSet& p) {
  return complement(exists_next(graph, complement(p)));
}

/// The quantified a U b within bounds: `lower` steps along a, then at most the rest. Once nothing
/// is added, more steps change nothing.
StateSet bounded_until(const StateGraph& graph, bool exists, const StateSet& a, const StateSet& b,
                       const automata::StepBounds& bounds) {
  const auto before = [&](const StateSet& p) {
    return both(a, exists ? exists_next(graph, p) : all_next(graph, p));
  };
  if (bounds.upper && *bounds.upper < bounds.lower) return StateSet(graph.size(), 0);
  StateSet now = b;
  for (std::int64_t k = bounds.lower; bounds.upper && k < *bounds.upper; ++k) {
    StateSet more = either(b, before(now));
    if (more == now) break;
    now = std::move(more);
  }
  for (std::int64_t k = 0; k < bounds.lower; ++k) now = before(now);
  return now;
}

tl::unexpected<CtlProblem> refusal(std::string reason) {
  return fail(CtlProblem{std::nullopt, {false, "not supported here: " + std::move(reason)}});
}

/// A node evaluated after its operands.
struct Labelling {
  const StateGraph& graph;
  const PropertySet& set;
  std::vector<StateSet> known;
  CtlOptions options = {};

  std::optional<SemanticError> atom(std::uint32_t node) {
    ExprEvaluator evaluator(static_cast<std::uint32_t>(graph.model()->variables.size()));
    const std::size_t expr = evaluator.add(set.pool, set.nodes[node].expr);
    StateSet& out = known[node];
    out.resize(graph.size());
    Valuation state;
    for (std::uint32_t s = 0; s < graph.size(); ++s) {
      graph.valuation(s, state);
      const auto value = evaluator.boolean(expr, state);
      if (!value) return value.error();
      out[s] = *value ? 1 : 0;
    }
    return std::nullopt;
  }

  void built_in(std::uint32_t node) {
    StateSet& out = known[node];
    out.assign(graph.size(), 0);
    if (set.nodes[node].kind == PropKind::init)
      std::fill_n(out.begin(), graph.initial_count(), std::uint8_t{1});
    else
      for (std::uint32_t s = 0; s < graph.expanded(); ++s) out[s] = graph.deadlock(s) ? 1 : 0;
  }

  void apply(std::uint32_t node) {
    const PropNode& n = set.nodes[node];
    const auto flag = [&](std::size_t arg, std::uint32_t s) {
      return arg < n.args.size() && known[n.args[arg].index][s] != 0;
    };
    StateSet& out = known[node];
    out.resize(graph.size());
    for (std::uint32_t s = 0; s < graph.size(); ++s)
      out[s] = combine(n.op, flag(0, s), flag(1, s), flag(2, s)) ? 1 : 0;
  }

  using Sets = Result<StateSet, CtlProblem>;

  Sets quantified(const PropNode& node) const {
    const bool exists = node.kind == PropKind::exists;
    const PropNode& path = set[node.args[0]];
    if (needs_automaton(set, node, options.fair != nullptr)) {
      auto found = states_with_path(
          {graph, set, node.args[0], !exists, known, options.fair, options.limits});
      if (!found) return fail(CtlProblem{std::nullopt, found.error()});
      return exists ? *found : complement(*found);
    }
    if (path.time.reward != kNone) return within_cost(exists, path);
    return path.time.present() ? bounded(exists, path) : unbounded(exists, path);
  }

  Sets bounded(bool exists, const PropNode& path) const {
    const auto bounds = automata::step_bounds(set, path);
    if (!bounds) return refusal(bounds.error());
    const StateSet& a = known[path.args[0].index];
    const StateSet& b = known[path.args.back().index];
    const StateSet everywhere(graph.size(), 1);
    // The end of the longest way to b, when there is no bound above.
    const auto until = [&](bool some, const StateSet& along, const StateSet& to) {
      if (bounds->upper) return bounded_until(graph, some, along, to, *bounds);
      const StateSet end = some ? exists_until(graph, &along, to) : forall_until(along, to);
      return bounded_until(graph, some, along, end, {bounds->lower, bounds->lower});
    };
    const auto dual = [&](const StateSet& along, const StateSet& to) {
      return complement(until(!exists, along, to));
    };
    switch (path.kind) {
      case PropKind::finally:
        return until(exists, everywhere, b);
      case PropKind::globally:
        return dual(everywhere, complement(b));
      case PropKind::until:
        return until(exists, a, b);
      case PropKind::weak_until:  // not (a & !b) U (!a & !b)
        return dual(both(a, complement(b)), both(complement(a), complement(b)));
      case PropKind::release:  // not !a U !b
        return dual(complement(a), complement(b));
      default:
        return refusal("a bound on this operator");
    }
  }

  Sets within_cost(bool exists, const PropNode& path) const {
    const TimeBound& bound = path.time;
    const bool until = path.kind == PropKind::until;
    if ((path.kind != PropKind::finally && !until) || bound.lower.valid() || !bound.upper.valid())
      return refusal("bounds on rewards other than F and U with an upper bound");
    if (!set.pool.is_constant(bound.upper)) return refusal("a bound without a value");
    const CostBound cost{bound.reward, set.pool.number(bound.upper), bound.upper_strict};
    auto out = exists ? cheapest_within(graph, until ? &known[path.args[0].index] : nullptr,
                                        known[path.args.back().index], cost)
                      : dearest_within(graph, until ? &known[path.args[0].index] : nullptr,
                                       known[path.args.back().index], cost);
    if (!out) return refusal(out.error());
    return *out;
  }

  StateSet forall_until(const StateSet& a, const StateSet& b) const {
    return complement(either(refutes_weak(graph, a, b), exists_globally(graph, complement(b))));
  }

  StateSet unbounded(bool exists, const PropNode& path) const {
    const StateSet& a = known[path.args[0].index];
    const StateSet* b = path.args.size() > 1 ? &known[path.args[1].index] : nullptr;
    switch (path.kind) {
      case PropKind::next:
        return exists ? exists_next(graph, a) : complement(exists_next(graph, complement(a)));
      case PropKind::finally:
        return exists ? exists_until(graph, nullptr, a)
                      : complement(exists_globally(graph, complement(a)));
      case PropKind::globally:
        return exists ? exists_globally(graph, a)
                      : complement(exists_until(graph, nullptr, complement(a)));
      case PropKind::until:
        return exists ? exists_until(graph, &a, *b) : forall_until(a, *b);
      case PropKind::weak_until:
        return exists ? exists_weak(graph, a, *b) : complement(refutes_weak(graph, a, *b));
      case PropKind::release: {  // a R b = b W (a and b)
        const StateSet meet = both(a, *b);
        return exists ? exists_weak(graph, *b, meet) : complement(refutes_weak(graph, *b, meet));
      }
      default:
        break;
    }
    BRINK_CHECK(false, "no temporal operator");
    return {};
  }

  std::optional<CtlProblem> evaluate(std::uint32_t node) {
    const PropNode& n = set.nodes[node];
    if (n.is_path) return std::nullopt;  // evaluated with their quantifier
    switch (n.kind) {
      case PropKind::atom:
        if (auto fault = atom(node)) return CtlProblem{std::move(fault), {}};
        break;
      case PropKind::init:
      case PropKind::deadlock:
        built_in(node);
        break;
      case PropKind::apply:
        apply(node);
        break;
      case PropKind::exists:
      case PropKind::forall: {
        auto found = quantified(n);
        if (!found) return found.error();
        known[node] = std::move(*found);
        break;
      }
      default:
        break;
    }
    return std::nullopt;
  }
};

}  // namespace

StateSet exists_until(const StateGraph& graph, const StateSet* a, const StateSet& b) {
  StateSet reached = b;
  std::vector<std::uint32_t> work;
  for (std::uint32_t s = 0; s < graph.size(); ++s)
    if (b[s] != 0) work.push_back(s);
  while (!work.empty()) {
    const std::uint32_t state = work.back();
    work.pop_back();
    for (const std::uint32_t before : graph.predecessors(state)) {
      if (reached[before] != 0 || (a != nullptr && (*a)[before] == 0)) continue;
      reached[before] = 1;
      work.push_back(before);
    }
  }
  return reached;
}

StateSet exists_globally(const StateGraph& graph, const StateSet& p) {
  StateSet stays = p;
  std::vector<std::uint32_t> left(graph.size(), 0);
  std::vector<std::uint32_t> work;
  for (std::uint32_t s = 0; s < graph.size(); ++s) {
    if (p[s] == 0) continue;
    for (const std::uint32_t to : graph.successors(s)) left[s] += p[to] != 0 ? 1 : 0;
    if (left[s] == 0 && !graph.deadlock(s)) work.push_back(s);
  }
  for (const std::uint32_t s : work) stays[s] = 0;
  while (!work.empty()) {
    const std::uint32_t state = work.back();
    work.pop_back();
    for (const std::uint32_t before : graph.predecessors(state)) {
      if (stays[before] == 0 || --left[before] > 0) continue;
      stays[before] = 0;
      work.push_back(before);
    }
  }
  return stays;
}

StateSet exists_next(const StateGraph& graph, const StateSet& p) {
  StateSet out(graph.size(), 0);
  for (std::uint32_t s = 0; s < graph.size(); ++s) {
    if (graph.deadlock(s)) out[s] = p[s];
    for (const std::uint32_t to : graph.successors(s)) out[s] |= p[to];
  }
  return out;
}

bool needs_automaton(const PropertySet& set, const PropNode& quantified, bool fair) {
  const PropNode& path = set[quantified.args[0]];
  if (fair || !path.is_path || path.kind == PropKind::apply) return true;
  return std::any_of(path.args.begin(), path.args.end(),
                     [&](PropId arg) { return set[arg].is_path; });
}

Result<std::vector<StateSet>, CtlProblem> evaluate_ctl(const StateGraph& graph,
                                                       const PropertySet& set, PropId root,
                                                       const CtlOptions& options) {
  BRINK_CHECK(graph.complete());
  Labelling labelling{graph, set, std::vector<StateSet>(set.nodes.size()), options};
  const std::vector<bool> below = nodes_below(set, root);
  for (std::uint32_t node = 0; node <= root.index; ++node)
    if (below[node])
      if (auto problem = labelling.evaluate(node)) return fail(std::move(*problem));
  return std::move(labelling.known);
}

Result<StateSet, SemanticError> evaluate_plain(const StateGraph& graph, const PropertySet& set,
                                               PropId root) {
  Labelling labelling{graph, set, std::vector<StateSet>(set.nodes.size())};
  const std::vector<bool> below = nodes_below(set, root);
  for (std::uint32_t node = 0; node <= root.index; ++node) {
    if (!below[node]) continue;
    if (const auto problem = labelling.evaluate(node)) {
      BRINK_CHECK(problem->fault.has_value(), "a temporal operator");
      return fail(*problem->fault);
    }
  }
  return std::move(labelling.known[root.index]);
}

}  // namespace brink::solver
