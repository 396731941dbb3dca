// A generator of syntax trees: what a parser could have made of some text, without the text.
#pragma once

#include "models/language/syntax.h"
#include "tests/property/random.h"

namespace brink::test {

/// Appends random expressions to a tree, operands before their users.
class ExpressionMaker {
 public:
  explicit ExpressionMaker(syntax::Tree& tree) : tree_(tree) {}

  /// A state expression: numbers, names, operators, functions.
  syntax::Expression state(int depth);
  /// A property: also P, S, R, A, E, filters, labels, and path formulas inside them.
  syntax::Expression property(int depth);

 private:
  using Id = syntax::NodeId;
  using Node = syntax::Node;
  using Kind = syntax::NodeKind;

  template <typename Make>
  syntax::Expression whole(Make make) {
    const auto first = static_cast<Id>(tree_.nodes.size());
    const Id root = make();
    return {first, root};
  }

  Id add(Node node, const std::vector<Id>& children = {});
  std::uint32_t text(const std::string& text);
  Id leaf(bool property);
  /// An operator or function over operands that `operand` makes.
  template <typename Make>
  Id application(Make operand);
  Id expression(int depth);
  Id state_formula(int depth);
  Id path(int depth);
  Id temporal(int depth);
  void time_bound(Node& node, Id& lower, Id& upper, int depth);
  Id measured(int depth);
  Id probability(int depth);
  Id steady(int depth);
  Id reward(int depth);
  Id reward_contents(int depth);
  Id elapsed(int depth);
  Id relation(Node& node, int depth);
  Id old_filter(Id inner, int depth);
  Id filter(int depth);
  Id strategy(int depth);

  syntax::Tree& tree_;
};

}  // namespace brink::test
