#include "solver/search/ctl.h"

#include <algorithm>

#include "models/base/check.h"
#include "models/semantics/program.h"

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

/// A node evaluated after its operands.
struct Labelling {
  const StateGraph& graph;
  const PropertySet& set;
  std::vector<StateSet> known;

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

  StateSet quantified(bool exists, const PropNode& path) const {
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
        if (exists) return exists_until(graph, &a, *b);
        return complement(
            either(refutes_weak(graph, a, *b), exists_globally(graph, complement(*b))));
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

  std::optional<SemanticError> evaluate(std::uint32_t node) {
    const PropNode& n = set.nodes[node];
    switch (n.kind) {
      case PropKind::atom:
        return atom(node);
      case PropKind::init:
      case PropKind::deadlock:
        built_in(node);
        break;
      case PropKind::apply:
        apply(node);
        break;
      case PropKind::exists:
      case PropKind::forall:
        known[node] = quantified(n.kind == PropKind::exists, set[n.args[0]]);
        break;
      default:  // path formulas are evaluated with their quantifier
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

Result<std::vector<StateSet>, SemanticError> evaluate_ctl(const StateGraph& graph,
                                                          const PropertySet& set, PropId root) {
  BRINK_CHECK(graph.complete());
  Labelling labelling{graph, set, std::vector<StateSet>(set.nodes.size())};
  const std::vector<bool> below = nodes_below(set, root);
  for (std::uint32_t node = 0; node <= root.index; ++node)
    if (below[node])
      if (const auto error = labelling.evaluate(node)) return fail(*error);
  return std::move(labelling.known);
}

Result<StateSet, SemanticError> evaluate_plain(const StateGraph& graph, const PropertySet& set,
                                               PropId root) {
  Labelling labelling{graph, set, std::vector<StateSet>(set.nodes.size())};
  const std::vector<bool> below = nodes_below(set, root);
  for (std::uint32_t node = 0; node <= root.index; ++node)
    if (below[node])
      if (const auto error = labelling.evaluate(node)) return fail(*error);
  return std::move(labelling.known[root.index]);
}

}  // namespace brink::solver
