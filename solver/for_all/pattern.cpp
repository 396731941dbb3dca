#include "solver/for_all/pattern.h"

#include <algorithm>

#include "solver/for_all/step_formula.h"

namespace brink::solver {
namespace {

struct Matcher {
  const PropertySet& set;
  std::vector<bool> plain;  ///< no temporal operator but X

  /// The argument of `quantifier [ path arg ]`; invalid when the node is something else.
  PropId under(PropId id, PropKind quantifier, PropKind path) const {
    const PropNode& node = set[id];
    if (node.kind != quantifier) return {};
    const PropNode& inner = set[node.args[0]];
    if (inner.kind != path || inner.time.present()) return {};
    return inner.args[0];
  }
  bool is_plain(PropId id) const { return id.valid() && plain[id.index]; }

  /// `p op temporal`, either way around for a conjunction.
  bool split(PropId id, Op op, PropId& p, PropId& rest) const {
    const PropNode& node = set[id];
    if (node.kind != PropKind::apply || node.op != op) return false;
    if (is_plain(node.args[0])) {
      p = node.args[0];
      rest = node.args[1];
      return true;
    }
    if (op == Op::and_ && is_plain(node.args[1])) {
      p = node.args[1];
      rest = node.args[0];
      return true;
    }
    return false;
  }
};

bool has_fairness(const PropertySet& set) {
  return std::any_of(set.annotations.begin(), set.annotations.end(), [](const Annotation& a) {
    return a.kind == AnnotationKind::fair || a.kind == AnnotationKind::strong_fair;
  });
}

}  // namespace

Pattern pattern_of(const Question& question) {
  Pattern out;
  const Form form = form_of(question);
  out.q = form.body;
  if (form.shape == Shape::range || form.shape == Shape::always) {
    out.kind = Pattern::Kind::invariant;
    return out;
  }
  if (form.shape == Shape::possible) {
    out.kind = Pattern::Kind::reach;
    return out;
  }
  if (form.shape == Shape::recoverable) {
    out.kind = Pattern::Kind::recover;
    return out;
  }
  out.reason = form.reason;
  if (!question.root.valid() || question.properties == nullptr) return out;
  const Matcher m{*question.properties, step_nodes(*question.properties)};
  const bool fair = has_fairness(*question.properties);
  const auto found = [&](Pattern::Kind kind, PropId q, bool initially) {
    if (!m.is_plain(q)) return false;
    if (fair && (kind == Pattern::Kind::inevitable || kind == Pattern::Kind::persistent)) {
      out.reason = "what finally happens under fairness (//@ fair) is not proved for all values";
      return false;
    }
    out.kind = kind;
    out.q = q;
    out.initially = initially;
    out.reason.clear();
    return true;
  };
  const PropId root = question.root;
  if (const PropId body = m.under(root, PropKind::forall, PropKind::globally); body.valid()) {
    PropId rest = body;
    if (!m.split(body, Op::implies, out.p, rest)) rest = body;
    if (found(Pattern::Kind::recover, m.under(rest, PropKind::exists, PropKind::finally), false))
      return out;
    if (found(Pattern::Kind::inevitable, m.under(rest, PropKind::forall, PropKind::finally), false))
      return out;
    out.p = {};
    if (found(Pattern::Kind::invariant, body, false)) return out;
  }
  if (const PropId body = m.under(root, PropKind::exists, PropKind::finally); body.valid()) {
    PropId rest = body;
    if (!m.split(body, Op::and_, out.p, rest)) rest = body;
    if (found(Pattern::Kind::lost, m.under(rest, PropKind::forall, PropKind::globally), false))
      return out;
    if (!out.p.valid() && found(Pattern::Kind::persistent,
                                m.under(rest, PropKind::exists, PropKind::globally), false))
      return out;
    out.p = {};
    if (found(Pattern::Kind::reach, body, false)) return out;
  }
  out.p = {};
  // A [ G F q ] says the same as A [ G (A [ F q ]) ].
  if (const PropId body = m.under(root, PropKind::forall, PropKind::globally);
      body.valid() && question.properties->nodes[body.index].kind == PropKind::finally &&
      !question.properties->nodes[body.index].time.present() &&
      found(Pattern::Kind::inevitable, question.properties->nodes[body.index].args[0], false))
    return out;
  if (found(Pattern::Kind::inevitable, m.under(root, PropKind::forall, PropKind::finally), true))
    return out;
  if (found(Pattern::Kind::persistent, m.under(root, PropKind::exists, PropKind::globally), true))
    return out;
  if (out.reason.empty())
    out.reason = "a form of property that is not proved for all values of constants";
  return out;
}

}  // namespace brink::solver
