#include "models/automata/path_formula.h"

#include <algorithm>
#include <map>

#include "models/automata/buchi.h"

namespace brink::automata {
namespace {

class Reader {
 public:
  Reader(const PropertySet& set, PathFormula& out) : set_(set), out_(out) {}

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
    if (node.time.present()) problem_ = "time bounds inside larger path formulas (LTL)";
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
  std::string problem_;
};

}  // namespace

Result<PathFormula, std::string> path_formula(const PropertySet& set, PropId path,
                                              bool count_steps) {
  PathFormula out{FormulaPool(count_steps), {}, {}};
  Reader reader(set, out);
  reader.run(path);
  if (!reader.problem().empty()) return fail(reader.problem());
  return out;
}

}  // namespace brink::automata
