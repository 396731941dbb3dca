// Formulas of one station. Everything is sums of positive terms or recursions without subtraction,
// so that nothing cancels; states are weighted relative to the heaviest reached so far.
//
// Sources: Erlang (1917); Engset (1918); Pollaczek (1930) and Khinchine (1932) for M/G/1; the rest
// is birth-death balance, as in Kleinrock, Queueing Systems I (1975), chapter 3. Unequal servers
// (asymmetric M/M/m) are taken as equal ones of the mean rate, an approximation (Bolch et al.,
// Queueing Networks and Markov Chains, section 6).
#include "analytic/queueing/stations.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numeric>

namespace brink::queueing {
namespace {

using Answer = Result<FormulaResults, std::string>;

Answer unstable(double load, double servers) {
  return fail(fmt::format("unstable: {:.6g} erlangs arrive at {:.6g} server{}", load, servers,
                          servers == 1 ? "" : "s"));
}

/// Measures of a birth-death station with finite room from its state weights.
Answer finite_room(double arrivals, double service, int servers, int room) {
  if (room < servers)
    return fail(fmt::format("room for {} customers is less than {} servers", room, servers));
  if (room > 10'000'000) return fail("room for more than 10,000,000 customers");
  const double load = arrivals * service;
  double weight = 1, sum = 0, first = 0, busy = 0, held = 0;
  for (int n = 0; n <= room; ++n) {
    if (n == 0) first = weight;
    sum += weight;
    busy += weight * std::min(n, servers);
    held += weight * n;
    if (n == room) break;
    weight *= load / std::min(n + 1, servers);
    if (weight > 1e200)
      for (double* part : {&weight, &sum, &first, &busy, &held}) *part /= 1e200;
  }
  const double full = weight / sum, throughput = arrivals * (1 - full);
  const double served = busy / sum / service;  // the same, but exact when nearly all is lost
  const double passed = full > 0.5 ? served : throughput;
  return FormulaResults{{"utilisation", busy / sum / servers},
                        {"queue", held / sum},
                        {"response_s", held / sum / passed},
                        {"wait_s", std::max(0.0, held / sum / passed - service)},
                        {"throughput", passed},
                        {"p_empty", first / sum},
                        {"p_lost", full}};
}

Answer many_servers(double arrivals, double service, int servers) {
  const double load = arrivals * service, rho = load / servers;
  if (!(rho < 1)) return unstable(load, servers);
  const double waits = erlang_c(servers, load);
  const double wait_s = waits * service / (servers - load);
  double weight = 1, sum = 0, scale = 1;
  for (int n = 0; n < servers; ++n) {
    sum += weight;
    weight *= load / (n + 1);
    if (weight > 1e200) weight /= 1e200, sum /= 1e200, scale /= 1e200;
  }
  return FormulaResults{{"utilisation", rho},
                        {"queue", load + arrivals * wait_s},
                        {"response_s", service + wait_s},
                        {"wait_s", wait_s},
                        {"throughput", arrivals},
                        {"p_empty", scale / (sum + weight / (1 - rho))},
                        {"p_wait", waits}};
}

Answer mm1(const FormulaInputs& in) { return many_servers(in["arrivals"], in["service"], 1); }

Answer mmm(const FormulaInputs& in) {
  return many_servers(in["arrivals"], in["service"], static_cast<int>(in["servers"]));
}

Answer mm1k(const FormulaInputs& in) {
  return finite_room(in["arrivals"], in["service"], 1, static_cast<int>(in["room"]));
}

Answer mmmk(const FormulaInputs& in) {
  return finite_room(in["arrivals"], in["service"], static_cast<int>(in["servers"]),
                     static_cast<int>(in["room"]));
}

Answer mm_infinite(const FormulaInputs& in) {
  const double load = in["arrivals"] * in["service"];
  return FormulaResults{{"queue", load},
                        {"response_s", in["service"]},
                        {"throughput", in["arrivals"]},
                        {"p_empty", std::exp(-load)}};
}

Answer mg1(const FormulaInputs& in) {
  const double arrivals = in["arrivals"], service = in["service"], variation = in["variation"];
  const double rho = arrivals * service;
  if (!(rho < 1)) return unstable(rho, 1);
  const double second = service * service * (1 + variation * variation);
  const double wait_s = arrivals * second / (2 * (1 - rho));
  return FormulaResults{
      {"utilisation", rho}, {"queue", rho + arrivals * wait_s}, {"response_s", service + wait_s},
      {"wait_s", wait_s},   {"throughput", arrivals},           {"p_empty", 1 - rho}};
}

Answer unequal_servers(const FormulaInputs& in) {
  double rate = 0;
  for (const double service : in.services_s) rate += 1 / service;
  const auto count = static_cast<double>(in.services_s.size());
  return many_servers(in["arrivals"], count / rate, static_cast<int>(count));
}

Answer lost_calls(const FormulaInputs& in) {
  const int servers = static_cast<int>(in["servers"]);
  const double erlangs = in["arrivals"] * in["service"], lost = erlang_b(servers, erlangs);
  return FormulaResults{{"p_lost", lost},
                        {"utilisation", erlangs * (1 - lost) / servers},
                        {"throughput", in["arrivals"] * (1 - lost)}};
}

Answer waiting_calls(const FormulaInputs& in) {
  const int servers = static_cast<int>(in["servers"]);
  const double erlangs = in["arrivals"] * in["service"];
  if (!(erlangs < servers)) return unstable(erlangs, servers);
  const double waits = erlang_c(servers, erlangs);
  return FormulaResults{{"p_wait", waits}, {"wait_s", waits * in["service"] / (servers - erlangs)}};
}

/// Lost share of the calls of `sources` sources, each offering `arrivals` while idle. What a
/// source finds is what the other sources leave, so they are one fewer.
Answer engset(const FormulaInputs& in) {
  const double erlangs = in["arrivals"] * in["service"], sources = in["sources"];
  const int servers = static_cast<int>(in["servers"]);
  double lost = 1;
  for (int n = 1; n <= servers; ++n) {
    const double offered = erlangs * (sources - n) * lost;
    lost = offered / (n + offered);
    if (!(sources > n)) return FormulaResults{{"p_lost", 0}};
  }
  return FormulaResults{{"p_lost", lost}};
}

constexpr std::array kFormulas = {
    StationFormula{"M/M/1", "arrivals service", "one server", "Kleinrock 1975", mm1},
    StationFormula{"M/M/m", "arrivals service servers", "several servers, one queue", "Erlang 1917",
                   mmm},
    StationFormula{"M/M/1/K", "arrivals service room", "one server, room for K, the rest is lost",
                   "Kleinrock 1975", mm1k},
    StationFormula{"M/M/m/K", "arrivals service servers room",
                   "several servers, room for K, the rest is lost", "Kleinrock 1975", mmmk},
    StationFormula{"M/M/inf", "arrivals service", "nobody waits", "Kleinrock 1975", mm_infinite},
    StationFormula{"M/G/1", "arrivals service variation",
                   "one server, service with this coefficient of variation (0: constant)",
                   "Pollaczek 1930, Khinchine 1932", mg1},
    StationFormula{"M/M/unequal", "arrivals services",
                   "servers of unequal speed, taken as equal ones of the mean rate (approximate)",
                   "Bolch et al. 1998", unequal_servers},
    StationFormula{"Erlang-B", "arrivals service servers", "calls that find no server are lost",
                   "Erlang 1917", lost_calls},
    StationFormula{"Erlang-C", "arrivals service servers", "calls that find no server wait",
                   "Erlang 1917", waiting_calls},
    StationFormula{"Engset", "arrivals service servers sources",
                   "a limited number of sources, each with these arrivals while idle",
                   "Engset 1918", engset},
};

}  // namespace

double erlang_b(int servers, double erlangs) {
  double lost = 1;
  for (int n = 1; n <= servers; ++n) lost = erlangs * lost / (n + erlangs * lost);
  return lost;
}

double erlang_c(int servers, double erlangs) {
  const double lost = erlang_b(servers, erlangs);
  return servers * lost / (servers - erlangs * (1 - lost));
}

std::span<const StationFormula> station_formulas() { return kFormulas; }

const StationFormula* find_station_formula(std::string_view name) {
  for (const StationFormula& row : kFormulas)
    if (row.name == name) return &row;
  return nullptr;
}

}  // namespace brink::queueing
