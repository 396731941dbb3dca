// The checks of issue item "semantics": what is wrong with a model is an error with its code and
// its place, when the text is read or when a reachable state shows it.
#include "tests/unit/language/helpers.h"

namespace brink::test {
namespace {

struct Fault {
  const char* model;
  const char* code;
  const char* blamed;  ///< the text under the carets
  const char* state;   ///< "x=1,y=0" where it happens; empty: the text is refused
};

constexpr Fault kFaults[] = {
    // Probabilities and rates.
    {"dtmc module m x:[0..1]; [] x=0 -> 0.5:(x'=1)+0.4:true; endmodule", "E0602",
     "[] x=0 -> 0.5:(x'=1)+0.4:true;", "x=0"},
    {"mdp module m x:[0..3]; [] x<3 -> x/3:(x'=x) + 1-x/3:(x'=x+1); [] x=3 -> x:(x'=0); endmodule",
     "E0602", "[] x=3 -> x:(x'=0);", "x=3"},
    {"ctmc module m x:[0..3]; [] x<3 -> 1.5-x:(x'=x+1); endmodule", "E0603", "1.5-x", "x=2"},
    {"ctmc module m x:[0..3]; [] true -> 1/(2-x):(x'=min(3,x+1)); endmodule", "E0604", "1/(2-x)",
     "x=2"},
    // Ranges: of updates in reachable states, of initial values, of bounds.
    {"mdp module m x:[0..2]; [] true -> (x'=x+1); endmodule", "E0601", "x'=x+1", "x=2"},
    {"mdp module m x:[0..2]; y:[0..5]; [] x<2 -> (x'=x+1); [] y>0 -> (y'=9); endmodule", "", "",
     ""},
    {"mdp module m x:[0..2] init 3; endmodule", "E0502", "3", ""},
    {"mdp module m x:[2..0]; endmodule", "E0501", "2..0", ""},
    {"mdp module m x:int init 2; [] true -> (x'=x*x); endmodule", "E0606", "x'=x*x", "x=65536"},
    // The same variable twice in one move.
    {"mdp module m x:[0..2]; [] true -> (x'=1)&(x'=2); endmodule", "E0504", "x'", ""},
    {"mdp global g:[0..2]; module m x:[0..1]; [a] true -> (g'=x); endmodule "
     "module n [a] true -> (g'=1); endmodule",
     "E0608", "(g'=1)", "g=0,x=0"},
    {"mdp module m x:[0..1]; [a] true -> (x'=1); endmodule module n [a] true -> (x'=0); endmodule",
     "E0503", "x'", ""},
    // Reals and variables where a constant or an int is needed.
    {"mdp module m x:[0..1.5]; endmodule", "E0303", "1.5", ""},
    {"mdp module m x:[0..3]; [] true -> (x'=x/2); endmodule", "E0304", "x/2", ""},
    {"mdp module m x:[0..3]; y:[0..x]; endmodule", "E0305", "x", ""},
    {"mdp const double p = x/2; module m x:[0..3]; endmodule", "E0305", "x/2", ""},
    {"mdp module m x:double; endmodule", "E0101", "double", ""},
    {"mdp module m x:[0..1]; endmodule init x=1 endinit init x=0 endinit", "E0112", "init", ""},
    {"mdp module m x:[0..1] init 1; endmodule init x=0 endinit", "E0509", "1", ""},
};

std::string text_under(const Diagnostic& d) { return std::string(d.source->slice(d.span)); }

std::string values_of(const Model& model, const Valuation& state) {
  std::string out;
  for (std::size_t v = 0; v < state.size(); ++v) {
    out += (v > 0 ? "," : "") + model.variables[v].name + "=" + std::to_string(state[v]);
  }
  return out;
}

/// The first fault in breadth-first order and its state; nothing when there is none.
std::optional<std::pair<Diagnostic, Valuation>> first_fault(const ModelPtr& model) {
  Evaluator evaluator(model);
  std::vector<Valuation> states = *initial_states(*model);
  std::set<Valuation> seen(states.begin(), states.end());
  Expansion e;
  for (std::size_t i = 0; i < states.size(); ++i) {
    const Valuation state = states[i];
    if (const auto error = evaluator.successors(state, e)) {
      return std::pair(to_diagnostic(*error, *model), state);
    }
    for (std::size_t b = 0; b < e.branch_count(); ++b) {
      const Valuation next(e.target(b).begin(), e.target(b).end());
      if (seen.insert(next).second) states.push_back(next);
    }
  }
  return std::nullopt;
}

TEST(Faults, EachHasItsCodeItsPlaceAndItsState) {
  for (const Fault& fault : kFaults) {
    const auto file = parse_model(make_source("m.prism", fault.model));
    const auto model =
        file ? instantiate(*file) : Result<ModelPtr, Diagnostics>(fail(file.error()));
    if (!model) {
      ASSERT_EQ(model.error().size(), 1U) << fault.model << render(model.error());
      EXPECT_EQ(model.error()[0].code, fault.code) << fault.model;
      EXPECT_EQ(text_under(model.error()[0]), fault.blamed) << fault.model;
      EXPECT_STREQ(fault.state, "") << fault.model;
      continue;
    }
    const auto found = first_fault(*model);
    EXPECT_EQ(found ? found->first.code : "", fault.code) << fault.model;
    if (!found) continue;
    EXPECT_EQ(text_under(found->first), fault.blamed) << fault.model;
    if (fault.state[0] != '\0') {
      EXPECT_EQ(values_of(**model, found->second), fault.state) << fault.model;
    }
  }
}

// A dtmc with several initial states is legal PRISM: values are then ranges over them.
TEST(Faults, SeveralInitialStatesAreNone) {
  const ModelPtr m =
      load("dtmc module m x:[0..3]; [] true -> 0.5:(x'=0)+0.5:true; endmodule init x>1 endinit");
  EXPECT_EQ(initial_states(*m)->size(), 2U);
  EXPECT_FALSE(first_fault(m).has_value());
}

}  // namespace
}  // namespace brink::test
