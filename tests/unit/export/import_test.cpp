// A model written as explicit files and read back is the same model: the same numbers of states
// and transitions, the same verdicts, the same probabilities and rewards.
#include <cmath>

#include "analytic/property_values.h"
#include "models/language/explicit_import.h"
#include "solver/engines.h"
#include "tests/unit/export/helpers.h"

namespace brink::exports {
namespace {

ModelPtr there_and_back(const ModelPtr& model) {
  Job job;
  job.model = model;
  const auto written = find_format("explicit")->write(job);
  EXPECT_TRUE(written) << render(written ? Diagnostics{} : written.error());
  ExplicitFiles files;
  std::map<std::string, ExplicitFiles::Rewards> rewards;
  for (const File& file : written->files) {
    const SourcePtr source = make_source("m" + file.suffix, file.text);
    const std::string number = file.suffix.substr(0, file.suffix.find('.'));
    if (file.suffix == ".tra") files.transitions = source;
    if (file.suffix == ".sta") files.states = source;
    if (file.suffix == ".lab") files.labels = source;
    if (file.suffix.ends_with(".srew")) rewards[number].states = source;
    if (file.suffix.ends_with(".trew")) rewards[number].transitions = source;
  }
  for (const auto& [number, row] : rewards) files.rewards.push_back(row);
  const auto back = import_explicit(files, model->type);
  EXPECT_TRUE(back) << render(back ? Diagnostics{} : back.error());
  return back ? *back : nullptr;
}

PropertySet set_of(const ModelPtr& model, const std::string& text) {
  const auto file = parse_properties(make_source("p.props", text));
  EXPECT_TRUE(file) << render(file ? Diagnostics{} : file.error());
  auto set = check_properties(*file, model);
  EXPECT_TRUE(set) << render(set ? Diagnostics{} : set.error());
  return std::move(*set);
}

/// Numbers of states and transitions, then a word a property.
std::vector<std::string> verdicts(const ModelPtr& model, const std::string& properties) {
  solver::CheckOptions options;
  options.cross_check = false;
  solver::Session session(model, options);
  const solver::StateGraph& graph = session.graph({});
  std::vector<std::string> out = {std::to_string(graph.size()),
                                  std::to_string(graph.transitions())};
  const PropertySet set = set_of(model, properties);
  for (const Property& p : set.properties) {
    const auto result = solver::check(session, solver::ask(set, p), "explicit");
    out.emplace_back(solver::verdict_name(result.verdict));
    // A loop that is found first depends on the numbers of the states; a shortest way does not.
    const bool loop = result.trace && result.trace->loop_to;
    if (result.length && !loop) out.back() += " " + std::to_string(*result.length);
  }
  return out;
}

std::vector<double> values(const ModelPtr& model, const std::string& properties) {
  const auto chain = analytic::build_chain(model);
  EXPECT_TRUE(chain) << (chain ? "" : chain.error().message);
  std::vector<double> out;
  const PropertySet set = set_of(model, properties);
  for (const Property& p : set.properties) {
    const analytic::Answer answer = analytic::evaluate_property(*chain, set, p);
    EXPECT_EQ(answer.status, analytic::Answer::Status::solved) << p.text << ": " << answer.note;
    out.push_back(answer.low);
    out.push_back(answer.high);
  }
  return out;
}

void expect_same_values(const ModelPtr& model, const std::string& properties) {
  const std::vector<double> first = values(model, properties);
  const std::vector<double> second = values(there_and_back(model), properties);
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_NEAR(first[i], second[i], 1e-9 * std::max(1.0, std::abs(first[i]))) << i;
  }
}

constexpr const char* kTwoLists =
    "mdp\nconst int N = 4;\nmodule lists\n a : [0..N]; b : [0..N] init N; lost : bool;\n"
    " [move] b>0 & !lost -> 0.9:(b'=b-1)&(a'=min(a+1,N)) + 0.1:(lost'=true);\n"
    " [back] a>1 & !lost -> (a'=a-1)&(b'=min(b+1,N));\n [idle] a=0 -> true;\nendmodule\n"
    "module timer t : [0..2]; [move] true -> (t'=mod(t+1,3)); endmodule\n"
    "label \"empty\" = b=0;\nlabel \"lost\" = lost;\n";

TEST(ThereAndBack, CountsAndVerdictsOfAnMdp) {
  const ModelPtr model = model_of(kTwoLists);
  const std::string properties =
      "A [ G !\"lost\" ]; E [ F \"empty\" ]; A [ G (E [ F \"empty\" ]) ]; A [ G a+b<=4 | \"lost\" "
      "];"
      "E [ F \"deadlock\" ]; A [ G (E [ F \"deadlock\" ]) ]; E [ !\"lost\" U (t=2 & a=2) ];"
      "A [ F \"empty\" ]; E [ G !\"empty\" ];";
  const auto first = verdicts(model, properties);
  EXPECT_EQ(first, verdicts(there_and_back(model), properties));
  EXPECT_EQ(first[2], "false 1");
}

TEST(ThereAndBack, FormatsOfCommandsRefuseAListOfStates) {
  Job job;
  job.model = there_and_back(model_of(kTwoLists));
  int refused = 0;
  for (const Format& format : formats()) {
    const auto written = format.write(job);
    if (format.name == "explicit" || format.name == "dot") {
      EXPECT_TRUE(written) << format.name;
      continue;
    }
    ASSERT_FALSE(written) << format.name;
    EXPECT_EQ(written.error().front().code, "E0801");
    ++refused;
  }
  EXPECT_EQ(refused, 5);
}

TEST(ThereAndBack, TheLibrary) {
  const auto file = parse_model(
      *read_source(std::string(BRINK_SOURCE_DIR) + "/models/library/linux-1.3.78.prism"));
  ASSERT_TRUE(file);
  const auto model = instantiate(*file);
  ASSERT_TRUE(model) << render(model.error());
  const std::string properties = "E [ F \"deadlock\" ]; A [ G !\"deadlock\" ];";
  EXPECT_EQ(verdicts(*model, properties), verdicts(there_and_back(*model), properties));
}

TEST(ThereAndBack, ProbabilitiesAndRewardsOfADtmc) {
  // Gambler's ruin with overlapping guards, deadlocks at both ends and two reward structures.
  const ModelPtr model = model_of(
      "dtmc\nmodule g\n x : [0..6] init 2;\n [play] x>0 & x<6 -> 0.6:(x'=x-1) + 0.4:(x'=x+1);\n"
      " [pass] x=3 -> true;\nendmodule\nlabel \"won\" = x=6;\n"
      "rewards \"steps\" [play] true : 1; endrewards\n"
      "rewards \"level\" true : x; [pass] true : 0.5; endrewards\n");
  expect_same_values(model,
                     "P=? [ F \"won\" ]; P=? [ F<=7 \"won\" ]; P=? [ X x=3 ];"
                     "R{\"steps\"}=? [ F x=0 | x=6 ]; R{\"level\"}=? [ F x=0 | x=6 ];"
                     "R{\"level\"}=? [ C<=5 ]; R{\"level\"}=? [ I=3 ]; S=? [ \"won\" ];"
                     "filter(max, P=? [ F \"won\" ], \"init\");");
  // The probability to win is 0.4 wins against 0.6: (1 - r^2) / (1 - r^6) with r = 1.5.
  EXPECT_NEAR(values(there_and_back(model), "P=? [ F \"won\" ]")[0],
              (1 - std::pow(1.5, 2)) / (1 - std::pow(1.5, 6)), 1e-9);
}

TEST(ThereAndBack, RatesAndRewardsOfACtmc) {
  const ModelPtr model = model_of(
      "ctmc\nmodule q\n n : [0..5];\n [in] n<5 -> 2:(n'=n+1);\n [in] n<3 -> 0.5:(n'=n+1);\n"
      " [out] n>0 -> 3:(n'=n-1);\nendmodule\nlabel \"full\" = n=5;\n"
      "rewards \"load\" true : n; endrewards\nrewards \"sent\" [out] true : 2; endrewards\n");
  expect_same_values(model,
                     "S=? [ \"full\" ]; P=? [ F<=1.5 \"full\" ]; R{\"load\"}=? [ S ];"
                     "R{\"sent\"}=? [ S ]; R{\"sent\"}=? [ C<=2 ]; R{\"load\"}=? [ C<=2 ];"
                     "R{\"load\"}=? [ F \"full\" ]; R{\"sent\"}=? [ F \"full\" ];");
}

TEST(ThereAndBack, SeveralInitialStates) {
  const ModelPtr model = model_of(
      "dtmc\nmodule g\n x : [0..3];\n b : bool;\n [] !b -> 0.5:(b'=true) + 0.5:(x'=min(3,x+1));\n"
      "endmodule\ninit x<2 & !b endinit\nlabel \"top\" = x=3;\n");
  expect_same_values(model, "P=? [ F \"top\" ]; P=? [ F b ];");
}

}  // namespace
}  // namespace brink::exports
