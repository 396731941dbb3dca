// Simplification follows Somenzi & Bloem (CAV 2000) and the pure eventualities and universalities
// of Etessami & Holzmann (CONCUR 2000). Only one rule set is written, for `until` and for both
// junctions; `release` is the negation of an until of negations, so each rule has its dual for
// free.
#include "models/automata/formula.h"

#include <algorithm>

#include "models/base/check.h"

namespace brink::automata {

FormulaPool::FormulaPool(bool count_steps) : count_steps_(count_steps) {
  nodes_.push_back({FormulaKind::falsity, 0, false, {}, {}});
  nodes_.push_back({FormulaKind::truth, 0, false, {}, {}});
  traits_.assign(2, {true, true, true, true});
}

FormulaPool::Traits FormulaPool::traits(const FormulaNode& node) const {
  if (node.kind == FormulaKind::literal) return {};
  const Traits& a = traits_[node.a.index];
  Traits out = a;
  if (node.kind == FormulaKind::next) {
    if (count_steps_) out.eventual = out.universal = false;
    return out;
  }
  const Traits& b = traits_[node.b.index];
  out.cosafe = a.cosafe && b.cosafe && node.kind != FormulaKind::release;
  out.safe = a.safe && b.safe && node.kind != FormulaKind::until;
  if (node.kind == FormulaKind::both || node.kind == FormulaKind::either) {
    out.eventual = a.eventual && b.eventual;
    out.universal = a.universal && b.universal;
    return out;
  }
  const bool until = node.kind == FormulaKind::until;
  out.eventual = (until && is_true(node.a)) || (a.eventual && b.eventual) || (until && b.eventual);
  out.universal =
      (!until && is_false(node.a)) || (a.universal && b.universal) || (!until && b.universal);
  return out;
}

Formula FormulaPool::intern(const FormulaNode& node) {
  const Key key{node.kind, node.atom, node.negated, node.a, node.b};
  const auto found = index_.find(key);
  if (found != index_.end()) return found->second;
  const Formula id{size()};
  traits_.push_back(traits(node));
  nodes_.push_back(node);
  index_.emplace(key, id);
  return id;
}

Formula FormulaPool::atom(std::uint32_t number, bool negated) {
  return intern({FormulaKind::literal, number, negated, {}, {}});
}

bool FormulaPool::is_finally(Formula f) const {
  return nodes_[f.index].kind == FormulaKind::until && is_true(nodes_[f.index].a);
}

bool FormulaPool::is_globally(Formula f) const {
  return nodes_[f.index].kind == FormulaKind::release && is_false(nodes_[f.index].a);
}

Formula FormulaPool::negation(Formula f) {
  const auto known = negation_.find(f);
  if (known != negation_.end()) return known->second;
  const FormulaNode node = nodes_[f.index];
  Formula out;
  switch (node.kind) {
    case FormulaKind::truth:
    case FormulaKind::falsity:
      out = constant(node.kind == FormulaKind::falsity);
      break;
    case FormulaKind::literal:
      out = atom(node.atom, !node.negated);
      break;
    case FormulaKind::both:
      out = either(negation(node.a), negation(node.b));
      break;
    case FormulaKind::either:
      out = both(negation(node.a), negation(node.b));
      break;
    case FormulaKind::next:
      out = intern({FormulaKind::next, 0, false, negation(node.a), {}});
      break;
    case FormulaKind::until:
      out = intern({FormulaKind::release, 0, false, negation(node.a), negation(node.b)});
      break;
    case FormulaKind::release:
      out = intern({FormulaKind::until, 0, false, negation(node.a), negation(node.b)});
      break;
  }
  negation_.emplace(f, out);
  negation_.emplace(out, f);
  return out;
}

void FormulaPool::flatten(FormulaKind kind, Formula f, std::vector<Formula>& out) const {
  std::vector<Formula> work = {f};
  while (!work.empty()) {
    const Formula g = work.back();
    work.pop_back();
    if (nodes_[g.index].kind == kind) {
      work.push_back(nodes_[g.index].a);
      work.push_back(nodes_[g.index].b);
    } else {
      out.push_back(g);
    }
  }
}

/// Conjunctions and disjunctions as sorted sets, folded to the right.
Formula FormulaPool::junction(FormulaKind kind, Formula a, Formula b) {
  const bool conjunction = kind == FormulaKind::both;
  const Formula neutral = constant(conjunction), zero = constant(!conjunction);
  std::vector<Formula> parts;
  flatten(kind, a, parts);
  flatten(kind, b, parts);
  // G a & G b = G (a & b), F a | F b = F (a | b), G F a | G F b = G F (a | b), and its dual.
  const auto gathered = [&](Formula f) {
    if (!suspendable(f)) return (conjunction ? is_globally(f) : is_finally(f)) ? 1 : 0;
    return (conjunction ? is_finally(f) && is_globally(nodes_[f.index].b)
                        : is_globally(f) && is_finally(nodes_[f.index].b))
               ? 2
               : 0;
  };
  for (const int which : {1, 2}) {
    const auto middle = std::stable_partition(parts.begin(), parts.end(),
                                              [&](Formula f) { return gathered(f) != which; });
    if (parts.end() - middle < 2) continue;
    Formula body = neutral;
    for (auto it = middle; it != parts.end(); ++it) {
      const Formula inner = nodes_[it->index].b;
      body = junction(kind, body, which == 1 ? inner : nodes_[inner.index].b);
    }
    parts.erase(middle, parts.end());
    const bool globally_first = conjunction == (which == 1);
    const Formula outer = which == 1 ? body : (conjunction ? globally(body) : finally(body));
    flatten(kind, globally_first ? globally(outer) : finally(outer), parts);
  }
  std::sort(parts.begin(), parts.end());
  parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
  std::erase(parts, neutral);
  for (const Formula f : parts) {
    if (f == zero || std::binary_search(parts.begin(), parts.end(), negation(f))) return zero;
  }
  // a & (a | b) = a
  const FormulaKind other = conjunction ? FormulaKind::either : FormulaKind::both;
  std::vector<Formula> kept;
  for (const Formula f : parts) {
    std::vector<Formula> inner;
    if (nodes_[f.index].kind == other) flatten(other, f, inner);
    if (std::none_of(inner.begin(), inner.end(),
                     [&](Formula g) { return std::binary_search(parts.begin(), parts.end(), g); }))
      kept.push_back(f);
  }
  if (kept.empty()) return neutral;
  Formula out = kept.back();
  for (std::size_t i = kept.size() - 1; i-- > 0;) out = intern({kind, 0, false, kept[i], out});
  return out;
}

Formula FormulaPool::both(Formula a, Formula b) { return junction(FormulaKind::both, a, b); }
Formula FormulaPool::either(Formula a, Formula b) { return junction(FormulaKind::either, a, b); }

Formula FormulaPool::next(Formula f) {
  if (count_steps_) return intern({FormulaKind::next, 0, false, f, {}});
  if (suspendable(f)) return f;  // true and false among them
  return intern({FormulaKind::next, 0, false, f, {}});
}

Formula FormulaPool::until(Formula a, Formula b) {
  if (is_false(a) || a == b || traits_[b.index].eventual) return b;
  const FormulaNode right = nodes_[b.index];
  if (right.kind == FormulaKind::until && right.a == a) return b;
  if (is_true(a)) {
    if (right.kind == FormulaKind::until) return finally(right.b);
    if (right.kind == FormulaKind::next) return next(finally(right.a));
  }
  // What does not depend on when it is asked can be asked at once.
  if (right.kind == FormulaKind::both || right.kind == FormulaKind::either) {
    std::vector<Formula> parts;
    flatten(right.kind, b, parts);
    const bool conjunction = right.kind == FormulaKind::both;
    Formula now = constant(conjunction), later = constant(conjunction);
    for (const Formula f : parts) {
      Formula& side = suspendable(f) ? now : later;
      side = junction(right.kind, side, f);
    }
    if (now != constant(conjunction)) return junction(right.kind, now, until(a, later));
  }
  return intern({FormulaKind::until, 0, false, a, b});
}

Formula FormulaPool::release(Formula a, Formula b) {
  return negation(until(negation(a), negation(b)));
}

Formula FormulaPool::weak_until(Formula a, Formula b) {  // b R (a | b)
  return release(b, either(a, b));
}

std::string FormulaPool::text(Formula f) const {
  const FormulaNode& node = nodes_[f.index];
  const auto operand = [&](Formula g) {
    const FormulaKind kind = nodes_[g.index].kind;
    const bool plain = kind == FormulaKind::literal || kind == FormulaKind::truth ||
                       kind == FormulaKind::falsity || kind == FormulaKind::next;
    return plain || is_finally(g) || is_globally(g) ? text(g) : "(" + text(g) + ")";
  };
  switch (node.kind) {
    case FormulaKind::truth:
      return "true";
    case FormulaKind::falsity:
      return "false";
    case FormulaKind::literal:
      return (node.negated ? "!p" : "p") + std::to_string(node.atom);
    case FormulaKind::both:
      return operand(node.a) + " & " + operand(node.b);
    case FormulaKind::either:
      return operand(node.a) + " | " + operand(node.b);
    case FormulaKind::next:
      return "X " + operand(node.a);
    case FormulaKind::until:
      return is_true(node.a) ? "F " + operand(node.b) : operand(node.a) + " U " + operand(node.b);
    case FormulaKind::release:
      return is_false(node.a) ? "G " + operand(node.b) : operand(node.a) + " R " + operand(node.b);
  }
  BRINK_CHECK(false);
}

}  // namespace brink::automata
