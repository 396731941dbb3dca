// The nineteen places where PRISM's language surprises its readers. Expected values: measured with
// PRISM 4.10 or stated in its manual and grammar (PrismParser.jj), as noted.
#include "tests/unit/language/helpers.h"

namespace brink::test {
namespace {

std::string one_module(const std::string& body) { return "mdp module m " + body + " endmodule"; }

TEST(Traps, T01UnaryMinusBindsTighterThanPower) {
  EXPECT_EQ(value_of("-2^2"), 4);
  EXPECT_EQ(value_of("2^3^2"), 512);
  EXPECT_EQ(value_of("2^-1.0"), 0.5);
}

TEST(Traps, T02NegationBindsLooserThanComparison) {
  const ModelPtr m = load(one_module("x : [0..2]; [] !x=1 -> (x'=1);"));
  EXPECT_EQ(moves(m, {0}).size(), 1U);
  EXPECT_EQ(moves(m, {1}).size(), 0U);
  EXPECT_EQ(value_of("(1<2=true) ? 1 : 0"), 1);
  EXPECT_EQ(value_of("(true => false => true) ? 1 : 0"), 1);   // right: true => (false => true)
  EXPECT_EQ(value_of("(false => true => false) ? 1 : 0"), 1);  // left would give false
}

TEST(Traps, T03DivisionIsReal) {
  EXPECT_EQ(value_of("7/2"), 3.5);
  EXPECT_EQ(value_of("floor(7/2)", "int"), 3);
  EXPECT_EQ(model_codes(one_module("x : [0..9]; [] true -> (x'=4/2);")), "E0304");
  EXPECT_EQ(model_codes("const int N = 4/2; module m x : [0..1]; endmodule"), "E0303");
}

TEST(Traps, T04Functions) {
  EXPECT_EQ(value_of("mod(-7,3)", "int"), 2);
  EXPECT_EQ(value_of("round(-1.5)", "int"), -1);
  EXPECT_EQ(value_of("round(2.5)", "int"), 3);
  EXPECT_EQ(value_of("pow(2,3)", "int"), 8);
  EXPECT_EQ(value_of("pow(2.0,-1)"), 0.5);
  EXPECT_EQ(value_of("min(1,2.5)"), 1.0);
  EXPECT_EQ(model_codes("const int N = min(1,2.5); module m x : [0..1]; endmodule"), "E0303");
  EXPECT_EQ(value_of("log(8,2)"), 3);
  EXPECT_EQ(value_of("max(2,7,3)", "int"), 7);
  EXPECT_EQ(value_of("func(max,2,7)", "int"), 7);
}

TEST(Traps, T05DoubleBracketIsOneToken) {
  const ModelPtr m = load(one_module("x : [0..3];"));
  EXPECT_EQ(property_codes(m, "A[G E[F x=3]]"), "E0108");
  EXPECT_EQ(property_codes(m, "A[G E[F x=3] ]"), "");
}

TEST(Traps, T06ReservedWords) {
  for (const char* word :
       {"A", "C", "E", "F", "G", "I", "P", "R", "S", "U", "W", "X", "Pmin", "max"}) {
    EXPECT_EQ(model_codes("const int " + std::string(word) + " = 1; module m x:[0..1]; endmodule"),
              "E0103")
        << word;
  }
  EXPECT_EQ(model_codes("const int ma = 1; module m x:[0..1]; endmodule"),
            "");  // reserved in Storm
}

TEST(Traps, T07TimeBoundBeforeAParenthesis) {
  const ModelPtr m = load("const int t = 2; const int k = 1; module m x : [0..3]; endmodule");
  const PropertySet set =
      properties(m, "Pmax=? [ F<=t (x=1) & true ]; Pmax=? [ F<=(t+k) x=1 ]; Pmax=? [ F<=t+k x=1 ]");
  for (std::size_t i = 0; i < 3; ++i) {
    const PropNode& f = set[set[set.properties[i].root].args[0]];
    ASSERT_EQ(f.kind, PropKind::finally) << i;
    EXPECT_EQ(set.pool.integer_value(f.time.upper), i == 0 ? 2 : 3);
  }
}

TEST(Traps, T08UpdatesReadOldValuesAndOwnership) {
  const ModelPtr m =
      load(one_module("x : [0..9] init 1; y : [0..9] init 2; [] true -> (x'=y)&(y'=x);"));
  EXPECT_EQ(moves(m, {1, 2}), (std::vector<Move>{{"", 1, {2, 1}}}));
  const std::string global = "global g : [0..1]; module m [a] true -> (g'=1); endmodule";
  EXPECT_EQ(model_codes(global), "W0501");
  EXPECT_EQ(model_codes(global, {}, {.portable = true}), "E0505");
}

TEST(Traps, T09SynchronisationMultipliesRatesOverTheAlphabet) {
  const ModelPtr m = load(
      "ctmc module a x : [0..2]; [s] x=0 -> 2:(x'=1); [s] x=0 -> 3:(x'=2); endmodule "
      "module b y : [0..1]; [s] y=0 -> 5:(y'=1); endmodule");
  EXPECT_EQ(moves(m, {0, 0}), (std::vector<Move>{{"s", 10, {1, 1}}, {"s", 15, {2, 1}}}));
  EXPECT_TRUE(moves(m, {0, 1}).empty());  // one blocks, all block
  // A module blocks a label it mentions even where none of its commands can ever be enabled.
  const ModelPtr blocked = load(
      "mdp module a x : [0..1]; [s] x=0 -> (x'=1); endmodule module b [s] false -> true; "
      "endmodule");
  EXPECT_TRUE(moves(blocked, {0}).empty());
}

TEST(Traps, T10OverlappingGuards) {
  const std::string body =
      " module m x : [0..2]; [] x=0 -> 1:(x'=1); [] x<2 -> 1:(x'=2); endmodule";
  Expansion e;
  const Valuation zero{0};
  Evaluator dtmc(load("dtmc" + body));
  ASSERT_FALSE(dtmc.successors(zero, e));
  EXPECT_EQ(e.choices.size(), 2U);
  EXPECT_EQ(e.choice_weight, 0.5);
  Evaluator mdp(load("mdp" + body));
  ASSERT_FALSE(mdp.successors(zero, e));
  EXPECT_EQ(e.choices.size(), 2U);
  EXPECT_EQ(e.choice_weight, 1);
  Evaluator ctmc(load("ctmc" + body));
  ASSERT_FALSE(ctmc.successors(zero, e));
  EXPECT_EQ(e.weights, (std::vector<double>{1, 1}));
  EXPECT_EQ(e.choice_weight, 1);
}

TEST(Traps, T11RangeErrorsOnlyInReachableStates) {
  SemanticError fault;
  const ModelPtr bad = load(one_module("x : [0..1]; [go] true -> (x'=x+1);"));
  reachable(bad, &fault);
  EXPECT_EQ(fault.fault, SemanticFault::range);
  EXPECT_EQ(fault.value, 2);
  EXPECT_EQ(fault.low, 0);
  EXPECT_EQ(fault.high, 1);
  EXPECT_EQ(bad->source->slice(fault.span), "x'=x+1");
  EXPECT_EQ(reachable(load(one_module("x : [0..4]; [] x=0 -> (x'=1); [] x=3 -> (x'=x+2);"))).size(),
            2U);
  EXPECT_EQ(model_codes(one_module("x : [0..1] init 2;")), "E0502");
}

TEST(Traps, T12DeadlockIsKnownToTheExpansionAndTheLabel) {
  const ModelPtr m = load(one_module("x : [0..1]; [] x=0 -> (x'=1);"));
  Evaluator evaluator(m);
  Expansion e;
  ASSERT_FALSE(evaluator.successors(Valuation{1}, e));
  EXPECT_TRUE(e.deadlock());
  const PropertySet set = properties(m, "E [ F \"deadlock\" ]");
  const PropNode& f = set[set[set.properties[0].root].args[0]];
  EXPECT_EQ(set[f.args[0]].kind, PropKind::deadlock);
}

TEST(Traps, T13InitialStates) {
  EXPECT_EQ(*initial_states(*load(one_module("x : [3..5]; b : bool; y : int;"))),
            (std::vector<Valuation>{{3, 0, 0}}));
  const std::string init = " init x+y=2 & (b <=> x>y) endinit";
  const ModelPtr m = load(one_module("x : [0..3]; y : [0..3]; b : bool;") + init);
  EXPECT_EQ(*initial_states(*m), (std::vector<Valuation>{{0, 2, 0}, {1, 1, 0}, {2, 0, 1}}));
  EXPECT_EQ(model_codes(one_module("x : [0..3] init 1;") + " init true endinit"), "E0509");
}

TEST(Traps, T14FormulasAreExpandedBeforeRenaming) {
  const ModelPtr m = load(
      "mdp const int K = 1; const int L = 2; formula low = x<K; "
      "module m x : [0..3]; [a] low -> (x'=min(x+1,3)); endmodule "
      "module n = m [x=y, K=L, a=b, min=max] endmodule");
  EXPECT_EQ(moves(m, {0, 1}), (std::vector<Move>{{"a", 1, {1, 1}}, {"b", 1, {0, 3}}}));
  EXPECT_EQ(moves(m, {1, 2}), (std::vector<Move>{}));
  EXPECT_EQ(model_codes("module m x:[0..1]; endmodule module n = m [a=b] endmodule"), "E0506");
}

const char* kThree =
    "mdp module p x : [0..1]; [a] x=0 -> (x'=1); endmodule "
    "module q y : [0..1]; [a] y=0 -> (y'=1); endmodule "
    "module r z : [0..1]; [b] z=0 -> (z'=1); endmodule ";

TEST(Traps, T15ProcessAlgebra) {
  const auto system = [](const std::string& term) {
    return moves(load(kThree + ("system " + term + " endsystem")), {0, 0, 0});
  };
  using Moves = std::vector<Move>;
  EXPECT_EQ(system("p || q || r"), (Moves{{"a", 1, {1, 1, 0}}, {"b", 1, {0, 0, 1}}}));
  EXPECT_EQ(system("p ||| q ||| r"),
            (Moves{{"a", 1, {1, 0, 0}}, {"a", 1, {0, 1, 0}}, {"b", 1, {0, 0, 1}}}));
  EXPECT_EQ(system("(p |[b]| r) ||| q"), (Moves{{"a", 1, {1, 0, 0}}, {"a", 1, {0, 1, 0}}}));
  EXPECT_EQ(system("(p || q) / {a} || r"), (Moves{{"", 1, {1, 1, 0}}, {"b", 1, {0, 0, 1}}}));
  EXPECT_EQ(system("p || q || r {b<-a}"), (Moves{{"a", 1, {1, 1, 1}}}));
  EXPECT_EQ(system("p || q {a<-c} || r"),
            (Moves{{"a", 1, {1, 0, 0}}, {"b", 1, {0, 0, 1}}, {"c", 1, {0, 1, 0}}}));
  EXPECT_EQ(moves(load(std::string(kThree) +
                       "system \"u\" p || q endsystem system \"u\" ||| r endsystem"),
                  {0, 0, 0}),
            (Moves{{"a", 1, {1, 1, 0}}, {"b", 1, {0, 0, 1}}}));
  EXPECT_EQ(model_codes(kThree + std::string("system p || q endsystem")), "E0508");
}

TEST(Traps, T16Constants) {
  const std::string text =
      "const N; const double p; const bool b; module m x : [0..N]; "
      "[] b -> p:(x'=0) + 1-p:(x'=N); endmodule";
  EXPECT_EQ(model_codes(text), "E0403 E0403 E0403");
  const auto values = parse_constant_values("N=3, p=1/3, b=true");
  ASSERT_TRUE(values);
  const ModelPtr m = load("dtmc " + text, *values);
  EXPECT_EQ(moves(m, {1}), (std::vector<Move>{{"", 1.0 / 3, {0}}, {"", 1 - 1.0 / 3, {3}}}));
  EXPECT_EQ(m->pool.exact(m->commands[0].updates[1].weight.id), "2/3");
  EXPECT_EQ(model_codes(text, *parse_constant_values("N=3,p=1,b=true,M=1")), "E0404");
  EXPECT_EQ(model_codes(text, *parse_constant_values("N=0.5,p=1,b=true")), "E0405");
  EXPECT_EQ(
      model_codes("const int N = 2; module m x:[0..N]; endmodule", *parse_constant_values("N=3")),
      "");
  EXPECT_EQ(
      model_codes("const int N = 2; module m x:[0..N]; endmodule", *parse_constant_values("N=2")),
      "");
}

TEST(Traps, T17Rewards) {
  const ModelPtr m =
      load(one_module("x : [0..3]; [a] x<3 -> (x'=x+1); [] x<3 -> (x'=x+1);") +
           " rewards \"r\" x>0 : x; x>1 : 10; [a] true : 2; [a] x=1 : 5; [] true : 7; endrewards");
  Evaluator e(m);
  const ActionId a = *m->find_action("a");
  EXPECT_EQ(*e.state_reward(0, Valuation{0}), 0);
  EXPECT_EQ(*e.state_reward(0, Valuation{2}), 12);
  EXPECT_EQ(*e.transition_reward(0, a, Valuation{1}), 7);
  EXPECT_EQ(*e.transition_reward(0, kUnlabelled, Valuation{1}), 7);
  EXPECT_EQ(*e.transition_reward(0, a, Valuation{0}), 2);
}

TEST(Traps, T18BoundsAreKeptAsWritten) {
  const PropertySet set =
      properties(load(one_module("x : [0..3];")), "P>0 [ F x=3 ]; !(P<=0 [ F x=3 ])");
  const PropNode& p = set[set.properties[0].root];
  EXPECT_EQ(p.relation, Relation::gt);
  EXPECT_EQ(p.optimum, Optimum::none);
  EXPECT_EQ(set[set.properties[1].root].op, Op::not_);
}

TEST(Traps, T19ProbabilitySumsHaveATolerance) {
  const auto sum = [](const std::string& p, const std::string& q) {
    SemanticError fault;
    reachable(
        load("dtmc module m x:[0..1]; [] true -> " + p + ":(x'=0) + " + q + ":(x'=1); endmodule"),
        &fault);
    return fault.fault;
  };
  EXPECT_EQ(sum("0.1", "0.9"), SemanticFault::none);
  EXPECT_EQ(sum("0.1", "0.900001"), SemanticFault::none);
  EXPECT_EQ(sum("0.1", "0.91"), SemanticFault::probability_sum);
  EXPECT_EQ(sum("x*0.1", "0.91"), SemanticFault::probability_sum);
}

}  // namespace
}  // namespace brink::test
