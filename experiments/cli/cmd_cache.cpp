// cache: how often caches miss over a trace, by policy and size.

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "analytic/caching/hull.h"
#include "experiments/cli/cache_forecast.h"
#include "experiments/cli/cliff_report.h"
#include "experiments/cli/commands.h"
#include "experiments/cli/interrupt.h"
#include "experiments/data/quantity.h"
#include "models/cache/pattern.h"
#include "models/cache/policies.h"
#include "models/cache/read_trace.h"
#include "models/cache/stack_distance.h"
#include "models/language/diagnostic.h"
#include "solver/search/state_graph.h"

namespace brink::cli {
namespace {

using cache::Misses;
using cache::PageTrace;
using cache::PolicyRow;

constexpr std::string_view kDefaultSizes = "1%,2%,5%,10%,20%,50%";
constexpr std::size_t kMostPoints = 100'000;

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (c == ',')
      words.emplace_back();
    else if (c != ' ' || !words.back().empty())
      words.back() += c;
  }
  return words;
}

Result<std::vector<const PolicyRow*>, std::string> chosen_policies(const std::string& text) {
  std::vector<const PolicyRow*> out;
  std::vector<std::string> names;
  for (const PolicyRow& row : cache::policies()) names.emplace_back(row.name);
  for (const std::string& name : words_of(text.empty() ? "lru" : text)) {
    if (name == "all") {
      for (const PolicyRow& row : cache::policies()) out.push_back(&row);
      continue;
    }
    const PolicyRow* const row = cache::find_policy(name);
    if (row == nullptr) {
      const std::string near = nearest_name(name, names);
      return fail(fmt::format("no policy `{}`{}; policies are all, {}", name,
                              near.empty() ? "" : fmt::format(" (did you mean `{}`?)", near),
                              fmt::join(names, ", ")));
    }
    out.push_back(row);
  }
  return out;
}

std::optional<std::uint64_t> whole(std::string_view text) {
  std::uint64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

/// One entry of --size as pages, appended. Error: what is wrong with it.
Result<void, std::string> add_sizes(const std::string& text, std::uint32_t distinct,
                                    std::uint64_t page_bytes, std::vector<std::uint32_t>& out) {
  const auto add = [&](double pages) -> Result<void, std::string> {
    if (!(pages >= 1) || pages > 4e9)
      return fail(fmt::format("--size {}: a cache has at least one page and at most 4e9", text));
    if (out.size() >= kMostPoints)
      return fail(fmt::format("--size: more than {} sizes", kMostPoints));
    out.push_back(static_cast<std::uint32_t>(pages));
    return {};
  };
  if (std::count(text.begin(), text.end(), ':') == 2) {
    const std::size_t first = text.find(':'), second = text.rfind(':');
    const auto from = whole(std::string_view(text).substr(0, first));
    const auto step = whole(std::string_view(text).substr(first + 1, second - first - 1));
    const auto to = whole(std::string_view(text).substr(second + 1));
    if (!from || !step || !to || *step == 0 || *from > *to)
      return fail(fmt::format("--size {}: a range is FROM:STEP:TO in pages", text));
    for (std::uint64_t size = *from; size <= *to; size += *step)
      if (const auto done = add(static_cast<double>(size)); !done) return done;
    return {};
  }
  if (text.ends_with('%')) {
    const auto share = parse_quantity(text.substr(0, text.size() - 1), Dimension::number);
    if (!share) return fail(fmt::format("--size {}: {}", text, share.error()));
    return add(std::max(1.0, std::round(*share / 100 * distinct)));
  }
  const auto size = parse_quantity(text);
  if (!size) return fail(fmt::format("--size {}: {}", text, size.error()));
  if (size->dimension == Dimension::number || size->dimension == Dimension::pages)
    return add(size->value);
  if (size->dimension != Dimension::bytes)
    return fail(fmt::format("--size {}: pages, a share such as 5%, or bytes", text));
  if (page_bytes == 0)
    return fail(
        fmt::format("--size {}: bytes, and the size of a page is not given (--page)", text));
  return add(std::floor(size->value / static_cast<double>(page_bytes)));
}

Result<std::vector<std::uint32_t>, std::string> chosen_sizes(const Options& options,
                                                             std::uint32_t distinct,
                                                             std::uint64_t page_bytes) {
  std::vector<std::uint32_t> sizes;
  for (const std::string& word :
       words_of(options.size.empty() ? kDefaultSizes : std::string_view(options.size)))
    if (const auto done = add_sizes(word, distinct, page_bytes, sizes); !done)
      return fail(done.error());
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

struct Point {
  const PolicyRow* policy;
  std::uint32_t size;
  Misses misses;
  bool done = false;
  std::optional<double> predicted;
};

/// Runs every point, some at a time. Several sizes of lru are one pass over stack distances.
void run_points(const PageTrace& trace, std::vector<Point>& points, unsigned threads) {
  const auto is_lru = [](const Point& point) { return point.policy->name == "lru"; };
  const bool one_pass = std::count_if(points.begin(), points.end(), is_lru) > 1;
  std::atomic<std::size_t> next{one_pass ? std::size_t{0} : std::size_t{1}};  // 0: the pass
  const auto work = [&] {
    for (std::size_t at; (at = next++) <= points.size() && !interrupted();) {
      if (at == 0) {
        const cache::StackDistances distances = cache::stack_distances(trace);
        for (Point& point : points) {
          if (!is_lru(point)) continue;
          point.misses = distances.misses(point.size);
          point.done = true;
        }
        continue;
      }
      Point& point = points[at - 1];
      if (one_pass && is_lru(point)) continue;
      point.misses = point.policy->run(trace, point.size);
      point.done = true;
    }
  };
  std::vector<std::jthread> crew;
  for (unsigned i = 1; i < threads; ++i) crew.emplace_back(work);
  work();
}

void print(const PageTrace& trace, const std::vector<Point>& points, bool predict, Output& output) {
  const bool writes = trace.has_writes();
  const auto requests = static_cast<double>(trace.requests());
  output.say(fmt::format("{:<10} {:>11} {:>13} {:>10} {:>13}{}{}\n", "policy", "pages", "misses",
                         "ratio", "not first", writes ? "    of writes" : "",
                         predict ? "  predicted" : ""));
  for (const Point& point : points) {
    if (!point.done) continue;
    output.say(fmt::format(
        "{:<10} {:>11} {:>13} {:>10.6f} {:>13}{}{}\n", point.policy->name, point.size,
        point.misses.all, static_cast<double>(point.misses.all) / requests,
        point.misses.all - trace.distinct, writes ? fmt::format("{:>13}", point.misses.writes) : "",
        !predict          ? ""
        : point.predicted ? fmt::format("{:>11.6f}", *point.predicted)
                          : fmt::format("{:>11}", "-")));
    nlohmann::ordered_json object = {
        {"type", "cache"},
        {"policy", point.policy->name},
        {"size", point.size},
        {"miss_ratio", json_number(static_cast<double>(point.misses.all) / requests)},
        {"requests", trace.requests()},
        {"misses", point.misses.all},
        {"cold", trace.distinct}};
    if (writes) {
      object["read_misses"] = point.misses.all - point.misses.writes;
      object["write_misses"] = point.misses.writes;
    }
    if (predict) object["predicted"] = point.predicted ? json_number(*point.predicted) : nullptr;
    output.object(object);
  }
}

/// Cliffs of each policy's curve, and what they cost against the curve's convex hull.
void print_cliffs(const PageTrace& trace, const std::vector<Point>& points, Output& output) {
  for (std::size_t first = 0; first < points.size();) {
    std::vector<cliffs::Point> curve;
    std::vector<caching::HullPoint> misses = {{0, 1}};
    const PolicyRow* const policy = points[first].policy;
    for (; first < points.size() && points[first].policy == policy; ++first) {
      const auto size = static_cast<double>(points[first].size);
      const double ratio =
          static_cast<double>(points[first].misses.all) / static_cast<double>(trace.requests());
      curve.push_back({size, ratio});
      misses.push_back({size, ratio});
    }
    const auto found = cliffs::find_cliffs(curve);
    if (!found) continue;  // too few sizes, or nothing is missed
    const std::string name(policy->name);
    output.say("\n" + name + "\n");
    print_findings(*found, "pages", "misses", name, output);
    const caching::HullGap gap = caching::hull_gap(misses);
    output.say(
        fmt::format("hull   at {:.0f} pages the miss ratio is {:.4f} above its convex hull\n",
                    gap.size, gap.gap));
    output.object({{"type", "hull"}, {"policy", name}, {"size", gap.size}, {"gap", gap.gap}});
  }
}

void predict_points(const Options& options, const PageTrace& trace, std::vector<Point>& points,
                    Output& output) {
  const CacheForecast forecast = forecast_for(options.arguments[0], trace);
  for (Point& point : points) {
    if (interrupted()) return;
    point.predicted = forecast.miss(point.policy->name, point.size);
  }
  output.note("predicted by " + forecast.basis);
  if (!forecast.warning.empty()) output.note("warning: " + forecast.warning);
  output.object({{"type", "forecast"}, {"basis", forecast.basis}, {"warning", forecast.warning}});
}

Result<PageTrace, int> obtain(const Options& options, std::uint64_t page_bytes, Output& output) {
  const std::string& what = options.arguments[0];
  if (cache::is_pattern(what)) {
    auto made = cache::make_pattern(what);
    if (!made)
      return fail(output.error(kUsage, made.error(), "brink list policies shows patterns"));
    return std::move(*made);
  }
  if (!options.format.empty() && cache::find_trace_format(options.format) == nullptr) {
    std::vector<std::string_view> names;
    for (const auto& format : cache::trace_formats()) names.push_back(format.name);
    return fail(output.error(kUsage, fmt::format("no format `{}`", options.format),
                             fmt::format("formats are {}", fmt::join(names, ", "))));
  }
  const std::uint64_t most =
      options.memory_limit_bytes != 0 ? options.memory_limit_bytes : solver::default_memory_limit();
  output.progress("reading " + what);
  auto read = cache::read_trace(what, {options.format, page_bytes, most});
  if (read) return std::move(*read);
  const cache::TraceProblem& problem = read.error();
  return fail(output.error(problem.limit ? kUndecided : kInput,
                           fmt::format("{}: {}", what, problem.message), problem.help));
}

}  // namespace

int run_cache(const Options& options, Output& output) {
  output.object({{"type", "start"}, {"schema", "brink/1"}, {"command", "cache"}});
  end_without_answer_after(options.time_limit_s);
  std::uint64_t page_bytes = 0;
  if (!options.page.empty()) {
    const auto bytes = parse_quantity(options.page, Dimension::bytes);
    if (!bytes) return output.error(kUsage, fmt::format("--page: {}", bytes.error()));
    if (!(*bytes >= 1) || *bytes > 1e15 || *bytes != std::floor(*bytes))
      return output.error(kUsage, "--page must be a whole number of bytes, at least one");
    page_bytes = static_cast<std::uint64_t>(*bytes);
  }
  const auto policies = chosen_policies(options.policy);
  if (!policies) return output.error(kUsage, policies.error());
  const auto trace = obtain(options, page_bytes, output);
  if (!trace) return trace.error();
  const auto sizes = chosen_sizes(options, trace->distinct, page_bytes);
  if (!sizes) return output.error(kUsage, sizes.error());
  std::vector<Point> points;
  for (const PolicyRow* policy : *policies)
    for (const std::uint32_t size : *sizes) points.push_back({policy, size, {}});
  output.progress("replaying");
  run_points(*trace, points, static_cast<unsigned>(options.threads));
  output.say(fmt::format("{}: {} references to {} pages\n\n", options.arguments[0],
                         trace->requests(), trace->distinct));
  if (options.predict && !interrupted() && trace->requests() > 0)
    predict_points(options, *trace, points, output);
  print(*trace, points, options.predict, output);
  if (options.predict && !interrupted() && trace->requests() > 0)
    print_cliffs(*trace, points, output);
  return interrupted() ? kUndecided : kDone;
}

}  // namespace brink::cli
