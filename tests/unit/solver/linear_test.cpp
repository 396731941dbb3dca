// Inequalities, their elimination, and expressions taken apart: against enumeration.
#include "solver/symbolic/linear.h"

#include <gtest/gtest.h>

#include <random>

#include "models/semantics/program.h"
#include "solver/for_all/small.h"
#include "solver/symbolic/cases.h"
#include "tests/unit/solver/models.h"

namespace brink::solver {
namespace {

Linear term(std::vector<std::int64_t> factors, std::int64_t constant) {
  Linear out = Linear::number(constant);
  for (std::uint32_t s = 0; s < factors.size(); ++s)
    out = combine(1, out, factors[s], Linear::symbol(s));
  return out;
}

TEST(Linear, TighteningRoundsTowardsTheInside) {
  Cube cube;
  ASSERT_TRUE(cube.add(term({2}, -3)));  // 2 x >= 3 means x >= 2 for integers
  ASSERT_EQ(cube.atoms().size(), 1u);
  EXPECT_EQ(cube.atoms()[0], term({1}, -2));
  EXPECT_FALSE(cube.add(term({-1}, 1)));  // x <= 1
  EXPECT_FALSE(cube.possible());
}

TEST(Linear, NegationIsTheComplement) {
  for (std::int64_t x = -3; x <= 3; ++x) {
    Cube is, is_not;
    is.add(term({3}, 2));
    is_not.add(negation(term({3}, 2)));
    EXPECT_NE(contains(Dnf{is}, {x}), contains(Dnf{is_not}, {x})) << x;
  }
}

/// Every point that the elimination keeps has an integer witness; with factors of one, no other
/// point has.
TEST(Linear, EliminationKeepsOnlyWhatHasAWitness) {
  std::mt19937 random(11);
  const auto in = [&](int low, int high) {
    return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
  };
  int kept = 0;
  for (int round = 0; round < 300; ++round) {
    const bool unit = round % 2 == 0;
    const int most = unit ? 1 : 3;
    Cube cube;
    for (int i = 0; i < 4; ++i) cube.add(term({in(-2, 2), in(-2, 2), in(-most, most)}, in(-4, 6)));
    const auto rest = eliminate(cube, 2);
    for (std::int64_t x = -3; x <= 3; ++x)
      for (std::int64_t y = -3; y <= 3; ++y) {
        bool witness = false;
        for (std::int64_t z = -60; z <= 60; ++z)
          witness = witness || contains(Dnf{cube}, {x, y, z});
        const bool says = rest && contains(Dnf{*rest}, {x, y, 0});
        kept += says ? 1 : 0;
        if (says) {
          ASSERT_TRUE(witness) << round << " " << x << " " << y;
        }
        if (unit && cube.possible()) {
          ASSERT_EQ(says, witness) << round << " " << x << " " << y;
        }
      }
  }
  EXPECT_GT(kept, 1000);
}

/// The formula's cubes say the same as the evaluator in every state.
void expect_same(const std::string& formula) {
  const ModelPtr model = testing::model_of(R"(mdp
module m
  x : [0..4];
  y : [-2..2];
  b : bool;
endmodule
)");
  const PropertySet set = testing::properties_of(model, formula);
  const ExprId atom = set[set.properties[0].root].expr;
  Cases cases(*model);
  cases.set_bounds(0, 0, 4);
  cases.set_bounds(1, -2, 2);
  const Dnf yes = cases.truth(set.pool, atom), no = cases.truth(set.pool, atom, false);
  for (std::int64_t x = 0; x <= 4; ++x)
    for (std::int64_t y = -2; y <= 2; ++y)
      for (std::int64_t b = 0; b <= 1; ++b) {
        const auto value = evaluate(set.pool, atom, std::vector<std::int64_t>{x, y, b});
        ASSERT_TRUE(value.has_value());
        EXPECT_EQ(contains(yes, {x, y, b}), *value != 0) << formula << x << y << b;
        EXPECT_EQ(contains(no, {x, y, b}), *value == 0) << formula << x << y << b;
      }
}

TEST(Cases, AgreeWithTheEvaluator) {
  for (const char* formula :
       {"x>y", "x!=y & b", "(b ? x : y) <= 1", "min(x,y+1)=max(y,0)", "floor(x/2)=1", "mod(y,3)=x",
        "2*x-3*y>=4 <=> b", "ceil(x/3)>y => !b", "round(x/2)>=2", "x/4<0.5",
        "(x=1 | y=2) & !(b & x<3)", "(b = (x>2)) | y<0"})
    expect_same(formula);
}

TEST(Cases, ProductsAreGivenUp) {
  const ModelPtr model = testing::model_of("mdp\nmodule m\n x:[0..4];\n y:[0..4];\nendmodule\n");
  const PropertySet set = testing::properties_of(model, "x*y>3");
  Cases cases(*model);
  EXPECT_THROW(cases.truth(set.pool, set[set.properties[0].root].expr), GaveUp);
}

}  // namespace
}  // namespace brink::solver
