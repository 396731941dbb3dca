#include "models/workloads/page_pattern.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace brink::machine {

namespace {

using Kind = PatternSpec::Kind;
constexpr PatternRow kRows[] = {
    {"cyclic", "one page after the other, again and again", Kind::cyclic},
    {"random", "all pages alike", Kind::random},
    {"zipf", "the page of rank k as often as k^-alpha; ranks are spread over the file", Kind::zipf},
    {"hot", "hotprob of the reads go to hotfrac of the pages, the others anywhere else", Kind::hot},
    {"scanhot", "the same, but the others are a scan of the rest", Kind::scanhot},
};

constexpr std::uint64_t kFirstState = 88172645463325252u;
constexpr std::uint64_t kSeedStep = 0x9E3779B97F4A7C15u;
constexpr std::uint64_t kStride = 0x9E3779B1u;  // odd, and made prime to the number of pages
constexpr int kWarmUp = 10;

}  // namespace

std::span<const PatternRow> pattern_rows() { return kRows; }

PagePattern::PagePattern(const PatternSpec& spec, std::int64_t pages)
    : spec_(spec),
      pages_(pages),
      hot_pages_(std::clamp<std::int64_t>(
          static_cast<std::int64_t>(static_cast<double>(pages) * spec.hot_fraction), 1, pages)),
      scan_(hot_pages_ % pages),
      state_(kFirstState ^ (spec.seed * kSeedStep)) {
  for (int i = 0; i < kWarmUp; ++i) draw();
  if (spec.kind != Kind::zipf) return;
  stride_ = kStride;
  while (std::gcd(stride_, static_cast<std::uint64_t>(pages)) != 1) stride_ += 2;
  cumulated_.resize(static_cast<std::size_t>(pages));
  double sum = 0;
  for (std::int64_t rank = 0; rank < pages; ++rank) {
    sum += std::pow(static_cast<double>(rank) + 1.0, -spec.alpha);
    cumulated_[static_cast<std::size_t>(rank)] = sum;
  }
  for (double& share : cumulated_) share /= sum;
}

std::uint64_t PagePattern::draw() {
  state_ ^= state_ << 13;
  state_ ^= state_ >> 7;
  state_ ^= state_ << 17;
  return state_ * 2685821657736338717u;
}

double PagePattern::fraction() {
  return static_cast<double>(draw() >> 11) * (1.0 / 9007199254740992.0);
}

std::int64_t PagePattern::below(std::int64_t bound) {
  return static_cast<std::int64_t>(fraction() * static_cast<double>(bound));
}

std::int64_t PagePattern::next() {
  switch (spec_.kind) {
    case Kind::cyclic: {
      const std::int64_t page = position_;
      position_ = position_ + 1 == pages_ ? 0 : position_ + 1;
      return page;
    }
    case Kind::random:
      return below(pages_);
    case Kind::zipf: {
      const auto found = std::lower_bound(cumulated_.begin(), cumulated_.end() - 1, fraction());
      const auto rank = static_cast<std::uint64_t>(found - cumulated_.begin());
      return static_cast<std::int64_t>(rank * stride_ % static_cast<std::uint64_t>(pages_));
    }
    case Kind::hot:
    case Kind::scanhot:
      break;
  }
  if (fraction() < spec_.hot_share || hot_pages_ == pages_) return below(hot_pages_);
  if (spec_.kind == Kind::hot) return hot_pages_ + below(pages_ - hot_pages_);
  const std::int64_t page = scan_;
  scan_ = scan_ + 1 == pages_ ? hot_pages_ : scan_ + 1;
  return page;
}

}  // namespace brink::machine
