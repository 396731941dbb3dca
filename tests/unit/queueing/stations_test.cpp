// Single stations against published tables and closed forms.
#include "analytic/queueing/stations.h"

#include <gtest/gtest.h>

#include <cmath>

namespace brink::queueing {
namespace {

double result(std::string_view formula, const FormulaInputs& inputs, std::string_view name) {
  const StationFormula* const row = find_station_formula(formula);
  if (!row) return std::nan("");
  const auto results = row->compute(inputs);
  if (!results) return std::nan("");
  for (const auto& [key, value] : *results)
    if (key == name) return value;
  return std::nan("");
}

TEST(Stations, OneServer) {  // rho = .9: L = rho / (1 - rho)
  const FormulaInputs in{{{"arrivals", 0.9}, {"service", 1}}, {}};
  EXPECT_NEAR(result("M/M/1", in, "queue"), 9, 1e-9);
  EXPECT_NEAR(result("M/M/1", in, "response_s"), 10, 1e-9);
  EXPECT_NEAR(result("M/M/1", in, "utilisation"), 0.9, 1e-12);
  EXPECT_NEAR(result("M/M/1", in, "p_empty"), 0.1, 1e-12);
}

TEST(Stations, OneServerFiniteRoom) {  // p_n = (1 - r) r^n / (1 - r^(K+1))
  const FormulaInputs in{{{"arrivals", 1}, {"service", 1 / 1.2}, {"room", 10}}, {}};
  const double r = 1 / 1.2, empty = (1 - r) / (1 - std::pow(r, 11));
  EXPECT_NEAR(result("M/M/1/K", in, "p_empty"), empty, 1e-12);
  EXPECT_NEAR(result("M/M/1/K", in, "p_lost"), empty * std::pow(r, 10), 1e-12);
  EXPECT_NEAR(result("M/M/1/K", in, "queue"), 3.2892913216308026, 1e-9);
  EXPECT_NEAR(result("M/M/1/K", in, "response_s"), 3.3948851298808706, 1e-9);
  EXPECT_NEAR(result("M/M/1/K", in, "throughput"), 0.9688962058478328, 1e-9);
}

TEST(Stations, SeveralServersFiniteRoom) {  // published examples, as asserted by octave-queueing
  const FormulaInputs a{{{"arrivals", 50}, {"service", 0.1}, {"servers", 4}, {"room", 6}}, {}};
  EXPECT_NEAR(result("M/M/m/K", a, "p_lost"), 0.293543, 1e-6);
  EXPECT_NEAR(result("M/M/m/K", a, "queue"), 4.354205414341804, 1e-9);
  EXPECT_NEAR(result("M/M/m/K", a, "response_s"), 0.12326880119136252, 1e-9);
  const FormulaInputs b{{{"arrivals", 3}, {"service", 0.5}, {"servers", 2}, {"room", 5}}, {}};
  EXPECT_NEAR(result("M/M/m/K", b, "p_empty"), 0.179334, 1e-5);
  EXPECT_NEAR(result("M/M/m/K", b, "p_lost"), 0.085113, 1e-5);
  EXPECT_NEAR(result("M/M/m/K", b, "queue"), 2.00595, 1e-5);
  EXPECT_NEAR(result("M/M/m/K", b, "wait_s"), 0.230857, 1e-5);
}

TEST(Stations, HugeLoadInFiniteRoomKeepsItsThroughput) {
  const FormulaInputs in{{{"arrivals", 1e12}, {"service", 1}, {"servers", 2}, {"room", 50}}, {}};
  EXPECT_NEAR(result("M/M/m/K", in, "throughput"), 2, 1e-9);
}

TEST(Stations, SeveralServers) {  // Erlang C by hand: (a^m/m!) m/(m-a) over the sum
  const FormulaInputs in{{{"arrivals", 5}, {"service", 0.5}, {"servers", 4}}, {}};
  EXPECT_NEAR(result("M/M/m", in, "p_wait"), 0.3198567041965199, 1e-9);
  EXPECT_NEAR(result("M/M/m", in, "queue"), 3.0330945069941999, 1e-9);
  EXPECT_NEAR(result("M/M/m", in, "p_empty"), 0.07369498464687818, 1e-9);
  EXPECT_NEAR(result("Erlang-C", in, "p_wait"), 0.3198567041965199, 1e-9);
}

TEST(Stations, UnequalServers) {  // Bolch: U = .81, Q = 6.5278
  const FormulaInputs in{{{"arrivals", 73}}, {1 / 10., 1 / 15., 1 / 20., 1 / 20., 1 / 25.}};
  EXPECT_NEAR(result("M/M/unequal", in, "utilisation"), 0.81, 0.01);
  EXPECT_NEAR(result("M/M/unequal", in, "queue"), 6.5278, 1e-4);
  EXPECT_NEAR(result("M/M/unequal", in, "response_s"), 0.08942217578249215, 1e-9);
}

TEST(Stations, ErlangB) {  // the standard table, column B = .01
  EXPECT_NEAR(erlang_b(1, 0.0101), 0.01, 6e-5);
  EXPECT_NEAR(erlang_b(5, 1.361), 0.01, 6e-5);
  EXPECT_NEAR(erlang_b(100, 84.06), 0.01, 6e-5);
}

TEST(Stations, GeneralService) {  // Pollaczek-Khinchine: M/D/1 at .5 has L = .75, M/M/1 has 1
  FormulaInputs in{{{"arrivals", 0.5}, {"service", 1}, {"variation", 0}}, {}};
  EXPECT_NEAR(result("M/G/1", in, "queue"), 0.75, 1e-9);
  EXPECT_NEAR(result("M/G/1", in, "response_s"), 1.5, 1e-9);
  in.numbers["variation"] = 1;
  EXPECT_NEAR(result("M/G/1", in, "queue"), 1, 1e-9);
}

TEST(Stations, Engset) {  // by the sum over states of the nine other sources
  const FormulaInputs in{{{"arrivals", 0.2}, {"service", 1}, {"servers", 3}, {"sources", 10}}, {}};
  const double full = 84 * 0.008, sum = 1 + 9 * 0.2 + 36 * 0.04 + full;
  EXPECT_NEAR(result("Engset", in, "p_lost"), full / sum, 1e-12);
  EXPECT_NEAR(result("Engset", in, "p_lost"), 0.13680781758957659, 1e-9);
}

TEST(Stations, NobodyWaits) {
  const FormulaInputs in{{{"arrivals", 4}, {"service", 0.5}}, {}};
  EXPECT_NEAR(result("M/M/inf", in, "queue"), 2, 1e-12);
  EXPECT_NEAR(result("M/M/inf", in, "p_empty"), std::exp(-2.), 1e-12);
}

TEST(Stations, UnstableIsSaid) {
  const StationFormula* const row = find_station_formula("M/M/1");
  ASSERT_NE(row, nullptr);
  const auto results = row->compute({{{"arrivals", 2}, {"service", 1}}, {}});
  ASSERT_FALSE(results);
  EXPECT_NE(results.error().find("unstable"), std::string::npos);
}

}  // namespace
}  // namespace brink::queueing
