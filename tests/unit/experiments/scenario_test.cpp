#include <gtest/gtest.h>

#include "tests/unit/experiments/helpers.h"

namespace brink {
namespace {

using testing_scenarios::first_error;
using testing_scenarios::kMachine;
using testing_scenarios::only_error;
using testing_scenarios::read;
using testing_scenarios::scenario_text;

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) throw std::runtime_error("no `" + from + "` to replace");
  return text.replace(at, from.size(), to);
}

TEST(ReadScenario, TakesUnitsToTheMachinesOwn) {
  const auto scenario = read(scenario_text());
  ASSERT_TRUE(scenario) << render(scenario.error());
  EXPECT_EQ(scenario->machine.memory_bytes, 256 * 1024);
  EXPECT_EQ(scenario->machine.tick_ns, 10'000'000);
  EXPECT_EQ(scenario->machine.disk_rate_bytes_per_s, 1'000'000);
  EXPECT_EQ(scenario->machine.user_ns_per_kib, 10'000);
  EXPECT_EQ(scenario->name, "scenario");
  EXPECT_EQ(scenario->basis.front().kind, "assumed");
}

TEST(ReadScenario, UnknownKeysAreNamedWithTheNearest) {
  EXPECT_EQ(only_error(read("titel = \"x\"\n" + scenario_text())).code, "E0903");
  const auto error =
      first_error(read(scenario_text("", replaced(kMachine, "memory_bytes ", "memory_byte  "))));
  EXPECT_EQ(error.code, "E0903");
  EXPECT_NE(error.help.find("memory_bytes"), std::string::npos);
  EXPECT_EQ(error.begin()->line, 4u);
}

TEST(ReadScenario, EveryNumberNeedsABasis) {
  const auto error =
      only_error(read(replaced(scenario_text(), "tick_ns = { assumed", "tick = { assumed")));
  EXPECT_EQ(error.code, "E0908");
  EXPECT_NE(error.message.find("tick_ns"), std::string::npos);
  EXPECT_EQ(first_error(read(replaced(scenario_text(), "{ assumed", "{ guessed"))).code, "E0908");
  EXPECT_EQ(first_error(read(replaced(scenario_text(), "{ assumed = \"a test\" }", "{}"))).code,
            "E0908");
}

TEST(ReadScenario, ANumberWithoutItsUnitIsRefused) {
  for (const char* value : {"256", "\"256\"", "\"256 ms\"", "\"256 KiB/s\"", "\"-4 KiB\"",
                            "\"1e30 KiB\"", "\"nan KiB\""}) {
    const auto error =
        only_error(read(scenario_text("", replaced(kMachine, "\"256 KiB\"", value))));
    EXPECT_EQ(error.code, "E0907") << value;
    EXPECT_EQ(error.begin()->line, 4u) << value;
  }
}

TEST(ReadScenario, SaysAllThatIsWrong) {
  std::string machine = replaced(kMachine, "\"256 KiB\"", "256");
  machine = replaced(machine, "\"10 ms\"", "10");
  const auto scenario = read(scenario_text("[colour]\nx = 1\n", machine));
  ASSERT_FALSE(scenario);
  EXPECT_EQ(scenario.error().size(), 3u) << render(scenario.error());
}

TEST(ReadScenario, WhatIsMissingIsNamed) {
  EXPECT_EQ(only_error(read(replaced(scenario_text(), "title = \"small\"", ""))).code, "E0904");
  EXPECT_EQ(only_error(read(replaced(scenario_text(), "name = \"linux-1.3.78\"", ""))).code,
            "E0904");
  EXPECT_EQ(
      first_error(read(replaced(scenario_text(), "[workload]\nscript", "[workload]\nscrpt"))).code,
      "E0904");
}

TEST(ReadScenario, TextThatIsNotTomlHasAPlace) {
  const auto error = only_error(read("title = \"x\"\nsource = \n"));
  EXPECT_EQ(error.code, "E0901");
  EXPECT_EQ(error.begin()->line, 2u);
}

TEST(ReadScenario, KeysOfAHundredThousandPartsDoNotEndTheStack) {
  std::string key = "a";
  for (int i = 0; i < 100'000; ++i) key += ".a";
  EXPECT_EQ(only_error(read(key + " = 1\n")).code, "E0901");
  EXPECT_EQ(only_error(read(scenario_text(), "", {{key, "1"}})).code, "E0902");
  EXPECT_EQ(only_error(read(scenario_text(), "", {{"machine.cpus", "{" + key + " = 1}"}})).code,
            "E0907");
  EXPECT_TRUE(read(
      "# ............................................................................ leaders\n" +
      scenario_text()));
}

TEST(ReadScenario, AClaimMustBeAbleToFail) {
  const std::string metric = "[metrics]\nt = { mean = \"elapsed_s\", table = \"timed\" }\n";
  const auto claim = [&](const std::string& text) {
    return read(scenario_text(metric + "[[claim]]\nname = \"c\"\n" + text));
  };
  EXPECT_TRUE(claim("metric = \"t\"\nwithin = [1, 2]\n"));
  EXPECT_TRUE(claim("metric = \"t\"\nagainst = \"observed\"\nfactor = 1.1\n"));
  EXPECT_EQ(only_error(claim("metric = \"t\"\n")).code, "E0910");
  EXPECT_EQ(only_error(claim("within = [1, 2]\n")).code, "E0910");
  EXPECT_EQ(only_error(claim("metric = \"t\"\nwithin = [1]\n")).code, "E0910");
  EXPECT_EQ(only_error(claim("metric = \"t\"\nagainst = \"observed\"\n")).code, "E0904");
  EXPECT_EQ(only_error(claim("metric = \"u\"\nwithin = [1, 2]\n")).code, "E0909");
  EXPECT_EQ(only_error(claim("check = \"none\"\n")).code, "E0909");
}

TEST(ReadScenario, AClaimNamesSourcesAndNumbersThatExist) {
  const std::string metric = "[metrics]\nt = { mean = \"elapsed_s\", table = \"timed\" }\n";
  const auto claim = [&](const std::string& text) {
    return only_error(
        read(scenario_text(metric + "[[claim]]\nname = \"c\"\nmetric = \"t\"\n" + text)));
  };
  EXPECT_EQ(claim("within = [\"one\", 2]\n").code, "E0906");
  EXPECT_EQ(claim("within = [3, 2]\n").code, "E0910");
  EXPECT_EQ(claim("of = [\"simulatd\"]\nwithin = [1, 2]\n").code, "E0909");
  EXPECT_EQ(claim("against = \"measured\"\nfactor = 1.1\n").code, "E0909");
  EXPECT_EQ(claim("against = \"observed\"\nfactor = 0.9\n").code, "E0910");
}

TEST(ReadScenario, AMetricHasOneReducerAndATable) {
  const auto metric = [](const std::string& text) {
    return read(scenario_text("[metrics]\nm = { " + text + " }\n"));
  };
  EXPECT_TRUE(metric("mean = \"elapsed_s\", table = \"timed\""));
  EXPECT_TRUE(metric("value = \"1 + 1\""));
  EXPECT_EQ(only_error(metric("table = \"timed\"")).code, "E0910");
  EXPECT_EQ(only_error(metric("mean = \"x\", max = \"x\", table = \"timed\"")).code, "E0910");
  EXPECT_EQ(only_error(metric("mean = \"elapsed_s\"")).code, "E0910");
  EXPECT_EQ(only_error(metric("mean = \"x\", table = \"lines\", between = [\"0\"]")).code, "E0910");
  EXPECT_EQ(only_error(metric("mean = \"x\", table = \"lines\", final = \"many\"")).code, "E0906");
}

TEST(ReadScenario, AMetricHasANameThatExpressionsCanUse) {
  for (const char* name : {"rate", "copy-time", "\"a b\""}) {
    const auto error = only_error(
        read(scenario_text("[metrics]\n" + std::string(name) + " = { value = \"1\" }\n")));
    EXPECT_EQ(error.code, "E0910") << name;
  }
}

const std::string kVariants =
    "[[variant]]\nname = \"large\"\n[variant.set]\n\"machine.memory_bytes\" = \"1 "
    "MiB\"\n\"model.constants.N\" = 256\n"
    "[[variant]]\nname = \"slow\"\n[variant.set]\n\"machine.disk_latency_ns\" = \"20 ms\"\n";

TEST(Variants, SetValuesByPath) {
  const auto plain = read(scenario_text(kVariants));
  const auto large = read(scenario_text(kVariants), "large");
  ASSERT_TRUE(plain && large);
  EXPECT_EQ(plain->machine.memory_bytes, 256 * 1024);
  EXPECT_EQ(large->machine.memory_bytes, 1024 * 1024);
  EXPECT_EQ(large->machine.disk_latency_ns, plain->machine.disk_latency_ns);
  EXPECT_EQ(large->variants, (std::vector<std::string>{"large", "slow"}));
}

TEST(Variants, OneThatDoesNotExistHasASuggestion) {
  const auto error = only_error(read(scenario_text(kVariants), "larg"));
  EXPECT_EQ(error.code, "E0909");
  EXPECT_NE(error.help.find("large"), std::string::npos);
}

TEST(Settings, ApplyAfterTheVariant) {
  const auto scenario =
      read(scenario_text(kVariants), "large", {{"machine.memory_bytes", "512 KiB"}});
  ASSERT_TRUE(scenario);
  EXPECT_EQ(scenario->machine.memory_bytes, 512 * 1024);
}

TEST(Settings, TakeTomlOrPlainText) {
  EXPECT_EQ(read(scenario_text(), "", {{"machine.tick_ns", "\"5 ms\""}})->machine.tick_ns,
            5'000'000);
  EXPECT_EQ(read(scenario_text(), "", {{"machine.tick_ns", "5 ms"}})->machine.tick_ns, 5'000'000);
  EXPECT_EQ(read(scenario_text(), "", {{"machine.cpus", "2"}})->machine.cpus, 2);
}

TEST(Settings, MakeTablesOnTheWay) {
  const auto scenario =
      read(scenario_text(), "",
           {{"kernel.override.min", "5"}, {"kernel.decide.grow_buffers_r1", "model"}});
  ASSERT_TRUE(scenario) << render(scenario.error());
  EXPECT_EQ(scenario->overrides.at("min").text, "5");
  EXPECT_EQ(scenario->decide.at("grow_buffers_r1").text, "model");
}

TEST(Settings, AreNotBlamedOnThePlaceTheyReplace) {
  const auto error = only_error(read(scenario_text(), "", {{"machine.memory_bytes", "5"}}));
  EXPECT_FALSE(error.begin());
  EXPECT_NE(render(error).find("scenario.toml"), std::string::npos);
}

TEST(Settings, WithoutAPlaceToGoAreErrors) {
  EXPECT_EQ(only_error(read(scenario_text(), "", {{"machine.memory_bytes.x", "5"}})).code, "E0902");
  EXPECT_EQ(only_error(read(scenario_text(kVariants), "", {{"variant.7.name", "x"}})).code,
            "E0902");
  EXPECT_EQ(only_error(read(scenario_text(), "", {{"machine..x", "5"}})).code, "E0902");
  EXPECT_EQ(only_error(read(scenario_text(), "", {{"machine.memry_bytes", "5"}})).code, "E0903");
  EXPECT_EQ(only_error(read(scenario_text(), "", {{"machine.memory_bytes", "5"}})).code, "E0907");
}

}  // namespace
}  // namespace brink
