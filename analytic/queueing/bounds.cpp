// Bounds on throughput, each from one inequality about the queues that an arrival finds:
//   asymptotic    nobody in front, or everybody (Muntz & Wong 1974, Denning & Buzen 1978)
//   balanced-job  the same total demand spread evenly, or all at the largest (Zahorjan et al. 1982)
//   proportional  queues in proportion to powers of demands (Hsieh & Lam, PEVA 7, 1987)
//   geometric     queues between geometric sums (Casale, Muntz & Serazzi, IEEE TC 57(6), 2008)
// The upper geometric bound here uses the tighter of the two throughputs that the paper allows in
// its own queues; its table V has other last digits for some populations. All of them contain the
// exact value, which the tests check.
#include "analytic/queueing/bounds.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace brink::queueing {
namespace {

using Demands = std::vector<double>;

double total(const Demands& demands) {
  return std::accumulate(demands.begin(), demands.end(), 0.0);
}

double largest(const Demands& demands) { return *std::max_element(demands.begin(), demands.end()); }

double sum_of_powers(const Demands& demands, double power, double unit) {
  double sum = 0;
  for (const double demand : demands) sum += std::pow(demand / unit, power);
  return sum;
}

Interval asymptotic(const Demands& demands, double think, double n) {
  const double all = total(demands);
  return {n / (n * all + think), std::min(1 / largest(demands), n / (all + think))};
}

Interval balanced_job(const Demands& demands, double think, double n) {
  const double all = total(demands), most = largest(demands);
  const double count = static_cast<double>(
      std::count_if(demands.begin(), demands.end(), [](double demand) { return demand > 0; }));
  return {n / (all + think + (n - 1) * most / (1 + think / (n * all))),
          std::min(1 / most, n / (all + think + (n - 1) * all / count / (1 + think / all)))};
}

Interval proportional(const Demands& demands, double, double n) {
  const double all = total(demands), most = largest(demands);
  const double below = most * sum_of_powers(demands, n, most) / sum_of_powers(demands, n - 1, most);
  const double above = most * sum_of_powers(demands, 2, most) / sum_of_powers(demands, 1, most);
  return {n / (all + (n - 1) * below), std::min(1 / most, n / (all + (n - 1) * above))};
}

/// y + y^2 + ... + y^n.
double geometric_sum(double y, double n) {
  return std::abs(1 - y) < 1e-9 ? n : y * (1 - std::pow(y, n)) / (1 - y);
}

Interval geometric(const Demands& demands, double think, double n) {
  const double all = total(demands), most = largest(demands), before = n - 1;
  double least_elsewhere = 0, most_elsewhere = 0;
  for (const double demand : demands) {
    const double low = demand * before / (think + all + most * before);
    const double high = demand * std::min(1 / most, before / (think + all));
    least_elsewhere += (most - demand) * geometric_sum(low, before);
    most_elsewhere += (most - demand) * geometric_sum(high, before);
  }
  const auto root = [&](double elsewhere, double thinking) {
    const double b = think + all + most * before - elsewhere;
    return 2 * n / (b + std::sqrt(std::max(0.0, b * b - 4 * think * most * thinking)));
  };
  return {root(least_elsewhere, before), std::min(1 / most, root(most_elsewhere, n))};
}

constexpr std::array kRows = {
    BoundsRow{"asymptotic", "Denning & Buzen 1978", true, asymptotic},
    BoundsRow{"balanced-job", "Zahorjan et al. 1982", true, balanced_job},
    BoundsRow{"proportional", "Hsieh & Lam 1987", false, proportional},
    BoundsRow{"geometric", "Casale, Muntz & Serazzi 2008", true, geometric},
};

}  // namespace

std::span<const BoundsRow> bounds_rows() { return kRows; }

double knee(const Demands& demands, double think_s) {
  return (total(demands) + think_s) / largest(demands);
}

std::vector<Bounds> bounds_of(const Network& network) {
  if (network.classes.size() != 1 || network.classes[0].open || network.classes[0].population < 1)
    return {};
  Demands demands;
  double think = network.classes[0].think_s;
  for (std::size_t k = 0; k < network.stations.size(); ++k) {
    const double demand = network.classes[0].demand_s(k);
    if (network.stations[k].kind == StationKind::delay)
      think += demand;
    else if (network.stations[k].fixed_rate())
      demands.push_back(demand);
    else
      return {};
  }
  if (demands.empty() || !(largest(demands) > 0)) return {};
  const auto n = static_cast<double>(network.classes[0].population);
  std::vector<Bounds> out;
  for (const BoundsRow& row : kRows) {
    if (think > 0 && !row.thinking) continue;
    const Interval x = row.throughput(demands, think, n);
    out.push_back({row.name, x, {n / x.high - think, n / x.low - think}});
  }
  return out;
}

}  // namespace brink::queueing
