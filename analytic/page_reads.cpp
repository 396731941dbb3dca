// Page reads: the hit ratio of one file under a pattern, if the cache were one LRU list.
//
// The idea. With independent reads a page is in the cache if it was read within the last T reads;
// T is such that the expected number of such pages is the capacity [Che, Tung, Wang 2002]. A scan
// of more pages than that never hits and fills the cache at its own rate. A cyclic pattern hits
// always or never.
//
// What it leaves out: the second list and the refault distance of linux-6, which protect hot pages
// beside a scan or let it erode them; the difference between prediction and machine is what they
// do. Tried and dropped: the two lists as two such caches, which needs how often the active list is
// scanned, and that follows from what it is to predict.
#include <algorithm>
#include <array>
#include <cmath>

#include "analytic/formulas.h"

namespace brink::analytic {
namespace {

constexpr std::array kInputs = {
    FormulaInput{"pattern", "", "0 cyclic, 1 random, 2 zipf, 3 hot pages beside a scan"},
    FormulaInput{"pages", "pages", "of the file"},
    FormulaInput{"capacity", "pages", "what the cache can hold of it"},
    FormulaInput{"alpha", "", "zipf: the exponent"},
    FormulaInput{"hot_fraction", "", "share of the pages that are hot"},
    FormulaInput{"hot_share", "", "share of the reads that go there"},
};

/// The time T with filled(T) = capacity; `filled` rises.
template <typename Filled>
double characteristic_time(Filled filled, double capacity) {
  double low = 0, high = 1;
  while (filled(high) < capacity) high *= 2;
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    (filled(middle) < capacity ? low : high) = middle;
  }
  return high;
}

double zipf_hits(std::int64_t pages, double capacity, double alpha) {
  std::vector<double> share(static_cast<std::size_t>(pages));
  double sum = 0;
  for (std::size_t rank = 0; rank < share.size(); ++rank) {
    sum += share[rank] = std::pow(static_cast<double>(rank) + 1, -alpha);
  }
  for (double& p : share) p /= sum;
  const double time = characteristic_time(
      [&](double t) {
        double filled = 0;
        for (const double p : share) filled += -std::expm1(-p * t);
        return filled;
      },
      capacity);
  double hits = 0;
  for (const double p : share) hits += p * -std::expm1(-p * time);
  return hits;
}

double scan_hits(double pages, double capacity, double hot_fraction, double hot_share) {
  const double hot = std::clamp(std::floor(pages * hot_fraction), 1.0, pages);
  const double time = characteristic_time(
      [&](double t) { return hot * -std::expm1(-hot_share / hot * t) + (1 - hot_share) * t; },
      capacity);
  const bool scan_fits = (1 - hot_share) * time >= pages - hot;
  return hot_share * -std::expm1(-hot_share / hot * time) + (scan_fits ? 1 - hot_share : 0);
}

Result<FormulaOutput, std::string> evaluate(const FormulaInputs& in) {
  const auto get = [&](std::string_view name) { return in.find(name)->second; };
  const double pages = get("pages"), capacity = get("capacity"), share = get("hot_share");
  const int pattern = static_cast<int>(get("pattern"));
  if (!(pages >= 1 && pages <= 1e9 && capacity > 0)) {
    return fail(std::string("the file and the cache must not be empty"));
  }
  if (pattern < 0 || pattern > 3) return fail(std::string("`pattern` is 0, 1, 2 or 3"));
  if (pattern == 3 && !(share > 0 && share < 1)) {
    return fail(std::string("`hot_share` must lie between 0 and 1"));
  }
  double hits = 1;
  if (pages > capacity) {
    hits = pattern == 0   ? 0
           : pattern == 1 ? capacity / pages
           : pattern == 2 ? zipf_hits(static_cast<std::int64_t>(pages), capacity, get("alpha"))
                          : scan_hits(pages, capacity, get("hot_fraction"), share);
  }
  FormulaOutput output;
  output.table = "access";
  output.columns = {"hit_ratio", "miss_ratio"};
  output.rows = {{hits, 1 - hits}};
  output.because = pages > capacity ? "the file does not fit" : "the file fits";
  return output;
}

}  // namespace

const FormulaInfo kPageReads = {
    "page-reads", "reads of a file's pages, the cache being one LRU list",
    "Che, Tung, Wang 2002, Hierarchical web caching systems", kInputs, evaluate};

}  // namespace brink::analytic
