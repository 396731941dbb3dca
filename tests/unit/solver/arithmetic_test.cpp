// Multipliers and the checker of certificates that uses them.
#include "solver/for_all/arithmetic.h"

#include <gtest/gtest.h>

#include <random>

#include "solver/for_all/farkas.h"

namespace brink::solver {
namespace {

Linear sum(std::vector<std::int64_t> factors, std::int64_t constant) {
  Linear out = Linear::number(constant);
  for (std::uint32_t s = 0; s < factors.size(); ++s)
    out = combine(1, out, factors[s], Linear::symbol(s));
  return out;
}

TEST(Farkas, AContradictionOfThree) {  // x >= 1, y >= x, y <= 0: their sum is 0 >= 1
  const std::vector<Constraint> all = {{sum({1, 0}, -1)}, {sum({-1, 1}, 0)}, {sum({0, -1}, 0)}};
  const auto multipliers = find_multipliers(all);
  ASSERT_TRUE(multipliers.has_value());
  EXPECT_TRUE(refutes(all, *multipliers));
}

TEST(Farkas, EquationsMayHaveNegativeFactors) {  // x + y = 3, x = 1, y >= 3
  const std::vector<Constraint> all = {
      {sum({1, 1}, -3), true}, {sum({1, 0}, -1), true}, {sum({0, 1}, -3)}};
  const auto multipliers = find_multipliers(all);
  ASSERT_TRUE(multipliers.has_value());
  EXPECT_TRUE(refutes(all, *multipliers));
}

TEST(Farkas, WrongMultipliersRefuteNothing) {
  const std::vector<Constraint> all = {{sum({1}, -1)}, {sum({-1}, 0)}};  // x >= 1, x <= 0
  EXPECT_TRUE(refutes(all, {"1", "1"}));
  EXPECT_FALSE(refutes(all, {"1", "2"}));    // x is left over
  EXPECT_FALSE(refutes(all, {"2", "1"}));    // and here, too
  EXPECT_FALSE(refutes(all, {"-1", "-1"}));  // only equations may be turned around
  EXPECT_FALSE(refutes({{sum({1}, 0)}, {sum({-1}, 5)}}, {"-1", "-1"}));  // 0 <= x <= 5
  EXPECT_FALSE(refutes(all, {"0", "0"}));
  EXPECT_FALSE(refutes(all, {"1"}));
  EXPECT_FALSE(refutes({{sum({1}, 0)}, {sum({-1}, 0)}}, {"1", "1"}));  // x = 0 is a solution
}

/// Systems with a known solution are never refuted; with a planted contradiction always.
TEST(Farkas, RandomSystems) {
  std::mt19937 random(7);
  const auto pick = [&](int low, int high) {
    return static_cast<std::int64_t>(random() % static_cast<unsigned>(high - low + 1)) + low;
  };
  for (int round = 0; round < 200; ++round) {
    std::vector<std::int64_t> solution;
    for (int i = 0; i < 4; ++i) solution.push_back(pick(-9, 9));
    std::vector<Constraint> all;
    for (int i = 0; i < 8; ++i) {
      std::vector<std::int64_t> factors;
      std::int64_t value = 0;
      for (const std::int64_t x : solution) {
        factors.push_back(pick(-3, 3));
        value += factors.back() * x;
      }
      all.push_back({sum(factors, -value + pick(0, 2)), false});
    }
    EXPECT_FALSE(find_multipliers(all).has_value());
    // The negation of a sum of two of them: t + u <= -1.
    all.push_back({-1 * (all[0].t + all[1].t) - Linear::number(1), false});
    const auto multipliers = find_multipliers(all);
    ASSERT_TRUE(multipliers.has_value());
    EXPECT_TRUE(refutes(all, *multipliers));
  }
}

std::size_t proved(const std::string& assertion) {
  const ScriptAnswer answer = answer_by_arithmetic(
      "(set-logic ALL)\n(declare-const x Int)\n(declare-const y Int)\n(declare-const b Bool)\n"
      "; what\n(push 1)\n(assert " +
          assertion + ")\n(check-sat)\n(pop 1)\n",
      5);
  EXPECT_EQ(answer.queries, 1u) << assertion;
  EXPECT_EQ(answer.sat, 0u);
  return answer.unsat;
}

TEST(Arithmetic, WhatHasNoSolutionIsProved) {
  for (const char* text :
       {"(and (> x y) (> y x))", "(and (> x 3) (< x 4) (= y 0))", "(and (= x 2) (not (= x 2)))",
        "(not (or (<= x y) (> x y)))", "(let ((a!1 (+ x 1))) (< a!1 x))", "(and b (not b))",
        "(= b (not b))", "(not (=> (>= x 2) (>= (* 2 x) 4)))", "(and (= (div x 2) 3) (>= x 8))",
        "(= (mod x 4) 5)", "(not (= (ite (< x y) x y) (ite (> y x) x y)))",
        "(not (>= (ite b x y) (ite (<= x y) x y)))", "(< (+ (* 2 x) 1) (* 2 x))",
        "(and (or (= x 1) (= x 2) (= x 3)) (not (= x 1)) (not (= x 2)) (not (= x 3)))",
        "(not (= (= x y) (and (<= x y) (<= y x))))"})
    EXPECT_EQ(proved(text), 1u) << text;
}

TEST(Arithmetic, WhatHasASolutionIsNot) {
  for (const char* text :
       {"(>= x y)", "(and (> x 3) (< x 5))", "(not (= x 2))", "(and (not (= x 2)) (< x 3))",
        "(and (not (= x 2)) (> x 1))", "(= (mod x 4) 3)", "(and (= (div x 2) 3) (>= x 7))",
        "(or b (< x x))", "(= b (= x y))", "(not (= b (= x y)))",
        "(and (= (ite (= x 3) 1 0) 0) (not (= x 3)) (< x 3))",
        "(and (= (ite (= x 3) 1 0) 0) (not (= x 3)) (> x 3))", "(ite b (> x 0) (> y 0))",
        "(not (<= (ite b x y) (ite (<= x y) x y)))", "true"})
    EXPECT_EQ(proved(text), 0u) << text;
}

TEST(Arithmetic, WhatIsNotReadIsNotProved) {
  for (const char* text :
       {"(and false (> (* x y) 0", "(foo)", "(< z 0)", "(exists ((z Int)) false)"})
    EXPECT_FALSE(answer_by_arithmetic("(declare-const x Int)(declare-const y Int)(assert " +
                                          std::string(text) + ")(check-sat)",
                                      5)
                     .all_unsat())
        << text;
  // Commands that would change what is asserted are not skipped over.
  EXPECT_FALSE(answer_by_arithmetic("(assert false)(reset-assertions)(check-sat)", 5).all_unsat());
}

TEST(Arithmetic, LevelsAreLeft) {
  const ScriptAnswer answer = answer_by_arithmetic(
      "(declare-const x Int)(push 1)(assert (< x x))(check-sat)(pop 1)(check-sat)", 5);
  EXPECT_EQ(answer.queries, 2u);
  EXPECT_EQ(answer.unsat, 1u);
}

}  // namespace
}  // namespace brink::solver
