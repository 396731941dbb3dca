// Chains and decision processes built by the batch against the evaluator, state by state: the same
// states in the same order, the same weights to the bit, the same actions.
#include "analytic/chain_builder.h"

#include <gtest/gtest.h>

#include <map>
#include <stdexcept>

#include "analytic/decision_builder.h"
#include "models/language/instantiate.h"
#include "models/language/parser.h"

namespace brink::analytic {
namespace {

ModelPtr model_of(const std::string& text) {
  const auto file = parse_model(make_source("test.prism", text));
  if (!file) throw std::runtime_error(render(file.error()));
  const auto model = instantiate(*file);
  if (!model) throw std::runtime_error(render(model.error()));
  return *model;
}

/// Synchronised commands with weights that depend on the state, overlapping guards, updates of
/// weight 0, a global written from two modules, a deadlock.
const std::string commands =
    "module a\n x : [0..9] init 2;\n"
    " [go] x>0 & x<9 -> x/10 : (x'=x-1) + (1-x/10) : (x'=x+1);\n"
    " [] x<9 -> 0.25 : (x'=x+1) & (g'=min(g+1,3)) + 0.75 : true;\n"
    " [] x=3 -> (y>2 ? 0 : 1) : (x'=0) + (y>2 ? 1 : 0) : (x'=9);\nendmodule\n"
    "module b\n y : [0..4];\n"
    " [go] y<4 -> 0.5 : (y'=y+1) + 0.5 : (y'=0);\n"
    " [] y>1 -> 1 : (y'=y-2) & (g'=0);\nendmodule\n"
    "global g : [0..3];\n"
    "rewards \"r\" [go] x>0 : y+1; [] true : 0.5; y=2 : 3; endrewards\n";

using Row = std::map<std::uint32_t, double>;

/// Number of each valuation among the states of a model.
std::map<std::vector<std::int64_t>, std::uint32_t> numbers_of(const ModelStates& states) {
  std::map<std::vector<std::int64_t>, std::uint32_t> out;
  std::vector<std::int64_t> valuation;
  for (std::uint32_t s = 0; s < states.size(); ++s) {
    states.valuation(s, valuation);
    out[valuation] = s;
  }
  return out;
}

void add(Row& row, const Expansion& expansion, const Choice& choice, double share,
         const std::map<std::vector<std::int64_t>, std::uint32_t>& numbers) {
  for (std::uint32_t b = choice.first_branch; b < choice.first_branch + choice.branch_count; ++b) {
    const auto target = expansion.target(b);
    row[numbers.at({target.begin(), target.end()})] += expansion.weights[b] * share;
  }
}

void expect_row(const Row& want, std::span<const Entry> have) {
  ASSERT_EQ(have.size(), want.size());
  for (const Entry& entry : have) {
    ASSERT_TRUE(want.contains(entry.column));
    EXPECT_EQ(entry.value, want.at(entry.column));
  }
}

TEST(ChainBuilding, IsWhatTheEvaluatorSays) {
  for (const char* type : {"dtmc\n", "ctmc\n"}) {
    const ModelPtr model = model_of(type + commands);
    const auto chain = build_chain(model);
    ASSERT_TRUE(chain.has_value()) << chain.error().message;
    const auto numbers = numbers_of(*chain);
    const auto jumps = chain->jump_rewards(0);
    ASSERT_TRUE(jumps.has_value());
    Evaluator evaluator(model);
    Expansion expansion;
    for (const auto& [valuation, s] : numbers) {
      ASSERT_FALSE(evaluator.successors(valuation, expansion));
      Row row;
      double jump = 0;
      for (const Choice& choice : expansion.choices) {
        add(row, expansion, choice, expansion.choice_weight, numbers);
        double weight = 0;
        for (std::uint32_t b = 0; b < choice.branch_count; ++b)
          weight += expansion.weights[choice.first_branch + b];
        jump += weight * expansion.choice_weight *
                *evaluator.transition_reward(0, choice.action, valuation);
      }
      expect_row(row, chain->chain().row(s));
      EXPECT_EQ((*jumps)[s], jump);
      EXPECT_EQ(chain->deadlock(s), expansion.choices.empty());
    }
  }
}

TEST(ChainBuilding, DecisionsAreWhatTheEvaluatorSays) {
  const ModelPtr model = model_of("mdp\n" + commands);
  const auto decisions = build_decisions(model);
  ASSERT_TRUE(decisions.has_value()) << decisions.error().message;
  const auto numbers = numbers_of(*decisions);
  const auto rewards = decisions->choice_rewards(0);
  ASSERT_TRUE(rewards.has_value());
  const DecisionProcess& process = decisions->process();
  Evaluator evaluator(model);
  Expansion expansion;
  for (const auto& [valuation, s] : numbers) {
    ASSERT_FALSE(evaluator.successors(valuation, expansion));
    const auto count = process.end_choice(s) - process.first_choice(s);
    ASSERT_EQ(count, std::max<std::size_t>(expansion.choices.size(), 1));
    for (std::uint32_t i = 0; i < expansion.choices.size(); ++i) {
      Row row;
      add(row, expansion, expansion.choices[i], 1, numbers);
      expect_row(row, process.row(process.first_choice(s) + i));
      EXPECT_EQ((*rewards)[process.first_choice(s) + i],
                *evaluator.state_reward(0, valuation) +
                    *evaluator.transition_reward(0, expansion.choices[i].action, valuation));
    }
  }
}

TEST(ChainBuilding, ErrorsNameTheStateTheyStartFrom) {
  const ModelPtr model = model_of(
      "dtmc\nmodule m\n x : [0..700];\n [] x<600 -> (x'=x+1);\n"
      " [] x=600 -> 0.5 : (x'=x+1) + 0.4 : (x'=0);\nendmodule\n");
  const auto chain = build_chain(model);
  ASSERT_FALSE(chain.has_value());
  EXPECT_EQ(chain.error().kind, BuildFailure::Kind::model_error);
  EXPECT_EQ(chain.error().state, std::vector<std::int64_t>{600});
}

TEST(ChainBuilding, MemoryIsWithinTheBudget) {
  // 120 bytes a state and 16 a transition.
  const ModelPtr model = model_of(
      "dtmc\nmodule m\n x : [0..399]; y : [0..399];\n"
      " [] true -> 0.5 : (x'=mod(x+1,400)) + 0.5 : (y'=mod(y+1,400));\nendmodule\n");
  const auto chain = build_chain(model);
  ASSERT_TRUE(chain.has_value());
  ASSERT_EQ(chain->size(), 160000u);
  EXPECT_EQ(chain->transitions(), 320000u);
  EXPECT_LE(chain->bytes(), 120u * chain->size() + 16u * chain->transitions());
}

}  // namespace
}  // namespace brink::analytic
