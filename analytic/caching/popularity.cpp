#include "analytic/caching/popularity.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "models/base/check.h"

namespace brink::caching {

double Popularity::pages() const {
  double all = 0;
  for (const Group& group : groups) all += group.count;
  return all;
}

double Popularity::total() const {
  double all = 0;
  for (const Group& group : groups) all += group.p * group.count;
  return all;
}

namespace {

Popularity scaled(Popularity popularity) {
  const double total = popularity.total();
  for (Group& group : popularity.groups) group.p /= total;
  return popularity;
}

}  // namespace

Popularity zipf(std::uint64_t pages, double alpha) {
  BRINK_CHECK(pages >= 1);
  constexpr std::uint64_t kApart = 4096;
  Popularity out;
  for (std::uint64_t rank = 1; rank <= pages;) {
    const std::uint64_t width = rank <= kApart ? 1 : std::max<std::uint64_t>(1, rank / 2048);
    const std::uint64_t end = std::min(pages, rank + width - 1);
    double sum = 0;
    for (std::uint64_t r = rank; r <= end; ++r) sum += std::pow(static_cast<double>(r), -alpha);
    const auto count = static_cast<double>(end - rank + 1);
    out.groups.push_back({sum / count, count});
    rank = end + 1;
  }
  return scaled(std::move(out));
}

Popularity uniform(std::uint64_t pages) {
  const auto count = static_cast<double>(pages);
  return {{{1 / count, count}}};
}

Popularity from_weights(std::vector<double> weights) {
  std::sort(weights.begin(), weights.end(), std::greater<>());
  Popularity out;
  for (const double weight : weights) {
    if (!(weight > 0)) continue;
    if (!out.groups.empty() && out.groups.back().p == weight)
      ++out.groups.back().count;
    else
      out.groups.push_back({weight, 1});
  }
  BRINK_CHECK(!out.groups.empty(), "no page with a weight");
  return scaled(std::move(out));
}

std::vector<double> pages_of(const Popularity& popularity) {
  BRINK_CHECK(popularity.pages() <= 100'000);
  std::vector<double> out;
  for (const Group& group : popularity.groups)
    out.insert(out.end(), static_cast<std::size_t>(std::llround(group.count)), group.p);
  return out;
}

}  // namespace brink::caching
