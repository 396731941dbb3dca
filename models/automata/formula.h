// Formulas of linear temporal logic over numbered atoms, in negation normal form and hash-consed.
//
// The pool simplifies while it builds, so that automata stay small: F F a = F a, X G F a = G F a,
// F (a U b) = F b, G F a | G F b = G F (a | b), F (a & G F b) = F a & G F b, and the duals. Used by
// everything in models/automata; path_formula.h makes formulas from properties.
//
//   FormulaPool pool;
//   Formula f = pool.globally(pool.finally(pool.atom(0)));
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace brink::automata {

struct Formula {
  std::uint32_t index = 0;
  friend auto operator<=>(const Formula&, const Formula&) = default;
};

enum class FormulaKind : std::uint8_t {
  truth,
  falsity,
  literal,  ///< atom `atom`, negated or not
  both,
  either,
  next,
  until,
  release  ///< a R b: b up to and including the first a, for ever without one
};

struct FormulaNode {
  FormulaKind kind = FormulaKind::truth;
  std::uint32_t atom = 0;
  bool negated = false;
  Formula a, b;  ///< both, either, until, release; next has a only
};

class FormulaPool {
 public:
  /// `count_steps` keeps X true apart from true: a prefix then satisfies X true only when it has
  /// two positions. That is how PRISM counts the reward of R [ X true ].
  explicit FormulaPool(bool count_steps = false);

  Formula constant(bool value) const { return {value ? 1u : 0u}; }
  Formula atom(std::uint32_t number, bool negated = false);
  Formula negation(Formula f);
  Formula both(Formula a, Formula b);
  Formula either(Formula a, Formula b);
  Formula next(Formula f);
  Formula until(Formula a, Formula b);
  Formula release(Formula a, Formula b);
  Formula weak_until(Formula a, Formula b);
  Formula finally(Formula f) { return until(constant(true), f); }
  Formula globally(Formula f) { return release(constant(false), f); }

  const FormulaNode& operator[](Formula f) const { return nodes_[f.index]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(nodes_.size()); }
  bool is_true(Formula f) const { return f.index == 1; }
  bool is_false(Formula f) const { return f.index == 0; }

  /// No release: whoever satisfies it does so by a finite prefix. And no until: whoever violates
  /// it does.
  bool cosafe(Formula f) const { return traits_[f.index].cosafe; }
  bool safe(Formula f) const { return traits_[f.index].safe; }
  /// Independent of any finite prefix, like G F a.
  bool suspendable(Formula f) const {
    return traits_[f.index].eventual && traits_[f.index].universal;
  }

  /// "p0 U (p1 & X !p2)", for messages and tests.
  std::string text(Formula f) const;

 private:
  struct Traits {
    bool cosafe = true, safe = true;
    bool eventual = false;   ///< stays true when a prefix is put before
    bool universal = false;  ///< stays true when a prefix is taken away
  };
  using Key = std::tuple<FormulaKind, std::uint32_t, bool, Formula, Formula>;

  Formula intern(const FormulaNode& node);
  Traits traits(const FormulaNode& node) const;
  Formula junction(FormulaKind kind, Formula a, Formula b);
  void flatten(FormulaKind kind, Formula f, std::vector<Formula>& out) const;
  bool is_finally(Formula f) const;
  bool is_globally(Formula f) const;

  bool count_steps_;
  std::vector<FormulaNode> nodes_;
  std::vector<Traits> traits_;
  std::map<Key, Formula> index_;
  std::map<Formula, Formula> negation_;
};

}  // namespace brink::automata
