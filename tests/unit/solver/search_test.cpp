// The search by batches against a search state by state that shares nothing with it but the
// evaluator: the same numbers, edges, parents and errors, with any number of threads.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <sstream>

#include "solver/session.h"
#include "tests/unit/solver/models.h"

namespace brink::solver {
namespace {

struct Reference {
  std::vector<Valuation> states;
  std::vector<std::vector<std::uint32_t>> edges;
  std::vector<std::uint32_t> depth;
  std::uint64_t transitions = 0;
  std::optional<SemanticError> error;
  std::uint32_t error_state = kNoState;
  bool complete = false;
};

Reference explore(const ModelPtr& model, std::uint64_t limit) {
  Reference out;
  std::map<Valuation, std::uint32_t> number;
  const auto add = [&](std::span<const std::int64_t> target, std::uint32_t depth) {
    Valuation state(target.begin(), target.end());
    const auto [it, fresh] = number.emplace(state, out.states.size());
    if (fresh) {
      out.states.push_back(std::move(state));
      out.depth.push_back(depth);
    }
    return it->second;
  };
  out.error = for_each_initial_state(*model, [&](std::span<const std::int64_t> state) {
    add(state, 0);
    return true;
  });
  if (out.error) return out;
  Evaluator evaluator(model);
  Expansion expansion;
  for (std::uint32_t s = 0; s < out.states.size(); ++s) {
    if (limit != 0 && out.states.size() > limit) return out;
    const Valuation from = out.states[s];
    out.error = evaluator.successors(from, expansion);
    if (out.error) {
      out.error_state = s;
      return out;
    }
    auto& edges = out.edges.emplace_back();
    for (std::size_t b = 0; b < expansion.branch_count(); ++b) {
      const std::uint32_t to = add(expansion.target(b), out.depth[s] + 1);
      if (edges.empty() || edges.back() != to) edges.push_back(to);
    }
    out.transitions += expansion.branch_count();
  }
  out.complete = !out.states.empty();
  return out;
}

void expect_same_error(const SemanticError& a, const SemanticError& b) {
  EXPECT_EQ(a.fault, b.fault);
  EXPECT_EQ(a.variable, b.variable);
  EXPECT_EQ(a.command, b.command);
  EXPECT_TRUE(a.value == b.value || (a.value != a.value && b.value != b.value));
  EXPECT_EQ(a.low, b.low);
  EXPECT_EQ(a.high, b.high);
  EXPECT_EQ(a.span.begin, b.span.begin);
}

void expect_same(const Reference& want, const StateGraph& graph) {
  ASSERT_EQ(graph.size(), want.states.size());
  EXPECT_EQ(graph.complete(), want.complete);
  EXPECT_EQ(graph.transitions(), want.transitions);
  ASSERT_EQ(graph.error().has_value(), want.error.has_value());
  EXPECT_EQ(graph.error_state(), want.error_state);
  if (want.error) expect_same_error(*graph.error(), *want.error);
  ASSERT_EQ(graph.expanded(), want.edges.size());
  Valuation state;
  for (std::uint32_t s = 0; s < graph.size(); ++s) {
    graph.valuation(s, state);
    ASSERT_EQ(state, want.states[s]) << "state " << s;
    ASSERT_EQ(graph.depth(s), want.depth[s]) << "state " << s;
  }
  for (std::uint32_t s = 0; s < graph.expanded(); ++s) {
    ASSERT_EQ(graph.deadlock(s), want.edges[s].empty());
    if (!graph.has_edges()) continue;
    const auto edges = graph.successors(s);
    ASSERT_TRUE(std::equal(edges.begin(), edges.end(), want.edges[s].begin(), want.edges[s].end()))
        << "edges of state " << s;
  }
}

/// `part` is small so that small models have many chunks for the threads to share.
void compare(const ModelPtr& model, std::uint64_t limit, std::uint32_t part) {
  const Reference want = explore(model, limit);
  Limits limits;
  limits.states = limit;
  for (const unsigned threads : {1u, 2u, 3u}) {
    limits.threads = threads;
    expect_same(want, StateGraph(model, limits, {.part = part}));
    StateGraph later(model, limits, {.edges = false, .part = part});
    expect_same(want, later);
    if (want.complete) {
      EXPECT_EQ(later.has_edges(), want.states.empty());
      later.resume(limits, {.part = part});
      EXPECT_TRUE(later.has_edges());
      expect_same(want, later);
    }
  }
  limits.threads = 1;
  expect_same(want, StateGraph(model, limits, {.columns = false}));
}

class Library : public ::testing::TestWithParam<std::string> {};

TEST_P(Library, SearchesAgree) {
  std::ifstream file(GetParam());
  std::stringstream text;
  text << file.rdbuf();
  const ModelPtr model = testing::model_of(text.str());
  ASSERT_TRUE(model);
  ASSERT_TRUE(model->parameters.empty());
  compare(model, 3000, 100);
}

std::vector<std::string> library() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(BRINK_SOURCE_DIR "/models/library"))
    if (entry.path().extension() == ".prism") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

INSTANTIATE_TEST_SUITE_P(Models, Library, ::testing::ValuesIn(library()),
                         [](const auto& info) { return "number" + std::to_string(info.index); });

/// Models of a few modules, with whatever the language has that may go wrong.
class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  std::string model() {
    const char* const types[] = {"mdp", "dtmc", "ctmc"};
    type_ = pick(3);
    std::string out = std::string(types[type_]) + "\nglobal g : [0.." + number(1, 3) + "];\n";
    const int modules = 1 + pick(3);
    for (int m = 0; m < modules; ++m) {
      out += "module m" + std::to_string(m) + "\n";
      if (pick(4) != 0) {
        out += " v" + std::to_string(m) + " : [" + number(-2, 0) + ".." + number(2, 12) +
               "] init 0;\n";
      } else {
        out += " v" + std::to_string(m) + " : [0..1000000] init 0;\n";  // some need wide words
      }
      names_.push_back("v" + std::to_string(m));
      out += " b" + std::to_string(m) + " : bool;\n";
    }
    modules_ = modules;
    std::string text = out.substr(0, out.find("module m0"));
    for (int m = 0; m < modules; ++m) {
      const std::string head = " v" + std::to_string(m) + " : ";
      const auto at = out.find("module m" + std::to_string(m));
      auto end = out.find("module m" + std::to_string(m + 1));
      text += out.substr(at, end == std::string::npos ? end : end - at);
      const int commands = 1 + pick(4);
      for (int c = 0; c < commands; ++c) text += command(m);
      text += "endmodule\n";
    }
    return text;
  }

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  std::string number(int low, int high) { return std::to_string(low + pick(high - low + 1)); }
  std::string variable() { return pick(4) == 0 ? "g" : "v" + std::to_string(pick(modules_)); }

  std::string integer(int depth) {
    switch (depth == 0 ? pick(2) : pick(9)) {
      case 0:
        return number(-1, 4);
      case 1:
        return variable();
      case 2:
        return "(" + integer(depth - 1) + "+" + integer(depth - 1) + ")";
      case 3:
        return "(" + integer(depth - 1) + "-" + integer(depth - 1) + ")";
      case 4:
        return "min(" + integer(depth - 1) + "," + integer(depth - 1) + ")";
      case 5:
        return "mod(" + integer(depth - 1) + "," + integer(depth - 1) + ")";
      case 6:
        return "(" + boolean(depth - 1) + "?" + integer(depth - 1) + ":" + integer(depth - 1) + ")";
      case 7:
        return "floor(" + integer(depth - 1) + "/" + integer(depth - 1) + ")";
      default:
        return "(" + integer(depth - 1) + "*" + integer(depth - 1) + ")";
    }
  }

  std::string boolean(int depth) {
    const char* const compare[] = {"<", "<=", ">", ">=", "=", "!="};
    const char* const join[] = {" & ", " | ", " => ", " <=> "};
    if (depth > 0 && pick(3) == 0)
      return "(" + boolean(depth - 1) + join[pick(4)] + boolean(depth - 1) + ")";
    if (pick(5) == 0) return (pick(2) ? "!b" : "b") + std::to_string(pick(modules_));
    if (pick(4) == 0) return "(" + integer(depth) + "/2 < " + integer(0) + ")";
    return "(" + integer(depth) + " " + compare[pick(6)] + " " + integer(0) + ")";
  }

  std::string update(int m, bool labelled) {
    const std::string v = "v" + std::to_string(m), b = "b" + std::to_string(m);
    std::string out;
    switch (pick(5)) {
      case 0:
        return "true";
      case 1:
        out = "(" + v + "'=" + v + (pick(3) != 0 ? "+" : "-") + number(1, 2) + ")";
        break;
      case 2:
        out = "(" + v + "'=" + number(0, 2) + ")";
        break;
      default:
        out = "(" + v + "'=" + integer(1 + pick(2)) + ")";
    }
    if (pick(3) == 0) out += "&(" + b + "'=" + boolean(1) + ")";
    if (!labelled && pick(4) == 0) out += "&(g'=" + (pick(2) ? number(0, 1) : integer(1)) + ")";
    return out;
  }

  std::string command(int m) {
    const char* const labels[] = {"", "a", "c"};
    const int label = pick(5) < 3 ? 0 : 1 + pick(2);
    const std::string v = "v" + std::to_string(m);
    std::string guard = boolean(2);
    if (pick(4) != 0) guard = pick(4) != 0 ? v + "<" + number(1, 9) : v + ">" + number(-1, 2);
    std::string out = " [" + std::string(labels[label]) + "] " + guard + " -> ";
    const bool labelled = label != 0;
    const int shape = pick(5);
    if (shape == 0) {
      const std::string p = pick(3) == 0 ? "0.25*" + variable() : "0.5";
      out += p + ":" + update(m, labelled) + " + 1-(" + p + "):" + update(m, labelled);
    } else if (shape == 1) {
      out += number(0, 1) + ":" + update(m, labelled) + " + " + number(0, 1) + ":" +
             update(m, labelled);
    } else if (shape == 2 && type_ == 2) {
      out += variable() + "/" + number(0, 3) + ":" + update(m, labelled);
    } else {
      out += update(m, labelled);
    }
    return out + ";\n";
  }

  std::mt19937 random_;
  std::vector<std::string> names_;
  int type_ = 0;
  int modules_ = 1;
};

TEST(Search, RandomModels) {
  std::size_t errors = 0, complete = 0, states = 0, refused = 0;
  for (unsigned seed = 0; seed < 1500; ++seed) {
    const std::string text = Generator(seed).model();
    SCOPED_TRACE(text);
    const auto file = parse_model(make_source("test.prism", text));
    ASSERT_TRUE(file);
    const auto model = instantiate(*file, {});
    if (!model) {  // a constant weight that makes no sense, say
      ++refused;
      continue;
    }
    compare(*model, 200, 5);
    if (HasFailure()) return;
    const Reference want = explore(*model, 200);
    errors += want.error ? 1 : 0;
    complete += want.complete && want.states.size() > 1 ? 1 : 0;
    states += want.states.size();
  }
  // The generator must not degenerate.
  EXPECT_GE(errors, 200u);
  EXPECT_GE(complete, 150u);
  EXPECT_GE(states, 4000u);
  EXPECT_LE(refused, 300u);
}

}  // namespace
}  // namespace brink::solver
