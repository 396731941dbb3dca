#include "models/automata/path_formula.h"

#include <algorithm>
#include <map>

#include "models/automata/buchi.h"

namespace brink::automata {
namespace {

class Reader {
 public:
  Reader(const PropertySet& set, PathFormula& out, std::int64_t unroll)
      : set_(set), out_(out), unroll_(unroll) {}

  /// Nodes come operands first, so one pass over them needs no recursion.
  void run(PropId root) {
    std::vector<bool> needed(root.index + std::size_t{1}, false);
    needed[root.index] = true;
    for (std::uint32_t i = root.index + 1; i-- > 0;)
      if (needed[i] && set_.nodes[i].is_path)
        for (const PropId arg : set_.nodes[i].args)
          if (arg.valid()) needed[arg.index] = true;
    for (std::uint32_t i = 0; i <= root.index && problem_.empty(); ++i)
      if (needed[i]) of_[PropId{i}] = node(PropId{i});
    out_.root = of_[root];
  }

  const std::string& problem() const { return problem_; }

 private:
  Formula atom(PropId id) {
    const ExprId expr = set_.atom(id);
    if (expr.valid() && set_.pool.is_constant(expr))
      return out_.pool.constant(set_.pool.is_true(expr));
    for (std::uint32_t i = 0; i < out_.atoms.size(); ++i)
      if (out_.atoms[i] == id || (expr.valid() && set_.atom(out_.atoms[i]) == expr))
        return out_.pool.atom(i);
    if (out_.atoms.size() >= kMaxAtoms)
      problem_ = "a path formula over more than 64 state formulas";
    out_.atoms.push_back(id);
    return out_.pool.atom(static_cast<std::uint32_t>(out_.atoms.size() - 1) % kMaxAtoms);
  }

  Formula node(PropId id) {
    const PropNode& node = set_[id];
    if (!node.is_path) return atom(id);
    if (node.time.present()) return bounded(node);
    const auto arg = [&](std::size_t i) { return of_[node.args[i]]; };
    FormulaPool& pool = out_.pool;
    switch (node.kind) {
      case PropKind::next:
        return pool.next(arg(0));
      case PropKind::finally:
        return pool.finally(arg(0));
      case PropKind::globally:
        return pool.globally(arg(0));
      case PropKind::until:
        return pool.until(arg(0), arg(1));
      case PropKind::weak_until:
        return pool.weak_until(arg(0), arg(1));
      case PropKind::release:
        return pool.release(arg(0), arg(1));
      case PropKind::apply:
        return operation(node);
      default:
        break;
    }
    problem_ = "this operator inside a path formula";
    return {};
  }

  /// By the expansion law: a U<=k b = b | a & X (a U<=k-1 b), behind as many X as the lower bound
  /// has steps, in all of which a has to hold.
  Formula bounded(const PropNode& node) {
    FormulaPool& pool = out_.pool;
    if (unroll_ == 0) {
      problem_ = "time bounds inside larger path formulas (LTL)";
      return {};
    }
    const auto bounds = step_bounds(set_, node);
    if (!bounds) {
      problem_ = bounds.error();
      return {};
    }
    if (std::max(bounds->lower, bounds->upper.value_or(0)) > unroll_) {
      problem_ = "bounds of more than " + std::to_string(unroll_) + " steps inside path formulas";
      return {};
    }
    const Formula a = of_[node.args[0]];
    const Formula b = node.args.size() > 1 ? of_[node.args[1]] : a;
    const Formula yes = pool.constant(true);
    switch (node.kind) {
      case PropKind::finally:
        return until(yes, b, *bounds);
      case PropKind::globally:
        return pool.negation(until(yes, pool.negation(b), *bounds));
      case PropKind::until:
        return until(a, b, *bounds);
      case PropKind::weak_until:  // not (a & !b) U (!a & !b)
        return pool.negation(until(pool.both(a, pool.negation(b)),
                                   pool.both(pool.negation(a), pool.negation(b)), *bounds));
      case PropKind::release:  // not !a U !b
        return pool.negation(until(pool.negation(a), pool.negation(b), *bounds));
      default:
        break;
    }
    problem_ = "a bound on this operator";
    return {};
  }

  Formula until(Formula a, Formula b, const StepBounds& bounds) {
    FormulaPool& pool = out_.pool;
    if (bounds.upper && *bounds.upper < bounds.lower) return pool.constant(false);
    Formula f = bounds.upper ? b : pool.until(a, b);
    for (std::int64_t k = bounds.lower; bounds.upper && k < *bounds.upper; ++k)
      f = pool.either(b, pool.both(a, pool.next(f)));
    for (std::int64_t k = 0; k < bounds.lower; ++k) f = pool.both(a, pool.next(f));
    return f;
  }

  Formula operation(const PropNode& node) {
    FormulaPool& pool = out_.pool;
    const Formula a = of_[node.args[0]];
    const Formula b = node.args.size() > 1 ? of_[node.args[1]] : Formula{};
    const auto same = [&] {
      return pool.either(pool.both(a, b), pool.both(pool.negation(a), pool.negation(b)));
    };
    switch (node.op) {
      case Op::not_:
        return pool.negation(a);
      case Op::and_:
        return pool.both(a, b);
      case Op::or_:
        return pool.either(a, b);
      case Op::implies:
        return pool.either(pool.negation(a), b);
      case Op::iff:
      case Op::eq:
        return same();
      case Op::ne:
        return pool.negation(same());
      case Op::ite:
        return pool.either(pool.both(a, b), pool.both(pool.negation(a), of_[node.args[2]]));
      default:
        break;
    }
    problem_ = "this operator on path formulas";
    return {};
  }

  const PropertySet& set_;
  PathFormula& out_;
  std::map<PropId, Formula> of_;
  std::int64_t unroll_;
  std::string problem_;
};

}  // namespace

Result<StepBounds, std::string> step_bounds(const PropertySet& set, const PropNode& node) {
  if (node.time.reward != kNone) return fail(std::string("bounds on rewards here"));
  if (set.model->type == ModelType::ctmc)
    return fail(std::string("time bounds inside A and E in continuous time: steps have no length"));
  StepBounds out;
  const auto steps = [&](ExprId bound) -> std::optional<std::int64_t> {
    if (!set.pool.is_constant(bound) || set.pool.type(bound) != Type::integer) return std::nullopt;
    return set.pool[bound].value;
  };
  const std::string whole = "bounds of steps that are not whole numbers";
  if (node.time.lower.valid()) {
    const auto lower = steps(node.time.lower);
    if (!lower) return fail(whole);
    out.lower = std::max<std::int64_t>(0, *lower + (node.time.lower_strict ? 1 : 0));
  }
  if (node.time.upper.valid()) {
    const auto upper = steps(node.time.upper);
    if (!upper) return fail(whole);
    out.upper = *upper - (node.time.upper_strict ? 1 : 0);
  }
  return out;
}

Result<PathFormula, std::string> path_formula(const PropertySet& set, PropId path, bool count_steps,
                                              std::int64_t unroll) {
  PathFormula out{FormulaPool(count_steps), {}, {}};
  Reader reader(set, out, unroll);
  reader.run(path);
  if (!reader.problem().empty()) return fail(reader.problem());
  return out;
}

}  // namespace brink::automata
