#include "analytic/branching.h"

#include "models/base/check.h"

namespace brink::analytic {
namespace {

StateSet negated(StateSet set) {
  set.flip();
  return set;
}
StateSet both(StateSet a, const StateSet& b) {
  for (std::size_t s = 0; s < a.size(); ++s) a[s] = a[s] && b[s];
  return a;
}
StateSet either(StateSet a, const StateSet& b) {
  for (std::size_t s = 0; s < a.size(); ++s) a[s] = a[s] || b[s];
  return a;
}

StateSet one_step(const Chain& graph, const StateSet& a) {
  StateSet out(graph.size());
  for (std::uint32_t s = 0; s < graph.size(); ++s) {
    bool found = graph.row(s).empty() && a[s];
    for (const Entry& entry : graph.row(s)) found = found || a[entry.column];
    out[s] = found;
  }
  return out;
}

/// States of `a` from which a cycle, or a state without moves, can be reached inside `a`.
StateSet for_ever(const Chain& graph, const StateSet& a) {
  ChainBuilder builder(ChainKind::continuous);
  StateSet lasting(graph.size(), false);
  for (std::uint32_t s = 0; s < graph.size(); ++s) {
    if (a[s] && graph.row(s).empty()) lasting[s] = true;
    for (const Entry& entry : graph.row(s)) {
      if (!a[s] || !a[entry.column]) continue;
      builder.add(entry.column, entry.value);
      if (entry.column == s) lasting[s] = true;
    }
    builder.end_row();
  }
  const auto inside = std::move(builder).finish();
  BRINK_CHECK(inside.has_value(), "rows of a valid graph");
  for (const auto& members : strong_components(*inside).members)
    if (members.size() > 1)
      for (const std::uint32_t s : members) lasting[s] = true;
  return can_reach(graph, a, lasting);
}

}  // namespace

StateSet some_path(const Chain& graph, PropKind kind, const StateSet& a, const StateSet& b) {
  switch (kind) {
    case PropKind::next:
      return one_step(graph, a);
    case PropKind::finally:
      return can_reach(graph, StateSet(graph.size(), true), a);
    case PropKind::globally:
      return for_ever(graph, a);
    case PropKind::until:
      return can_reach(graph, a, b);
    case PropKind::weak_until:
      return either(can_reach(graph, a, b), for_ever(graph, a));
    case PropKind::release:
      return either(can_reach(graph, b, both(a, b)), for_ever(graph, b));
    default:
      break;
  }
  BRINK_CHECK(false, "not a path operator");
  return {};
}

StateSet every_path(const Chain& graph, PropKind kind, const StateSet& a, const StateSet& b) {
  const StateSet not_a = negated(a);
  switch (kind) {  // no path that satisfies the dual
    case PropKind::next:
      return negated(some_path(graph, PropKind::next, not_a, {}));
    case PropKind::finally:
      return negated(some_path(graph, PropKind::globally, not_a, {}));
    case PropKind::globally:
      return negated(some_path(graph, PropKind::finally, not_a, {}));
    case PropKind::until:
      return negated(some_path(graph, PropKind::release, not_a, negated(b)));
    case PropKind::weak_until:
      return negated(some_path(graph, PropKind::until, negated(b), both(not_a, negated(b))));
    case PropKind::release:
      return negated(some_path(graph, PropKind::until, not_a, negated(b)));
    default:
      break;
  }
  BRINK_CHECK(false, "not a path operator");
  return {};
}

}  // namespace brink::analytic
