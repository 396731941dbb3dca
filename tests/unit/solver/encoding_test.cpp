// The SMT encoding against the evaluator, on random expressions: same value at every valuation.
#include "solver/symbolic/encoding.h"

#include <gtest/gtest.h>
#include <z3++.h>

#include <random>

#include "models/semantics/program.h"
#include "tests/unit/solver/models.h"

namespace brink::solver {
namespace {

/// Random well-typed expressions over the variables of a model.
class Generator {
 public:
  Generator(ExprPool& pool, const Model& model, std::uint32_t seed, bool reals)
      : pool_(pool), model_(model), random_(seed), reals_(reals) {}

  ExprId boolean(int depth) {
    if (depth == 0) return leaf(Type::boolean);
    switch (random_() % 8) {
      case 0:
        return pool_.apply(Op::not_, boolean(depth - 1));
      case 1:
        return pool_.apply(pick({Op::and_, Op::or_, Op::implies, Op::iff}), boolean(depth - 1),
                           boolean(depth - 1));
      case 2:
        return pool_.apply(Op::ite, boolean(depth - 1), boolean(depth - 1), boolean(depth - 1));
      case 3:
        return pool_.apply(pick({Op::eq, Op::ne}), boolean(depth - 1), boolean(depth - 1));
      default:
        return pool_.apply(pick({Op::eq, Op::ne, Op::lt, Op::le, Op::gt, Op::ge}),
                           number(depth - 1), number(depth - 1));
    }
  }

  ExprId integer(int depth) {
    if (depth == 0) return leaf(Type::integer);
    switch (random_() % 8) {
      case 0:
        return pool_.apply(Op::neg, integer(depth - 1));
      case 1:
        return pool_.apply(Op::ite, boolean(depth - 1), integer(depth - 1), integer(depth - 1));
      case 2: {
        const std::int64_t divisors[] = {-7, -2, -1, 1, 2, 3, 5};
        return pool_.apply(Op::mod, integer(depth - 1), pool_.integer(divisors[random_() % 7]));
      }
      case 3:
        return pool_.apply(Op::pow, integer(depth - 1), pool_.integer(random_() % 3));
      case 4:
        if (reals_) return pool_.apply(pick({Op::floor, Op::ceil, Op::round}), real(depth - 1));
        [[fallthrough]];
      default:
        return pool_.apply(pick({Op::add, Op::sub, Op::mul, Op::min, Op::max}), integer(depth - 1),
                           integer(depth - 1));
    }
  }

 private:
  Op pick(std::initializer_list<Op> ops) { return *(ops.begin() + random_() % ops.size()); }

  ExprId number(int depth) { return reals_ && random_() % 3 == 0 ? real(depth) : integer(depth); }

  /// Dyadic values only: there double and exact arithmetic agree.
  ExprId real(int depth) {
    if (depth <= 0) return pool_.real({0.75, "3/4"});
    switch (random_() % 4) {
      case 0:
        return pool_.apply(Op::div, integer(depth - 1), pool_.integer(random_() % 2 == 0 ? 4 : -2));
      case 1:
        return pool_.apply(Op::min, real(depth - 1), integer(depth - 1));
      case 2:
        return pool_.apply(Op::mul, real(depth - 1), pool_.real({-0.5, "-1/2"}));
      default:
        return pool_.apply(pick({Op::add, Op::sub}), real(depth - 1), integer(depth - 1));
    }
  }

  ExprId leaf(Type type) {
    if (random_() % 4 == 0)
      return type == Type::boolean ? pool_.boolean(random_() % 2 == 0)
                                   : pool_.integer(static_cast<std::int64_t>(random_() % 9) - 4);
    std::vector<std::uint32_t> fit;
    for (std::uint32_t v = 0; v < model_.variables.size(); ++v)
      if (model_.variables[v].type == type) fit.push_back(v);
    return pool_.variable(fit[random_() % fit.size()], type);
  }

  ExprPool& pool_;
  const Model& model_;
  std::mt19937 random_;
  bool reals_;
};

void compare(std::uint32_t seed, bool reals) {
  const ModelPtr model = testing::model_of(R"(mdp
module m
  a : [-5..6] init 0;
  b : [0..9];
  c : [3..3] init 3;
  d : [-9..-2] init -9;
  p : bool;
  q : bool;
  [] false -> true;
endmodule
)");
  std::mt19937 random(seed);
  ExprPool pool = model->pool;
  Generator generator(pool, *model, seed, reals);
  std::vector<ExprId> expressions;
  for (int i = 0; i < 12; ++i)
    expressions.push_back(i % 2 == 0 ? generator.boolean(4) : generator.integer(3));
  z3::context context;
  const auto encoding = Encoding::make(context, *model, pool, expressions);
  ASSERT_TRUE(encoding) << encoding.error();
  if (!reals) {
    EXPECT_TRUE((*encoding)->uses_bits());
  }
  for (int round = 0; round < 6; ++round) {
    std::vector<std::int64_t> state;
    for (const Variable& v : model->variables)
      state.push_back(*v.low_value +
                      static_cast<std::int64_t>(random() % (*v.high_value - *v.low_value + 1)));
    // The solver is asked for the state that equals the values, so reading values is tested, too.
    z3::solver solver(context);
    const z3::expr_vector constants = (*encoding)->state(1);
    solver.add((*encoding)->equals(constants, state));
    solver.add((*encoding)->at((*encoding)->in_range(), constants));
    ASSERT_EQ(solver.check(), z3::sat);
    const z3::model found = solver.get_model();
    ASSERT_EQ((*encoding)->values(found, constants), state);
    for (const ExprId id : expressions) {
      const auto expected = evaluate(pool, id, state);
      ASSERT_TRUE(expected);
      const z3::expr value =
          found.eval((*encoding)->at((*encoding)->expression(id), constants), true);
      if (pool.type(id) == Type::boolean) {
        ASSERT_EQ(value.is_true(), *expected != 0) << value << " seed " << seed;
      } else {
        std::int64_t number = 0;
        if (value.is_bv()) {
          const unsigned width = value.get_sort().bv_size();
          number =
              static_cast<std::int64_t>(value.get_numeral_uint64() << (64 - width)) >> (64 - width);
        } else {
          number = value.get_numeral_int64();
        }
        ASSERT_EQ(static_cast<double>(number), *expected) << value << " seed " << seed;
      }
    }
  }
}

TEST(Encoding, BitVectorsAgreeWithTheEvaluator) {
  for (std::uint32_t seed = 0; seed < 40; ++seed) compare(seed, false);
}

TEST(Encoding, IntegersAndRealsAgreeWithTheEvaluator) {
  for (std::uint32_t seed = 1000; seed < 1025; ++seed) compare(seed, true);
}

TEST(Encoding, RefusesWithAReason) {
  const ModelPtr model =
      testing::model_of("mdp\nmodule m\n x:[0..3];\n [] false -> true;\nendmodule\n");
  ExprPool pool = model->pool;
  const ExprId x = pool.variable(0, Type::integer);
  z3::context context;
  const auto reason = [&](ExprId id) {
    const auto result = Encoding::make(context, *model, pool, {id});
    return result ? std::string("accepted") : result.error();
  };
  EXPECT_NE(reason(pool.apply(Op::mod, pool.integer(7), x)).find("mod"), std::string::npos);
  EXPECT_NE(reason(pool.apply(Op::div, pool.integer(7), x)).find("division"), std::string::npos);
  EXPECT_NE(reason(pool.apply(Op::pow, x, x)).find("exponent"), std::string::npos);
  EXPECT_EQ(reason(pool.apply(Op::pow, x, pool.integer(3))), "accepted");
}

}  // namespace
}  // namespace brink::solver
