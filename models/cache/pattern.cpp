#include "models/cache/pattern.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>


namespace brink::cache {
namespace {

using Parameters = std::map<std::string, double, std::less<>>;

/// xoshiro256** (Blackman & Vigna 2018), seeded by splitmix64.
class Random {
 public:
  explicit Random(std::uint64_t seed) {
    for (std::uint64_t& word : state_) {
      std::uint64_t z = (seed += 0x9e3779b97f4a7c15ULL);
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
      z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
      word = z ^ (z >> 31);
    }
  }
  std::uint64_t next() {
    const std::uint64_t result = turn(state_[1] * 5, 7) * 9, t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = turn(state_[3], 45);
    return result;
  }
  std::uint32_t below(std::uint32_t n) {  // by the high bits
    return static_cast<std::uint32_t>((static_cast<unsigned __int128>(next()) * n) >> 64);
  }
  double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

 private:
  static std::uint64_t turn(std::uint64_t x, int by) { return (x << by) | (x >> (64 - by)); }
  std::uint64_t state_[4];
};

/// Zipf's law by Walker's alias method as Vose builds it (1991).
class Zipf {
 public:
  Zipf(std::uint32_t pages, double alpha) : share_(pages), other_(pages, 0) {
    double sum = 0;
    for (std::uint32_t i = 0; i < pages; ++i) sum += share_[i] = std::pow(i + 1.0, -alpha);
    std::vector<std::uint32_t> small, large;
    for (std::uint32_t i = 0; i < pages; ++i) {
      share_[i] = share_[i] / sum * pages;
      (share_[i] < 1 ? small : large).push_back(i);
    }
    while (!small.empty() && !large.empty()) {
      const std::uint32_t poor = small.back(), rich = large.back();
      small.pop_back();
      other_[poor] = rich;
      share_[rich] -= 1 - share_[poor];
      if (share_[rich] >= 1) continue;
      large.pop_back();
      small.push_back(rich);
    }
    for (const std::uint32_t i : large) share_[i] = 1;
  }
  std::uint32_t draw(Random& random) const {
    const std::uint32_t i = random.below(static_cast<std::uint32_t>(share_.size()));
    return random.unit() < share_[i] ? i : other_[i];
  }

 private:
  std::vector<double> share_;
  std::vector<std::uint32_t> other_;
};

std::uint32_t pages_of(const Parameters& p, const char* name = "pages") {
  return static_cast<std::uint32_t>(p.at(name));
}

/// References named by `draw`, numbered by first appearance.
template <typename F>
PageTrace trace_of(const Parameters& p, F&& draw) {
  const auto requests = static_cast<std::uint64_t>(p.at("requests"));
  PageTrace out;
  out.pages.reserve(requests);
  PageNumbers numbers;
  for (std::uint64_t i = 0; i < requests; ++i) out.pages.push_back(numbers(draw(i)));
  out.distinct = numbers.size();
  return out;
}

PageTrace zipf(const Parameters& p) {
  Random random(static_cast<std::uint64_t>(p.at("seed")));
  const std::uint32_t pages = pages_of(p);
  const Zipf law(pages, p.at("alpha"));
  for (std::uint32_t i = pages - 1; i > 0; --i) random.below(i + 1);  // names: they do not matter
  return trace_of(p, [&](std::uint64_t) { return law.draw(random); });
}

PageTrace uniform(const Parameters& p) {
  Random random(static_cast<std::uint64_t>(p.at("seed")));
  return trace_of(p, [&](std::uint64_t) { return random.below(pages_of(p)); });
}

PageTrace cyclic(const Parameters& p) {
  return trace_of(p, [&](std::uint64_t i) { return i % pages_of(p); });
}

/// Each reference goes on with a scan over cold pages with the given probability, else to a hot
/// page.
PageTrace scan_hot(const Parameters& p) {
  Random random(static_cast<std::uint64_t>(p.at("seed")));
  const std::uint32_t hot = pages_of(p, "hot"), scan = pages_of(p, "scan");
  std::uint64_t at = 0;
  return trace_of(p, [&](std::uint64_t) -> std::uint64_t {
    return random.unit() < p.at("share") ? hot + at++ % scan : random.below(hot);
  });
}

struct Maker {
  PatternRow row;
  PageTrace (*make)(const Parameters&);
};

constexpr std::array kMakers = {
    Maker{{"zipf", "independent references, page k with weight k^-alpha",
           "pages alpha requests seed"},
          zipf},
    Maker{{"uniform", "independent references, all pages alike", "pages requests seed"}, uniform},
    Maker{{"cyclic", "pages 1, 2, ... and over again", "pages requests"}, cyclic},
    Maker{{"scan-hot", "a hot set, and a cyclic scan with the given share of the references",
           "hot scan share requests seed"},
          scan_hot},
};

/// Largest values: what 32-bit page numbers and the memory of a large machine hold.
constexpr double kMostPages = 1e9, kMostRequests = 1e10;

std::string problem_of(std::string_view name, double value) {
  if (name == "alpha") return value >= 0 && value <= 20 ? "" : "0 to 20";
  if (name == "share") return value >= 0 && value <= 1 ? "" : "0 to 1";
  const double least = name == "seed" || name == "requests" ? 0 : 1;
  const double most = name == "requests" ? kMostRequests : name == "seed" ? 9e15 : kMostPages;
  if (value >= least && value <= most && value == std::floor(value)) return "";
  return fmt::format("a whole number, {:.0f} to {:.0f}", least, most);
}

const Maker* maker_of(std::string_view text) {
  const std::string_view name = text.substr(0, text.find(':'));
  const auto at = std::find_if(kMakers.begin(), kMakers.end(),
                               [&](const Maker& maker) { return maker.row.name == name; });
  return at == kMakers.end() ? nullptr : &*at;
}

std::vector<std::string> words_of(std::string_view text, char separator) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (c == separator)
      words.emplace_back();
    else
      words.back() += c;
  }
  return words;
}

}  // namespace

std::span<const PatternRow> patterns() {
  static const std::array rows = [] {
    std::array<PatternRow, kMakers.size()> out;
    for (std::size_t i = 0; i < kMakers.size(); ++i) out[i] = kMakers[i].row;
    return out;
  }();
  return rows;
}

bool is_pattern(std::string_view text) {
  return text.find(':') != std::string_view::npos && maker_of(text) != nullptr;
}

Result<PageTrace, std::string> make_pattern(std::string_view text) {
  const Maker* const maker = maker_of(text);
  if (maker == nullptr) return fail(fmt::format("no pattern `{}`", text));
  const std::vector<std::string> known = words_of(maker->row.parameters, ' ');
  Parameters parameters;
  for (const std::string& word : words_of(text.substr(text.find(':') + 1), ',')) {
    const std::size_t equal = word.find('=');
    const std::string name = word.substr(0, equal);
    if (equal == std::string::npos || std::ranges::find(known, name) == known.end())
      return fail(fmt::format("`{}`: parameters of {} are {}, each as NAME=VALUE", word,
                              maker->row.name, maker->row.parameters));
    double value = 0;
    const char* const end = word.data() + word.size();
    const auto read = std::from_chars(word.data() + equal + 1, end, value);
    if (read.ec != std::errc() || read.ptr != end)
      return fail(fmt::format("`{}`: not a number", word));
    if (const std::string range = problem_of(name, value); !range.empty())
      return fail(fmt::format("`{}`: {}", word, range));
    if (!parameters.emplace(name, value).second)
      return fail(fmt::format("`{}` is given twice", name));
  }
  for (const std::string& name : known)
    if (!parameters.contains(name)) return fail(fmt::format("{} needs {}=", maker->row.name, name));
  return maker->make(parameters);
}

}  // namespace brink::cache
