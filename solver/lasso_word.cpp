#include "solver/lasso_word.h"

#include <fmt/core.h>

#include <algorithm>

#include "models/automata/path_formula.h"
#include "models/base/check.h"
#include "solver/gate.h"
#include "solver/search/fairness.h"

namespace brink::solver {
namespace {

/// Positions 0 .. size - 1 of the run; after the last one it goes on at `loop_to`.
class Word {
 public:
  Word(const PropertySet& set, const Trace& trace)
      : set_(set),
        loop_to_(*trace.loop_to),
        size_(std::max(trace.length(), loop_to_ + 1)),
        value_(set.nodes.size()) {}

  std::size_t size() const { return size_; }

  /// The truth of `root` at each position; false when an atom cannot be evaluated.
  bool evaluate(PropId root, const Trace& trace, Evaluator& evaluator) {
    const std::vector<bool> below = nodes_below(set_, root);
    for (std::uint32_t i = 0; i <= root.index; ++i) {
      if (!below[i]) continue;
      const PropNode& node = set_.nodes[i];
      value_[i].resize(size_);
      for (std::size_t at = 0; at < size_; ++at) {
        if (node.is_path) {
          value_[i][at] = path(node, at);
          continue;
        }
        const auto held = holds_at(set_, PropId{i}, evaluator, trace.state(at));
        if (!held) return false;
        value_[i][at] = *held;
      }
    }
    return true;
  }

  bool at(PropId node, std::size_t position) const { return value_[node.index][position]; }

 private:
  std::size_t after(std::size_t at) const { return at + 1 < size_ ? at + 1 : loop_to_; }

  /// a U b from a position on, for values given by functions; `forever`: what it is when neither
  /// ends it.
  template <typename A, typename B>
  bool until(std::size_t at, const automata::StepBounds& bounds, bool forever, A&& a, B&& b) const {
    const std::int64_t all = bounds.lower + 2 * static_cast<std::int64_t>(size_);
    for (std::int64_t k = 0; k <= std::min(all, bounds.upper.value_or(all)); ++k, at = after(at)) {
      if (k >= bounds.lower && b(at)) return true;
      if (!a(at)) return false;
    }
    return forever;
  }

  bool path(const PropNode& node, std::size_t position) const {
    const auto a = [&](std::size_t p) { return at(node.args[0], p); };
    const auto b = [&](std::size_t p) { return at(node.args.back(), p); };
    const auto yes = [](std::size_t) { return true; };
    const auto not_a = [&](std::size_t p) { return !a(p); };
    const auto not_b = [&](std::size_t p) { return !b(p); };
    const automata::StepBounds bounds =
        node.time.present() ? *automata::step_bounds(set_, node) : automata::StepBounds{};
    switch (node.kind) {
      case PropKind::next:
        return a(after(position));
      case PropKind::finally:
        return until(position, bounds, false, yes, b);
      case PropKind::globally:
        return !until(position, bounds, false, yes, not_b);
      case PropKind::until:
        return until(position, bounds, false, a, b);
      case PropKind::weak_until:
        return !until(
            position, bounds, false, [&](std::size_t p) { return a(p) && !b(p); },
            [&](std::size_t p) { return !a(p) && !b(p); });
      case PropKind::release:
        return !until(position, bounds, false, not_a, not_b);
      case PropKind::apply:
        return operation(node, position);
      default:
        break;
    }
    BRINK_CHECK(false, "no operator of a path formula");
    return false;
  }

  bool operation(const PropNode& node, std::size_t position) const {
    const auto arg = [&](std::size_t i) {
      return i < node.args.size() && at(node.args[i], position);
    };
    return combined(node.op, arg(0), arg(1), arg(2));
  }

  const PropertySet& set_;
  std::size_t loop_to_, size_;
  std::vector<std::vector<bool>> value_;
};

/// All state formulas below are plain, so one state decides them, and no bound is on a reward.
bool can_follow(const PropertySet& set, PropId root) {
  const std::vector<bool> plain = propositional_nodes(set);
  const std::vector<bool> below = nodes_below(set, root);
  for (std::uint32_t i = 0; i <= root.index; ++i) {
    const PropNode& node = set.nodes[i];
    if (!below[i] || plain[i]) continue;
    if (!node.is_path || (node.time.present() && !automata::step_bounds(set, node))) return false;
  }
  return true;
}

}  // namespace

std::string lasso_problem(const CheckResult& result, const Question& question,
                          Evaluator& evaluator) {
  const Trace& trace = *result.trace;
  if (!trace.loop_to || question.properties == nullptr || trace.length() > kMaxLassoStates)
    return "";
  const PropertySet& set = *question.properties;
  const PropNode& top = set[question.root];
  if (top.kind != PropKind::forall && top.kind != PropKind::exists) return "";
  if (const std::string group = unfair_to(trace, fair_groups(set), evaluator); !group.empty())
    return fmt::format("the loop of the trace is not fair to {}", group);
  const bool expected = top.kind == PropKind::exists;
  if ((result.verdict == Verdict::holds) != expected || !can_follow(set, top.args[0])) return "";
  Word word(set, trace);
  if (!word.evaluate(top.args[0], trace, evaluator))
    return "an expression of the property cannot be evaluated along the trace";
  if (word.at(top.args[0], 0) != expected)
    return "the run of the trace does not show what it is said to show";
  return "";
}

}  // namespace brink::solver
