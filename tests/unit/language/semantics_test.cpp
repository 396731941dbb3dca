// Expressions, layout and the register machine.
#include <cmath>
#include <random>

#include "models/base/check.h"
#include "models/semantics/layout.h"
#include "models/semantics/program.h"
#include "tests/unit/language/helpers.h"

namespace brink::test {
namespace {

TEST(Pool, EqualExpressionsHaveEqualIds) {
  ExprPool pool;
  const ExprId x = pool.variable(0, Type::integer);
  const ExprId a = pool.apply(Op::lt, pool.apply(Op::add, x, pool.integer(1)), pool.integer(5));
  const std::uint32_t size = pool.size();
  EXPECT_EQ(pool.apply(Op::lt, pool.apply(Op::add, x, pool.integer(1)), pool.integer(5)), a);
  EXPECT_EQ(pool.size(), size);
  for (std::uint32_t i = 0; i < pool.size(); ++i) {
    for (const ExprId arg : pool[ExprId{i}].operands()) EXPECT_LT(arg.index, i);
  }
  EXPECT_THROW(pool.apply(Op::and_, x, x), InternalError);
}

TEST(Pool, FoldsConstantsInBothReadings) {
  ExprPool pool;
  const ExprId tenth = pool.real({0.1, "1/10"});
  const ExprId fifth = pool.real({0.2, "1/5"});
  const ExprId sum = pool.apply(Op::add, tenth, fifth);
  EXPECT_EQ(pool.number(sum), 0.1 + 0.2);
  EXPECT_EQ(pool.exact(sum), "3/10");
  const ExprId three = pool.real({0.3, "3/10"});
  EXPECT_TRUE(pool.is_false(pool.apply(Op::eq, sum, three)));
  pool.set_exact(true);
  EXPECT_TRUE(pool.is_true(pool.apply(Op::eq, sum, three)));
  EXPECT_EQ(pool.exact(pool.apply(Op::div, pool.integer(7), pool.integer(2))), "7/2");
  EXPECT_EQ(pool.exact(pool.apply(Op::pow, fifth, pool.integer(-2))), "25");
  EXPECT_EQ(pool.exact(pool.apply(Op::log, fifth, tenth)), "");
}

TEST(Pool, DoesNotFoldFaultsAway) {
  ExprPool pool;
  const ExprId zero = pool.integer(0);
  const ExprId one = pool.integer(1);
  const ExprId big = pool.integer(INT64_MAX);
  for (const ExprId id : {pool.apply(Op::mod, one, zero), pool.apply(Op::add, big, one),
                          pool.apply(Op::pow, one, pool.integer(-1)),
                          pool.apply(Op::floor, pool.apply(Op::div, one, zero))}) {
    EXPECT_FALSE(pool.is_constant(id));
    EXPECT_FALSE(evaluate(pool, id, {}).has_value());
  }
  const ExprId bad = pool.eq(pool.apply(Op::mod, one, zero), one);
  EXPECT_FALSE(pool.is_constant(pool.and_(bad, pool.boolean(false))));
  EXPECT_TRUE(pool.is_false(pool.and_(pool.boolean(false), bad)));
}

TEST(Pool, Substitutes) {
  ExprPool pool;
  const ExprId x = pool.variable(0, Type::integer);
  const ExprId y = pool.variable(1, Type::integer);
  const ExprId p = pool.parameter(0, Type::integer);
  const ExprId e = pool.apply(Op::lt, pool.apply(Op::add, x, p), y);
  EXPECT_EQ(pool.variables_of(e), (std::vector<std::uint32_t>{0, 1}));
  const std::vector<ExprId> variables{y, {}};
  const std::vector<ExprId> parameters{pool.integer(2)};
  EXPECT_EQ(pool.substitute(e, variables, parameters),
            pool.apply(Op::lt, pool.apply(Op::add, y, pool.integer(2)), y));
}

// --- the register machine against a tree walk over the same nodes

struct Outcome {
  bool fault = false;
  double number = 0;  // bools as 0 and 1
  friend bool operator==(const Outcome& a, const Outcome& b) {
    if (a.fault || b.fault) return a.fault == b.fault;
    return a.number == b.number || (std::isnan(a.number) && std::isnan(b.number));
  }
};

Outcome walk(const ExprPool& pool, ExprId id, const Valuation& v);

/// Direct reading of the operators' definitions; small ints only, so doubles hold them exactly.
Outcome walk_node(const ExprPool& pool, ExprId id, const Valuation& v) {
  const ExprNode& n = pool[id];
  if (n.kind == ExprKind::variable)
    return {false, static_cast<double>(v[static_cast<std::size_t>(n.value)])};
  if (n.kind != ExprKind::apply) return {false, pool.number(id)};
  const Outcome a = walk(pool, n.args[0], v);
  if (a.fault) return a;
  switch (n.op) {
    case Op::ite:
      return walk(pool, n.args[a.number != 0 ? 1 : 2], v);
    case Op::and_:
      return a.number == 0 ? a : walk(pool, n.args[1], v);
    case Op::or_:
      return a.number != 0 ? a : walk(pool, n.args[1], v);
    case Op::implies:
      return a.number == 0 ? Outcome{false, 1} : walk(pool, n.args[1], v);
    case Op::not_:
      return {false, 1 - a.number};
    case Op::neg:
      return {false, -a.number};
    case Op::real:
      return a;
    case Op::floor:
      return {!std::isfinite(a.number), std::floor(a.number)};
    case Op::ceil:
      return {!std::isfinite(a.number), std::ceil(a.number)};
    case Op::round:
      return {!std::isfinite(a.number), std::floor(a.number + 0.5)};
    default:
      break;
  }
  const Outcome o = walk(pool, n.args[1], v);
  if (o.fault) return o;
  const double x = a.number;
  const double y = o.number;
  switch (n.op) {
    case Op::iff:
    case Op::eq:
      return {false, x == y ? 1.0 : 0.0};
    case Op::ne:
      return {false, x != y ? 1.0 : 0.0};
    case Op::lt:
      return {false, x < y ? 1.0 : 0.0};
    case Op::le:
      return {false, x <= y ? 1.0 : 0.0};
    case Op::gt:
      return {false, x > y ? 1.0 : 0.0};
    case Op::ge:
      return {false, x >= y ? 1.0 : 0.0};
    case Op::add:
      return {false, x + y};
    case Op::sub:
      return {false, x - y};
    case Op::mul:
      return {false, x * y};
    case Op::div:
      return {false, x / y};
    case Op::min:
      return {false, x < y ? x : y};
    case Op::max:
      return {false, x < y ? y : x};
    case Op::mod:
      return {y == 0, x - y * std::floor(x / y)};
    default:
      ADD_FAILURE() << "operator not in the walk";
      return {true, 0};
  }
}

Outcome walk(const ExprPool& pool, ExprId id, const Valuation& v) {
  Outcome result = walk_node(pool, id, v);
  if (pool.type(id) != Type::real) result.number += 0.0;  // ints have no -0
  return result;
}

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}

  ExprId make(Type type, int depth) {
    // Reuse makes shared subexpressions, of which the compiler makes subroutines.
    auto& made = made_[static_cast<int>(type)];
    if (!made.empty() && pick(4) == 0) return made[pick(made.size())];
    const ExprId id = depth == 0 ? leaf(type) : node(type, depth - 1);
    made.push_back(id);
    return id;
  }

  ExprPool pool;

 private:
  std::size_t pick(std::size_t n) { return random_() % n; }
  template <std::size_t N>
  Op any(const Op (&ops)[N]) {
    return ops[pick(N)];
  }

  ExprId leaf(Type type) {
    switch (type) {
      case Type::boolean:
        return pool.variable(3, Type::boolean);
      case Type::integer:
        return pick(3) == 0 ? pool.integer(static_cast<std::int64_t>(pick(5)) - 2)
                            : pool.variable(static_cast<std::uint32_t>(pick(3)), Type::integer);
      case Type::real:
        return pool.real({0.5 * static_cast<double>(pick(7)), ""});
    }
    return {};
  }

  ExprId node(Type type, int d) {
    const Type number = pick(2) == 0 ? Type::integer : Type::real;
    if (pick(6) == 0)
      return pool.apply(Op::ite, make(Type::boolean, d), make(type, d), make(type, d));
    switch (type) {
      case Type::boolean:
        if (pick(5) == 0) return pool.not_(make(type, d));
        if (pick(2) == 0) {
          const Op op = any({Op::and_, Op::or_, Op::implies, Op::iff});
          return pool.apply(op, make(type, d), make(type, d));
        }
        return pool.apply(any({Op::eq, Op::ne, Op::lt, Op::le, Op::gt, Op::ge}), make(number, d),
                          make(Type::integer, d));
      case Type::integer:
        if (pick(5) == 0)
          return pool.apply(any({Op::floor, Op::ceil, Op::round}), make(Type::real, d));
        return pool.apply(any({Op::add, Op::sub, Op::mul, Op::min, Op::max, Op::mod}),
                          make(type, d), make(type, d));
      case Type::real:
        return pool.apply(any({Op::add, Op::sub, Op::mul, Op::div, Op::min, Op::max}),
                          make(type, d), make(number, d));
    }
    return {};
  }

  std::mt19937_64 random_;
  std::vector<ExprId> made_[3];
};

TEST(Machine, AgreesWithATreeWalk) {
  int faults = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    Generator g(seed);
    const int depth = 1 + static_cast<int>(seed % 5);
    Program program(4);
    std::vector<std::pair<ExprId, CodeRange>> all;
    for (const Type type : {Type::boolean, Type::integer, Type::real, Type::boolean}) {
      const ExprId id = g.make(type, depth);
      all.emplace_back(id, program.add(g.pool, id));
    }
    std::mt19937_64 random(seed);
    for (int round = 0; round < 4; ++round) {
      const auto number = [&] { return static_cast<std::int64_t>(random() % 7) - 3; };
      const Valuation v{number(), number(), number(), static_cast<std::int64_t>(random() % 2)};
      std::vector<std::int64_t> frame = program.make_frame();
      std::ranges::copy(v, frame.begin());
      for (const auto& [id, range] : all) {
        const Outcome expected = walk(g.pool, id, v);
        if (!expected.fault && std::abs(expected.number) > 1e15) continue;  // beyond exact doubles
        Outcome got;
        got.fault = program.run(range, frame) != SemanticFault::none;
        const std::int64_t bits = frame[range.result];
        got.number =
            range.type == Type::real ? Program::as_double(bits) : static_cast<double>(bits);
        faults += expected.fault ? 1 : 0;
        ASSERT_EQ(got, expected) << "seed " << seed << ": " << got.number << " for "
                                 << expected.number;
      }
    }
  }
  EXPECT_GT(faults, 100);  // both sides of the comparison are exercised
}

TEST(Machine, DoesNotEvaluateWhatIsDecided) {
  const ModelPtr m = load(
      "mdp module m x:[0..3]; [] x!=0 & mod(4,x)=0 -> true; "
      "[] x=0 | mod(4,x)=0 -> true; [] (x=0 ? 1 : mod(4,x))=1 -> true; "
      "[] x!=0 => mod(4,x)=0 -> true; endmodule");
  EXPECT_EQ(moves(m, {0}).size(), 3U);
}

TEST(Machine, FormulasOfFormulasCostWhatTheyHaveNodes) {
  // Expanded as text, f60 has 2^60 leaves.
  std::string text = "mdp formula f0 = x+1;";
  for (int i = 1; i <= 60; ++i) {
    const std::string f = "f" + std::to_string(i - 1);
    text += "formula f" + std::to_string(i) + " = (x>1 ? " + f + " : -" + f + ") + (x<1 ? " + f +
            " : -" + f + ");";
  }
  const ModelPtr m = load(text + "module m x:[0..3]; [] f60=0 -> (x'=2); endmodule");
  ASSERT_NE(m, nullptr);
  EXPECT_EQ(moves(m, {1}).size(), 0U);  // every step doubles and negates: f60 = 2^61 at x=1
  EXPECT_EQ(moves(m, {0}).size(), 1U);  // -f+f = 0
}

TEST(Layout, PacksIntoWordsWithoutStraddling) {
  const ModelPtr m = load(
      "mdp module m a:[-3..4]; b:bool; c:[7..7]; d:int init -1; "
      "e:[0..1000000000000]; f:[-9223372036854775807..9223372036854775807] init 0; endmodule");
  const StateLayout layout(*m);
  EXPECT_EQ(layout.bits(), 3 + 1 + 0 + 32 + 40 + 64U);
  EXPECT_EQ(layout.words(), 3U);
  const Valuation v{-3, 1, 7, -2147483648, 1000000000000, -9223372036854775807};
  std::vector<std::uint64_t> words(layout.words());
  layout.pack(v, words);
  Valuation back(v.size());
  layout.unpack(words, back);
  EXPECT_EQ(back, v);
}

TEST(Evaluator, UnboundedIntsOverflowAt32Bits) {
  SemanticError fault;
  const ModelPtr m = load("mdp module m x:int init 1; [] true -> (x'=x*2); endmodule");
  EXPECT_EQ(reachable(m, &fault).size(), 31U);
  EXPECT_EQ(fault.fault, SemanticFault::overflow);
  EXPECT_EQ(fault.variable, 0U);
}

TEST(Evaluator, GlobalsWrittenTogetherMustAgree) {
  const auto outcome = [](const std::string& a, const std::string& b) {
    SemanticError fault;
    reachable(load("mdp global g:[0..2]; module p [s] true -> (g'=" + a +
                   "); endmodule "
                   "module q [s] true -> (g'=" +
                   b + "); endmodule"),
              &fault);
    return fault.fault;
  };
  EXPECT_EQ(outcome("1", "1"), SemanticFault::none);
  EXPECT_EQ(outcome("1", "2"), SemanticFault::conflicting_writes);
  EXPECT_EQ(outcome("0", "2"), SemanticFault::conflicting_writes);  // the first keeps the old value
}

TEST(Evaluator, ProductOfDistributions) {
  const ModelPtr m = load(
      "dtmc module p x:[0..1]; [s] true -> 0.25:(x'=0)+0.75:(x'=1); endmodule "
      "module q y:[0..1]; [s] true -> 0.5:(y'=0)+0.5:(y'=1); endmodule");
  EXPECT_EQ(
      moves(m, {0, 0}),
      (std::vector<Move>{
          {"s", 0.125, {0, 0}}, {"s", 0.125, {0, 1}}, {"s", 0.375, {1, 0}}, {"s", 0.375, {1, 1}}}));
}

TEST(Evaluator, WeightsOfZeroAreNoBranches) {
  const ModelPtr m =
      load("ctmc module m x:[0..2]; [] true -> x:(x'=0); [] true -> 2-x:(x'=x+1); endmodule");
  EXPECT_EQ(moves(m, {0}), (std::vector<Move>{{"", 2, {1}}}));
  EXPECT_EQ(moves(m, {2}), (std::vector<Move>{{"", 2, {0}}}));
}

// Closed form: N tokens over k places, one moving at a time, give binomial(N+k-1, k-1) states.
TEST(Evaluator, CountsOfAClosedNetwork) {
  const ModelPtr m = load(
      "mdp const int N = 6; module m a:[0..N] init N; b:[0..N]; c:[0..N]; "
      "[] a>0&b<N -> (a'=a-1)&(b'=b+1); [] b>0&c<N -> (b'=b-1)&(c'=c+1); "
      "[] c>0&a<N -> (c'=c-1)&(a'=a+1); endmodule");
  EXPECT_EQ(reachable(m).size(), 28U);
}

TEST(Evaluator, InitialStatesByDefinitionNeedNoEnumeration) {
  const ModelPtr m = load(
      "mdp module m x:[0..1000000]; y:[0..1000000]; z:[0..1000000]; endmodule "
      "init x=5 & y=x*2 & z=y+x endinit");
  EXPECT_EQ(*initial_states(*m), (std::vector<Valuation>{{5, 10, 15}}));
}

}  // namespace
}  // namespace brink::test
