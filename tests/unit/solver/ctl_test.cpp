// CTL on random graphs against the definitions, computed by plain fixpoint iteration.
#include "solver/search/ctl.h"

#include <fmt/core.h>

#include <random>

#include "tests/unit/solver/models.h"

namespace brink::solver {
namespace {

constexpr int size = 7;
using Flags = std::vector<bool>;

struct RandomGraph {
  std::vector<std::vector<int>> to{size};
  Flags p = Flags(size), q = Flags(size);

  explicit RandomGraph(std::mt19937& random) {
    for (int s = 0; s < size; ++s) {
      for (std::uint32_t e = random() % 3; e > 0; --e)
        to[s].push_back(static_cast<int>(random() % size));
      p[s] = random() % 2 == 0;
      q[s] = random() % 3 == 0;
    }
  }

  /// The graph as a model: x is the state, every state an initial one.
  std::string text() const {
    std::string out = fmt::format("mdp\nmodule m\n x:[0..{}];\n", size - 1);
    for (int s = 0; s < size; ++s)
      for (const int t : to[s]) out += fmt::format(" [] x={} -> (x'={});\n", s, t);
    out += "endmodule\ninit true endinit\n";
    const auto label = [](const char* name, const Flags& flags) {
      std::string states = "false";
      for (int s = 0; s < size; ++s)
        if (flags[s]) states += fmt::format(" | x={}", s);
      return fmt::format("label \"{}\" = {};\n", name, states);
    };
    return out + label("p", p) + label("q", q);
  }

  std::vector<int> next(int s) const { return to[s].empty() ? std::vector<int>{s} : to[s]; }

  template <typename F>
  Flags each(F f) const {
    Flags out(size);
    for (int s = 0; s < size; ++s) out[s] = f(s);
    return out;
  }
  Flags ex(const Flags& a) const {
    return each([&](int s) {
      const auto n = next(s);
      return std::any_of(n.begin(), n.end(), [&](int t) { return a[t]; });
    });
  }
  Flags ax(const Flags& a) const {
    return each([&](int s) {
      const auto n = next(s);
      return std::all_of(n.begin(), n.end(), [&](int t) { return a[t]; });
    });
  }
  /// Fixpoint of z = b | (a & step(z)) from `start`.
  template <typename Step>
  Flags fix(bool start, const Flags& a, const Flags& b, Step step) const {
    Flags z(size, start);
    for (int round = 0; round <= size; ++round) {
      const Flags s = step(z);
      z = each([&](int i) { return b[i] || (a[i] && s[i]); });
    }
    return z;
  }
};

TEST(Ctl, OperatorsAgreeWithTheirDefinitions) {
  std::mt19937 random(11);
  for (int round = 0; round < 60; ++round) {
    const RandomGraph g(random);
    const Flags all(size, true), none(size, false);
    const auto e = [&](const Flags& z) { return g.ex(z); };
    const auto a = [&](const Flags& z) { return g.ax(z); };
    const Flags meet = g.each([&](int s) { return g.p[s] && g.q[s]; });
    const std::pair<const char*, Flags> cases[] = {
        {"E [ X \"p\" ]", g.ex(g.p)},
        {"A [ X \"p\" ]", g.ax(g.p)},
        {"E [ F \"q\" ]", g.fix(false, all, g.q, e)},
        {"A [ F \"q\" ]", g.fix(false, all, g.q, a)},
        {"E [ G \"p\" ]", g.fix(true, g.p, none, e)},
        {"A [ G \"p\" ]", g.fix(true, g.p, none, a)},
        {"E [ \"p\" U \"q\" ]", g.fix(false, g.p, g.q, e)},
        {"A [ \"p\" U \"q\" ]", g.fix(false, g.p, g.q, a)},
        {"E [ \"p\" W \"q\" ]", g.fix(true, g.p, g.q, e)},
        {"A [ \"p\" W \"q\" ]", g.fix(true, g.p, g.q, a)},
        {"E [ \"p\" R \"q\" ]", g.fix(true, g.q, meet, e)},
        {"A [ \"p\" R \"q\" ]", g.fix(true, g.q, meet, a)},
        {"!(E [ F \"q\" ]) | (A [ G (E [ F \"p\" ]) ])", g.each([&](int s) {
           const Flags ef = g.fix(false, all, g.p, e);
           return !g.fix(false, all, g.q, e)[s] || g.fix(true, ef, none, a)[s];
         })},
    };
    const ModelPtr model = testing::model_of(g.text());
    const StateGraph graph(model, {});
    ASSERT_EQ(graph.size(), static_cast<std::uint32_t>(size));
    for (const auto& [text, expected] : cases) {
      const PropertySet set = testing::properties_of(model, text);
      const auto sets = evaluate_ctl(graph, set, set.properties[0].root);
      ASSERT_TRUE(sets);
      const StateSet& got = (*sets)[set.properties[0].root.index];
      for (std::uint32_t s = 0; s < graph.size(); ++s) {
        Valuation x;
        graph.valuation(s, x);
        ASSERT_EQ(got[s] != 0, expected[static_cast<std::size_t>(x[0])])
            << text << " at x=" << x[0] << "\n"
            << g.text();
      }
    }
  }
}

TEST(Ctl, DeepPropertiesNeedNoStack) {
  std::string text = "x=0";
  for (int i = 0; i < 300; ++i) text = "!(" + text + ")";
  const ModelPtr model =
      testing::model_of("mdp\nmodule m\n x:[0..1];\n [] true -> (x'=1-x);\nendmodule\n");
  EXPECT_EQ(testing::run(model, "E [ F (" + text + ") ]").verdict, Verdict::holds);
}

}  // namespace
}  // namespace brink::solver
